"""Times for output: epoch milliseconds, and beside them ISO 8601 in UTC with milliseconds.

Computed without a calendar of the standard library, which the packages that decide may not import, and which ends at
other years than a 64-bit time.

Source: ISO 8601-1:2019 §5.4; the days are those of the proleptic Gregorian calendar.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

DAY_MS: Final = 86_400_000
ERA_DAYS: Final = 146_097
"""The days of 400 years, after which the calendar repeats."""

DAYS_TO_EPOCH: Final = 719_468
"""The days from 0000-03-01 to 1970-01-01."""

YEAR_MAX: Final = 9_999
"""ISO 8601 writes later years, and those before 0, only by agreement of both sides."""

CACHED_TIMES: Final = 1_024
"""The records of a batch have one time."""


@lru_cache(CACHED_TIMES)
def utc_time(time_ms: int) -> str | None:
    """Write a time such as ``2026-11-27T08:18:13.042Z``; ``None`` for years that have no such form."""
    days, ms = divmod(time_ms, DAY_MS)
    era, day_of_era = divmod(days + DAYS_TO_EPOCH, ERA_DAYS)
    # Years begin in March here, so that the leap day is their last.
    year_of_era = (day_of_era - day_of_era // 1_460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    month_from_march = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * month_from_march + 2) // 5 + 1
    month = month_from_march + 3 if month_from_march < 10 else month_from_march - 9
    year = era * 400 + year_of_era + (month <= 2)
    if not 0 <= year <= YEAR_MAX:
        return None
    seconds, ms = divmod(ms, 1_000)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ms:03}Z"


def time_fields(name: str, time_ms: int | None) -> dict[str, int | str | None]:
    """Return the two fields of a time: ``<name>Timestamp`` and ``<name>Time``, both ``None`` where it is not known."""
    return {f"{name}Timestamp": time_ms, f"{name}Time": None if time_ms is None else utc_time(time_ms)}
