"""The harness catalogue against the recorded facts of its seed, and the care that its words took.

The facts stand beside this file, so that the tests need nothing from outside the project.
"""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from errkit.catalogs import harness
from errkit.catalogs.harness import (
    REGISTRY,
    ErrorCodes,
    HarnessCodedError,
    HarnessDetails,
    ProviderError,
    ProviderFamilyExhaustedError,
    RetryFamilyExhaustedError,
)
from errkit.fields import fits, read_fields
from errkit.prose import code_prose, details_prose, domain_prose, field_prose

FACTS: dict[str, Any] = json.loads(Path(__file__).with_name("harness.json").read_text(encoding="utf-8"))
SPECS = list(REGISTRY)

SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def sentences(text: str) -> list[str]:
    return SENTENCE_END.split(" ".join(text.split()))


def prose_of(name: str) -> str:
    """The prose of the domain or the code called `name`, with single spaces."""
    domain = REGISTRY.domain(name)
    prose = code_prose(REGISTRY[name]) if domain is None else domain_prose(domain)
    assert prose is not None
    return " ".join(prose.text.split())


def test_exactly_the_recorded_numbers() -> None:
    """The catalogue has the 33 numbers that the seed mentions, in ascending order."""
    assert [spec.number for spec in SPECS] == FACTS["numbers"]
    assert len(SPECS) == 33


@pytest.mark.parametrize("number", FACTS["implied_only"])
def test_implied_numbers_are_not_invented(number: int) -> None:
    """A number that the seed merely skips is no code, though its range is known."""
    assert REGISTRY.by_number(number) is None
    assert REGISTRY.range_of(number) is not None


def test_ranges_are_the_recorded_ones() -> None:
    """Eleven domains, each with a range of a thousand numbers, in the order of the seed."""
    found = [(domain.domain, domain.numbers) for domain in REGISTRY.domains]
    assert found == [(fact["domain"], range(fact["first"], fact["last"] + 1)) for fact in FACTS["ranges"]]


def test_range_of_any_number() -> None:
    """The range of a number gives its domain's class, also for a number without a code."""
    assert REGISTRY.range_of(2999) is harness.SessionError
    assert REGISTRY.range_of(12000) is None


def test_names_bear_their_domain() -> None:
    """A code is an UPPER_SNAKE name that starts with its domain; the two names of the seed are kept."""
    for spec in SPECS:
        assert spec.code == spec.const
        assert spec.code.startswith(f"{spec.domain.upper()}_")
    for number, name in FACTS["names"].items():
        named = REGISTRY.by_number(int(number))
        assert named is not None
        assert named.code == name


@pytest.mark.parametrize("number", FACTS["not_stated"])
def test_unstated_meanings_are_not_guessed(number: int) -> None:
    """Where the seed states no meaning the name is the number, and the prose says that nothing is stated."""
    spec = REGISTRY.by_number(number)
    assert spec is not None
    assert spec.code.endswith(f"_{number}")
    prose = prose_of(spec.code)
    assert re.search(
        "not stated|no meaning|no cause is stated|nothing more|without a word of explanation|no more", prose
    )


@pytest.mark.parametrize("number", FACTS["inferred"])
def test_inferred_meanings_are_called_so(number: int) -> None:
    """Where a meaning is inferred, the prose says so."""
    spec = REGISTRY.by_number(number)
    assert spec is not None
    assert "inferred" in prose_of(spec.code)


def test_sets_follow_from_kind() -> None:
    """The seed's lists are views of `kind`: nothing but a kind, and two alerts, is declared."""
    transient = {spec.number for spec in SPECS if spec.kind == "transient"}
    terminal = {spec.number for spec in SPECS if spec.kind == "terminal"}
    assert harness.transient() == transient == {spec.number for spec in SPECS if spec.retryable}
    assert harness.terminal() == terminal
    assert set(FACTS["listed_transient"]) <= transient
    # A user's no is an outcome, the one listed terminal code that is none.
    assert set(FACTS["listed_terminal"]) - terminal == {8002}
    assert transient - set(FACTS["listed_transient"]) == {3001, 11001, 11002}


def test_do_not_alert() -> None:
    """Exactly the three codes that the seed exempts stay quiet."""
    assert harness.do_not_alert() == set(FACTS["do_not_alert"])


def test_every_code_has_one_class() -> None:
    """No code is left unclassified, and kinds are what the seed's words say."""
    by_kind: dict[str, set[int | None]] = {}
    for spec in SPECS:
        by_kind.setdefault(spec.kind, set()).add(spec.number)
    assert set(by_kind) == {"terminal", "transient", "outcome", "cancelled"}
    assert by_kind["outcome"] == {8001, 8002}
    assert by_kind["cancelled"] == {8003, 9004, 11004}
    assert 11003 in by_kind["terminal"]


@pytest.mark.parametrize("number", FACTS["operational_signals"])
def test_operational_signals_alert(number: int) -> None:
    """A timed out and a cancelled approval alert against their kind, and are not repeated."""
    spec = REGISTRY.by_number(number)
    assert spec is not None
    assert (spec.alert, spec.retryable) == (True, False)


