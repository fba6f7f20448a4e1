"""Checks of partitions, one finding per topic."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kraftpy.client.values import PartitionInfo, TopicInfo
from kraftpy.doctor.facts import DoctorFacts
from kraftpy.doctor.findings import DoctorFinding, error, listed, warning
from kraftpy.doctor.member_checks import racks_of
from kraftpy.model.ids import DIRECTORY_LOST, DIRECTORY_MIGRATING, DIRECTORY_UNASSIGNED


def offline_partitions(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """Every partition has a leader."""
    for topic, found in _topics(facts, lambda _, partition: partition.leader is None):
        yield error(
            topic,
            f"{found} without a leader",
            "start the brokers of their ISR; kraftpy topics describe --unavailable-partitions names them",
        )


def under_min_isr(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """Every ISR has as many replicas as acks=all needs."""

    def is_under(topic: TopicInfo, partition: PartitionInfo) -> bool:
        needed = min(topic.min_insync_replicas, len(partition.replicas))
        return partition.leader is not None and len(partition.isr) < needed

    for topic, found in _topics(facts, is_under):
        yield error(
            topic,
            f"{found} with fewer replicas in sync than min.insync.replicas: writes with acks=all fail",
            "start the brokers that are not in the ISR: kraftpy topics describe --under-min-isr-partitions",
        )


def under_replicated(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """Every replica that no reassignment adds is in the ISR."""

    def is_under(_: TopicInfo, partition: PartitionInfo) -> bool:
        lasting = set(partition.replicas) - set(partition.adding_replicas)
        return not lasting <= set(partition.isr)

    for topic, found in _topics(facts, is_under):
        yield warning(
            topic,
            f"{found} with a replica that is not in sync",
            "start the brokers that are not in the ISR: kraftpy topics describe --under-replicated-partitions",
        )


def replica_directories(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """Every replica is in a log directory that its broker has online."""
    online = {broker.broker_id: set(broker.log_dirs) for broker in facts.cluster.known.brokers if broker.log_dirs}

    def is_lost(_: TopicInfo, partition: PartitionInfo) -> bool:
        return any(
            directory == DIRECTORY_LOST
            or (
                directory not in {DIRECTORY_UNASSIGNED, DIRECTORY_MIGRATING}
                and directory not in online.get(broker_id, {directory})
            )
            for broker_id, directory in zip(partition.replicas, partition.directories, strict=False)
        )

    for topic, found in _topics(facts, is_lost):
        yield warning(
            topic,
            f"{found} with a replica in a log directory that its broker does not have online",
            "look in that broker's log why the directory failed, and restart it, or move the replica",
        )


def partition_racks(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """Where brokers are in several racks, the replicas of a partition are, too."""
    racks = racks_of(facts.cluster.known.brokers)

    def is_in_one(_: TopicInfo, partition: PartitionInfo) -> bool:
        found = {racks.get(broker_id) for broker_id in partition.replicas}
        return len(partition.replicas) > 1 and len(found) == 1 and None not in found

    if len(set(racks.values())) > 1:
        for topic, count in _topics(facts, is_in_one):
            yield warning(
                topic,
                f"{count} with all replicas in one rack",
                "spread them: kraftpy reassign plan proposes replicas by racks",
            )


def _topics(facts: DoctorFacts, is_found: Callable[[TopicInfo, PartitionInfo], bool]) -> Iterator[tuple[str, str]]:
    """Yield each topic that has such partitions, with their number and the first of them."""
    for topic in facts.topics.known.topics:
        found = [partition.partition for partition in topic.partitions if is_found(topic, partition)]
        if found:
            yield f"topic {topic.name}", f"{len(found)} of {topic.partition_count} partitions ({listed(found)})"
