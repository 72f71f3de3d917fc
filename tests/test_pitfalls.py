"""Forty traps that users of other libraries reported, and the tests that keep errkit out of them.

Each row of the table names the public reports, as paths under https://github.com/, and the tests. A test that
stands in the table cites the report in its docstring, so that nobody removes it as a curiosity. The traps
that belong to no single module are tested here.
"""

from __future__ import annotations

import ast
import json
import os
import re
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from errkit import CodedError, Details, Registry, code, dumps, from_payload, to_payload
from errkit.dialects import get, names

if TYPE_CHECKING:
    from collections.abc import Iterator

TESTS = Path(__file__).parent


class Pitfall(NamedTuple):
    """A trap, the reports of it, and the tests that cite one of them."""

    trap: str
    reports: tuple[str, ...]
    tests: tuple[str, ...]


PITFALLS = {
    1: Pitfall(
        "rebuilding an exception from its arguments fails, and the pool hangs",
        ("python/cpython/issues/103061", "python/cpython/issues/79492"),
        (
            "test_pickling.py::test_what_explodes_on_the_way_out_is_shown_instead",
            "test_pickling.py::test_every_failure_comes_out_of_a_pool_whole",
        ),
    ),
    2: Pitfall(
        "keyword-only arguments of an exception kill the pool",
        ("python/cpython/issues/120810", "python/cpython/issues/80041", "owid/etl/pull/6862"),
        (
            "test_pickling.py::test_a_cause_that_does_not_pickle_lives_on_as_a_payload",
            "test_pickling.py::test_an_init_of_its_own_is_not_asked",
        ),
    ),
    3: Pitfall(
        "a worker restarts for ever on an error that it can't read",
        ("celery/celery/issues/6990", "celery/celery/issues/6185"),
        ("test_pickling.py::test_details_of_any_kind_travel",),
    ),
    4: Pitfall(
        "the reader does not know the class of an error",
        ("celery/celery/issues/4835",),
        ("test_pickling.py::test_an_unknown_code_revives_as_the_base_with_its_facts",),
    ),
    5: Pitfall(
        "a cause that can't be pickled spoils its effect",
        ("ray-project/ray/issues/20830", "ray-project/ray/issues/31806", "ray-project/ray/pull/44878"),
        ("test_pickling.py::test_a_cause_that_does_not_pickle_lives_on_as_a_payload",),
    ),
    6: Pitfall(
        "two versions of a program can't read each other's errors",
        ("dask/distributed/pull/8882", "dask/distributed/issues/3558"),
        (
            "test_pickling.py::test_states_of_other_versions_are_read",
            "test_pickling.py::test_what_explodes_on_the_way_out_is_shown_instead",
        ),
    ),
    7: Pitfall(
        "a channel that takes exact built-ins refuses subclasses of str",
        ("pytest-dev/pytest-xdist/issues/304", "pytest-dev/pytest-xdist/issues/464"),
        ("test_codes.py::test_errors_and_payloads_hold_exact_text",),
    ),
    8: Pitfall(
        "a pool puts the text of a traceback in the place of the cause",
        ("dask/distributed/issues/3158",),
        ("test_pickling.py::test_the_cause_is_preferred_to_the_text_that_a_pool_puts_in_its_place",),
    ),
    9: Pitfall(
        "a copy drops what is kept outside `__dict__`",
        ("python/cpython/issues/125782", "python/cpython/issues/87626", "python/cpython/issues/74191"),
        ("test_pickling.py::test_the_fields_of_a_builtin_base_survive",),
    ),
    10: Pitfall(
        "setting the cause also suppresses the context",
        ("python-trio/exceptiongroup/issues/14",),
        ("test_pickling.py::test_the_flag_that_hides_the_context_survives",),
    ),
    11: Pitfall(
        "walking a circle of causes never ends",
        ("jd/tenacity/issues/658", "python/cpython/issues/98458", "hynek/structlog/pull/729"),
        (
            "test_guards.py::test_chains_that_bite_their_tail_end",
            "test_payload.py::test_a_circular_chain_ends",
            "test_boundary.py::test_the_context_of_a_translated_error_is_its_own",
        ),
    ),
    12: Pitfall(
        "a search for circles hashes the exceptions",
        ("pallets/werkzeug/pull/1540",),
        (
            "test_errors.py::test_errors_are_equal_and_hash_by_identity",
            "test_guards.py::test_chains_of_unhashable_errors_are_walked",
        ),
    ),
    13: Pitfall(
        "notes and members of groups get lost",
        ("ionelmc/python-tblib/pull/72", "python-attrs/cattrs/pull/408"),
        (
            "test_pickling.py::test_notes_that_are_no_text_do_no_harm",
            "test_payload.py::test_groups_keep_their_members_and_notes",
        ),
    ),
    14: Pitfall(
        "a task group wraps one error, and `except` no longer matches",
        ("agronholm/anyio/issues/668", "modelcontextprotocol/python-sdk/issues/2114"),
        (
            "test_boundary.py::test_a_group_is_translated_leaf_by_leaf",
            "test_verdicts.py::test_a_group_is_worth_a_retry_only_if_each_member_is",
        ),
    ),
    15: Pitfall(
        "a cycle through a frame keeps sockets and locks alive",
        ("python/cpython/issues/75188", "omry/omegaconf/issues/1295", "cannatag/ldap3/issues/529"),
        (
            "test_errors.py::test_nothing_keeps_an_error_alive",
            "test_boundary.py::test_no_reference_cycle",
        ),
    ),
    16: Pitfall(
        "one instance is raised again and again",
        (
            "python/cpython/issues/90873",
            "python/cpython/issues/101267",
            "pyserial/pyserial/issues/437",
            "patx/pickledb/issues/70",
        ),
        ("test_codes.py::test_every_call_builds_a_new_error",),
    ),
    17: Pitfall(
        "a frozen exception takes no traceback, and the real error is lost",
        (
            "python/cpython/issues/99856",
            "minio/minio-py/issues/1519",
            "python-attrs/attrs/pull/1081",
            "pypy/pypy/issues/3644",
        ),
        ("test_pitfalls.py::test_the_interpreter_may_write_to_an_error",),
    ),
    18: Pitfall(
        "the handler of errors dies on an exception among the details",
        ("g0di/fastapi-problem-details/issues/5", "jundot/omlx/pull/3568"),
        ("test_pitfalls.py::test_exceptions_and_classes_among_the_details_are_shown",),
    ),
    19: Pitfall(
        "NaN makes the encoder fail after the handler has returned",
        ("bravemaster3/GeoDeploy/pull/33", "volcengine/OpenViking/pull/880"),
        ("test_safe.py::test_any_tree_becomes_strict_json_of_exact_types",),
    ),
    20: Pitfall(
        "file names with lone surrogates break UTF-8",
        ("volcengine/OpenViking/issues/4238", "Tencent/AI-Infra-Guard/pull/571"),
        ("test_pitfalls.py::test_names_of_files_that_are_no_text_are_told",),
    ),
    21: Pitfall(
        "a message of megabytes exceeds a limit and hides the failure",
        (
            "PostHog/posthog/pull/55424",
            "MarketSquare/robotframework-browser/issues/468",
            "irothschild/stefuna/pull/8",
        ),
        ("test_safe.py::test_what_is_left_out_is_said_where_it_was_and_counted",),
    ),
    22: Pitfall(
        "the key in an address leaks through the cause",
        (
            "MehdiZare/fmp-data/issues/94",
            "MehdiZare/fmp-data/issues/350",
            "maxtepkeev/python-redmine/issues/330",
            "EnergieID/entsoe-py/issues/541",
        ),
        (
            "test_payload.py::test_secrets_do_not_leave_in_any_field",
            "test_boundary.py::test_foreign_text_stays_with_the_cause",
        ),
    ),
    23: Pitfall(
        "cutting is taken for redaction",
        ("DarriEy/Auramaur/pull/406",),
        (
            "test_safe.py::test_a_text_is_redacted_before_it_is_cut",
            "test_redaction.py::test_a_key_early_in_a_long_address_vanishes",
        ),
    ),
    24: Pitfall(
        "validation messages echo the password that they refuse",
        ("AndrewKeig/express-validation/issues/129", "Keats/validator/issues/129"),
        (
            "test_boundary.py::test_foreign_text_stays_with_the_cause",
            "test_redaction.py::test_echoed_input_is_hidden_where_it_stands_under_its_name",
        ),
    ),
    25: Pitfall(
        "braces and percent signs of a user raise in the constructor",
        ("kislyuk/ensure/issues/31", "datacats/datacats/pull/194"),
        ("test_codes.py::test_any_text_can_be_a_key_or_a_message",),
    ),
    26: Pitfall(
        "a `__repr__` that raises kills the reporter",
        ("getsentry/sentry-python/issues/1118", "Qix-/better-exceptions/pull/65"),
        ("test_safe.py::test_hostile_objects_become_strict_json",),
    ),
    27: Pitfall(
        "details called `message` or `name` make logging fail",
        ("getsentry/sentry/issues/60890", "inveniosoftware/invenio-rdm-records/pull/2368"),
        ("sinks/test_log.py::test_an_exception_can_be_given_as_the_key_itself",),
    ),
    28: Pitfall(
        "details overwrite the members of the form",
        ("litestar-org/litestar/blob/main/litestar/plugins/problem_details.py",),
        ("test_pitfalls.py::test_details_overwrite_no_member_of_a_form",),
    ),
    29: Pitfall(
        "a cancellation is swallowed or becomes an error",
        ("langflow-ai/langflow/pull/6625", "tornadoweb/tornado/pull/3538"),
        ("test_boundary.py::test_cancellation_passes_every_form",),
    ),
    30: Pitfall(
        "a wrapper catches KeyboardInterrupt, SystemExit or GeneratorExit",
        ("groodt/retrying/pull/15", "nuclio/nuclio/pull/1450"),
        ("test_boundary.py::test_cancellation_passes_every_form",),
    ),
    31: Pitfall(
        "a new code on the wire breaks the whole message",
        (
            "microsoft/agent-host-protocol/issues/366",
            "diem/diem/pull/8646",
            "fingerprintjs/dotnet-sdk/issues/178",
        ),
        ("test_payload.py::test_unknown_codes_fields_and_numbers_survive_a_second_hop",),
    ),
    32: Pitfall(
        "a renamed code breaks whoever asks for the old one",
        ("aws/aws-sdk-js-v3/issues/2874", "aws/aws-sdk-go-v2/pull/131", "boto/botocore/issues/885"),
        ("test_pitfalls.py::test_an_error_under_an_old_name_is_the_one_under_the_new",),
    ),
    33: Pitfall(
        "class names and statuses decide on a retry, whatever the error says",
        ("temporalio/sdk-ruby/issues/338", "googleapis/google-cloud-python/pull/4148"),
        ("test_payload.py::test_the_senders_verdict_wins",),
    ),
    34: Pitfall(
        "a second import is a duplicate",
        (
            "prometheus/client_python/issues/537",
            "BasedHardware/omi/pull/7866",
            "google/turbinia/issues/774",
        ),
        ("test_registry.py::test_a_reloaded_module_takes_the_place_of_the_old",),
    ),
    35: Pitfall(
        "a reload changes the identity of classes",
        ("python/cpython/issues/96858", "ipython/ipython/issues/12399", "ipython/ipython/issues/10232"),
        ("test_registry.py::test_errors_from_before_a_reload_revive_as_the_new_class",),
    ),
    36: Pitfall(
        "two names fold to one, and one is lost in silence",
        ("samchon/ttsc/issues/821",),
        ("test_registry.py::test_codes_that_fold_to_one_anchor_are_refused",),
    ),
    37: Pitfall(
        "plugins come in the order of the disk, twice, or not at all for a broken one",
        (
            "python/importlib_metadata/issues/267",
            "python/importlib_metadata/issues/280",
            "python/importlib_metadata/issues/534",
            "PyCQA/flake8/issues/701",
        ),
        ("test_config.py::test_installed_registries_are_found",),
    ),
    38: Pitfall(
        "one passing failure disables discovery for good",
        ("EleutherAI/lm-evaluation-harness/issues/4203",),
        ("test_config.py::test_discovery_forgets_its_failures",),
    ),
    39: Pitfall(
        "the message on a duplicate does not say whose it is",
        ("openclaw/openclaw/pull/33457", "elastic/kibana/issues/7029"),
        ("test_registry.py::test_a_domain_belongs_to_one_class",),
    ),
    40: Pitfall(
        "an enumeration of strings prints the name of its class",
        ("python/cpython/issues/100458",),
        ("test_codes.py::test_a_code_is_written_like_its_string",),
    ),
}
"""All forty apply to errkit."""


