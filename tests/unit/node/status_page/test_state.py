"""The JSON of a state, and what of it counts as a change."""

from __future__ import annotations

from dataclasses import replace

import jsonschema
import pytest

from kraftpy.cli.json_fields import FIELDS
from kraftpy.cli.json_outputs import JsonOutput, OutputForm
from kraftpy.cli.json_schema import schema_of
from kraftpy.node.status_page.state import RowList, state_json, steady_part
from tests.fakes.page_states import NOW_MS, broker, healthy, hostile, replace_rows, replica


def test_names_and_times_of_json():
    """Names are in camelCase, unknown is null, and each time is there twice."""
    state = state_json(healthy())
    assert state["readTimestamp"] == NOW_MS
    assert state["readTime"] == "2026-11-27T08:33:33.637Z"
    assert state["quorum"]["highWatermark"] == 12_345
    assert state["node"]["notReadyBecause"] is None
    assert state["changes"]["rows"][0]["madeTime"] == "2026-11-27T08:32:33.637Z"
    assert state["partitions"]["listed"] == {"total": 0, "rows": []}
    assert state["disk"]["directories"][1]["freeBytes"] is None
    assert state_json(hostile())["partitions"]["listed"]["rows"][-1]["replicas"] == [4, 5, 6]


def values(found):
    """Yield the names of a state's JSON with their values, where these are neither objects nor lists of them."""
    for name, value in found.items():
        inner = [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict)]
        for one in inner:
            yield from values(one)
        if not inner:
            yield name, value


@pytest.mark.parametrize("state", [healthy(), hostile()], ids=["healthy", "hostile"])
def test_names_of_the_commands_have_their_types(state):
    """The page gives a name of the commands' JSON to another thing."""
    shared = [(name, value) for name, value in values(state_json(state)) if name in FIELDS]
    assert {"leaderId", "lag", "lastFetchAgeMs", "kraftpyVersion", "topicCount"} <= {name for name, _ in shared}
    for name, value in shared:
        schema = schema_of(JsonOutput(name, OutputForm.OBJECT, ((f"{name}?",),)))
        assert list(jsonschema.Draft202012Validator(schema).iter_errors({name: value})) == []


def silent(ms):
    return RowList(1, (replica(last_fetch_age_ms=ms),))


@pytest.mark.parametrize(
    ("changed", "is_change"),
    [
        ({"read_timestamp": NOW_MS + 5_000}, False),
        ({"replicas": silent(999)}, False),
        ({"replicas": silent(1_000)}, True),
        ({"replicas": silent(None)}, True),
        ({"replicas": RowList(1, (replica(last_fetch_age_ms=0, lag_ms=500),))}, False),
        ({"replicas": RowList(1, (replica(last_fetch_age_ms=0, lag=1),))}, True),
        ({"brokers": replace_rows(healthy().brokers, 1, (broker(last_heartbeat_age_ms=1_999),))}, False),
        ({"brokers": replace_rows(healthy().brokers, 1, (broker(last_heartbeat_age_ms=2_000),))}, True),
        ({"warnings": ("a",)}, True),
        ({"quorum": replace(healthy().quorum, leader_id=2)}, True),
    ],
)
def test_what_is_a_change(changed, is_change):
    """Neither when a state was read, nor an age that differs by less than a second."""
    before = healthy(replicas=silent(0))
    after = replace(before, **changed)
    assert (steady_part(state_json(before)) != steady_part(state_json(after))) is is_change
