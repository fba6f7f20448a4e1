"""Turn a wish for a partition into the one record that brings it there: election, ISR, ELR and reassignment together.

Every change of a partition goes through :func:`partition_change`: a broker that is fenced or returns, a leader that
alters its ISR, an election, a reassignment, a directory that moves. So the rules that tie those together are in one
place, in Kafka's order:

1. A reassignment whose new replicas are in sync is completed.
2. The eligible leader replicas (ELR) follow the ISR (KIP-966).
3. A leader is elected.
4. What differs from the present registration becomes the record; nothing different, no record.

The leader epoch grows exactly when a record names a leader. So a record names the present leader again when followers
must notice a change that keeps it: a replica that leaves the replica list, and below metadata.version 12 an ISR that
shrinks.

Without ELR the ISR never becomes empty: a partition whose last ISR member is lost has no leader and keeps that member
in the ISR. With ELR the ISR may become empty, and a leader is elected from the ELR.

Source: Kafka 4.3 ``PartitionChangeBuilder``, ``PartitionReassignmentReplicas``; KIP-966; KIP-455; KIP-858.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, NamedTuple

from kraftpy.image.partitions import LEADER_UNCHANGED, LeaderRecoveryState, PartitionRegistration
from kraftpy.model.features import DIRECTORIES_LEVEL
from kraftpy.model.ids import NO_NODE, NodeId, Uuid
from kraftpy.records.metadata import PartitionChangeRecord

NO_EPOCH_BUMP_LEVEL: Final = 12
"""From this metadata.version on the leader epoch stays when the ISR shrinks. Source: Kafka 3.6-IV0."""

Replicas = tuple[NodeId, ...]


class Election(enum.Enum):
    """Which replicas an election may choose, and in which order."""

    PREFERRED = enum.auto()
    """The first replica if it may lead; else as ONLINE."""
    ONLINE = enum.auto()
    """The present leader if it may lead, else the first in-sync replica that may, else the last known leader."""
    UNCLEAN = enum.auto()
    """As ONLINE, and as a last resort the first live replica, in sync or not: committed records may be lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionRules:
    """What holds for the partitions of one topic at the moment of a decision.

    Attributes:
        level: the metadata.version in force.
        elr_enabled: whether ``eligible.leader.replicas.version`` is at least 1.
        min_isr: the effective ``min.insync.replicas`` of the topic.
        is_acceptable: whether a broker is active and a directory online on it, so that its replica may lead.
        default_directory: the directory that a broker's new replica is recorded in.
        election: which election the partitions get when they change by themselves.
    """

    level: int
    elr_enabled: bool
    min_isr: int
    is_acceptable: Callable[[NodeId, Uuid], bool]
    default_directory: Callable[[NodeId], Uuid]
    election: Election = Election.ONLINE


_NO_DIRECTORIES: Final[Mapping[NodeId, Uuid]] = MappingProxyType({})


class PartitionTarget(NamedTuple):
    """What a partition is to become; ``None`` leaves a field as it is.

    Attributes:
        directories: broker to the directory that its replica is in from now on.
        unclean_shutdown: brokers that may have lost what they had acknowledged; they leave the ELR.
    """

    isr: Replicas | None = None
    replicas: Replicas | None = None
    removing_replicas: Replicas | None = None
    adding_replicas: Replicas | None = None
    leader_recovery_state: LeaderRecoveryState | None = None
    directories: Mapping[NodeId, Uuid] = _NO_DIRECTORIES
    election: Election = Election.ONLINE
    unclean_shutdown: frozenset[NodeId] = frozenset()


@dataclass(slots=True, kw_only=True)
class _Draft:
    """The registration that is being worked out."""

    before: PartitionRegistration
    isr: Replicas
    replicas: Replicas
    removing: Replicas
    adding: Replicas
    elr: Replicas
    last_known_elr: Replicas
    recovery: LeaderRecoveryState
    elected_uncleanly: bool = field(default=False)


class _Elected(NamedTuple):
    leader: NodeId | None
    is_unclean: bool = False


