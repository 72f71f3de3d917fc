"""The agent-core catalogue against the recorded facts of its seed, and the care its words were written with.

The facts stand beside this file, so that the tests need nothing from outside the project.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from errkit.catalogs import agent_core
from errkit.catalogs.agent_core import REGISTRY, AgentCoreError, ErrorCodes
from errkit.fields import fits, read_fields
from errkit.prose import code_prose, details_prose, domain_prose, field_prose

RECORD = Path(__file__).with_name("agent_core.json")
FACTS: list[dict[str, Any]] = json.loads(RECORD.read_text(encoding="utf-8"))["codes"]
DESCRIPTORS = list(dict.fromkeys(fact["descriptor"] for fact in FACTS))
SPECS = list(REGISTRY)
DETAILS = list(dict.fromkeys(spec.details for spec in SPECS if spec.details is not None))

# `ModelsDevImport` -> `models_dev_import`
WORDS = re.compile(r"(?<!^)(?=[A-Z])")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def stem(descriptor: str) -> str:
    return descriptor.removesuffix("Errors")


def sentences(text: str) -> list[str]:
    return SENTENCE_END.split(" ".join(text.split()))


def test_size() -> None:
    """The catalogue has the seed's 33 domains and 132 codes."""
    assert len(REGISTRY.domains) == 33
    assert len(REGISTRY) == 132
    assert len(FACTS) == 132


def test_domains_follow_the_descriptors() -> None:
    """A domain is named after its descriptor, its class after one of its errors, in the order of the seed."""
    found = [(domain.domain, domain.cls.__name__) for domain in REGISTRY.domains]
    assert found == [(WORDS.sub("_", stem(name)).lower(), f"{stem(name)}Error") for name in DESCRIPTORS]


def test_one_module_a_domain() -> None:
    """Each domain is declared in the module that bears its name."""
    for domain in REGISTRY.domains:
        assert domain.cls.__module__ == f"errkit.catalogs.agent_core.{domain.domain}"


def test_codes_are_the_recorded_ones() -> None:
    """Constant, code string, retryability and audience of every code are the seed's, in the seed's order."""
    found = [
        {
            "descriptor": f"{spec.cls.__name__.removesuffix('Error')}Errors",
            "const": spec.const,
            "code": spec.code,
            "retryable": spec.retryable,
            "public": spec.public,
        }
        for spec in SPECS
        if spec.cls is not None
    ]
    assert found == FACTS


def test_no_numbers() -> None:
    """The seed's codes are strings alone; the numbers of its HTTP envelope belong to the server."""
    assert [spec.code for spec in SPECS if spec.number is not None] == []


def test_facade_has_every_code() -> None:
    """`ErrorCodes` offers each constant, and calling one builds the class of the owning domain."""
    for spec in SPECS:
        constant = getattr(ErrorCodes, spec.const)
        assert constant == spec.code
        assert type(constant("what happened")) is spec.cls


def test_every_domain_is_exported() -> None:
    """The package exports the classes of all domains: `except OsFsError` needs no deep import."""
    for domain in REGISTRY.domains:
        assert getattr(agent_core, domain.cls.__name__) is domain.cls
        assert domain.cls.__name__ in agent_core.__all__
        assert issubclass(domain.cls, AgentCoreError)


def test_own_registry_only() -> None:
    """Importing the catalogue registers nothing in errkit's default registry."""
    probe = (
        "from errkit.registry import REGISTRY\n"
        "before = [spec.code for spec in REGISTRY]\n"
        "import errkit.catalogs.agent_core\n"
        "assert [spec.code for spec in REGISTRY] == before\n"
    )
    subprocess.run([sys.executable, "-c", probe], check=True)


def test_import_order_changes_nothing() -> None:
    """A domain module that is imported first brings the whole catalogue, in the same order."""
    probe = (
        "import errkit.catalogs.agent_core.wire\n"
        "from errkit.catalogs.agent_core import REGISTRY\n"
        "print(*(spec.code for spec in REGISTRY))\n"
    )
    done = subprocess.run([sys.executable, "-c", probe], check=True, capture_output=True, text=True)
    assert done.stdout.split() == [fact["code"] for fact in FACTS]


