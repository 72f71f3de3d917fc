"""errkit's own codes: each is declared as errkit asks of others, and each is really raised."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from errkit import REGISTRY, CodedError, CoreError, ErrkitError, ErrorSpec, to_payload
from errkit.fields import read_fields, secret_names
from errkit.prose import code_prose, domain_prose, field_prose

ROOT = Path(__file__).parent.parent
OWN = [spec for spec in REGISTRY if spec.cls in (CoreError, ErrkitError)]
every_code = pytest.mark.parametrize("spec", OWN, ids=lambda spec: spec.code)


def test_three_codes_are_everybodys_and_the_rest_are_errkits() -> None:
    """The core domain holds the fallback, the gap and broken input; all others begin with `errkit.`."""
    assert [spec.code for spec in OWN if spec.cls is CoreError] == [
        "internal",
        "not_implemented",
        "validation.failed",
    ]
    assert all(spec.code.startswith("errkit.") for spec in OWN if spec.cls is ErrkitError)


def test_numbers_follow_the_order_of_declaration() -> None:
    """Each own code has the next number of its range, so none is ever given twice or taken back."""
    for domain in (CoreError.__domain__, ErrkitError.__domain__):
        assert domain is not None
        assert domain.numbers is not None
        first = domain.numbers.start + 1
        assert [spec.number for spec in domain.codes] == list(range(first, first + len(domain.codes)))


@every_code
def test_every_own_code_says_what_to_do(spec: ErrorSpec) -> None:
    """Title, hint and prose are there; the hint is a sentence, the prose has at least three."""
    assert spec.title[0].isupper()
    assert not spec.title.endswith(".")
    assert spec.hint[0].isupper()
    assert spec.hint.endswith(".")
    prose = code_prose(spec)
    assert prose is not None
    assert prose.text.count(". ") + prose.text.count(".\n") >= 1
    assert prose.text.rstrip().endswith(".")


@every_code
def test_every_example_is_a_real_one(spec: ErrorSpec) -> None:
    """An own code with details has an example; an error built with it has no details problem."""
    if spec.details is None:
        assert spec.example is None
        return
    assert spec.example is not None
    error = CodedError(spec.code, details=spec.example)
    assert error.details_problem is None
    assert to_payload(error)["details"] == dict(spec.example)


@every_code
def test_every_own_field_is_documented_and_read(spec: ErrorSpec) -> None:
    """Each field of the details has a sentence and a type that is known at run time."""
    if spec.details is not None:
        assert field_prose(spec.details).keys() >= {field.name for field in read_fields(spec.details)}
        assert secret_names(spec.details) == frozenset()


def test_own_domains_have_prose() -> None:
    """Both domains say what they are for."""
    for cls in (CoreError, ErrkitError):
        assert cls.__domain__ is not None
        assert domain_prose(cls.__domain__) is not None


@every_code
def test_every_own_code_is_used_somewhere(spec: ErrorSpec) -> None:
    """A code that errkit never raises would be a promise without a keeper."""
    users = [
        path
        for path in (ROOT / "errkit").rglob("*.py")
        if path.name != "own.py"
        and f"{spec.cls.__name__ if spec.cls else ''}.{spec.const}" in path.read_text("utf-8")
    ]
    own = (ROOT / "errkit" / "own.py").read_text("utf-8")
    assert users or f"return CoreError.{spec.const}(" in own or spec is CoreError.VALIDATION_FAILED.spec


@pytest.mark.parametrize(
    "first",
    ["errkit.codes", "errkit.fields", "errkit.errors", "errkit.registry", "errkit.own", "errkit.pickling"],
)
def test_the_default_registry_starts_with_own_codes_in_every_order(first: str) -> None:
    """Whichever module is imported first, a program's own domains come after errkit's."""
    script = (
        f"import {first}\n"
        "from errkit.errors import CodedError\n"
        "from errkit.codes import code\n"
        "class ShopError(CodedError, domain='shop'):\n"
        "    LOST = code('Lost')\n"
        "from errkit import REGISTRY\n"
        "codes = [spec.code for spec in REGISTRY]\n"
        "print(codes[0], codes[-1], len(codes))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.split() == ["internal", "shop.lost", str(len(OWN) + 1)]
