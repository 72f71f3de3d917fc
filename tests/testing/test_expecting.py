"""`raises_code`: the right error passes and is handed on with its types; of a wrong one all is said."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from typing import Any
from unittest import mock

import pytest

from errkit import CodedError, Details, Registry, Secret, code, from_payload, to_payload
from errkit.testing import raises_code
from tests import hostile


class PathDetails(Details):
    """A path."""

    path: str
    op: str = "read"
    token: Secret[str] = ""


class FileError(CodedError, domain="kit.file", registry=Registry("expecting")):
    """Files."""

    NOT_FOUND = code(
        "File not found", PathDetails, hint="Check the path.", aliases=("E-NOENT",), example={"path": "/x"}
    )
    DENIED = code("Access denied", PathDetails)
    BROKEN = code("Broken")


def failure(test: Any) -> str:
    """What a failing block says."""
    with pytest.raises(AssertionError) as caught:
        test()
    return str(caught.value)


class TestTheRightError:
    """What passes."""

    def test_the_code_decides(self) -> None:
        """The error is caught, and is there afterwards with its typed details."""
        with raises_code(FileError.NOT_FOUND) as raised:
            raise FileError.NOT_FOUND("gone", path="/x")
        assert raised.value.message == "gone"
        assert raised.details == PathDetails(path="/x")
        assert raised.details.op == "read"

    def test_text_and_alias_name_a_code_too(self) -> None:
        """A code may be given as text, and an error that still has an old name of the code counts."""
        with raises_code("kit.file.broken") as raised:
            raise FileError.BROKEN(None)
        assert raised.value.code == "kit.file.broken"
        with pytest.raises(TypeError, match="is only text"):
            raised.details  # noqa: B018
        with raises_code(FileError.NOT_FOUND):
            raise from_payload({"code": "E-NOENT", "message": "gone"})

    def test_a_revived_error_counts(self) -> None:
        """What came over the wire is expected like what was raised here, even where nobody knows its code."""
        payload = to_payload(FileError.NOT_FOUND(path="/x"))
        with raises_code(FileError.NOT_FOUND, path="/x") as raised:
            raise from_payload(payload)
        assert raised.value.spec.cls is None
        assert raised.details.path == "/x"

    def test_all_that_is_asked_for_is_compared(self) -> None:
        """Details, message, pattern, hint and cause; what is not asked for may be anything."""
        with raises_code(
            FileError.NOT_FOUND,
            match="^gone",
            message="gone away",
            hint="Check the path.",
            cause=KeyError,
            path="/x",
            token="s3cr3t",
        ):
            raise FileError.NOT_FOUND("gone away", path="/x", op="write", token="s3cr3t") from KeyError("x")
        with raises_code(
            FileError.BROKEN, match=re.compile("BROKEN", re.IGNORECASE), cause="kit.file.denied"
        ):
            raise FileError.BROKEN(None) from FileError.DENIED(path="/x")

    def test_values_are_compared_with_their_own_equality(self) -> None:
        """Whatever has an `==` serves as an expectation."""
        with raises_code(FileError.NOT_FOUND, path=mock.ANY):
            raise FileError.NOT_FOUND(path="/whatever")

    def test_interruptions_pass(self) -> None:
        """Neither a user's Ctrl-C nor a test runner's skip is taken for a wrong error."""
        for interruption in (KeyboardInterrupt, SystemExit, pytest.skip.Exception):
            with pytest.raises(interruption):
                with raises_code(FileError.BROKEN):
                    raise interruption

    async def _works_in_coroutines(self) -> str:
        with raises_code(FileError.BROKEN) as raised:
            await asyncio.sleep(0)
            raise FileError.BROKEN("late")
        return raised.value.message

    def test_it_works_in_coroutines(self) -> None:
        """An ordinary `with` is enough where the block awaits."""
        assert asyncio.run(self._works_in_coroutines()) == "late"

    def test_it_does_not_load_pytest(self) -> None:
        """It serves any test runner."""
        names = "t.raises_code, t.assert_round_trip"
        script = f"import sys, errkit.testing as t\n{names}\nprint('pytest' in sys.modules)"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        assert done.stdout == "False\n"


class TestAWrongError:
    """What fails, and what is said then."""

    def test_nothing_was_raised(self) -> None:
        """The code that was waited for is named."""

        def test() -> None:
            with raises_code(FileError.BROKEN):
                pass

        assert failure(test) == "kit.file.broken was expected, and nothing was raised"

    def test_the_value_is_there_after_the_block_only(self) -> None:
        """Asking inside the block is a mistake that is named."""
        with raises_code(FileError.BROKEN) as raised:
            with pytest.raises(AssertionError, match="leave the `with` block first"):
                raised.value  # noqa: B018
            raise FileError.BROKEN(None)

    def test_another_code(self) -> None:
        """Both codes, the error as people read it, and where it was raised."""

        def test() -> None:
            with raises_code(FileError.BROKEN):
                raise FileError.NOT_FOUND("gone", path="/x")

        said = failure(test).splitlines()
        assert said[:3] == [
            "kit.file.broken was expected, and kit.file.not_found was raised",
            "    [kit.file.not_found] gone",
            "    Hint: Check the path.",
        ]
        assert re.fullmatch(rf"    raised at {re.escape(__file__)}:\d+ in test", said[3])

    def test_an_error_without_a_code(self) -> None:
        """The class is named, and the error itself is the cause of the failure."""

        def test() -> None:
            with raises_code(FileError.BROKEN):
                raise ValueError("odd")

        with pytest.raises(AssertionError, match="and ValueError, which has no code, was raised") as caught:
            test()
        assert isinstance(caught.value.__cause__, ValueError)

    @pytest.mark.parametrize("depth", [1, 3])
    def test_the_expected_code_among_the_causes(self, depth: int) -> None:
        """A boundary that hid the expected error is pointed out."""

        def test() -> None:
            with raises_code(FileError.BROKEN):
                error: CodedError = FileError.BROKEN()
                for _ in range(depth):
                    outer = FileError.DENIED(path="/x")
                    outer.__cause__, error = error, outer
                raise error

        assert "A cause has the expected code: a boundary in between gave it another one." in failure(test)

    def test_the_expected_code_in_a_group(self) -> None:
        """A group that holds the expected error is pointed out."""

        def test() -> None:
            with raises_code(FileError.BROKEN):
                raise ExceptionGroup("two", [ValueError("odd"), ExceptionGroup("one", [FileError.BROKEN()])])

        assert "The group holds one with the expected code" in failure(test)

    def test_other_details_are_shown_as_a_difference(self) -> None:
        """What is the same stands unmarked; what differs, is missing or was not expected is marked."""

        def test() -> None:
            with raises_code(FileError.NOT_FOUND, path="/srv/a.txt", op="read", size=5):
                raise FileError.NOT_FOUND(path="/srv/b.txt", op="read")

        assert failure(test).splitlines()[:8] == [
            "kit.file.not_found was raised, and not as expected",
            "    its details differ (- expected, + raised)",
            "      - path: '/srv/a.txt'",
            "      ?             ^",
            "      + path: '/srv/b.txt'",
            "      ?             ^",
            "        op: 'read'",
            "      - size: 5",
        ]

    @pytest.mark.parametrize(
        ("asked", "meant"),
        [
            ("paht", "did you mean path?"),
            ("mesage", "did you mean message?"),
            ("zzz", "there are op, path, token, match, message, hint, cause"),
        ],
    )
    def test_a_detail_that_is_not_declared_is_named(self, asked: str, meant: str) -> None:
        """With those that may be meant: nothing can ever have it."""

        def test() -> None:
            with raises_code(FileError.NOT_FOUND, **{asked: "x"}):
                raise FileError.NOT_FOUND(path="/srv/b.txt", op="read")

        assert f"    {asked} is no detail of this code; {meant}" in failure(test).splitlines()

    def test_other_texts_are_shown_as_a_difference(self) -> None:
        """Message, hint and pattern say what was found in their place."""

        def test() -> None:
            with raises_code(FileError.NOT_FOUND, message="gone", hint="Look.", match="lost"):
                raise FileError.NOT_FOUND("gene", path="/x")

        said = failure(test)
        assert "its message differs (- expected, + raised)\n      - gone\n" in said
        assert "its hint differs (- expected, + raised)\n      - Look.\n      + Check the path." in said
        assert "the pattern is not found in its message\n      pattern  lost\n      message  gene" in said

    @pytest.mark.parametrize(
        ("cause", "shown"), [(KeyError("x"), "it is KeyError('x')"), (None, "there is none")]
    )
    def test_another_cause(self, cause: Exception | None, shown: str) -> None:
        """The cause that is there is shown; only the direct one counts."""

        def test() -> None:
            with raises_code(FileError.BROKEN, cause=OSError):
                raise FileError.BROKEN(None) from cause

        assert f"its cause is no OSError: {shown}" in failure(test)

    def test_details_that_do_not_fit_fail_unasked(self) -> None:
        """A throw site never fails, so a misspelt or missing key is found here."""

        def test() -> None:
            with raises_code(FileError.NOT_FOUND):
                raise FileError.NOT_FOUND(pth="/x")  # type: ignore[call-arg] # pyright: ignore[reportCallIssue]

        assert "the details don't fit their declaration: missing: path; unknown: pth" in failure(test)

    def test_secrets_stay_out_of_the_output(self) -> None:
        """The output of a test run is read by many: declared secrets and what looks like one are replaced."""

        def test() -> None:
            with raises_code(FileError.NOT_FOUND, token="hunter2", path="https://ann:hunter2@host/x"):
                raise FileError.NOT_FOUND(
                    "password=hunter2", path="https://ann:hunter2@host/y", token="hunter3"
                )

        said = failure(test)
        assert "hunter" not in said
        assert "      - token: [REDACTED] (another one)\n" in said
        assert "      + token: [REDACTED]" in said

    def test_values_that_fight_back_are_shown_all_the_same(self) -> None:
        """A value without a `repr` does not hide the failure."""

        def test() -> None:
            with raises_code(FileError.NOT_FOUND, path="/x"):
                raise FileError.NOT_FOUND(path=hostile.Garbage())  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]

        assert "+ path: <Garbage object>" in failure(test)
