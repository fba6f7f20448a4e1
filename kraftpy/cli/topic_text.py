"""How topics are printed: as kafka-topics does, and as data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from kraftpy.model.ids import uuid_to_text

if TYPE_CHECKING:
    from kraftpy.client import values


def _ids(replicas: Iterable[int]) -> str:
    return ",".join(map(str, replicas))


def topic_line(topic: values.TopicInfo) -> str:
    """Return a topic's line. Source: Kafka ``TopicCommand.TopicDescription``."""
    configs = ",".join(f"{key}={value}" for key, value in topic.configs.items())
    return (
        f"Topic: {topic.name}\tTopicId: {uuid_to_text(topic.topic_id)}\tPartitionCount: {topic.partition_count}\t"
        f"ReplicationFactor: {topic.replication_factor}\tConfigs: {configs}"
    )


def partition_line(topic: str, partition: values.PartitionInfo) -> str:
    """Return a partition's line. Source: Kafka ``TopicCommand.PartitionDescription``."""
    leader = "none" if partition.leader is None else partition.leader
    line = (
        f"\tTopic: {topic}\tPartition: {partition.partition}\tLeader: {leader}\tReplicas: {_ids(partition.replicas)}\t"
        f"Isr: {_ids(partition.isr)}"
    )
    if partition.adding_replicas or partition.removing_replicas:
        line += (
            f"\tAdding Replicas: {_ids(partition.adding_replicas)}\t"
            f"Removing Replicas: {_ids(partition.removing_replicas)}"
        )
    return f"{line}\tElr: {_ids(partition.elr)}\tLastKnownElr: {_ids(partition.last_known_elr)}"


def data_of(topic: values.TopicInfo, partitions: Sequence[values.PartitionInfo]) -> dict[str, Any]:
    """Return a topic as data, with some of its partitions."""
    return {
        "topic": topic.name,
        "topicId": uuid_to_text(topic.topic_id),
        "partitionCount": topic.partition_count,
        "replicationFactor": topic.replication_factor,
        "configs": topic.configs,
        "partitions": [
            {
                "partition": each.partition,
                "leader": each.leader,
                "leaderEpoch": each.leader_epoch,
                "partitionEpoch": each.partition_epoch,
                "replicas": list(each.replicas),
                "isr": list(each.isr),
                "elr": list(each.elr),
                "lastKnownElr": list(each.last_known_elr),
                "addingReplicas": list(each.adding_replicas),
                "removingReplicas": list(each.removing_replicas),
                "directories": [uuid_to_text(directory) for directory in each.directories],
                "recovering": each.recovering,
            }
            for each in partitions
        ],
    }


def outcome_data(outcome: values.TopicOutcome) -> dict[str, Any]:
    """Return what became of a topic as data."""
    data: dict[str, Any] = {
        "topic": outcome.name,
        "topicId": None if outcome.topic_id is None else uuid_to_text(outcome.topic_id),
        "error": outcome.error.name,
        "partitions": outcome.partitions,
        "replicationFactor": outcome.replication_factor,
    }
    if outcome.plan is not None:
        data["plan"] = {
            "placer": outcome.plan.placer,
            "seed": outcome.plan.seed,
            "partitions": [
                {"partition": each.partition, "replicas": list(each.replicas), "reasons": list(each.reasons)}
                for each in outcome.plan.partitions
            ],
        }
    return data


def plan_lines(plan: values.TopicPlan | None) -> list[str]:
    """Return a plan, one line for each replica."""
    if plan is None:
        return []
    lines = [f"Placed by {plan.placer}, seed {plan.seed}:" if plan.placer else "Assigned by hand:"]
    for partition in plan.partitions:
        reasons = partition.reasons or ("as asked",) * len(partition.replicas)
        for place, (replica, reason) in enumerate(zip(partition.replicas, reasons, strict=True)):
            head = f"partition {partition.partition}" if place == 0 else ""
            lines.append(f"  {head:<14} broker {replica}: {reason}")
    return lines
