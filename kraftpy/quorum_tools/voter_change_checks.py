"""Whether a leader would accept a change of its voters now, from its own view of the quorum. Nothing is changed.

The checks are those that a leader makes when it is asked (``raft.voter_changes``), as far as its view shows what they
need, and one more: a leader accepts a removal that the remaining voters cannot commit, and it would then wait for them.
A change that is on its way is not shown, so the leader may still answer that it is too early.

Source: KIP-853 §AddRaftVoter, §RemoveRaftVoter; KIP-836 (the fields of DescribeQuorum).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kraftpy.model.ids import uuid_to_text
from kraftpy.model.voters import Endpoint, ReplicaKey
from kraftpy.quorum_tools.ok_to_stop import why_not_counted
from kraftpy.raft.messages import DescribeQuorumResponse, ReplicaProgress
from kraftpy.raft.voter_changes import endpoints_fault

CAUGHT_UP_MS: Final = 2_000
"""The default of ``controller.quorum.fetch.timeout.ms``: a leader adds what had all of its log within this time."""


@dataclass(frozen=True, slots=True)
class VoterChangeVerdict:
    """Yes or no, and the reason in a sentence.

    Attributes:
        must_catch_up: the leader would accept it, and do it once the replica has caught up.
    """

    accepted: bool
    reason: str
    must_catch_up: bool = False


def check_addition(
    key: ReplicaKey, endpoints: Sequence[Endpoint], described: DescribeQuorumResponse
) -> VoterChangeVerdict:
    """Decide whether this replica, directory id included, could become a voter."""
    leader, obstacle = _leader(described)
    if leader is None:
        return _refused(obstacle)
    known = next((voter.key for voter in described.voters if voter.key.node_id == key.node_id), None)
    if known == key:
        return VoterChangeVerdict(accepted=True, reason=f"controller {key.node_id} is a voter already: nothing changes")
    if known is not None:
        return _refused(
            f"controller {key.node_id} votes with directory id {_directory(known)}, not {_directory(key)}: remove that "
            "one first"
        )
    fault = _endpoints_fault(endpoints, leader)
    if fault is not None:
        return _refused(f"controller {key.node_id} {fault}")
    observer = next((each for each in described.observers if each.key == key), None)
    if observer is None:
        return _refused(_not_there(key, described))
    lacking = why_not_counted(observer, leader)
    if lacking is not None:
        return _refused(f"controller {key.node_id} {lacking}: it can be added once it has caught up")
    count = len(described.voters) + 1
    then = f"of {count} voters then, a majority is {count // 2 + 1}"
    if _is_caught_up(observer, leader):
        return VoterChangeVerdict(accepted=True, reason=f"it has caught up; {then}")
    behind = (leader.log_end_offset or 0) - (observer.log_end_offset or 0)
    waits = f"it has not caught up in the last {CAUGHT_UP_MS} ms ({behind} records behind), and is added when it has"
    return VoterChangeVerdict(accepted=True, reason=f"{waits}; {then}", must_catch_up=True)


def _is_caught_up(observer: ReplicaProgress, leader: ReplicaProgress) -> bool:
    """Return whether a leader with the default of its fetch timeout counts an observer as caught up."""
    caught_up_ms, now_ms = observer.last_caught_up_ms, leader.last_fetch_ms
    return caught_up_ms is not None and now_ms is not None and now_ms - caught_up_ms <= CAUGHT_UP_MS


def check_removal(key: ReplicaKey, described: DescribeQuorumResponse) -> VoterChangeVerdict:
    """Decide whether this voter could be removed, and the remaining ones commit that."""
    leader, obstacle = _leader(described)
    if leader is None:
        return _refused(obstacle)
    if key not in {voter.key for voter in described.voters}:
        shown = ", ".join(str(voter.key) for voter in described.voters)
        return _refused(f"{key} is not a voter; the voters are {shown}")
    others = [voter for voter in described.voters if voter.key != key]
    if not others:
        return _refused(f"controller {key.node_id} is the only voter, and one has to be")
    missing = {voter.key.node_id: why for voter in others if (why := why_not_counted(voter, leader))}
    left, majority = len(others) - len(missing), len(others) // 2 + 1
    shown = "".join(f"; {other} {why}" for other, why in sorted(missing.items()))
    if left < majority:
        return _refused(
            f"{left} of the {len(others)} remaining voters are running and caught up, and {majority} are needed to "
            f"commit the removal{shown}"
        )
    resigns = "; it leads, and resigns once its removal is committed" if key == leader.key else ""
    return VoterChangeVerdict(
        accepted=True,
        reason=f"{left} of the {len(others)} remaining voters are running and caught up, {majority} are needed{shown}"
        f"{resigns}",
    )


def _leader(described: DescribeQuorumResponse) -> tuple[ReplicaProgress | None, str]:
    """Return the leader's own row; without it, or where voters cannot be changed at all, the reason."""
    leader = next((each for each in described.voters if each.key.node_id == described.leader.leader_id), None)
    if leader is None or leader.last_fetch_ms is None:
        return None, "the quorum has no leader that is a voter; try again"
    if leader.key.directory_id is None:
        return None, (
            "kraft.version is 0: the log does not contain the voters; upgrade it first (features upgrade --feature "
            "kraft.version=1)"
        )
    return leader, ""


def _endpoints_fault(endpoints: Sequence[Endpoint], leader: ReplicaProgress) -> str | None:
    names = {endpoint.name for endpoint in leader.endpoints}
    if names and names.isdisjoint(endpoint.name for endpoint in endpoints):
        return f"has no endpoint of listener {' or '.join(sorted(names))}, which voters are reached by"
    return endpoints_fault(endpoints)


def _not_there(key: ReplicaKey, described: DescribeQuorumResponse) -> str:
    other = next((each.key for each in described.observers if each.key.node_id == key.node_id), None)
    if other is not None:
        return f"controller {key.node_id} fetches with directory id {_directory(other)}, not {_directory(key)}"
    leader_id = described.leader.leader_id
    return f"controller {key.node_id} does not fetch from leader {leader_id}: start it, and wait until it has caught up"


def _refused(reason: str) -> VoterChangeVerdict:
    return VoterChangeVerdict(accepted=False, reason=reason)


def _directory(key: ReplicaKey) -> str:
    return "(none)" if key.directory_id is None else uuid_to_text(key.directory_id)
