"""Times in a log: a batch may have any 64-bit number of milliseconds, and a calendar has only few of them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

from kraftpy.audit.optional_dependencies import extra

Array: TypeAlias = Any
"""A numpy array; numpy is optional here."""

HOUR_MS: Final = 3_600_000

FIRST_HOUR_MS: Final = -(2**63 // HOUR_MS) * HOUR_MS
"""The first hour whose beginning fits 64 bits; earlier times are counted there."""


def hour_of(time_ms: int) -> int:
    """Return the begin of the hour of a time."""
    return max(time_ms, FIRST_HOUR_MS) // HOUR_MS * HOUR_MS


def hours_of(times: Array) -> Array:
    """Do as :func:`hour_of` for a column."""
    return extra("numpy").maximum(times, FIRST_HOUR_MS) // HOUR_MS * HOUR_MS


def utc_text(time_ms: float, form: str) -> str:
    """Write a time in UTC as ``strftime`` does, and one beyond the calendar as a number."""
    try:
        return datetime.fromtimestamp(time_ms / 1000, UTC).strftime(form)
    except (ValueError, OverflowError, OSError):
        return f"{time_ms:.0f} ms"