def partition_change(
    topic_id: Uuid, partition_id: int, before: PartitionRegistration, target: PartitionTarget, rules: PartitionRules
) -> PartitionChangeRecord | None:
    """Work out the record that changes a partition.

    Args:
        topic_id: of the partition's topic.
        partition_id: its number.
        before: its present registration.
        target: what it is to become.
        rules: what holds for its topic.

    Returns:
        The record, or ``None`` when the partition is as it is to be.
    """
    draft = _draft(before, target)
    _complete_reassignment(draft)
    if rules.elr_enabled:
        _follow_isr(draft, target, rules)
    record = PartitionChangeRecord(topic_id=topic_id, partition_id=partition_id)
    _elect(draft, target, rules, record)
    _bump_for_removed_replica(draft, record)
    _record_isr(draft, rules, record)
    _record_elr(draft, rules, record)
    _record_assignment(draft, target, rules, record)
    if draft.recovery != before.leader_recovery_state:
        record.leader_recovery_state = int(draft.recovery)
    return record if _changes_something(record) else None


def _draft(before: PartitionRegistration, target: PartitionTarget) -> _Draft:
    wanted_state = target.leader_recovery_state
    return _Draft(
        before=before,
        isr=before.isr if target.isr is None else target.isr,
        replicas=before.replicas if target.replicas is None else target.replicas,
        removing=before.removing_replicas if target.removing_replicas is None else target.removing_replicas,
        adding=before.adding_replicas if target.adding_replicas is None else target.adding_replicas,
        elr=before.elr,
        last_known_elr=before.last_known_elr,
        recovery=before.leader_recovery_state if wanted_state is None else wanted_state,
    )


def _complete_reassignment(draft: _Draft) -> None:
    """Drop the replicas that are being removed once those that are being added are in sync.

    All remaining replicas must be in sync only where fewer are added than removed; else the added ones replace what is
    removed, and the partition has at least as many copies as before. Source: KIP-455; Kafka
    ``PartitionReassignmentReplicas.maybeCompleteReassignment``.
    """
    if not (draft.removing or draft.adding):
        return
    isr = tuple(replica for replica in draft.isr if replica not in draft.removing)
    replicas = tuple(replica for replica in draft.replicas if replica not in draft.removing)
    needed = replicas if len(draft.adding) < len(draft.removing) else draft.adding
    if set(needed) <= set(isr):
        draft.isr, draft.replicas, draft.removing, draft.adding = isr, replicas, (), ()


def _follow_isr(draft: _Draft, target: PartitionTarget, rules: PartitionRules) -> None:
    """Keep in the ELR who left an ISR below min ISR: it has everything that was committed. Source: KIP-966."""
    if len(draft.isr) >= min(rules.min_isr, len(draft.replicas)):
        draft.elr = ()
        return
    left_out = {*draft.isr, *target.unclean_shutdown}
    candidates = {*draft.before.elr, *draft.before.isr}
    # A replica that a reassignment removed holds its copy no longer.
    draft.elr = tuple(sorted(replica for replica in candidates - left_out if replica in draft.replicas))


def _elect(draft: _Draft, target: PartitionTarget, rules: PartitionRules, record: PartitionChangeRecord) -> None:
    elected = _chosen_leader(draft, target, rules)
    if elected.leader == draft.before.leader:
        return
    record.leader = NO_NODE if elected.leader is None else elected.leader
    if elected.leader is None:
        return
    if elected.is_unclean:
        draft.isr, draft.elr, draft.last_known_elr = (elected.leader,), (), ()
        draft.elected_uncleanly = True
        draft.recovery = LeaderRecoveryState.RECOVERING
    elif elected.leader not in draft.isr:
        draft.isr = (elected.leader,)
        draft.elr = tuple(replica for replica in draft.elr if replica != elected.leader)


