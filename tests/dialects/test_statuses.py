"""Statuses: the table by kind, what goes before it, and Google's own file of canonical codes."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from errkit import CodedError, CoreError, to_payload
from errkit.dialects.statuses import BY_KIND, CANONICAL, canonical_of, http_status, phrase
from tests.dialects.samples import ShopError


def status_of(error: CodedError) -> int:
    """The HTTP status of an error."""
    return http_status(error.spec, to_payload(error))


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (ShopError.EMPTY(), 409),
        (ShopError.EMPTY().override(retryable=True), 409),
        (ShopError.BROKEN("m", path="p"), 500),
        (ShopError.BUSY("m", path="p"), 503),
        (ShopError.BUSY("m", path="p").override(retryable=False), 500),
        (ShopError.BROKEN("m", path="p").override(retryable=True), 503),
        (ShopError.REFUSED(), 409),
        (ShopError.STOPPED(), 499),
        (ShopError.IMPOSSIBLE(), 500),
        (CoreError.VALIDATION_FAILED(), 422),
        (CoreError.NOT_IMPLEMENTED(), 501),
        (CodedError("nobody.knows", "m"), 500),
    ],
)
def test_the_status_follows_from_the_code(error: CodedError, status: int) -> None:
    """A declared status wins, then the verdict on retrying, then the kind."""
    assert status_of(error) == status


def test_a_public_terminal_failure_is_the_clients() -> None:
    """Where the client is told what is wrong, the status says that the request is at fault."""
    from errkit.own import ErrkitError

    assert status_of(ErrkitError.BAD_CATALOG("m", path="p", place="$", problem="p")) == BY_KIND["terminal"]


def test_the_canonical_codes_are_googles() -> None:
    """Names, numbers and HTTP statuses are those of google/rpc/code.proto."""
    proto = (files("google.rpc") / "code.proto").read_text("utf-8")
    rows = re.findall(r"HTTP Mapping: (\d+) .*\n(?:  //.*\n)*  ([A-Z_]+) = (\d+);", proto)
    assert sorted((int(number), name, int(status)) for status, name, number in rows) == [
        (found.number, found.name, found.status) for found in CANONICAL
    ]


def test_each_status_of_a_kind_maps_to_its_own() -> None:
    """The gRPC code of a kind stands, by Google's table, for the very status of that kind."""
    for status in BY_KIND.values():
        assert canonical_of(status).status == status
        assert phrase(status)


def test_any_status_has_a_canonical_code() -> None:
    """Statuses that no table names go with their class."""
    assert canonical_of(418).name == "FAILED_PRECONDITION"
    assert canonical_of(599).name == "INTERNAL"
    assert canonical_of(302).name == "UNKNOWN"
    assert all(canonical_of(status).number for status in range(100, 600))