# --- the table ------------------------------------------------------------------------------------------


@cache
def docstrings(file: str) -> dict[str, str]:
    """Name -> docstring of each test function of a file."""
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    functions = (node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))
    return {node.name: ast.get_docstring(node) or "" for node in functions}


@pytest.mark.parametrize("number", PITFALLS)
def test_each_pitfall_is_a_test_that_cites_it(number: int) -> None:
    """Every test in the table exists, is run, and cites a report of its own row."""
    pitfall = PITFALLS[number]
    assert pitfall.tests
    for test in pitfall.tests:
        file, _, name = test.partition("::")
        assert name.startswith("test_")
        cited = docstrings(file)[name]
        assert any(re.search(rf"{re.escape(report)}(?!\w)", cited) for report in pitfall.reports), test


def test_the_table_is_whole() -> None:
    """Forty rows, each with addresses that lead somewhere, and none of them twice."""
    assert list(PITFALLS) == list(range(1, 41))
    reports = [report for pitfall in PITFALLS.values() for report in pitfall.reports]
    assert len(reports) == len(set(reports))
    for report in reports:
        assert re.fullmatch(r"[\w.-]+/[\w.-]+/((issues|pull)/\d+|blob/\S+\.py)", report), report


# --- traps of no single module --------------------------------------------------------------------------

