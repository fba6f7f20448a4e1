"""Times in text: with the offset of their zone, and as ages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from kraftpy.cli.audit_options import parse_point
from kraftpy.cli.times_text import age_text, local_text
from tests.fakes.zones import HALF_HOUR_EAST, HALF_HOUR_WEST, local_zone

TIME_MS = 1_795_768_413_037
TIMES = {
    "UTC0": "2026-11-27 08:33:33.037 +0000",
    "CET-1": "2026-11-27 09:33:33.037 +0100",
    HALF_HOUR_EAST: "2026-11-27 14:03:33.037 +0530",
    HALF_HOUR_WEST: "2026-11-27 05:03:33.037 -0330",
}


@pytest.mark.parametrize("zone", TIMES)
def test_a_time_is_of_the_process_s_zone_and_names_its_offset(zone: str) -> None:
    with local_zone(zone):
        assert local_text(TIME_MS) == TIMES[zone]


def test_the_offset_is_the_one_of_that_time() -> None:
    """Half a year earlier it was summer time."""
    with local_zone("CET-1CEST,M3.5.0,M10.5.0/3"):
        assert local_text(TIME_MS) == TIMES["CET-1"]
        assert local_text(TIME_MS - 183 * 86_400_000) == "2026-05-28 10:33:33.037 +0200"


def test_a_zone_may_be_given() -> None:
    assert local_text(TIME_MS, UTC) == TIMES["UTC0"]
    assert local_text(-1, timezone(timedelta(hours=5, minutes=45))) == "1970-01-01 05:44:59.999 +0545"


def test_years_have_four_digits() -> None:
    first_ms = int((datetime(1, 1, 2, tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()) * 1_000
    assert local_text(first_ms, UTC) == "0001-01-02 00:00:00.000 +0000"


@pytest.mark.parametrize("zone", [HALF_HOUR_EAST, HALF_HOUR_WEST])
@pytest.mark.parametrize("time_ms", [-(2**63), -62_135_596_800_001, 253_402_300_800_000, 2**63 - 1])
def test_a_time_that_no_calendar_has_is_a_number(time_ms: int, zone: str) -> None:
    with local_zone(zone):
        assert local_text(time_ms) == f"{time_ms} ms"


@pytest.mark.parametrize("zone", TIMES)
def test_a_time_that_was_printed_can_be_asked_for(zone: str) -> None:
    """`history` prints it, `--as-of` takes it, here or on another machine."""
    with local_zone(zone):
        text = local_text(TIME_MS)
    with local_zone("EST5"):
        assert parse_point(text).timestamp_ms == TIME_MS


def test_a_time_without_a_zone_is_utc_wherever_it_is_asked_for() -> None:
    with local_zone(HALF_HOUR_EAST):
        assert parse_point("2026-11-27 08:33:33.037").timestamp_ms == TIME_MS


@pytest.mark.parametrize(
    ("age_ms", "text"),
    [
        (0, "0 ms ago"),
        (999, "999 ms ago"),
        (1_000, "1.0 s ago"),
        (59_999, "59.9 s ago"),
        (60_000, "1 min 0 s ago"),
        (3_599_999, "59 min 59 s ago"),
        (3_600_000, "1 h 0 min ago"),
        (86_399_999, "23 h 59 min ago"),
        (86_400_000, "1 d 0 h ago"),
        (90 * 86_400_000 + 3 * 3_600_000, "90 d 3 h ago"),
    ],
)
def test_an_age_has_the_two_largest_of_its_units(age_ms: int, text: str) -> None:
    assert age_text(age_ms) == text
