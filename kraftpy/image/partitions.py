"""One partition's registration, and how a change record merges into it.

A change record names only what changes, and has three words for "unchanged": null for arrays, -2 for the leader, -1 for
the recovery state. Naming the leader bumps the leader epoch even if it is the same leader (that is how a bump is asked
for); the partition epoch grows with every change.

Source: Kafka ``PartitionRegistration.merge``; KIP-631; KIP-704; KIP-858; KIP-966.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import NamedTuple

from kraftpy.image.errors import OnLoss, ReplayError
from kraftpy.model.features import DIRECTORIES_LEVEL, ELR_LEVEL
from kraftpy.model.ids import DIRECTORY_MIGRATING, DIRECTORY_UNASSIGNED, NO_NODE, NodeId, Uuid
from kraftpy.records.codec import Record
from kraftpy.records.metadata import PartitionChangeRecord, PartitionRecord

LEADER_UNCHANGED = -2
RECOVERY_UNCHANGED = -1


class LeaderRecoveryState(enum.IntEnum):
    """Whether the leader was elected cleanly, or has to recover from an unclean election (KIP-704)."""

    RECOVERED = 0
    RECOVERING = 1


class PartitionRegistration(NamedTuple):
    """Where a partition's replicas are and who leads.

    Each change of a partition makes one on every node, and a start makes one of each partition: a tuple is made in a
    sixth of the time of a frozen dataclass.

    Attributes:
        replicas: broker ids, the preferred leader first.
        directories: the directory of each replica, in the order of ``replicas`` and as many.
        isr: the replicas in sync, a subset of ``replicas``.
        removing_replicas: being removed by a reassignment.
        adding_replicas: being added by a reassignment.
        elr: eligible leader replicas (KIP-966), none of them in the ISR.
        last_known_elr: the ELR, or the last leader, before everything was lost.
        leader: ``None`` while there is none.
    """

    replicas: tuple[NodeId, ...]
    directories: tuple[Uuid, ...]
    isr: tuple[NodeId, ...]
    leader: NodeId | None
    removing_replicas: tuple[NodeId, ...] = ()
    adding_replicas: tuple[NodeId, ...] = ()
    elr: tuple[NodeId, ...] = ()
    last_known_elr: tuple[NodeId, ...] = ()
    leader_recovery_state: LeaderRecoveryState = LeaderRecoveryState.RECOVERED
    leader_epoch: int = 0
    partition_epoch: int = 0

    @classmethod
    def from_record(cls, record: PartitionRecord) -> PartitionRegistration:
        """Keep what a record says; versions without directories leave them all "migrating".

        Raises:
            ReplayError: when the directories are not as many as the replicas, or the recovery state is unknown.
        """
        directories = tuple(record.directories) or (DIRECTORY_MIGRATING,) * len(record.replicas)
        _check_directories(record, record.replicas, directories)
        return cls(
            replicas=tuple(record.replicas),
            directories=directories,
            isr=tuple(record.isr),
            removing_replicas=tuple(record.removing_replicas),
            adding_replicas=tuple(record.adding_replicas),
            elr=tuple(record.eligible_leader_replicas or ()),
            last_known_elr=tuple(record.last_known_elr or ()),
            leader=None if record.leader == NO_NODE else record.leader,
            leader_recovery_state=_recovery_state(record, record.leader_recovery_state),
            leader_epoch=record.leader_epoch,
            partition_epoch=record.partition_epoch,
        )

    def merge(self, record: PartitionChangeRecord) -> PartitionRegistration:
        """Return the registration after a change.

        Raises:
            ReplayError: when the directories are not as many as the replicas, or the recovery state is unknown.
        """
        # Every node comes here for every change of a partition, so that nothing is called that need not be.
        replicas, directories = self.replicas, self.directories
        if record.replicas is not None or record.directories:
            replicas = replicas if record.replicas is None else tuple(record.replicas)
            directories = self._directories_after(record, replicas)
            _check_directories(record, replicas, directories)
        leads = record.leader != LEADER_UNCHANGED
        recovery = self.leader_recovery_state
        if record.leader_recovery_state != RECOVERY_UNCHANGED:
            recovery = _recovery_state(record, record.leader_recovery_state)
        removing, adding = record.removing_replicas, record.adding_replicas
        elr, last_known_elr = record.eligible_leader_replicas, record.last_known_elr
        return PartitionRegistration(
            replicas,
            directories,
            self.isr if record.isr is None else tuple(record.isr),
            _leader(record.leader) if leads else self.leader,
            self.removing_replicas if removing is None else tuple(removing),
            self.adding_replicas if adding is None else tuple(adding),
            self.elr if elr is None else tuple(elr),
            self.last_known_elr if last_known_elr is None else tuple(last_known_elr),
            recovery,
            self.leader_epoch + leads,
            self.partition_epoch + 1,
        )

    def _directories_after(self, record: PartitionChangeRecord, replicas: tuple[NodeId, ...]) -> tuple[Uuid, ...]:
        """Take the record's directories, or carry the known ones over to the new replicas.

        A replica that was not there before is "unassigned", or "migrating" while none of the partition's directories
        is known by id: below the level of KIP-858 nothing else could be said in a snapshot.
        """
        if record.directories:
            return tuple(record.directories)
        known = dict(zip(self.replicas, self.directories, strict=True))
        migrating = set(self.directories) <= {DIRECTORY_MIGRATING}
        fresh = DIRECTORY_MIGRATING if migrating else DIRECTORY_UNASSIGNED
        return tuple(known.get(replica, fresh) for replica in replicas)

    def without_elr(self) -> PartitionRegistration:
        """Return the registration with both lists of eligible leaders empty.

        The partition epoch grows, as with every change. Source: Kafka ``TopicDelta.maybeClearElr``.
        """
        return self._replace(elr=(), last_known_elr=(), partition_epoch=self.partition_epoch + 1)

    def directory(self, replica: NodeId) -> Uuid:
        """Return the directory that holds a replica.

        Raises:
            ValueError: when the broker holds none.
        """
        return self.directories[self.replicas.index(replica)]

    def to_record(self, topic_id: Uuid, partition_id: int, level: int, on_loss: OnLoss) -> PartitionRecord:
        """Say the registration in the record version of a metadata.version level.

        Eligible leaders are left out below their level without being a loss: they are only candidates.
        """
        if level < DIRECTORIES_LEVEL and set(self.directories) - {DIRECTORY_MIGRATING}:
            on_loss("the directory assignment state of one or more replicas")
        has_elr = level >= ELR_LEVEL
        return PartitionRecord(
            partition_id=partition_id,
            topic_id=topic_id,
            replicas=list(self.replicas),
            isr=list(self.isr),
            removing_replicas=list(self.removing_replicas),
            adding_replicas=list(self.adding_replicas),
            leader=NO_NODE if self.leader is None else self.leader,
            leader_recovery_state=int(self.leader_recovery_state),
            leader_epoch=self.leader_epoch,
            partition_epoch=self.partition_epoch,
            directories=list(self.directories) if level >= DIRECTORIES_LEVEL else [],
            eligible_leader_replicas=list(self.elr) if has_elr and self.elr else None,
            last_known_elr=list(self.last_known_elr) if has_elr and self.last_known_elr else None,
        )


def _leader(number: int) -> NodeId | None:
    return None if number == NO_NODE else number


def _recovery_state(record: Record, number: int) -> LeaderRecoveryState:
    try:
        return LeaderRecoveryState(number)
    except ValueError:
        raise ReplayError(record, f"the leader recovery state {number} is unknown, known are 0 and 1") from None


def _check_directories(record: Record, replicas: Sequence[NodeId], directories: Sequence[Uuid]) -> None:
    if len(replicas) != len(directories):
        raise ReplayError(record, f"{len(directories)} directories for {len(replicas)} replicas")
