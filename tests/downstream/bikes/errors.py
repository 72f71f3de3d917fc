"""The error codes of the bikes."""

from __future__ import annotations

from errkit import CodedError, Details, Registry, code

REGISTRY = Registry("bikes", markup="md")


class BikeDetails(Details):
    """Which bike it was."""

    bike: int
    """The number on its frame."""


class DockDetails(Details):
    """Which dock it was."""

    dock: str
    """The name of the dock."""

    free: int = 0
    """How many places were free."""


class RentalError(
    CodedError, domain="bikes.rental", title="Rentals", numbers=range(100, 200), registry=REGISTRY
):
    """A bike could not be rented."""

    TAKEN = code(
        "Bike is taken",
        BikeDetails,
        number=101,
        public=True,
        hint="Choose another bike.",
        example={"bike": 17},
    )
    """Somebody else rides the bike. Two people took it at the same moment. Choose another one."""

    BROKEN = code(
        "Bike is broken",
        BikeDetails,
        number=102,
        public=True,
        hint="Choose another bike, and tell the workshop.",
        example={"bike": 17},
    )
    """The bike was reported as broken. The workshop has not looked at it yet. Choose another one."""


class DockError(CodedError, domain="bikes.dock", title="Docks", numbers=range(200, 300), registry=REGISTRY):
    """A bike could not be brought back."""

    FULL = code(
        "Dock is full",
        DockDetails,
        number=201,
        kind="transient",
        hint="Bring the bike to another dock.",
        example={"dock": "harbour"},
    )
    """All places are taken. That happens in the evening. Bring the bike to another dock."""

    FLOODED = code(
        "Dock is under water",
        DockDetails,
        number=202,
        hint="Bring the bike to a dock that is dry.",
        example={"dock": "harbour", "free": 3},
    )
    """The river has the dock. It rains. Bring the bike to another dock."""
