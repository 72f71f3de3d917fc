"""Codes, details and errors: what is drawn is declared, complete, and as simple as can be."""

from __future__ import annotations

import pytest
from hypothesis import find, given, settings
from hypothesis.errors import InvalidArgument

from errkit import REGISTRY, CodedError, Details, ErrorCode, Registry, code
from errkit.domains.os_fs import HostFsError
from errkit.guards import iter_causes
from errkit.testing import assert_round_trip, strategies
from errkit.testing.recording import Recorder

DECLARED = Registry("declared")


class SeatDetails(Details):
    """A seat."""

    seat: str
    row: int = 0


class SeatError(CodedError, domain="declared.seat", registry=DECLARED):
    """Seats."""

    TAKEN = code("Seat is taken", SeatDetails)
    LATE = code("Seat is late", reasons={"expired": "Too old", "unknown": "Never there"})


class OwnSeatError(SeatError):
    """The same codes as instances of its own."""


class SeatFacade(SeatError, HostFsError, facade=True):
    """All codes of two domains."""


@given(strategies.codes())
def test_codes_are_those_of_the_default_registry(found: ErrorCode[..., Details, CodedError]) -> None:
    """Without a source, a code as it stands on its domain."""
    assert REGISTRY[found] is found.spec


@given(strategies.codes(SeatError, HostFsError.NOT_FOUND))
def test_sources_may_be_mixed(found: ErrorCode[..., Details, CodedError]) -> None:
    """Registries, classes and single codes."""
    assert found in {"declared.seat.taken", "declared.seat.late", "os.fs.not_found"}


@given(strategies.error_classes(SeatFacade))
def test_classes_are_those_that_codes_build(cls: type[CodedError]) -> None:
    """A code that builds a class of its own counts as that."""
    assert issubclass(cls, (SeatError, HostFsError))
    assert cls is not SeatFacade


@given(strategies.details(SeatError.LATE))
def test_reasons_are_among_the_details_of_their_code(found: Details) -> None:
    """A code that declares reasons gets one of them."""
    assert getattr(found, "reason", None) in ("expired", "unknown")


@given(strategies.errors(OwnSeatError))
def test_errors_of_a_derived_class_are_its_instances(error: CodedError) -> None:
    """Codes reached through a subclass build the subclass."""
    assert type(error) is OwnSeatError
    assert error.details_problem is None


@given(strategies.errors(DECLARED, HostFsError))
def test_errors_come_through_every_trip(error: CodedError) -> None:
    """Whatever is drawn, with its family, survives JSON, pickles and copies."""
    assert_round_trip(error, registry=None if error.spec.cls is not SeatError else DECLARED)


def test_some_errors_have_a_family() -> None:
    """Notes, a foreign cause, a coded one, a group of both."""
    found: list[CodedError] = []

    @settings(max_examples=300, database=None, derandomize=True)
    @given(strategies.errors(SeatError))
    def draw(error: CodedError) -> None:
        found.append(error)

    draw()
    for kind in (type(None), ValueError, CodedError, ExceptionGroup):
        assert any(isinstance(error.__cause__, kind) for error in found), kind
    assert any(hasattr(error, "__notes__") for error in found)


@given(strategies.errors(SeatError, family=False))
def test_errors_without_a_family(error: CodedError) -> None:
    """For whoever is interested in the error alone."""
    assert list(iter_causes(error)) == [error]
    assert not hasattr(error, "__notes__")


def test_everything_shrinks_to_the_simplest() -> None:
    """The first code, its title, the least details, no cause."""
    error = find(strategies.errors(DECLARED), lambda _found: True)
    assert (error.code, error.message, dict(error.details)) == (
        "declared.seat.taken",
        "Seat is taken",
        {"seat": ""},
    )
    assert error.__cause__ is None
    assert find(strategies.codes(DECLARED), lambda _found: True) == "declared.seat.taken"


@given(strategies.error_groups(SeatError))
def test_groups_hold_coded_errors(group: ExceptionGroup[Exception]) -> None:
    """Somewhere inside there is at least one."""
    assert group.subgroup(CodedError) is not None


@given(strategies.errors(SeatError))
def test_what_is_drawn_is_known_as_made_by_the_kit(error: CodedError) -> None:
    """Raising it is no merit of the suite."""
    recorder = Recorder()
    recorder.start()
    with pytest.raises(SeatError):
        raise error
    recorder.stop()
    assert recorder.take() == []


def test_codes_declared_later_are_drawn_too() -> None:
    """A strategy looks when it draws, not when it is made."""
    registry = Registry("late")
    found = strategies.codes(registry)
    with pytest.raises(InvalidArgument, match="no code is registered in <Registry 'late'"):
        find(found, lambda _code: True)

    class LateError(CodedError, domain="declared.late", registry=registry):
        FIRST = code("First")

    assert find(found, lambda _code: True) == LateError.FIRST
    with registry.scoped():

        class LaterError(CodedError, domain="declared.later", registry=registry):
            SECOND = code("Second")

        assert find(found, lambda code: code != LateError.FIRST) == LaterError.SECOND
    assert find(strategies.errors(registry), lambda _error: True).code == LateError.FIRST


def test_equal_registries_and_codes_are_told_apart() -> None:
    """Two classes may declare the same code; each strategy builds its own."""

    class OtherSeatError(CodedError, domain="declared.seat", registry=Registry("declared")):
        TAKEN = code("Seat is taken", SeatDetails)

    assert type(find(strategies.errors(SeatError.TAKEN), lambda _error: True)) is SeatError
    assert type(find(strategies.errors(OtherSeatError.TAKEN), lambda _error: True)) is OtherSeatError


@pytest.mark.parametrize("source", [5, "os.fs.not_found", ValueError])
def test_what_is_no_source_is_refused(source: object) -> None:
    """With what was given, when it is drawn from."""
    with pytest.raises(InvalidArgument, match="is no registry, no domain class and no code"):
        find(strategies.errors(source), lambda _error: True)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    with pytest.raises(InvalidArgument, match="is no Details class and no code"):
        find(strategies.details(source), lambda _details: True)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


def test_reprs_say_what_is_drawn() -> None:
    """A strategy in an error message is recognized."""
    assert repr(strategies.codes()) == "codes()"
    assert repr(strategies.errors(SeatError, family=False)) == "errors(SeatError, family=False)"
    assert repr(strategies.details(SeatDetails)) == "details(SeatDetails)"
