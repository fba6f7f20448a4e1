"""New partitions: their brokers, and the records that create them.

The checks, in order. Of partitions that are placed:

1. POLICY_VIOLATION, ours: the request has more than :data:`REPLICAS_PER_REQUEST_MAX` replicas up to here; not looked at
   where 3 refuses anyway.
2. POLICY_VIOLATION, ours: they are to be explained, and are more than :data:`EXPLAINED_REPLICAS_MAX`.
3. INVALID_REPLICATION_FACTOR: the brokers that take replicas are too few.
4. INVALID_REPLICATION_FACTOR: no replica of a partition is on an active broker.

Of a partition with replicas by hand; 7 to 9 for one broker after the other, by id:

5. POLICY_VIOLATION, ours: as 1 and 2.
6. INVALID_REPLICA_ASSIGNMENT: it has none.
7. INVALID_REPLICA_ASSIGNMENT: a broker is not registered.
8. INVALID_REPLICA_ASSIGNMENT, ours: a broker is full (KIP-928).
9. INVALID_REPLICA_ASSIGNMENT: a broker is named twice.
10. INVALID_REPLICA_ASSIGNMENT: it has another number of replicas than the partitions before.
11. INVALID_REPLICA_ASSIGNMENT: none of the brokers is active.

Source: Kafka ``ReplicationControlManager.validateManualPartitionAssignment``, ``ClusterControlManager.usableBrokers``;
controller reference §12.2, §12.4; KIP-858, KIP-1066.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kraftpy.controller.decision_context import DecisionContext
from kraftpy.controller.placement import (
    PlacementSpec,
    SeededRandom,
    UsableBroker,
    explain,
    placer_named,
)
from kraftpy.controller.placement.spec import Replicas
from kraftpy.controller.slices import PARTITIONS_PER_SLICE, Slices
from kraftpy.controller.topic_requests import PlacementOptions, PlannedTopic
from kraftpy.controller.topic_rules import default_directory
from kraftpy.image.errors import raise_on_loss
from kraftpy.image.partitions import PartitionRegistration
from kraftpy.image.registrations import BrokerRegistration
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.features import DIRECTORIES_LEVEL
from kraftpy.model.ids import DIRECTORY_MIGRATING, NodeId, Uuid
from kraftpy.records.metadata import PartitionRecord

REPLICAS_PER_REQUEST_MAX: Final = 300_000
"""How many replicas the partitions of one request may have: three of each of the 100,000 partitions."""

EXPLAINED_REPLICAS_MAX: Final = 10_000
"""How many replicas a request may have explained."""

SEED_BOUND: Final = 2**63


class NewPartitions:
    """Places the partitions of one request, and counts their replicas."""

    def __init__(self, view: DecisionContext, options: PlacementOptions) -> None:
        """Begin a request.

        Raises:
            ApiError: INVALID_REQUEST when the request names a placer that is none.
        """
        self._view = view
        self._options = options
        self._placer = placer_named(options.placer or view.config.placer)
        self._replicas = 0
        self._usable: list[UsableBroker] | None = None
        self._directories: dict[NodeId, Uuid] = {}

    def place(
        self, partitions: int, replication_factor: int, *, first: int = 0, first_leader: NodeId | None = None
    ) -> Slices[PlannedTopic]:
        """Choose brokers for new partitions.

        Args:
            partitions: how many.
            replication_factor: how many replicas each has.
            first: the id of the first of them.
            first_leader: the preferred leader of the topic's partition 0, if there is one.

        Raises:
            PlacementError: the brokers cannot hold them.
            ApiError: POLICY_VIOLATION, when the request has too many replicas; INVALID_REPLICATION_FACTOR, when no
                replica of a partition is on an active broker.
        """
        options, brokers = self._options, self._usable_brokers()
        if replication_factor <= len(brokers):
            # With fewer brokers the placer refuses at once, in Kafka's words.
            self._check_count(partitions * replication_factor)
        seed = self._draw_seed() if options.seed is None else options.seed
        spec = PlacementSpec(first, partitions, replication_factor, options.racks, first_leader)
        reasons, registrations = [], []
        for replicas in self._placer.plan(spec, brokers, SeededRandom(seed)):
            if options.explains:
                reasons.append(explain(replicas, brokers))
            registrations.append(self._registration(replicas))
            if len(registrations) % PARTITIONS_PER_SLICE == 0:
                yield
        if not all(each.isr for each in registrations):
            raise ApiError(
                ErrorCode.INVALID_REPLICATION_FACTOR,
                f"Unable to replicate the partition {replication_factor} time(s): All brokers are currently fenced or "
                "in controlled shutdown.",
            )
        self._replicas += partitions * replication_factor
        return PlannedTopic(tuple(registrations), first, self._placer.name, seed, tuple(reasons))

    def assign(self, partition: int, replicas: Replicas, replication_factor: int | None) -> PartitionRegistration:
        """Check a manual assignment.

        Args:
            partition: its id.
            replicas: the brokers asked for.
            replication_factor: how many replicas the partitions before have; ``None`` for the first.

        Raises:
            ApiError: INVALID_REPLICA_ASSIGNMENT, or POLICY_VIOLATION when the request has too many replicas.
        """
        self._check_count(len(replicas))
        self._check_manual(replicas, replication_factor)
        registration = self._registration(replicas)
        if not registration.isr:
            raise _bad_assignment(
                f"All brokers specified in the manual partition assignment for partition {partition} are fenced or in "
                "controlled shutdown."
            )
        self._replicas += len(replicas)
        return registration

    def _check_manual(self, replicas: Replicas, replication_factor: int | None) -> None:
        if not replicas:
            raise _bad_assignment("The manual partition assignment includes an empty replica list.")
        brokers = self._view.image.cluster.brokers
        before = None
        for broker_id in sorted(replicas):
            if broker_id not in brokers:
                raise _bad_assignment(
                    f"The manual partition assignment includes broker {broker_id}, but no such broker is registered."
                )
            if brokers[broker_id].is_saturated:
                raise _bad_assignment(full_broker(broker_id))
            if broker_id == before:
                raise _bad_assignment(
                    f"The manual partition assignment includes the broker {broker_id} more than once."
                )
            before = broker_id
        if replication_factor is not None and len(replicas) != replication_factor:
            raise _bad_assignment(
                f"The manual partition assignment includes a partition with {len(replicas)} replica(s), but this is "
                f"not consistent with previous partitions, which have {replication_factor} replica(s)."
            )

    def _check_count(self, more: int) -> None:
        """Refuse replicas that would be too many; what is refused is not counted."""
        replicas = self._replicas + more
        if replicas > REPLICAS_PER_REQUEST_MAX:
            raise ApiError(
                ErrorCode.POLICY_VIOLATION,
                f"The partitions of this request up to here have {replicas} replicas, and "
                f"{REPLICAS_PER_REQUEST_MAX} are allowed. Split the request.",
            )
        if self._options.explains and replicas > EXPLAINED_REPLICAS_MAX:
            raise ApiError(
                ErrorCode.POLICY_VIOLATION,
                f"{replicas} replicas are too many to be explained; {EXPLAINED_REPLICAS_MAX} are allowed.",
            )

    def _draw_seed(self) -> int:
        return int.from_bytes(self._view.uuids.next(), "big") % SEED_BOUND

    def _usable_brokers(self) -> list[UsableBroker]:
        """Return the brokers that may get replicas, by id."""
        if self._usable is None:
            brokers, sessions = self._view.image.cluster.brokers, self._view.heartbeats
            self._usable = [
                UsableBroker(broker_id, brokers[broker_id].rack, brokers[broker_id].fenced)
                for broker_id in sorted(brokers)
                if _takes_replicas(brokers[broker_id])
                and not (broker_id in sessions and sessions[broker_id].is_shutting_down)
            ]
        return self._usable

    def _registration(self, replicas: Replicas) -> PartitionRegistration:
        brokers = self._view.image.cluster.brokers
        isr = tuple([broker_id for broker_id in replicas if brokers[broker_id].is_active])
        return PartitionRegistration(
            replicas=replicas,
            directories=tuple([self._directory(broker_id) for broker_id in replicas]),
            isr=isr,
            leader=isr[0] if isr else None,
        )

    def _directory(self, broker_id: NodeId) -> Uuid:
        directory = self._directories.get(broker_id)
        if directory is None:
            image = self._view.image
            knows_directories = image.level >= DIRECTORIES_LEVEL
            directory = default_directory(image, broker_id) if knows_directories else DIRECTORY_MIGRATING
            self._directories[broker_id] = directory
        return directory


def _takes_replicas(broker: BrokerRegistration) -> bool:
    """Return whether a broker may get replicas: it stays, and has a directory that is neither cordoned nor full.

    Once it has left it is fenced, and as good as any other fenced broker: it may return.
    """
    is_leaving = broker.in_controlled_shutdown and not broker.fenced
    closed = {*(broker.cordoned_log_dirs or ()), *broker.saturated_log_dirs}
    return not is_leaving and not (closed and closed.issuperset(broker.log_dirs) and broker.log_dirs)


def full_broker(broker_id: NodeId) -> str:
    """Return why a broker without free space gets no replica, even if it is asked for."""
    return (
        f"The manual partition assignment includes broker {broker_id}, all log directories of which are full. Free "
        "some space there, or choose another broker."
    )


def _bad_assignment(message: str) -> ApiError:
    return ApiError(ErrorCode.INVALID_REPLICA_ASSIGNMENT, message)


def partition_records(
    topic_id: Uuid, first: int, partitions: Sequence[PartitionRegistration], level: int
) -> Slices[list[PartitionRecord]]:
    """Return the records that create partitions.

    Args:
        topic_id: of their topic.
        first: the id of the first of them.
        partitions: in the order of their ids.
        level: the metadata.version in force.
    """
    on_loss = raise_on_loss(level)
    records: list[PartitionRecord] = []
    for partition, registration in enumerate(partitions, first):
        records.append(registration.to_record(topic_id, partition, level, on_loss))
        if len(records) % PARTITIONS_PER_SLICE == 0:
            yield
    return records
