"""The agent-device catalogue against the recorded facts of its seed, and the care that its words took.

The facts stand beside this file, so that the tests need nothing from outside the project.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from errkit.catalogs.agent_device import ADB_FAILURES, REGISTRY, AgentDeviceError, CommandDetails, ErrorCodes
from errkit.fields import fits, read_fields
from errkit.prose import code_prose, details_prose, domain_prose, field_prose

if TYPE_CHECKING:
    from errkit.codes import Reason

FACTS: dict[str, Any] = json.loads(Path(__file__).with_name("agent_device.json").read_text(encoding="utf-8"))
SPECS = list(REGISTRY)
DETAILS = list(dict.fromkeys(spec.details for spec in SPECS if spec.details is not None))
REASONS = [(spec, name, reason) for spec in SPECS for name, reason in spec.reasons.items()]

SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def sentences(text: str) -> list[str]:
    return SENTENCE_END.split(" ".join(text.split()))


def recorded_reasons(code: str) -> set[str]:
    fact = next(fact for fact in FACTS["codes"] if fact["code"] == code)
    return {*fact["reasons"], *FACTS["reasons_besides"].get(code, ())}


def test_codes_are_the_recorded_ones() -> None:
    """Code string, retryability, audience and HTTP status of each code are the seed's, in its order."""
    found = [(spec.code, spec.retryable, spec.public, spec.http_status) for spec in SPECS]
    assert found == [
        (fact["code"], fact["retryable"], fact["public"], fact["http_status"]) for fact in FACTS["codes"]
    ]


def test_one_domain_with_bare_codes() -> None:
    """All codes belong to one domain, and each code string is the constant itself, without a number."""
    assert [domain.cls for domain in REGISTRY.domains] == [AgentDeviceError]
    assert [spec.code for spec in SPECS] == [spec.const for spec in SPECS]
    assert {spec.number for spec in SPECS} == {None}


def test_retry_follows_from_kind() -> None:
    """Contention is the only transient code; whatever was thrown without a code is a bug."""
    assert [spec.code for spec in SPECS if spec.kind == "transient"] == ["DEVICE_IN_USE"]
    assert [spec.code for spec in SPECS if spec.kind == "bug"] == ["UNKNOWN"]
    assert {spec.kind for spec in SPECS} == {"transient", "bug", "terminal"}


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.code)
def test_reasons_are_the_recorded_ones(spec: Any) -> None:
    """A code declares the reasons that the seed's release throws, and those its tables name besides."""
    assert set(spec.reasons) == recorded_reasons(spec.code)


def test_reasons_carry_the_recorded_verdicts() -> None:
    """A reason overrides the verdict of its code exactly where the seed's throw site does."""
    verdicts = FACTS["reason_verdicts"]
    assert {name for _, name, reason in REASONS if reason.retryable is False} == set(
        verdicts["not_retryable"]
    )
    assert {name for _, name, reason in REASONS if reason.retryable is True} == set(verdicts["retryable"])


@pytest.mark.parametrize("reason", FACTS["device_claims"])
def test_device_claims_deny_the_retry(reason: str) -> None:
    """A device claim makes an error of the retryable code not retryable, and replaces its hint."""
    claimed = ErrorCodes.DEVICE_IN_USE("emulator-5554 is claimed", reason=reason)
    assert claimed.retryable is False
    assert claimed.hint == REGISTRY["DEVICE_IN_USE"].reasons[reason].hint


def test_other_contention_may_be_retried() -> None:
    """A lease that is busy keeps the verdict of the code and brings a hint of its own."""
    busy = ErrorCodes.DEVICE_IN_USE("emulator-5554 is leased", reason="DEVICE_LEASE_BUSY")
    assert busy.retryable is True
    assert busy.hint != ErrorCodes.DEVICE_IN_USE.spec.hint


def test_a_reason_can_allow_the_retry() -> None:
    """A stalled capture makes an error of a terminal code retryable."""
    assert ErrorCodes.COMMAND_FAILED("wait timed out").retryable is False
    assert ErrorCodes.COMMAND_FAILED("wait timed out", reason="wait_capture_stalled").retryable is True


def test_unknown_reasons_change_nothing() -> None:
    """A reason of a later release is kept in the details and leaves verdict and hint as they are."""
    error = ErrorCodes.DEVICE_IN_USE("busy", reason="SOME_LATER_REASON")
    assert error.details["reason"] == "SOME_LATER_REASON"
    assert (error.retryable, error.hint) == (True, ErrorCodes.DEVICE_IN_USE.spec.hint)


def test_facade_has_every_code() -> None:
    """`ErrorCodes` offers each constant, and calling one builds an `AgentDeviceError`."""
    for spec in SPECS:
        constant = getattr(ErrorCodes, spec.const)
        assert constant == spec.code
        assert type(constant("what happened")) is AgentDeviceError


