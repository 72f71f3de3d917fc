"""The shared checks: each fault that they promise to find is planted and found; a sound registry is clean."""

from __future__ import annotations

import copy
import gc
import threading
import time
import zlib
from typing import TYPE_CHECKING, Any

import pytest

from errkit import CodedError, Details, Reason, Registry, Secret, code
from errkit.catalog_file import catalog
from errkit.checks import CHECKS, Context, check_registry, run_checks
from errkit.checks.declaration import hint_fault
from errkit.checks.published import read_inventory
from errkit.config import Config, Exemption, default_sources
from errkit.registry import living_registries

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from errkit import ErrorSpec


class SlotDetails(Details):
    """Which slot it was."""

    day: str
    """The day."""
    pin: Secret[str] = ""
    """The code of the door."""


class Hanging:
    """Never ends when it is pickled or copied."""

    def __reduce__(self) -> Any:
        while True:
            time.sleep(0.01)


def context(tmp_path: Path, docs: Path | None = None, **settings: Any) -> Context:
    """The context of a project in `tmp_path`."""
    return Context(Config(root=tmp_path, lock=tmp_path / "errors.lock.json", docs=docs, **settings))


def found(registry: Registry, check: str, where: Context) -> list[str]:
    """What one check finds, as `code: problem`."""
    (wanted,) = [item for item in CHECKS if item.name == check]
    return [f"{item.code}: {item.problem}" for item in check_registry(wanted, registry, where)]


def sound() -> Registry:
    """A registry without a fault."""
    registry = Registry("boatyard")

    class SlotError(CodedError, domain="slot", registry=registry, numbers=range(10, 20)):
        """Slots."""

        TAKEN = code(
            "Slot is taken", SlotDetails, number=11, hint="Choose another slot.", example={"day": "mon"}
        )
        """Somebody was faster. Slots are held for ten minutes. Choose another one."""

    assert SlotError.TAKEN in registry
    return registry


def test_errkits_own_registries_pass_every_check(tmp_path: Path) -> None:
    """errkit is its own first user: its codes, the ready-made domains and the catalogues are clean."""
    report = run_checks([source.registry for source in default_sources()], context(tmp_path))
    assert list(map(str, report.findings)) == []
    assert {item.check for item in report.not_run} == {"docs", "lock", "orphans"}


def test_a_sound_registry_is_clean(tmp_path: Path) -> None:
    """Nothing is found where nothing is wrong."""
    report = run_checks([sound()], context(tmp_path))
    assert report.clean
    assert list(map(str, report.findings)) == []


def test_a_check_without_its_input_is_not_run_and_says_why(tmp_path: Path) -> None:
    """A check whose input isn't configured never passes in silence."""
    reasons = {item.check: item.reason for item in run_checks([sound()], context(tmp_path)).not_run}
    assert "`docs` is not set" in reasons["docs"]
    unbuilt = run_checks([sound()], context(tmp_path, docs=tmp_path / "site")).not_run
    assert "build the site first" in unbuilt[0].reason


