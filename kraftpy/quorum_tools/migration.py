"""Which step comes next while the controllers of a running quorum are replaced, one at a time: a pure decision.

A migration names the controllers that leave and those that join. The next step follows from the quorum as its leader
describes it, so a migration that was interrupted anywhere continues from there, and exchanging the two groups reverts
it. The rules:

* No step while the quorum is not steady: there is a leader, every other voter has caught up with it, and every broker
  that is in service fetches from it. A broker that does not would lose the quorum with its last old controller.
* One controller joins before one leaves, so there are never fewer voters than at the start. One exception: a controller
  that takes over the address of another can start only after that one has left and was stopped. Those that have
  addresses of their own join before.
* Of those that leave, the leader goes first: its successor is elected while others can still take over.
* A controller that leaves and does not follow, for longer than the caller waits for it, is waited for no longer and
  goes before all others: without it the voters need no more of the rest than with it. A new controller that fails at
  once is the usual reason for a way back, which must not wait for it.
* Before the last one leaves the migration rests, until the operator says to finish: until then the old implementation
  is one election away.

Source: KIP-853 §Reassignment; KIP-595 §Observers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from kraftpy.model.ids import NodeId
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter
from kraftpy.quorum_tools.ok_to_stop import DescribedReplica, why_not_counted

RESTING_VOTERS_MIN: Final = 3
"""How many voters there are at least while a migration rests, if it has that many: two voters cannot lose one."""


@dataclass(frozen=True, slots=True)
class Migration:
    """The controllers that leave the voters, and those that join them, in this order."""

    leaving: tuple[Voter, ...]
    joining: tuple[Voter, ...]

    @property
    def reverted(self) -> Migration:
        """The way back."""
        return Migration(leaving=self.joining, joining=self.leaving)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuorumView:
    """A quorum at one moment, as its leader describes it.

    Attributes:
        leader_id: the leader; ``None`` when no controller knows one.
        brokers: the brokers in service, which have to follow the leader.
    """

    leader_id: NodeId | None
    voters: Sequence[DescribedReplica] = ()
    observers: Sequence[DescribedReplica] = ()
    brokers: frozenset[NodeId] = frozenset()


@dataclass(frozen=True, slots=True)
class AddVoter:
    """Let this controller, which has caught up as an observer, vote."""

    voter: Voter


@dataclass(frozen=True, slots=True)
class RemoveVoter:
    """Let this controller vote no longer."""

    voter: Voter


@dataclass(frozen=True, slots=True)
class StartController:
    """Wait until this controller follows the leader.

    Attributes:
        after: the controller that has to be stopped first, because it listens on the same address.
    """

    voter: Voter
    after: Voter | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait until the quorum is steady; the reasons are sentences without a full stop."""

    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rest:
    """Stop before the last controller of the old group leaves."""

    voter: Voter
    leads: bool


@dataclass(frozen=True, slots=True)
class Blocked:
    """No step is safe; the reason says what to do."""

    reason: str


@dataclass(frozen=True, slots=True)
class Finished:
    """All that leave have left, and all that join vote."""


Step: TypeAlias = AddVoter | RemoveVoter | StartController | Wait | Rest | Blocked | Finished


def next_step(
    migration: Migration, view: QuorumView, *, finishes: bool, given_up: frozenset[ReplicaKey] = frozenset()
) -> Step:
    """Decide the next step.

    Args:
        migration: who leaves, and who joins.
        view: the quorum now.
        finishes: the last old controller may leave.
        given_up: controllers that were waited for long enough, see :func:`lost_voters`.
    """
    if view.leader_id is None:
        return Wait(("no controller knows a leader",))
    voting = [voter.key for voter in view.voters]
    stranger = next((key for key in voting if key not in _keys((*migration.leaving, *migration.joining))), None)
    if stranger is not None:
        return Blocked(
            f"controller {stranger} votes and is not part of this migration: the voters changed since the plan was "
            "made; make a new plan"
        )
    left = [voter for voter in migration.leaving if voter.key in voting]
    missing = [voter for voter in migration.joining if voter.key not in voting]
    lost = [voter for voter in lost_voters(migration, view, finishes=finishes) if voter.key in given_up]
    reasons = _why_not_steady(view, without=_keys(lost))
    if reasons:
        return Wait(reasons)
    if not left and not missing:
        return Finished()
    is_enough = not missing or len(voting) >= max(len(migration.leaving), RESTING_VOTERS_MIN)
    if len(left) == 1 and is_enough and not finishes:
        return _left(left[0], left, view, finishes=False)
    if missing and (not left or len(voting) <= len(migration.leaving)):
        free = next((voter for voter in missing if _at_the_same_address(voter, left) is None), None)
        if free is not None:
            return _joined(free, migration, view)
        occupants = [voter for voter in left if _at_the_same_address(voter, missing) is not None]
        if len(voting) == 1:
            return Blocked(
                f"controller {missing[0].key.node_id} is to take over the address of {occupants[0].key.node_id}, the "
                "only voter: give it an address of its own"
            )
        return _left(_first_to_leave(occupants, lost, view), left, view, finishes=finishes)
    return _left(_first_to_leave(left, lost, view), left, view, finishes=finishes)