def _chosen_leader(draft: _Draft, target: PartitionTarget, rules: PartitionRules) -> _Elected:
    """Return the leader: the first candidate that may lead, ``None`` when none may."""
    in_sync = draft.isr if draft.isr or not rules.elr_enabled else draft.elr
    present = draft.before.leader
    # The first candidate, and nearly always the one.
    is_first = present is not None and target.election is not Election.PREFERRED
    if is_first and present in in_sync and _may_lead(draft, target, rules, present):
        return _Elected(present)
    candidates = [*draft.replicas] if present is None else [present, *draft.replicas]
    if target.election is Election.PREFERRED and draft.replicas:
        candidates.insert(0, draft.replicas[0])
    for replica in candidates:
        if replica in in_sync and _may_lead(draft, target, rules, replica):
            return _Elected(replica)
    last_known = draft.before.last_known_elr
    has_last_known = rules.elr_enabled and not draft.isr and not draft.elr and len(last_known) == 1
    if has_last_known and _may_lead(draft, target, rules, last_known[0]):
        return _Elected(last_known[0], is_unclean=True)
    if target.election is Election.UNCLEAN:
        survivor = next((replica for replica in draft.replicas if _may_lead(draft, target, rules, replica)), None)
        return _Elected(survivor, is_unclean=survivor is not None)
    return _Elected(None)


def _may_lead(draft: _Draft, target: PartitionTarget, rules: PartitionRules, replica: NodeId) -> bool:
    """Return whether a replica is one that the partition has and keeps, and online: a new one holds nothing to lead."""
    before = draft.before
    if replica not in before.replicas or (target.replicas is not None and replica not in target.replicas):
        return False
    return rules.is_acceptable(replica, target.directories.get(replica) or before.directory(replica))


def _bump_for_removed_replica(draft: _Draft, record: PartitionChangeRecord) -> None:
    """Name the leader again when a replica was removed, so that its fetches are rejected by the new leader epoch."""
    if draft.replicas is draft.before.replicas:
        return
    if record.leader == LEADER_UNCHANGED and not set(draft.before.replicas) <= set(draft.replicas):
        record.leader = _number(draft.before.leader)


def _record_isr(draft: _Draft, rules: PartitionRules, record: PartitionChangeRecord) -> None:
    if draft.isr == draft.before.isr or not (draft.isr or rules.elr_enabled):
        return
    record.isr = list(draft.isr)
    bumps_epoch = rules.level < NO_EPOCH_BUMP_LEVEL and record.leader == LEADER_UNCHANGED
    if bumps_epoch and not set(draft.before.isr) <= set(draft.isr):
        record.leader = _number(draft.before.leader)


def _record_elr(draft: _Draft, rules: PartitionRules, record: PartitionChangeRecord) -> None:
    """Record the ELR, and the last leader of a partition that loses all of them for as long as it has none."""
    if draft.elected_uncleanly or not rules.elr_enabled:
        draft.elr = draft.last_known_elr = ()
    elif record.leader == NO_NODE and not draft.last_known_elr and draft.before.leader is not None:
        draft.last_known_elr = (draft.before.leader,)
    elif record.leader >= 0 or (record.leader == LEADER_UNCHANGED and draft.before.leader is not None):
        draft.last_known_elr = ()
    if draft.elr != draft.before.elr:
        record.eligible_leader_replicas = list(draft.elr)
    if draft.last_known_elr != draft.before.last_known_elr:
        record.last_known_elr = list(draft.last_known_elr)


def _record_assignment(
    draft: _Draft, target: PartitionTarget, rules: PartitionRules, record: PartitionChangeRecord
) -> None:
    before = draft.before
    if draft.replicas != before.replicas:
        record.replicas = list(draft.replicas)
    if draft.removing != before.removing_replicas:
        record.removing_replicas = list(draft.removing)
    if draft.adding != before.adding_replicas:
        record.adding_replicas = list(draft.adding)
    if rules.level < DIRECTORIES_LEVEL or (record.replicas is None and not target.directories):
        return
    known = {**dict(zip(before.replicas, before.directories, strict=True)), **target.directories}
    directories = tuple(
        known[replica] if replica in known else rules.default_directory(replica) for replica in draft.replicas
    )
    if directories != before.directories:
        record.directories = list(directories)


def _changes_something(record: PartitionChangeRecord) -> bool:
    return (
        record.isr is not None
        or record.leader != LEADER_UNCHANGED
        or record.leader_recovery_state != -1
        or record.replicas is not None
        or record.removing_replicas is not None
        or record.adding_replicas is not None
        or record.directories is not None
        or record.eligible_leader_replicas is not None
        or record.last_known_elr is not None
    )


def _number(leader: NodeId | None) -> int:
    return NO_NODE if leader is None else leader