@pytest.mark.parametrize("number", FACTS["retries_spent"])
def test_spent_retries_are_named(number: int) -> None:
    """A code that surfaces only after the runtime's own attempts says so, and names no delay."""
    spec = REGISTRY.by_number(number)
    assert spec is not None
    assert "``retries_spent``" in prose_of(spec.code)
    assert spec.retry_after is None


@pytest.mark.parametrize("fact", FACTS["contradictions"], ids=lambda fact: fact["about"])
def test_contradictions_are_decided(fact: dict[str, Any]) -> None:
    """Each place where the seed contradicts itself has one truth, told by a code or domain concerned."""
    told = " ".join(prose_of(name) for name in fact["decided_in"])
    assert [words for words in fact["words"] if words not in told] == []


def test_all_contradictions_are_recorded() -> None:
    """There are sixteen such places."""
    assert len(FACTS["contradictions"]) == 16


def test_typed_subclasses() -> None:
    """5008 is raised as either of two classes, and both are caught as the provider's error."""
    for subclass in (ProviderFamilyExhaustedError, RetryFamilyExhaustedError):
        error = subclass("every rung failed", context={"family": "anthropic"})
        assert error.code == "PROVIDER_CASCADE_EXHAUSTED"
        assert error.number == 5008
        assert isinstance(error, ProviderError)
        found = ProviderError.PROVIDER_CASCADE_EXHAUSTED.match(error)
        assert isinstance(found, HarnessDetails)
        assert found.context == {"family": "anthropic"}
    assert FACTS["typed_subclasses"]["5008"] == [
        ProviderFamilyExhaustedError.__name__,
        RetryFamilyExhaustedError.__name__,
    ]


def test_facade_has_every_code() -> None:
    """`ErrorCodes` offers each constant, and calling one builds the class of the owning range."""
    for spec in SPECS:
        constant = getattr(ErrorCodes, spec.const)
        assert constant == spec.code
        error = constant("what happened", context={"turn": 1})
        assert type(error) is spec.cls
        assert isinstance(error, HarnessCodedError)
        assert error.number == spec.number


def test_every_code_is_public() -> None:
    """Whoever calls the runtime gets to see each of its errors."""
    assert {spec.public for spec in SPECS} == {True}


def test_every_code_carries_context() -> None:
    """All codes share one Details class, whose only field is the free-form context."""
    assert {spec.details for spec in SPECS} == {HarnessDetails}
    assert [field.name for field in read_fields(HarnessDetails)] == ["context"]
    assert details_prose(HarnessDetails) is not None
    assert set(field_prose(HarnessDetails)) == {"context"}


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.code)
def test_examples_fit_their_details(spec: Any) -> None:
    """Every code has an example with a context that JSON can hold."""
    (field,) = read_fields(HarnessDetails)
    assert list(spec.example) == ["context"]
    assert fits(field.type, spec.example["context"])
    json.dumps(dict(spec.example))


def test_titles_are_short_and_unique() -> None:
    """A title is a phrase without a full stop that no other code of the registry has."""
    titles = [spec.title for spec in SPECS]
    assert sorted(set(titles)) == sorted(titles)
    assert [title for title in titles if title.endswith(".") or not 3 <= len(title) <= 60] == []


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.code)
def test_hint_is_one_imperative_sentence(spec: Any) -> None:
    """A hint is one sentence that starts with what to do and ends with a full stop."""
    assert spec.hint.endswith(".")
    assert len(sentences(spec.hint)) == 1
    assert re.match(r"[A-Z][a-z-]+ ", spec.hint)
    assert spec.hint.split(maxsplit=1)[0] not in {
        "The",
        "A",
        "An",
        "It",
        "This",
        "That",
        "You",
        "There",
        "If",
    }


def test_hints_are_unique() -> None:
    """No two codes send their reader the same way in the same words."""
    hints = [spec.hint for spec in SPECS]
    assert sorted(set(hints)) == sorted(hints)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.code)
def test_prose_has_two_to_four_sentences(spec: Any) -> None:
    """The prose under a code answers in two to four sentences what happened, why, and what now."""
    prose = prose_of(spec.code)
    assert 2 <= len(sentences(prose)) <= 4
    assert len(prose.split()) >= 30


def test_domains_have_title_and_prose() -> None:
    """Each domain says in one to three sentences what raises it, and has a title that no other domain has."""
    titles = [domain.title for domain in REGISTRY.domains]
    assert len(set(titles)) == 11
    for domain in REGISTRY.domains:
        assert 1 <= len(sentences(prose_of(domain.domain))) <= 3


def test_own_registry_only() -> None:
    """Importing the catalogue registers nothing in errkit's default registry."""
    probe = (
        "from errkit.registry import REGISTRY\n"
        "before = [spec.code for spec in REGISTRY]\n"
        "import errkit.catalogs.harness\n"
        "assert [spec.code for spec in REGISTRY] == before\n"
    )
    subprocess.run([sys.executable, "-c", probe], check=True)


def test_module_docstring_tells_the_truth() -> None:
    """The examples in the module's docstring run as written."""
    outcome = doctest.testmod(harness)
    assert outcome.attempted >= 4
    assert outcome.failed == 0
