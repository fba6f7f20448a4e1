"""The JSON of a state, and what of it counts as a change."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kraftpy.node.status_page.state import RowList, iso_time, state_json, steady_part
from tests.fakes.page_states import NOW_MS, broker, healthy, hostile, replace_rows, replica


def test_names_and_times_of_json():
    """Names are in camelCase, unknown is null, and each time is there twice."""
    state = state_json(healthy())
    assert state["timeMs"] == NOW_MS
    assert state["time"] == iso_time(NOW_MS) == "2026-11-27T08:33:33.637Z"
    assert state["quorum"]["highWatermark"] == 12_345
    assert state["node"]["notReadyBecause"] is None
    assert state["changes"]["rows"][0]["time"] == "2026-11-27T08:32:33.637Z"
    assert state["partitions"]["listed"] == {"total": 0, "rows": []}
    assert state["disk"]["directories"][1]["freeBytes"] is None
    assert state_json(hostile())["partitions"]["listed"]["rows"][-1]["replicas"] == [4, 5, 6]


def silent(ms):
    return RowList(1, (replica(silent_ms=ms),))


@pytest.mark.parametrize(
    ("changed", "is_change"),
    [
        ({"time_ms": NOW_MS + 5_000}, False),
        ({"replicas": silent(999)}, False),
        ({"replicas": silent(1_000)}, True),
        ({"replicas": silent(None)}, True),
        ({"replicas": RowList(1, (replica(silent_ms=0, lag_ms=500),))}, False),
        ({"replicas": RowList(1, (replica(silent_ms=0, lag_offsets=1),))}, True),
        ({"brokers": replace_rows(healthy().brokers, 1, (broker(silent_ms=1_999),))}, False),
        ({"brokers": replace_rows(healthy().brokers, 1, (broker(silent_ms=2_000),))}, True),
        ({"warnings": ("a",)}, True),
        ({"quorum": replace(healthy().quorum, leader_id=2)}, True),
    ],
)
def test_what_is_a_change(changed, is_change):
    """Neither when a state was read, nor an age that differs by less than a second."""
    before = healthy(replicas=silent(0))
    after = replace(before, **changed)
    assert (steady_part(state_json(before)) != steady_part(state_json(after))) is is_change
