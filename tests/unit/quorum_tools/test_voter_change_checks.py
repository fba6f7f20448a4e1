"""Would a leader accept a change of the voters: its own checks, and whether the rest could commit a removal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.model.voters import Endpoint, ReplicaKey
from kraftpy.quorum_tools.ok_to_stop import LAG_MAX, SILENT_MS
from kraftpy.quorum_tools.voter_change_checks import CAUGHT_UP_MS, check_addition, check_removal
from kraftpy.raft.messages import DescribeQuorumResponse, ReplicaProgress
from kraftpy.raft.voter_changes import ENDPOINTS_MAX

NOW_MS = 1_000_000
ENDPOINTS = (Endpoint("CONTROLLER", "h4", 9093),)


def key(node_id, directory=None):
    return ReplicaKey(node_id, bytes([directory or node_id]) * 16)


def row(node_id, *, silent_ms=100, lag=0, known=True, directory=None, caught_up_ms=None):
    return ReplicaProgress(
        key=key(node_id, directory),
        log_end_offset=5_000 - lag if known else None,
        last_fetch_ms=NOW_MS - silent_ms if known else None,
        last_caught_up_ms=None if caught_up_ms is None else NOW_MS - caught_up_ms,
        endpoints=(Endpoint("CONTROLLER", f"h{node_id}", 9093),),
    )


def quorum(*others, observers=(), leader_id=1):
    voters = (row(1, silent_ms=0), *others)
    return DescribeQuorumResponse(leader=LeaderAndEpoch(leader_id, 7), voters=voters, observers=tuple(observers))


def static(described):
    """The same quorum at kraft.version 0: its leader names no directories of voters."""
    voters = (replace(voter, key=ReplicaKey(voter.key.node_id)) for voter in described.voters)
    return replace(described, voters=tuple(voters))


THREE = quorum(row(2), row(3), observers=[row(4, caught_up_ms=CAUGHT_UP_MS)])


@pytest.mark.parametrize(
    ("described", "accepted", "text"),
    [
        (THREE, True, "it has caught up; of 4 voters then, a majority is 3"),
        (
            quorum(observers=[row(4, lag=LAG_MAX)]),
            True,
            "not caught up in the last 2000 ms (1000 records behind), and is",
        ),
        (
            quorum(observers=[row(4, caught_up_ms=CAUGHT_UP_MS + 1)]),
            True,
            "in the last 2000 ms (0 records behind), and is added when it has; of 2 voters then, a majority is 2",
        ),
        (quorum(row(4)), True, "controller 4 is a voter already: nothing changes"),
        (quorum(row(4, directory=9)), False, "controller 4 votes with directory id CQkJ"),
        (static(THREE), False, "kraft.version is 0"),
        (quorum(row(2)), False, "controller 4 does not fetch from leader 1: start it"),
        (quorum(observers=[row(4, directory=9)]), False, "controller 4 fetches with directory id CQkJ"),
        (
            quorum(observers=[row(4, lag=LAG_MAX + 1)]),
            False,
            "controller 4 is 1001 records behind: it can",
        ),
        (quorum(observers=[row(4, silent_ms=SILENT_MS + 1)]), False, "controller 4 fetched last 3001 ms ago"),
        (quorum(row(2), observers=[row(4)], leader_id=9), False, "no leader that is a voter"),
        (quorum(row(2), observers=[row(4)], leader_id=None), False, "no leader that is a voter"),
    ],
)
def test_an_addition(described, accepted, text):
    verdict = check_addition(key(4), ENDPOINTS, described)
    assert (verdict.accepted, text in verdict.reason) == (accepted, True), verdict.reason


@pytest.mark.parametrize(
    ("endpoints", "text"),
    [
        ((Endpoint("OTHER", "h4", 9093),), "controller 4 has no endpoint of listener CONTROLLER"),
        ((), "controller 4 has no endpoint of listener CONTROLLER"),
        (ENDPOINTS * (ENDPOINTS_MAX + 1), f"controller 4 has {ENDPOINTS_MAX + 1} endpoints"),
    ],
    ids=["other listener", "none", "too many"],
)
def test_an_addition_with_endpoints_that_a_voter_cannot_have(endpoints, text):
    verdict = check_addition(key(4), endpoints, THREE)
    assert (verdict.accepted, text in verdict.reason) == (False, True), verdict.reason


def test_a_leader_that_shows_no_endpoints_is_asked_about_none():
    """An old version of DescribeQuorum has no listeners."""
    voters = (replace(voter, endpoints=()) for voter in THREE.voters)
    assert check_addition(key(4), (Endpoint("OTHER", "h4", 1),), replace(THREE, voters=tuple(voters))).accepted


@pytest.mark.parametrize(
    ("node_id", "described", "accepted", "text"),
    [
        (2, THREE, True, "2 of the 2 remaining voters are running and caught up, 2 are needed"),
        (1, THREE, True, "it leads, and resigns once its removal is committed"),
        # One that is down can be removed: that is what removal is for.
        (3, quorum(row(2), row(3, silent_ms=SILENT_MS + 1)), True, "2 of the 2 remaining voters"),
        (3, quorum(row(2), row(3, known=False)), True, "2 of the 2 remaining voters"),
        (2, quorum(row(2)), True, "1 of the 1 remaining voters"),
        (2, quorum(row(2), row(3, silent_ms=SILENT_MS + 1)), False, "1 of the 2 remaining voters"),
        (2, quorum(row(2), row(3, lag=LAG_MAX + 1)), False, "2 are needed to commit the removal; 3 is 1001 records"),
        (1, quorum(row(2, known=False)), False, "0 of the 1 remaining voters"),
        (1, quorum(), False, "controller 1 is the only voter"),
        (4, THREE, False, "is not a voter; the voters are "),
        (2, static(THREE), False, "kraft.version is 0"),
        (2, quorum(row(2), row(3), leader_id=None), False, "no leader that is a voter"),
    ],
)
def test_a_removal(node_id, described, accepted, text):
    verdict = check_removal(key(node_id), described)
    assert (verdict.accepted, text in verdict.reason) == (accepted, True), verdict.reason


def test_another_directory_is_another_voter():
    assert not check_removal(key(2, 9), THREE).accepted
