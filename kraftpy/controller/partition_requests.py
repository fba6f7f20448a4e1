"""What a controller is asked about partitions that exist, and what it answers: plain values, independent of any wire.

Partitions of brokers' requests are named by topic id, those of administrators' by topic name, as in Kafka's protocol.

Source: Kafka ``AlterPartitionRequest``, ``ElectLeadersRequest``, ``AlterPartitionReassignmentsRequest``,
``AssignReplicasToDirsRequest``; KIP-497, KIP-704, KIP-455, KIP-460, KIP-858.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from kraftpy.image.partitions import PartitionRegistration
from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import NodeId, Uuid


class IsrMember(NamedTuple):
    """A replica that is in sync; ``broker_epoch`` is -1 where the leader does not know it."""

    broker_id: NodeId
    broker_epoch: int = -1


class PartitionAlteration(NamedTuple):
    """The in-sync replicas of one partition, as its leader sees them.

    Attributes:
        leader_epoch: of the leader that asks.
        partition_epoch: of the state that it asks from.
        recovery_state: 0 recovered, 1 recovering from an unclean election (KIP-704).
    """

    partition_id: int
    leader_epoch: int
    partition_epoch: int
    isr: tuple[IsrMember, ...]
    recovery_state: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterPartition:
    """A leader's new in-sync replicas, of as many partitions as it leads."""

    broker_id: NodeId
    broker_epoch: int
    topics: tuple[tuple[Uuid, tuple[PartitionAlteration, ...]], ...]
    validate_only: bool = False


class PartitionAltered(NamedTuple):
    """What became of one alteration; ``state`` is the registration in force where there is no error."""

    partition_id: int
    error: ErrorCode = ErrorCode.NONE
    state: PartitionRegistration | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterPartitionResponse:
    """What became of each partition, in the order asked."""

    topics: tuple[tuple[Uuid, tuple[PartitionAltered, ...]], ...]


class PartitionOutcome(NamedTuple):
    """What became of one partition of an administrator's request."""

    partition_id: int
    error: ErrorCode = ErrorCode.NONE
    message: str = ""


class ElectionType(enum.IntEnum):
    """Which leader an administrator asks for. Source: KIP-460."""

    PREFERRED = 0
    UNCLEAN = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ElectLeaders:
    """Elect leaders of these partitions, by topic name; ``None`` means all partitions.

    ``election_type`` is an :class:`ElectionType`, or rejected.
    """

    election_type: int
    topics: tuple[tuple[str, tuple[int, ...]], ...] | None
    validate_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ElectLeadersResponse:
    """What became of each partition; of all partitions, those are left out that needed no election."""

    topics: tuple[tuple[str, tuple[PartitionOutcome, ...]], ...]


class Reassignment(NamedTuple):
    """The replicas that one partition is to have, the preferred leader first; ``None`` cancels what is under way."""

    partition_id: int
    replicas: tuple[NodeId, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterPartitionReassignments:
    """Move replicas of partitions; a partition that fails leaves the others alone."""

    topics: tuple[tuple[str, tuple[Reassignment, ...]], ...]
    allow_replication_factor_change: bool = True
    validate_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterPartitionReassignmentsResponse:
    """What became of each partition, in the order asked."""

    topics: tuple[tuple[str, tuple[PartitionOutcome, ...]], ...]
    allow_replication_factor_change: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPartitionReassignments:
    """Which partitions are being reassigned: of these, by topic name, or of all. A question that changes nothing.

    It is decided like a write, so that the answer comes from the active controller, and after its leadership was
    confirmed.
    """

    topics: tuple[tuple[str, tuple[int, ...]], ...] | None = None
    validate_only: bool = False


class PartitionReassignment(NamedTuple):
    """One partition whose replicas are being moved; ``replicas`` has both those that come and those that go."""

    topic: str
    partition_id: int
    replicas: tuple[NodeId, ...]
    adding_replicas: tuple[NodeId, ...]
    removing_replicas: tuple[NodeId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPartitionReassignmentsResponse:
    """The partitions that are being reassigned, by topic name and partition."""

    reassignments: tuple[PartitionReassignment, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignReplicasToDirs:
    """The directories that a broker keeps its replicas in: directory id, then topic ids with their partitions."""

    broker_id: NodeId
    broker_epoch: int
    directories: tuple[tuple[Uuid, tuple[tuple[Uuid, tuple[int, ...]], ...]], ...]
    validate_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignReplicasToDirsResponse:
    """What became of each replica, in the order asked."""

    directories: tuple[tuple[Uuid, tuple[tuple[Uuid, tuple[PartitionOutcome, ...]], ...]], ...]


PartitionRequest: TypeAlias = (
    AlterPartition | ElectLeaders | AlterPartitionReassignments | ListPartitionReassignments | AssignReplicasToDirs
)
PartitionResponse: TypeAlias = (
    AlterPartitionResponse
    | ElectLeadersResponse
    | AlterPartitionReassignmentsResponse
    | ListPartitionReassignmentsResponse
    | AssignReplicasToDirsResponse
)
