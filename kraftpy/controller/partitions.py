"""What the coming and going of brokers means for partitions: the least that is never wrong.

This controller creates no topics, but a log may hold some, and a fenced broker must not stay a leader in it. So:

* A broker that goes leaves every ISR, unless it is the last member; what it led is led by the next replica, in the
  order of the replica list, that is in the ISR, active, and has its directory online. Where there is none the partition
  has no leader, and keeps its last ISR member as the proof of who has the data.
* A broker that comes leads again what has no leader and has it in the ISR (or, in a log of a cluster with ELR, in the
  ELR of a partition without ISR).

Elections are clean, always: ``unclean.leader.election.enable`` is not obeyed here, so a partition whose last in-sync
replica is gone waits for it and no data is lost. ELRs are never extended; a member leaves when it may have lost data.
Both keep a partition offline longer than Kafka might, and never serve what was not committed. Losing an ISR member
cannot complete a reassignment, which waits for members to join; so reassignments are left as they stand.

Partitions are found by walking over all of them: these events are rare, and an index would have to be kept for each
image.

Source: Kafka ``ReplicationControlManager.generateLeaderAndIsrUpdates``, ``PartitionChangeBuilder``; controller
reference §10.2, §11.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from kraftpy.image.image import MetadataImage
from kraftpy.image.partitions import LEADER_UNCHANGED, PartitionRegistration
from kraftpy.model.ids import NO_NODE, NodeId, Uuid
from kraftpy.records.metadata import PartitionChangeRecord

NO_EPOCH_BUMP_LEVEL: Final = 12
"""From this metadata.version on the leader epoch stays when the ISR shrinks. Source: Kafka 3.6-IV0."""


def leads_any(image: MetadataImage, broker_id: NodeId) -> bool:
    """Say whether a broker leads at least one partition."""
    return any(partition.leader == broker_id for _, _, partition in _all(image))


def departures(
    image: MetadataImage,
    broker_id: NodeId,
    *,
    directories: frozenset[Uuid] | None = None,
    leaves_elr: bool = False,
) -> list[PartitionChangeRecord]:
    """Take a broker out of the ISRs and leaderships it has.

    Args:
        image: the state before.
        broker_id: who goes.
        directories: only the replicas in these directories go; ``None`` means all.
        leaves_elr: whether the broker may have lost what was committed, so that it leaves the ELRs as well.
    """

    def is_concerned(partition: PartitionRegistration) -> bool:
        if not (
            broker_id in partition.isr or broker_id == partition.leader or (leaves_elr and broker_id in partition.elr)
        ):
            return False
        return directories is None or partition.directory(broker_id) in directories

    return [
        record
        for topic_id, partition_id, partition in _chosen(image, is_concerned)
        if (record := _departure(image, broker_id, topic_id, partition_id, partition, leaves_elr=leaves_elr))
        is not None
    ]


def _departure(
    image: MetadataImage,
    broker_id: NodeId,
    topic_id: Uuid,
    partition_id: int,
    partition: PartitionRegistration,
    *,
    leaves_elr: bool,
) -> PartitionChangeRecord | None:
    """Return one partition's change, ``None`` when there is none."""
    isr = tuple(replica for replica in partition.isr if replica != broker_id) or partition.isr
    leader = _elect(image, partition, isr, without=broker_id)
    record = PartitionChangeRecord(partition_id=partition_id, topic_id=topic_id)
    if leader != partition.leader:
        record.leader = NO_NODE if leader is None else leader
    if isr != partition.isr:
        record.isr = list(isr)
        if record.leader == LEADER_UNCHANGED and image.level < NO_EPOCH_BUMP_LEVEL:
            record.leader = NO_NODE if leader is None else leader
    if leaves_elr and broker_id in partition.elr:
        record.eligible_leader_replicas = [replica for replica in partition.elr if replica != broker_id]
    changes = (record.leader != LEADER_UNCHANGED, record.isr is not None, record.eligible_leader_replicas is not None)
    return record if any(changes) else None


def _elect(
    image: MetadataImage, partition: PartitionRegistration, isr: tuple[NodeId, ...], *, without: NodeId
) -> NodeId | None:
    """Choose the leader: the present one if it may lead, else the first replica that may."""
    candidates = partition.replicas if partition.leader is None else (partition.leader, *partition.replicas)
    for replica in candidates:
        if replica != without and replica in isr and _may_lead(image, partition, replica):
            return replica
    return None


def _may_lead(image: MetadataImage, partition: PartitionRegistration, replica: NodeId) -> bool:
    broker = image.cluster.brokers.get(replica)
    return broker is not None and broker.is_active and broker.has_online_dir(partition.directory(replica))


def arrivals(
    image: MetadataImage, broker_id: NodeId, *, lost_directories: frozenset[Uuid]
) -> list[PartitionChangeRecord]:
    """Let a broker that is being unfenced lead what has no leader and is in sync on it."""
    broker = image.cluster.brokers[broker_id]

    def is_concerned(partition: PartitionRegistration) -> bool:
        in_sync = partition.isr or partition.elr
        if partition.leader is not None or broker_id not in in_sync or broker_id not in partition.replicas:
            return False
        directory = partition.directory(broker_id)
        return directory not in lost_directories and broker.has_online_dir(directory)

    return [
        _arrival(broker_id, topic_id, partition_id, partition)
        for topic_id, partition_id, partition in _chosen(image, is_concerned)
    ]


def _arrival(
    broker_id: NodeId, topic_id: Uuid, partition_id: int, partition: PartitionRegistration
) -> PartitionChangeRecord:
    record = PartitionChangeRecord(partition_id=partition_id, topic_id=topic_id, leader=broker_id)
    if not partition.isr:
        record.isr = [broker_id]
        record.eligible_leader_replicas = [replica for replica in partition.elr if replica != broker_id]
    return record


def _all(image: MetadataImage) -> Iterator[tuple[Uuid, int, PartitionRegistration]]:
    for topic_id, topic in image.topics.by_id.items():
        for partition_id, partition in topic.partitions.items():
            yield topic_id, partition_id, partition


def _chosen(
    image: MetadataImage, is_wanted: Callable[[PartitionRegistration], bool]
) -> list[tuple[Uuid, int, PartitionRegistration]]:
    """Return the wanted partitions, by topic id and partition: the same order on every run."""
    return sorted((entry for entry in _all(image) if is_wanted(entry[2])), key=lambda entry: entry[:2])
