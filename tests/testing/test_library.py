"""The kit on classes that nobody here wrote: all exceptions of botocore, wrapped as the how-to does it."""

from __future__ import annotations

import pickle
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from botocore import exceptions  # type: ignore[import-untyped]

from errkit import CodedError, Details, ErrkitError, Registry, code
from errkit.checks import Context, run_checks
from errkit.config import Config, load_registries
from tests.story import read_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errkit.checks import Finding

PAGE = Path(__file__).parent.parent.parent / "docs" / "how-to" / "check-a-library.md"
FIELDS = re.compile(r"{(\w+)}")


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Registry]:
    """The registry of the page."""
    folder = tmp_path_factory.mktemp("library")
    [source] = [block.text for block in read_blocks(PAGE) if block.file == "aws_errors.py"]
    (folder / "aws_errors.py").write_text(source, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        [found] = load_registries(["aws_errors"], root=folder)
        yield found


@pytest.fixture(scope="module")
def findings(registry: Registry, tmp_path_factory: pytest.TempPathFactory) -> tuple[Finding, ...]:
    """All that the kit finds, with no site and no lock."""
    folder = tmp_path_factory.mktemp("library")
    return run_checks([registry], Context(Config(root=folder, lock=folder / "errors.lock.json"))).findings


def classes() -> list[Any]:
    """botocore's exception classes."""
    found = [value for value in vars(exceptions).values() if isinstance(value, type)]
    return [cls for cls in found if issubclass(cls, exceptions.BotoCoreError)]


def test_every_class_has_a_code(registry: Registry) -> None:
    """One each, which builds an instance of both."""
    assert len(registry) == len(classes()) > 80
    for spec in registry:
        assert spec.cls is not None
        names = spec.details.field_names()[1] if spec.details else ()
        error: CodedError = getattr(spec.cls, spec.const)(**dict.fromkeys(names, "x"))
        assert isinstance(error, exceptions.BotoCoreError)


def test_whatever_they_do_when_pickled_all_of_them_travel(findings: tuple[Finding, ...]) -> None:
    """botocore's `__reduce__` calls the class with keywords alone; the domain stands before it."""
    assert {item.check for item in findings} == {"details", "text"}


def test_what_is_missing_is_what_only_people_can_write(
    registry: Registry, findings: tuple[Finding, ...]
) -> None:
    """No hint and no prose anywhere, no field documented, and no example where fields are required."""
    problems = Counter(item.problem for item in findings)
    fields = [set(FIELDS.findall(cls.fmt)) for cls in classes()]
    assert problems.pop("it has no hint") == problems.pop("it has no prose") == len(registry)
    assert problems.pop("it has required fields and no example") == sum(map(bool, fields))
    assert sum(problems.values()) == sum(map(len, fields))
    assert all(re.fullmatch(r"the field \w+ is not documented", problem) for problem in problems)


def test_each_finding_says_where_to_write(findings: tuple[Finding, ...]) -> None:
    """At the line that makes the codes, since nobody wrote them one by one."""
    assert {re.sub(r"^.*[/\\]", "", item.place).partition(":")[0] for item in findings} == {"aws_errors.py"}


def test_a_name_that_payloads_need_is_refused_when_it_is_declared() -> None:
    """Two of botocore's messages have a placeholder `message`: the declaration says so at once."""
    assert any("message" in FIELDS.findall(cls.fmt) for cls in classes())
    details: Any = type("WrongDetails", (Details,), {"__annotations__": {"message": str}})
    with pytest.raises(ErrkitError, match="the field 'message' of WrongDetails is reserved"):

        class WrongError(CodedError, domain="wrong", registry=Registry("wrong")):  # pyright: ignore[reportUnusedClass]
            WRONG = code("Wrong", details)


def test_the_classes_themselves_do_not_all_travel() -> None:
    """What the wrapping is for: by themselves some lose what they were told."""
    error = exceptions.ClientError({"Error": {"Code": "NoSuchKey"}}, "GetObject")
    loud = type("NoSuchKey", (exceptions.ClientError,), {})({"Error": {"Code": "NoSuchKey"}}, "GetObject")
    assert type(pickle.loads(pickle.dumps(error))) is exceptions.ClientError
    assert type(pickle.loads(pickle.dumps(loud))) is exceptions.ClientError
