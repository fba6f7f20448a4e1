"""Times in text: of the user's own zone, with its offset from UTC, and ages.

JSON and YAML have epoch milliseconds and UTC (``model.iso_time``). Text in the layout of one of Kafka's tools keeps
that tool's times.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from itertools import pairwise
from typing import Final

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

SECOND_MS: Final = 1_000
MINUTE_MS: Final = 60 * SECOND_MS

AGE_UNITS: Final = (("d", 1_440 * MINUTE_MS), ("h", 60 * MINUTE_MS), ("min", MINUTE_MS), ("s", SECOND_MS))
"""The units of ages of a minute and more, in milliseconds; an age has two that follow one another."""


def local_text(time_ms: int, zone: tzinfo | None = None) -> str:
    """Write a time such as ``2026-11-28 09:14:03.120 +0100``, and one beyond the calendar as a number of ``ms``.

    Args:
        time_ms: any 64-bit number of milliseconds since 1970.
        zone: whose time; ``None`` is that of the process (``TZ``, else the machine's).
    """
    try:
        time = (EPOCH + timedelta(milliseconds=time_ms)).astimezone(zone)
    except (ValueError, OverflowError, OSError):
        return f"{time_ms} ms"
    return f"{time.replace(tzinfo=None).isoformat(' ', 'milliseconds')} {time:%z}"


def age_text(age_ms: int) -> str:
    """Write how long ago something was: ``30 ms ago``, ``5.2 s ago``, ``2 h 3 min ago``."""
    if age_ms < SECOND_MS:
        return f"{age_ms} ms ago"
    for (unit, unit_ms), (part, part_ms) in pairwise(AGE_UNITS):
        if age_ms >= unit_ms:
            return f"{age_ms // unit_ms} {unit} {age_ms % unit_ms // part_ms} {part} ago"
    return f"{age_ms // SECOND_MS}.{age_ms % SECOND_MS // 100} s ago"
