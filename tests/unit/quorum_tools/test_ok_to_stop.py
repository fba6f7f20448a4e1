"""May this node be stopped: yes only when what is left is a majority that is there."""

from __future__ import annotations

import pytest

from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.model.voters import ReplicaKey
from kraftpy.quorum_tools.ok_to_stop import LAG_MAX, SILENT_MS, ok_to_stop
from kraftpy.raft.messages import DescribeQuorumResponse, ReplicaProgress

NOW_MS = 1_000_000


def row(node_id, *, silent_ms=100, lag=0, known=True):
    return ReplicaProgress(
        key=ReplicaKey(node_id),
        log_end_offset=5_000 - lag if known else None,
        last_fetch_ms=NOW_MS - silent_ms if known else None,
        last_caught_up_ms=None,
    )


def quorum(*others, observers=()):
    return DescribeQuorumResponse(
        leader=LeaderAndEpoch(1, 7), voters=(row(1, silent_ms=0), *others), observers=tuple(observers)
    )


@pytest.mark.parametrize(
    ("node_id", "described", "ok", "text"),
    [
        (2, quorum(row(2), row(3)), True, "2 of 3 voters are left, 2 are needed"),
        (1, quorum(row(2), row(3)), True, "it leads, and hands the leadership over when it is stopped with SIGTERM"),
        (2, quorum(row(2), row(3, silent_ms=SILENT_MS + 1)), False, "3 fetched last 3001 ms ago"),
        (2, quorum(row(2), row(3, lag=LAG_MAX + 1)), False, "3 is 1001 records behind"),
        (2, quorum(row(2), row(3, known=False)), False, "3 has not fetched from this leader"),
        # One that is not there anyway can be stopped as long as the others are a majority.
        (3, quorum(row(2), row(3, silent_ms=SILENT_MS + 1)), True, "2 of 3 voters are left"),
        (1, quorum(), False, "without 1, 0 of 1 voters"),
        (2, quorum(row(2)), False, "without 2, 1 of 2 voters"),
        (9, quorum(row(2), row(3), observers=[row(9)]), True, "is an observer"),
        (8, quorum(row(2), row(3)), False, "does not know node 8"),
        (2, DescribeQuorumResponse(leader=LeaderAndEpoch(None, 7), voters=(row(2), row(3))), False, "no leader"),
    ],
)
def test_the_answer_and_its_reason(node_id, described, ok, text):
    answer = ok_to_stop(node_id, described.leader.leader_id, described.voters, described.observers)
    assert answer.ok is ok
    assert text in answer.reason
