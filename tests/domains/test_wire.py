"""The domain `wire`: what a restore reports, and what ends it."""

from __future__ import annotations

from errkit import from_payload, to_payload
from errkit.domains.wire import WireError


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
