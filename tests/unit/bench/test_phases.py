"""The phases of a failover, from logs."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from bench.peers import kafka
from bench.phases import durations, marks

KILLED_AT = 1_000_000.0


def line(after_ms: float, event: str) -> str:
    at = datetime.fromtimestamp(KILLED_AT + after_ms / 1000, UTC).isoformat()
    return json.dumps({"timestamp": at, "event": event})


def test_marks_are_the_first_on_any_survivor_after_the_kill():
    """Earlier elections, later repetitions and lines of plain text do not count."""
    one = "\n".join([line(-500, "elected"), "plain text", line(12, "leader_process_gone")])
    two = [
        line(9, "leader_process_gone"),
        line(40, "elected"),
        line(47, "became_active_controller"),
        line(90, "elected"),
    ]
    found = marks([one, "\n".join(two)], KILLED_AT)
    assert {mark: round(ms) for mark, ms in found.items()} == {"detect": 9, "elect": 40, "activate": 47}


def test_phases_add_up_to_the_whole():
    """Each phase begins where the one before it ended, and the last ends at the client."""
    phases = durations({"detect": 9, "elect": 40, "activate": 55}, 100)
    assert phases == {"detect": 9, "elect": 31, "activate": 15, "first write": 45}
    assert sum(phases.values()) == 100


def test_a_missing_mark_makes_the_next_phase_longer():
    """A log without an activation gives a longer first write, never an empty phase."""
    assert durations({"detect": 9, "elect": 40}, 100) == {"detect": 9, "elect": 31, "first write": 60}


def test_kafkas_log_has_the_same_offsets():
    """The first of each kind on any survivor, of this kill; other lines, or those of a stack trace, do not count."""

    def stated(after_ms, text):
        return f"{int(KILLED_AT * 1000) + after_ms} INFO [RaftManager id=3] {text}"

    one = "\n".join(
        [
            stated(-9_000, "Completed transition to Leader(localVoterNode=..."),
            stated(2_010, "Completed transition to ProspectiveState(epoch=2, ..."),
            "\tat java.base/java.lang.Thread.run(Thread.java:840) Completed transition to Leader(",
            stated(2_070, "Completed transition to Leader(localVoterNode=..."),
            stated(2_120, "Performing controller activation. (QuorumController)"),
        ]
    )
    two = stated(2_005, "Completed transition to ProspectiveState(epoch=2, ...")
    assert kafka.marks([one, two], KILLED_AT) == {"detect": 2_005, "elect": 2_070, "activate": 2_120}
