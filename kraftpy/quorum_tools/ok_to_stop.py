"""Whether a node can be stopped now without the quorum losing its majority, from the leader's view of the quorum.

A voter can be stopped when the remaining voters that fetch and have caught up are a majority of all voters. Times are
compared on the leader's clock: its own row has the present time.

Source: KIP-836 (the fields of DescribeQuorum); Ceph ``ok-to-stop``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Offset
from kraftpy.model.voters import ReplicaKey

SILENT_MS: Final = 3_000
"""A voter that has not fetched for this time counts as unreachable: 1.5 default fetch timeouts."""

LAG_MAX: Final = 1_000
"""A voter with a larger lag, in records, has not caught up: it takes part in no commit for a while."""


class DescribedReplica(Protocol):
    """The leader's view of one replica; ``None`` is unknown. Times are epoch milliseconds."""

    @property
    def key(self) -> ReplicaKey:
        """Which replica."""

    @property
    def log_end_offset(self) -> Offset | None:
        """The end of its log at its last fetch."""

    @property
    def last_fetch_ms(self) -> int | None:
        """When it fetched last, by the leader's clock."""


@dataclass(frozen=True, slots=True)
class OkToStop:
    """Yes or no, and the reason in a sentence."""

    ok: bool
    reason: str


def ok_to_stop(
    node_id: NodeId, leader_id: NodeId | None, voters: Sequence[DescribedReplica], observers: Sequence[DescribedReplica]
) -> OkToStop:
    """Decide by the leader's view of its voters and observers."""
    if node_id not in {voter.key.node_id for voter in voters}:
        if node_id in {observer.key.node_id for observer in observers}:
            return OkToStop(ok=True, reason=f"node {node_id} is an observer: the quorum does not need it")
        return OkToStop(ok=False, reason=f"the leader does not know node {node_id}; check the id")
    leader = next((voter for voter in voters if voter.key.node_id == leader_id), None)
    if leader is None or leader.last_fetch_ms is None:
        return OkToStop(
            ok=False, reason="the quorum has no leader that is a voter, so it is unknown which voters are running"
        )
    majority = len(voters) // 2 + 1
    others = [voter for voter in voters if voter.key.node_id != node_id]
    missing = {voter.key.node_id: why for voter in others if (why := why_not_counted(voter, leader))}
    left = len(others) - len(missing)
    shown = "".join(f"; {other} {why}" for other, why in sorted(missing.items()))
    if left < majority:
        return OkToStop(
            ok=False,
            reason=f"without {node_id}, {left} of {len(voters)} voters would be running and caught up, {majority} are "
            f"needed{shown}",
        )
    leads = "; it leads, and hands the leadership over when it is stopped with SIGTERM" if node_id == leader_id else ""
    return OkToStop(ok=True, reason=f"{left} of {len(voters)} voters are left, {majority} are needed{shown}{leads}")


def why_not_counted(voter: DescribedReplica, leader: DescribedReplica) -> str | None:
    """Return why a voter does not count as running and caught up, in words after its id; ``None`` when it does."""
    now_ms, end_offset = leader.last_fetch_ms or 0, leader.log_end_offset or 0
    if voter.last_fetch_ms is None or voter.log_end_offset is None:
        return "has not fetched from this leader"
    silent_ms, lag = now_ms - voter.last_fetch_ms, end_offset - voter.log_end_offset
    if silent_ms > SILENT_MS:
        return f"fetched last {silent_ms} ms ago"
    return f"is {lag} records behind" if lag > LAG_MAX else None