class TestSurvival:
    """Errors that do not come through."""

    def test_an_overridden_reduce_is_found(self, tmp_path: Path) -> None:
        """A class that pickles itself and loses its details fails `pickle` and `process`."""
        registry = Registry("faulty")

        class LossyError(CodedError, domain="lossy", registry=registry):
            GONE = code("Gone", SlotDetails, hint="Ask again.", example={"day": "mon"})

            def __reduce__(self) -> Any:
                return CodedError, ("lossy.gone", "Gone")

        assert "changes" in found(registry, "pickle", context(tmp_path))[0]
        assert "changes" in found(registry, "process", context(tmp_path))[0]
        assert found(registry, "json", context(tmp_path)) == []
        assert LossyError.GONE == "lossy.gone"

    def test_an_overridden_copy_is_found(self, tmp_path: Path) -> None:
        """A class whose copies lose the notes, or raise, fails `copy`."""
        registry = Registry("faulty")

        class ForgetfulError(CodedError, domain="forgetful", registry=registry):
            GONE = code("Gone")

            def __copy__(self) -> Any:
                return type(self).GONE(self.message)

            def __deepcopy__(self, memo: object) -> Any:
                raise TypeError("no copies")

        problems = found(registry, "copy", context(tmp_path))
        assert "copy changes" in problems[0]
        assert "deepcopy raises TypeError: no copies" in problems[1]
        assert copy.copy(ForgetfulError.GONE("x")).message == "x"

    def test_a_type_that_json_can_not_carry_is_found(self, tmp_path: Path) -> None:
        """A field whose JSON form can't be turned back fails `json`."""
        registry = Registry("faulty")

        class ComplexDetails(Details):
            value: complex

        class MathError(CodedError, domain="math", registry=registry):
            ODD = code("Odd", ComplexDetails, example={"value": 1j})

        assert found(registry, "json", context(tmp_path)) == [
            "math.odd: the revived error does not match its own code"
        ]
        assert MathError.ODD == "math.odd"

    def test_a_process_that_dies_is_a_finding_for_each_code(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The check says that the other process ended, and never waits for ever."""
        (tmp_path / "errkit").mkdir()
        (tmp_path / "errkit" / "__init__.py").write_text("raise SystemExit(7)")
        monkeypatch.syspath_prepend(str(tmp_path))
        assert "ended with code 7" in found(sound(), "process", context(tmp_path))[0]

    def test_what_hangs_is_named_with_its_place(self, tmp_path: Path) -> None:
        """A value whose pickling never ends costs its own code the checks, and no other code anything."""
        registry = Registry("faulty")

        class HangingDetails(Details):
            value: Hanging

        class HangingError(CodedError, domain="hanging", registry=registry):
            ONE = code("One", HangingDetails, example={"value": Hanging()})
            TWO = code("Two", SlotDetails, example={"day": "mon"})

        where = context(tmp_path)
        where.patience = 0.3
        for check in ("pickle", "copy", "process"):
            [problem] = found(registry, check, where)
            assert "hanging.one: " in problem
            assert "did not end within 0.3 seconds; it stands at " in problem
            assert "test_checks.py:" in problem
            assert problem.endswith(" in __reduce__")
        assert HangingError.ONE == "hanging.one"

    def test_a_method_that_hangs_is_named_with_its_place(self, tmp_path: Path) -> None:
        """A class with methods of its own is watched, whatever its details are."""
        registry = Registry("faulty")

        class EndlessError(CodedError, domain="endless", registry=registry):
            ONE = code("One", SlotDetails, example={"day": "mon"})

            def __copy__(self) -> Any:
                while True:
                    time.sleep(0.01)

        where = context(tmp_path)
        where.patience = 0.3
        [problem] = found(registry, "copy", where)
        assert problem.startswith("endless.one: it did not end within 0.3 seconds; it stands at ")
        assert problem.endswith(" in __copy__")
        assert EndlessError.ONE == "endless.one"

    def test_details_that_pickles_can_not_carry_are_found(self, tmp_path: Path) -> None:
        """A lock comes out of a pickle as text, so its code fails `pickle`; a declared secret does not."""
        registry = Registry("faulty")

        class LockDetails(Details):
            lock: Any
            pin: Secret[int] = 0

        class LockError(CodedError, domain="locked", registry=registry):
            ONE = code("One", LockDetails, example={"lock": threading.Lock(), "pin": 5})

        assert found(registry, "pickle", context(tmp_path)) == [
            "locked.one: out of a pickle, details.lock is a str and no lock"
        ]
        assert LockError.ONE == "locked.one"

    def test_a_check_that_ends_the_program_is_a_finding(self, tmp_path: Path) -> None:
        """Not even `SystemExit` from foreign code stops the run."""
        registry = Registry("faulty")

        class LeavingError(CodedError, domain="leaving", registry=registry):
            ONE = code("One")

            def __copy__(self) -> Any:
                raise SystemExit(3)

        assert found(registry, "copy", context(tmp_path)) == [
            "leaving.one: the check itself fails: SystemExit: 3"
        ]
        assert LeavingError.ONE == "leaving.one"


class TestDeclaration:
    """Declarations that leave something out."""

    def test_missing_texts_are_found(self, tmp_path: Path) -> None:
        """No hint, no prose, a title twice, and a title with a full stop are four findings."""
        registry = Registry("faulty")

        class BareError(CodedError, domain="bare", registry=registry):
            ONE = code("Same title", hint="Try again.")
            """It happened. It does that. Try again."""
            TWO = code("Same title")
            THREE = code("A title.", hint="Look at the log. Then call.")
            """It happened."""

        assert found(registry, "text", context(tmp_path)) == [
            "bare.one: the title 'Same title' is also that of bare.two",
            "bare.two: the title 'Same title' is also that of bare.one",
            "bare.two: it has no hint",
            "bare.two: it has no prose",
            "bare.three: the title ends in a full stop",
            "bare.three: the hint is more than one sentence",
        ]
        assert BareError.ONE == "bare.one"

    @pytest.mark.parametrize(
        ("hint", "fault"),
        [
            ("Check the path, or create the file first.", ""),
            ("Run `errkit list`.", ""),
            ("Set registries = [] in pyproject.toml.", ""),
            ("", "no hint"),
            ("check the path", "end like a sentence"),
            ("The path is wrong.", "begin with what to do"),
            ("Check it. Then go.", "more than one"),
        ],
    )
    def test_a_hint_is_one_imperative_sentence(self, hint: str, fault: str) -> None:
        """What the check takes for a hint, and what it does not."""
        assert (fault in hint_fault(hint)) if fault else hint_fault(hint) == ""

    def test_faults_of_details_are_found(self, tmp_path: Path) -> None:
        """An undocumented field, an unresolvable type, an example that does not fit and one with a secret."""
        registry = Registry("faulty")

        class OddDetails(Details):
            path: str
            size: NotImported = None  # type: ignore[name-defined] # noqa: F821 # pyright: ignore[reportUndefinedVariable]

        class OddError(CodedError, domain="odd", registry=registry):
            NO_EXAMPLE = code("No example", OddDetails)
            WRONG = code("Wrong example", OddDetails, example={"path": 5})
            LEAK = code("Leaking example", OddDetails, example={"path": "https://u:hunter2@host/x"})

        problems = found(registry, "details", context(tmp_path))
        assert "odd.no_example: the field path is not documented" in problems
        assert any("odd.no_example: the type of size, 'NotImported'" in problem for problem in problems)
        assert "odd.no_example: it has required fields and no example" in problems
        assert "odd.wrong: the example does not fit: path is no str: int" in problems
        assert "odd.leak: the example holds what looks like a secret" in problems
        assert OddError.LEAK == "odd.leak"

    def test_a_projects_own_example_stands_in(self, tmp_path: Path) -> None:
        """An example from the project is used where the code declares none."""
        registry = Registry("given")

        class OddError(CodedError, domain="odd", registry=registry):
            ONE = code("One", SlotDetails)

        def example(spec: ErrorSpec) -> Mapping[str, Any] | None:
            return {"day": "mon"}

        where = Context(Config(root=tmp_path, lock=tmp_path / "lock"), example)
        assert found(registry, "details", where) == []
        assert OddError.ONE == "odd.one"

    def test_a_registry_of_the_same_name_with_the_same_code_is_found(self, tmp_path: Path) -> None:
        """A pickle would come out as the other one's code; the same declaration loaded twice is no clash."""
        registry, twin = Registry("twins"), Registry("twins")

        class TwinError(CodedError, domain="twin", registry=registry):
            ONE = code("One")
            TWO = code("Two")

        assert found(registry, "clashes", context(tmp_path)) == []

        class OtherError(CodedError, domain="twin", registry=twin):
            ONE = code("Another one")

        assert OtherError.ONE.spec.registry == TwinError.TWO.spec.registry
        [problem] = found(registry, "clashes", context(tmp_path))
        assert problem.startswith("twin.one: another registry is called twins too, and has this code at ")
        data = {**catalog(registry), "registry": "loaded_twice"}
        loaded = [Registry.from_catalog(data) for _ in range(2)]
        assert [found(one, "clashes", context(tmp_path)) for one in loaded] == [[], []]

    def test_a_registry_that_nobody_holds_is_no_clash(self, tmp_path: Path) -> None:
        """It and its codes refer to each other: until they are collected they look alive."""
        first = Registry("first")

        class FirstError(CodedError, domain="dropped", registry=first):
            ONE = code("One")

        gc.disable()
        try:
            assert "dropped.one" in Registry.from_catalog({**catalog(first), "registry": "dropped"})
            kept = Registry("dropped")

            class KeptError(CodedError, domain="dropped", registry=kept):
                ONE = code("One")

            assert len(living_registries("dropped")) == 2
            assert KeptError.ONE.spec.place != FirstError.ONE.spec.place
            assert found(kept, "clashes", context(tmp_path)) == []
        finally:
            gc.enable()

    def test_faults_of_a_whole_registry_are_found(self, tmp_path: Path) -> None:
        """A code without number, a replacement that is gone, reasons that can't be told apart."""
        registry = Registry("faulty")

        class OldError(CodedError, domain="old", registry=registry, numbers=range(5)):
            ONE = code("One", number=1, replaced_by="old.gone")
            TWO = code("Two", number=2, replaced_by="old.three")
            THREE = code("Three", deprecated="2.0", reasons={"a": "Same", "b": Reason(title="Same")})
            FOUR = code("Four", SlotDetails, number=4, reasons={"a": "A"})

        where = context(tmp_path)
        assert found(registry, "ranges", where) == [
            "old.three: it has no number, though old has a range of them"
        ]
        assert found(registry, "aliases", where) == [
            "old.one: it is replaced by 'old.gone', which is no code of the registry",
            "old.two: it is replaced by old.three, which is deprecated too",
        ]
        assert found(registry, "reasons", where) == [
            "old.three: the reason 'a' has no title of its own",
            "old.three: the reason 'b' has no title of its own",
            "old.four: it declares reasons, and its details have no field `reason`",
        ]
        assert OldError.ONE == "old.one"


class TestPublished:
    """A site that does not say what it should."""

    @staticmethod
    def site(folder: Path, page: str, *lines: str) -> Path:
        """A built site with one page and an inventory of these lines."""
        folder.mkdir()
        head = b"# Sphinx inventory version 2\n# Project: x\n# Version: 1\n# zlib\n"
        (folder / "objects.inv").write_bytes(head + zlib.compress("\n".join(lines).encode()))
        (folder / "slot.html").write_text(page, encoding="utf-8")
        return folder

    @pytest.mark.parametrize(
        ("page", "line", "problem"),
        [
            ('<section id="err-slot-taken"><h2>Taken</h2></section>', "slot.html#err-slot-taken", ""),
            ('<section id="err-slot-taken"></section>', "slot.html#err-slot-taken", "nothing stands under"),
            ("<p>text</p>", "slot.html#err-slot-taken", "has no anchor err-slot-taken"),
            ("", "gone.html#err-slot-taken", "page gone.html does not exist"),
            ("", None, "does not document it"),
        ],
    )
    def test_inventory_page_and_anchor_must_agree(
        self, tmp_path: Path, page: str, line: str | None, problem: str
    ) -> None:
        """A code is documented only if its anchor is really on its page, with something under it."""
        lines = [] if line is None else [f"boatyard:slot.taken err:code 1 {line} slot.taken Slot is taken"]
        where = context(tmp_path, docs=self.site(tmp_path / "site", page, *lines))
        problems = found(sound(), "docs", where)
        assert (len(problems) == 1 and problem in problems[0]) if problem else problems == []

    def test_what_is_documented_and_gone_is_an_orphan(self, tmp_path: Path) -> None:
        """A code that the registry lost does not stay on the site unnoticed."""
        line = "boatyard:slot.gone err:code 1 slot.html#err-slot-gone -"
        where = context(tmp_path, docs=self.site(tmp_path / "site", "", line, "other:x err:code 1 y -"))
        assert found(sound(), "orphans", where) == [
            "slot.gone: the built site documents it, and the registry does not have it"
        ]

    @pytest.mark.parametrize(
        "data", [b"", b"no inventory", b"# Sphinx inventory version 2\na\nb\nc\nnot zlib"]
    )
    def test_a_file_that_is_no_inventory_documents_nothing(self, tmp_path: Path, data: bytes) -> None:
        """A broken inventory is no failure of the check."""
        path = tmp_path / "objects.inv"
        path.write_bytes(data)
        assert read_inventory(path) == {}

    def test_names_of_registries_may_hold_spaces_and_colons(self, tmp_path: Path) -> None:
        """They are free text, and stand in the inventory before the code."""
        line = "my yard: north:slot.taken err:code 1 slot.html#err-slot-taken -"
        site = self.site(tmp_path / "site", "", line)
        assert read_inventory(site / "objects.inv") == {
            "my yard: north:slot.taken": "slot.html#err-slot-taken"
        }
        registry = Registry("my yard: north")
        assert found(registry, "orphans", context(tmp_path, docs=site)) == [
            "slot.taken: the built site documents it, and the registry does not have it"
        ]


class TestExemptions:
    """Codes that need not pass a check, for a stated reason."""

    def test_an_exemption_covers_its_finding_and_no_other(self, tmp_path: Path) -> None:
        """The finding moves to the exempted ones."""
        registry = Registry("faulty")

        class BareError(CodedError, domain="bare", registry=registry):
            ONE = code("One", hint="Try.")
            TWO = code("Two", hint="Try.")

        exempt = (Exemption(code="bare.one", check="text", reason="Prose follows in 1.1."),)
        report = run_checks([registry], context(tmp_path, exempt=exempt))
        assert [item.code for item in report.findings] == ["bare.two"]
        assert [item.code for item in report.exempted] == ["bare.one"]
        assert not report.clean
        assert BareError.ONE == "bare.one"

    def test_an_exemption_no_longer_needed_is_a_failure(self, tmp_path: Path) -> None:
        """Lists of exemptions do not outlive their cause (as rustc's tidy asks of its own)."""
        exempt = (Exemption(code="slot.taken", check="text", reason="none"),)
        report = run_checks([sound()], context(tmp_path, exempt=exempt))
        assert report.stale == exempt
        assert not report.clean
        not_asked = (Exemption(code="slot.taken", check="docs", reason="not built here"),)
        assert run_checks([sound()], context(tmp_path, exempt=not_asked)).clean
