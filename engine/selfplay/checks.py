"""Arguments checked by name: what is of the wrong kind or out of range is one clear error."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from engine.errors import QuixotryError, shorten

_MOST_BITS = 200  # of a number that is shown


def whole(name: str, value: Any, low: int, high: int) -> int:
    """``value`` as an int. Raises QuixotryError, which begins with ``name``, for what is no whole
    number from ``low`` to ``high``; True and False are none."""
    number = isinstance(value, Integral) and not isinstance(value, bool)
    if number and low <= value <= high:
        return int(value)
    large = number and int(value).bit_length() > _MOST_BITS
    shown = "that large" if large else shorten(value)
    raise QuixotryError(f"{name} {shown}, expected a whole number from {low} to {high}")


def expect(name: str, value: Any, kinds: type | tuple[type, ...], expected: str) -> None:
    """Raise QuixotryError, which begins with ``name``, for a value of none of these types."""
    if not isinstance(value, kinds):
        raise QuixotryError(f"{name} {shorten(value)}, expected {expected}")


def check_progress(progress: Any) -> None:
    """Raise QuixotryError for what cannot be called; None is fine."""
    if progress is not None and not callable(progress):
        raise QuixotryError(f"progress {shorten(progress)}, expected a function")