def test_details_have_the_recorded_keys() -> None:
    """Every key that the seed keeps in its details is a declared field somewhere, in the seed's spelling."""
    declared = {field.name for details in DETAILS for field in read_fields(details)}
    assert set(FACTS["details_keys"]) <= declared


def test_lifted_keys_are_no_details() -> None:
    """What the seed lifts out of the details onto the error itself is declared by no Details class."""
    declared = {field.name for details in DETAILS for field in read_fields(details)}
    assert declared.isdisjoint(FACTS["lifted_keys"])


def test_process_evidence_matches_typed() -> None:
    """The evidence of a failed process comes back typed from a caught error."""
    error = ErrorCodes.COMMAND_FAILED(
        "adb exited with code 1",
        cmd="adb",
        args=["devices"],
        stdout="",
        stderr="error: device offline",
        exitCode=1,
        processExitError=True,
    )
    found = AgentDeviceError.COMMAND_FAILED.match(error)
    assert isinstance(found, CommandDetails)
    assert (found.cmd, found.args, found.exitCode, found.timeoutMs) == ("adb", ["devices"], 1, None)


def test_adb_failures_are_the_recorded_ones() -> None:
    """The classes of adb output and their retry verdicts are the seed's."""
    assert {name: reason.retryable for name, reason in ADB_FAILURES.items()} == FACTS["adb_failures"]


def test_titles_are_short_and_unique() -> None:
    """A title is a phrase without a full stop that no other code and no other reason has."""
    titles = [
        *(spec.title for spec in SPECS),
        *(reason.title for _, _, reason in REASONS),
        *(reason.title for reason in ADB_FAILURES.values()),
    ]
    assert sorted(set(titles)) == sorted(titles)
    assert [title for title in titles if title.endswith(".") or not 3 <= len(title) <= 60] == []


def hints() -> list[Any]:
    def of(owner: str, reasons: dict[str, Reason]) -> list[Any]:
        return [
            pytest.param(reason.hint, id=f"{owner}-{name}") for name, reason in reasons.items() if reason.hint
        ]

    own = [pytest.param(spec.hint, id=spec.code) for spec in SPECS]
    return [
        *own,
        *(hint for spec in SPECS for hint in of(spec.code, dict(spec.reasons))),
        *of("adb", dict(ADB_FAILURES)),
    ]


@pytest.mark.parametrize("hint", hints())
def test_hint_is_one_imperative_sentence(hint: str) -> None:
    """A hint is one sentence that starts with what to do and ends with a full stop."""
    assert hint.endswith(".")
    assert len(sentences(hint)) == 1
    assert re.match(r"[A-Z][a-z-]+ ", hint)
    assert hint.split(maxsplit=1)[0] not in {"The", "A", "An", "It", "This", "That", "You", "There", "If"}


def test_hints_are_unique() -> None:
    """No two codes or reasons send their reader the same way in the same words."""
    texts = [param.values[0] for param in hints()]
    assert sorted(set(texts)) == sorted(texts)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.code)
def test_prose_has_two_to_four_sentences(spec: Any) -> None:
    """The prose under a code answers in two to four sentences, with a literal of that system among them."""
    prose = code_prose(spec)
    assert prose is not None
    assert 2 <= len(sentences(prose.text)) <= 4
    assert len(prose.text.split()) >= 30
    assert "``" in prose.text


def test_domain_has_title_and_prose() -> None:
    """The domain says in its docstring what raises it."""
    (domain,) = REGISTRY.domains
    prose = domain_prose(domain)
    assert prose is not None
    assert 1 <= len(sentences(prose.text)) <= 3
    assert domain.title == "Device automation"


@pytest.mark.parametrize("details", DETAILS, ids=lambda details: details.__name__)
def test_details_are_documented(details: Any) -> None:
    """A Details class has a docstring, and so has each of its fields, inherited ones too."""
    assert details_prose(details) is not None
    assert set(field_prose(details)) == {field.name for field in read_fields(details)}


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.code)
def test_examples_fit_their_details(spec: Any) -> None:
    """Every code has an example whose fields are declared, complete and of the declared types."""
    fields = {field.name: field for field in read_fields(spec.details)}
    assert spec.example
    assert set(spec.example) <= set(fields)
    assert {name for name, field in fields.items() if field.required} <= set(spec.example)
    assert [name for name, value in spec.example.items() if not fits(fields[name].type, value)] == []
    assert spec.example.get("reason") in {None, *spec.reasons}
    json.dumps(dict(spec.example))


def test_own_registry_only() -> None:
    """Importing the catalogue registers nothing in errkit's default registry."""
    probe = (
        "from errkit.registry import REGISTRY\n"
        "before = [spec.code for spec in REGISTRY]\n"
        "import errkit.catalogs.agent_device\n"
        "assert [spec.code for spec in REGISTRY] == before\n"
    )
    subprocess.run([sys.executable, "-c", probe], check=True)
