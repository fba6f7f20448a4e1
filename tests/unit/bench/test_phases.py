"""The phases of a failover, from logs."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from bench.phases import durations, marks

KILLED_AT = 1_000_000.0


def line(after_ms: float, event: str) -> str:
    at = datetime.fromtimestamp(KILLED_AT + after_ms / 1000, UTC).isoformat()
    return json.dumps({"timestamp": at, "event": event})


def test_marks_are_the_first_on_any_survivor_after_the_kill():
    """Earlier elections, later repetitions and lines of plain text do not count."""
    one = "\n".join([line(-500, "elected"), "plain text", line(12, "the leader's process is gone")])
    two = [line(9, "the leader's process is gone"), line(40, "elected"), line(47, "active"), line(90, "elected")]
    found = marks([one, "\n".join(two)], KILLED_AT)
    assert {mark: round(ms) for mark, ms in found.items()} == {"detect": 9, "elect": 40, "activate": 47}


def test_phases_add_up_to_the_whole():
    """Each phase begins where the one before it ended, and the last ends at the client."""
    phases = durations({"detect": 9, "elect": 40, "activate": 55}, 100)
    assert phases == {"detect": 9, "elect": 31, "activate": 15, "first write": 45}
    assert sum(phases.values()) == 100


def test_a_missing_mark_makes_the_next_phase_longer():
    """A log that tells of no activation gives a longer first write, never a phase of nothing."""
    assert durations({"detect": 9, "elect": 40}, 100) == {"detect": 9, "elect": 31, "first write": 60}
