"""The domain `wire`: what a restore reports, and what ends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from errkit import from_payload, on_unexpected_error, set_unexpected_error_handler, to_payload
from errkit.domains.wire import WireError

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_a_skipped_record_names_type_and_place() -> None:
    """Programs tell skipped records apart after the wire, too."""
    error = WireError.UNKNOWN_RECORD(type="cart.discounted", index=17)
    details = WireError.UNKNOWN_RECORD.match(from_payload(to_payload(error)))
    assert details is not None
    assert (details.type, details.index) == ("cart.discounted", 17)
    assert WireError.UNKNOWN_RECORD(index=0).details_problem is None


def test_neither_is_worth_a_retry() -> None:
    """What this version can't read it will not be able to read a moment later."""
    assert not WireError.UNKNOWN_RECORD(index=1).retryable
    assert not WireError.MIGRATION_MISSING(version="0.9").retryable


def restore(journal: list[dict[str, str]]) -> Iterator[str]:
    """What a program gets back of its journal."""
    version = journal[0]["version"]
    if version not in ("1", "2"):
        raise WireError.MIGRATION_MISSING(version=version)
    for index, record in enumerate(journal[1:]):
        try:
            if record["type"] != "cart":
                raise WireError.UNKNOWN_RECORD(type=record["type"], index=index)
            yield record["name"]
        except WireError as error:
            on_unexpected_error(error)


def test_a_restore_goes_on_after_a_strange_record_and_ends_where_no_way_leads() -> None:
    """The one is reported, the other raised."""
    reported: list[object] = []
    before = set_unexpected_error_handler(lambda error, *_: reported.append(error))
    try:
        records = [{"version": "2"}, {"type": "discount", "name": "d1"}, {"type": "cart", "name": "c1"}]
        assert list(restore(records)) == ["c1"]
    finally:
        set_unexpected_error_handler(before)
    [details] = map(WireError.UNKNOWN_RECORD.match, reported)
    assert details is not None
    assert (details.type, details.index) == ("discount", 0)
    with pytest.raises(WireError) as caught:
        list(restore([{"version": "0.9"}]))
    assert caught.value.code == "wire.migration_missing"