REG = Registry("test_pitfalls")


class PathDetails(Details):
    """Where it happened."""

    path: str


class ParcelError(CodedError, domain="parcel", registry=REG):
    """Failures of a parcel service."""

    LOST = code("Parcel is lost", PathDetails, hint="Ask the depot.", aliases=("parcel.gone",))


def test_the_interpreter_may_write_to_an_error() -> None:
    """Traceback, cause, context and notes can be set on the way through a context manager, and twice.
    https://github.com/python/cpython/issues/99856
    """

    @contextmanager
    def passing() -> Iterator[None]:
        try:
            yield
        except ParcelError as error:
            error.add_note("seen")
            raise

    error, cause = ParcelError.LOST("gone", path="/a"), ValueError("why")
    for _ in range(2):
        with pytest.raises(ParcelError) as caught, passing(), passing():
            raise error from cause
        assert caught.value is error
        assert error.__traceback__ is not None
    assert error.__cause__ is cause
    assert error.__notes__ == ["seen"] * 4


def test_exceptions_and_classes_among_the_details_are_shown() -> None:
    """A validator puts the exception itself into what it reports; every form of the error is still JSON.
    https://github.com/g0di/fastapi-problem-details/issues/5
    """
    problem = {"loc": ("body", "age"), "ctx": {"error": ValueError("must be positive"), "type": ValueError}}
    build: Any = ParcelError.LOST
    error = build("invalid", path="/a", errors=[problem])
    for name in names():
        json.dumps(get(name).encode(error, audience="internal"), allow_nan=False)
    assert "must be positive" in dumps(error)