def test_titles_are_short_and_unique() -> None:
    """A title is a phrase without a full stop that no other code of the registry has."""
    titles = [spec.title for spec in SPECS]
    assert sorted(set(titles)) == sorted(titles)
    assert [title for title in titles if title.endswith(".") or not 3 <= len(title) <= 60] == []


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.code)
def test_hint_is_one_sentence(spec: Any) -> None:
    """A hint is one sentence of plain text, from a capital letter to a full stop, as terminals show it."""
    assert spec.hint.endswith(".")
    assert spec.hint[:1].isupper()
    assert len(sentences(spec.hint)) == 1
    assert "``" not in spec.hint
    assert spec.hint.count("`") % 2 == 0


def test_hints_are_unique() -> None:
    """No two codes send their reader the same way in the same words."""
    hints = [spec.hint for spec in SPECS]
    assert sorted(set(hints)) == sorted(hints)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.code)
def test_prose_has_two_to_four_sentences(spec: Any) -> None:
    """The prose under a code answers in two to four sentences what happened, why, and what now."""
    prose = code_prose(spec)
    assert prose is not None
    assert 2 <= len(sentences(prose.text)) <= 4
    assert len(prose.text.split()) >= 30


def test_domains_have_title_and_prose() -> None:
    """Each domain says in its docstring what raises it, and has a title that no other domain has."""
    titles = [domain.title for domain in REGISTRY.domains]
    assert len(set(titles)) == 33
    for domain in REGISTRY.domains:
        prose = domain_prose(domain)
        assert prose is not None
        assert 1 <= len(sentences(prose.text)) <= 3


@pytest.mark.parametrize("details", DETAILS, ids=lambda details: details.__name__)
def test_details_are_documented(details: Any) -> None:
    """A Details class has a docstring, and so has each of its fields."""
    if details.__module__.startswith("errkit.catalogs"):
        assert details_prose(details) is not None
        assert set(field_prose(details)) == {field.name for field in read_fields(details)}


@pytest.mark.parametrize("spec", [spec for spec in SPECS if spec.details], ids=lambda spec: spec.code)
def test_examples_fit_their_details(spec: Any) -> None:
    """A code with details has an example whose fields are declared, complete and of the declared types."""
    assert spec.example is not None
    fields = {field.name: field for field in read_fields(spec.details)}
    assert set(spec.example) <= set(fields)
    assert {name for name, field in fields.items() if field.required} <= set(spec.example)
    assert [name for name, value in spec.example.items() if not fits(fields[name].type, value)] == []
    json.dumps(dict(spec.example))


def test_declared_reasons_come_with_a_field() -> None:
    """Where a code declares reasons, its details have the field, and its example uses a declared one."""
    for spec in SPECS:
        if spec.reasons:
            assert spec.details is not None
            assert "reason" in {field.name for field in read_fields(spec.details)}
            assert spec.example is not None
            assert spec.example["reason"] in spec.reasons


def test_details_of_the_recorded_errors() -> None:
    """Details keep the field names of the seed, since its payloads have to fit."""
    recorded = {
        "loop.max_steps_exceeded": {"maxSteps"},
        "auth.token_missing": {"provider_id"},
        "os.fs.not_found": {"path", "op", "errno", "syscall"},
        "os.process.spawn_failed": {"command", "args", "errno"},
        "storage.disk_full": {"path", "op", "errno"},
        "storage.corrupted": {"scope", "key", "lineNumber"},
        "provider.rate_limit": {"statusCode", "requestId", "traceId"},
        "provider.filtered": {"finishReason", "rawFinishReason"},
        "skill.nested_too_deep": {"depth", "skillName"},
        "event.duplicate_event": {"type"},
        "state.cycle": {"depth", "eventTypes"},
        "web.fetch_failed": {"status"},
    }
    for code, names in recorded.items():
        details = REGISTRY[code].details
        assert details is not None, code
        assert names <= {field.name for field in read_fields(details)}, code
