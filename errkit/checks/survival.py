"""Whether an error of each code comes through: JSON, pickle, copies, another process, every dialect."""

from __future__ import annotations

import base64
import copy
import json
import os
import pickle
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Final

from errkit import dialects
from errkit.checks.examples import build
from errkit.checks.model import Finding, finding
from errkit.payload import dumps, loads, to_payload

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errkit.checks.model import Context
    from errkit.codes import ErrorSpec
    from errkit.errors import CodedError
    from errkit.registry import Registry

__all__ = ["find_copy", "find_dialects", "find_json", "find_pickle", "find_process"]

TIMEOUT: Final = 60
"""Seconds that the other process has for a whole registry."""


def find_json(spec: ErrorSpec, registry: Registry, context: Context) -> Iterator[Finding]:
    """The payload is strict JSON, comes back as the same code, and its details match their declaration."""
    error = build(spec, context)
    sent = to_payload(error)
    found = loads(dumps(error), registry=registry)
    lost = different(sent, to_payload(found))
    if lost:
        problem = f"a trip over JSON changes {lost}"
        yield finding("json", registry, spec, problem, "Keep details to values that JSON can carry.")
    elif getattr(spec.cls, spec.const).match(found) is None:
        problem = "the revived error does not match its own code"
        remedy = "Declare each field with a type that its JSON form can be turned back into."
        yield finding("json", registry, spec, problem, remedy)


def find_pickle(spec: ErrorSpec, registry: Registry, context: Context) -> Iterator[Finding]:
    """The error comes out of a pickle of each protocol as the same class with the same payload."""
    error = build(spec, context)
    sent = to_payload(error)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        try:
            found = pickle.loads(pickle.dumps(error, protocol))  # noqa: S301 (made on this line)
        except Exception as failure:
            yield _broken("pickle", registry, spec, f"pickling with protocol {protocol}", failure)
            return
        lost = different(sent, to_payload(found)) or ("class" if type(found) is not type(error) else "")
        if lost:
            problem = f"pickling with protocol {protocol} changes {lost}"
            remedy = "Remove the class's own __reduce__ or __getstate__, or let it keep what the base keeps."
            yield finding("pickle", registry, spec, problem, remedy)
            return


def find_copy(spec: ErrorSpec, registry: Registry, context: Context) -> Iterator[Finding]:
    """Both kinds of copy are the same class with the same payload."""
    error = build(spec, context)
    sent = to_payload(error)
    for name, duplicate in (("copy", copy.copy), ("deepcopy", copy.deepcopy)):
        try:
            found = duplicate(error)
        except Exception as failure:
            yield _broken("copy", registry, spec, name, failure)
            continue
        lost = different(sent, to_payload(found)) or ("class" if type(found) is not type(error) else "")
        if lost:
            problem = f"{name} changes {lost}"
            remedy = "Remove the class's own __copy__ or __deepcopy__, or let it keep what the base keeps."
            yield finding("copy", registry, spec, problem, remedy)


def find_dialects(spec: ErrorSpec, registry: Registry, context: Context) -> Iterator[Finding]:
    """Each dialect encodes the error as strict JSON and brings back all that it does not declare as lost."""
    error = build(spec, context)
    sent = to_payload(error)
    for name in dialects.names():
        dialect = dialects.get(name)
        form = json.loads(json.dumps(dialect.encode(error, audience="internal"), allow_nan=False))
        found = to_payload(dialect.decode(form, registry=registry))
        kept = [key for key in ("code", "message", "details", "retryable") if key not in dialect.LOST]
        lost = [key for key in kept if sent.get(key) != found.get(key)]
        if lost:
            problem = f"the dialect {name} changes {', '.join(lost)}"
            yield finding("dialects", registry, spec, problem, "Keep details to plain JSON values and texts.")


def different(sent: dict[str, Any], found: dict[str, Any]) -> str:
    """The first key whose value is not the same, or the empty string.

    The cause of an example is foreign, so it is `internal` on the wire; what the reader's registry declares
    for that code is its own business.
    """
    sent, found = _with_plain_cause(sent), _with_plain_cause(found)
    return next((key for key in {**sent, **found} if sent.get(key) != found.get(key)), "")


def _with_plain_cause(payload: dict[str, Any]) -> dict[str, Any]:
    cause = payload.get("cause", {})
    return {**payload, "cause": [cause.get(key) for key in ("code", "name", "message")]}


def _broken(check: str, registry: Registry, spec: ErrorSpec, what: str, failure: BaseException) -> Finding:
    problem = f"{what} raises {type(failure).__name__}: {failure}"
    return finding(
        check, registry, spec, problem, "Remove whatever the class overrides of the base's behaviour."
    )


# --- another process --------------------------------------------------------------------------------


def find_process(spec: ErrorSpec, registry: Registry, context: Context) -> Iterator[Finding]:
    """The error says the same in a process that never heard of the code, and comes back from there."""
    key = find_process, registry.name
    if key not in context.memory:
        context.memory[key] = _ask_another_process(registry, context)
    answers: dict[str, dict[str, Any]] = context.memory[key]
    answer = answers.get(spec.code) or answers[""]
    if "problem" in answer:
        remedy = "Run the check `pickle` first, and see that importing the codes has no side effects."
        yield finding("process", registry, spec, answer["problem"], remedy)
        return
    error = build(spec, context)
    back = pickle.loads(base64.b64decode(answer["pickle"]))  # noqa: S301 (made by our own child)
    lost = _lost_on_the_way(error, answer["payload"], back)
    if lost:
        problem = f"a trip to another process changes {lost}"
        yield finding("process", registry, spec, problem, "Keep details to values that pickle can carry.")


def _lost_on_the_way(error: CodedError, there: dict[str, Any], back: object) -> str:
    sent = to_payload(error)
    kept = ("code", "message", "retryable", "number", "kind", "alert", "hint", "details", "notes")
    abroad = next((key for key in kept if sent.get(key) != there.get(key)), "")
    return abroad or different(sent, to_payload(back)) or ("class" if type(back) is not type(error) else "")


def _ask_another_process(registry: Registry, context: Context) -> dict[str, dict[str, Any]]:
    """The child's answer for each code; one under the empty code if it did not answer."""
    blobs = {spec.code: _blob(build(spec, context)) for spec in registry}
    # No process pool: one unreadable error breaks it or hangs it (cpython issues 103061, 120810).
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "errkit.checks.child"],
            input=json.dumps(blobs),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=TIMEOUT,
            check=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )
        answers: dict[str, dict[str, Any]] = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return {"": {"problem": f"the other process did not answer within {TIMEOUT} seconds"}}
    except subprocess.CalledProcessError as failure:
        last = (failure.stderr or "").strip().rpartition("\n")[2][:300]
        return {"": {"problem": f"the other process ended with code {failure.returncode}: {last}"}}
    except (OSError, ValueError) as failure:
        return {"": {"problem": f"the other process could not be asked: {failure}"}}
    return answers


def _blob(error: CodedError) -> str:
    try:
        return base64.b64encode(pickle.dumps(error)).decode("ascii")
    except Exception:
        return ""