def test_names_of_files_that_are_no_text_are_told() -> None:
    """A byte that is no UTF-8 is a lone surrogate in the name of a file: in messages, details and keys.
    https://github.com/volcengine/OpenViking/issues/4238
    """
    name = os.fsdecode(b"caf\xe9.txt")
    build: Any = ParcelError.LOST
    error = build(f"no file {name}", path=name, sizes={name: 3})
    error.add_note(name)
    error.__cause__ = FileNotFoundError(2, "No such file", name)
    assert "caf" in dumps(error).encode().decode()
    for dialect in names():
        form = get(dialect).encode(error, audience="internal")
        json.dumps(form, ensure_ascii=False).encode()


@pytest.mark.parametrize("name", names())
def test_details_overwrite_no_member_of_a_form(name: str) -> None:
    """A detail called `status` is a detail, whatever members the form has.
    https://github.com/litestar-org/litestar/blob/main/litestar/plugins/problem_details.py
    """

    def members(error: CodedError) -> dict[str, Any]:
        form = get(name).encode(error, audience="internal")
        return {key: value for key, value in form.items() if not isinstance(value, (dict, list))}

    build: Any = ParcelError.LOST
    expected = members(build("gone", path="/a"))
    planted = dict.fromkeys((*expected, "status", "title", "type", "detail", "instance", "isError"), 200)
    assert members(build("gone", path="/a", **planted)) == expected


def test_an_error_under_an_old_name_is_the_one_under_the_new() -> None:
    """What an older peer sends is matched by the code as it is called today.
    https://github.com/boto/botocore/issues/885
    """
    sent = {"v": 1, "code": "parcel.gone", "message": "gone", "retryable": False, "details": {"path": "/a"}}
    error = from_payload(sent, registry=REG)
    assert type(error) is ParcelError
    assert error.code == ParcelError.LOST
    assert ParcelError.LOST.match(error) is not None
    assert to_payload(error)["code"] == "parcel.lost"