def _first_to_leave(candidates: Sequence[Voter], lost: Sequence[Voter], view: QuorumView) -> Voter:
    """Choose who leaves next: one that is lost, else the leader, else the first of the candidates."""
    leader = next((voter for voter in candidates if voter.key.node_id == view.leader_id), None)
    return lost[0] if lost else leader or candidates[0]


def lost_voters(migration: Migration, view: QuorumView, *, finishes: bool) -> list[Voter]:
    """Return those that leave and do not follow the leader; not the last one, unless the operator said to finish."""
    leader = leading_voter(view)
    left = [voter for voter in migration.leaving if voter.key in {one.key for one in view.voters}]
    if leader is None or (len(left) == 1 and not finishes):
        return []
    behind = {one.key for one in view.voters if why_not_counted(one, leader) is not None}
    return [voter for voter in left if voter.key in behind]


def leading_voter(view: QuorumView) -> DescribedReplica | None:
    """Return the leader; ``None`` when there is none, or it is no voter any more: then it is unknown who follows."""
    return next((one for one in view.voters if one.key.node_id == view.leader_id), None)


def _joined(voter: Voter, migration: Migration, view: QuorumView) -> Step:
    """Let a controller join, once it is there and has caught up."""
    observer = next((one for one in view.observers if one.key == voter.key), None)
    leader = leading_voter(view)
    if observer is None or leader is None:
        return StartController(voter, after=_at_the_same_address(voter, migration.leaving))
    why = why_not_counted(observer, leader)
    return AddVoter(voter) if why is None else Wait((f"controller {voter.key.node_id} {why}",))


def _left(voter: Voter, left: Sequence[Voter], view: QuorumView, *, finishes: bool) -> Step:
    """Let a controller leave, the last one only when the operator said so."""
    if len(left) == 1 and not finishes:
        return Rest(voter, leads=voter.key.node_id == view.leader_id)
    return RemoveVoter(voter)


def _why_not_steady(view: QuorumView, *, without: frozenset[ReplicaKey]) -> tuple[str, ...]:
    leader = leading_voter(view)
    if leader is None:
        return (f"the leader {view.leader_id} is no voter any more: another one has to be elected",)
    others = [one for one in view.voters if one.key not in without]
    voters = {one.key.node_id: why for one in others if (why := why_not_counted(one, leader))}
    reasons = [f"controller {node_id} {why}" for node_id, why in sorted(voters.items())]
    following = {one.key.node_id: one for one in view.observers}
    for broker_id in sorted(view.brokers):
        observer = following.get(broker_id)
        why = "has not fetched from this leader" if observer is None else why_not_counted(observer, leader)
        if why is not None:
            reasons.append(
                f"broker {broker_id} {why}: its controller.quorum.bootstrap.servers must name a running controller"
            )
    return tuple(reasons)


def _keys(voters: Iterable[Voter]) -> frozenset[ReplicaKey]:
    return frozenset(voter.key for voter in voters)


def _at_the_same_address(voter: Voter, others: Iterable[Voter]) -> Voter | None:
    wanted = {_address(endpoint) for endpoint in voter.endpoints}
    return next((other for other in others if wanted & {_address(one) for one in other.endpoints}), None)


def _address(endpoint: Endpoint) -> tuple[str, int]:
    return endpoint.host, endpoint.port
