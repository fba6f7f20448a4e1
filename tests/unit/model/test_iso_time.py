"""Times in ISO 8601, compared with the standard library's calendar."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kraftpy.model.iso_time import time_fields, utc_time

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FIRST_MS = int((datetime(1, 1, 1, tzinfo=UTC) - EPOCH).total_seconds()) * 1_000
LAST_MS = int((datetime(9999, 12, 31, tzinfo=UTC) - EPOCH).total_seconds()) * 1_000


@given(st.integers(FIRST_MS, LAST_MS))
def test_times_are_those_of_the_calendar(time_ms: int) -> None:
    expected = (EPOCH + timedelta(milliseconds=time_ms)).isoformat(timespec="milliseconds")
    assert utc_time(time_ms) == expected.replace("+00:00", "Z")


@pytest.mark.parametrize(
    ("time_ms", "text"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_400_042, "2000-02-29T00:00:00.042Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
    ],
)
def test_the_ends_of_days_years_and_the_calendar(time_ms: int, text: str) -> None:
    assert utc_time(time_ms) == text


@pytest.mark.parametrize("time_ms", [253_402_300_800_000, -62_167_219_200_001, 2**63 - 1, -(2**63)])
def test_a_year_without_four_digits_has_no_such_form(time_ms: int) -> None:
    assert utc_time(time_ms) is None
    assert time_fields("max", time_ms) == {"maxTimestamp": time_ms, "maxTime": None}


def test_a_time_that_is_not_known_is_null_in_both_forms() -> None:
    assert time_fields("lastFetch", None) == {"lastFetchTimestamp": None, "lastFetchTime": None}
    assert time_fields("lastFetch", 1_000) == {
        "lastFetchTimestamp": 1_000,
        "lastFetchTime": "1970-01-01T00:00:01.000Z",
    }
