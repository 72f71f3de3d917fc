"""Renting bikes and bringing them back."""

from __future__ import annotations

from bikes.errors import DockError, RentalError


def rent(bike: int, *, taken: set[int], broken: set[int]) -> None:
    """Rent a bike."""
    if bike in broken:
        raise RentalError.BROKEN(f"bike {bike} is broken", bike=bike)
    if bike in taken:
        raise RentalError.TAKEN(f"bike {bike} is taken", bike=bike)
    taken.add(bike)


def bring_back(bike: int, dock: str, *, taken: set[int], free: int) -> None:
    """Bring a bike back to a dock."""
    if free < 1:
        raise DockError.FULL(f"no place at {dock}", dock=dock, free=free)
    taken.discard(bike)
