"""How topics are printed: as kafka-topics does, and as data."""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from kraftpy.model.ids import uuid_to_text

if TYPE_CHECKING:
    from kraftpy.client import values
    from kraftpy.model.errors import ErrorCode


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


class TopicPartitionHealth(enum.StrEnum):
    """The states of a partition, the worst first. Source: requirement F-26."""

    OFFLINE = "offline"
    """It has no live leader."""
    UNDER_REPLICATED = "underReplicated"
    """It has a leader; a replica is not in sync."""
    NOT_PREFERRED = "notPreferred"
    """All replicas are in sync; another than the first leads."""
    HEALTHY = "healthy"
    """All replicas are in sync, and the first leads."""


def health_of(partition: values.PartitionInfo, live: Collection[int]) -> TopicPartitionHealth:
    """Return a partition's state; ``live`` are the brokers that are not fenced."""
    if partition.leader is None or partition.leader not in live:
        return TopicPartitionHealth.OFFLINE
    expected = [replica for replica in partition.replicas if replica not in set(partition.adding_replicas)]
    if len(partition.isr) < len(expected):
        return TopicPartitionHealth.UNDER_REPLICATED
    return (
        TopicPartitionHealth.HEALTHY
        if partition.leader == partition.replicas[0]
        else TopicPartitionHealth.NOT_PREFERRED
    )


def kinds_of(topic: values.TopicInfo, partition: values.PartitionInfo, live: Collection[int]) -> set[str]:
    """Return which of the filters of kafka-topics a partition passes."""
    in_sync, least = len(partition.isr), min(topic.min_insync_replicas, len(partition.replicas))
    expected = [replica for replica in partition.replicas if replica not in set(partition.adding_replicas)]
    kinds = {
        "under_replicated": in_sync < len(expected),
        "unavailable": partition.leader is None or partition.leader not in live,
        "under_min_isr": partition.leader is None or in_sync < topic.min_insync_replicas,
        "at_min_isr": in_sync == least == topic.min_insync_replicas,
    }
    return {kind for kind, holds in kinds.items() if holds}


def data_of(
    topic: values.TopicInfo, partitions: Sequence[values.PartitionInfo], live: Collection[int]
) -> dict[str, Any]:
    """Return a topic as data, with some of its partitions; ``live`` are the brokers that are not fenced."""
    return {
        "topic": topic.name,
        "topicId": uuid_to_text(topic.topic_id),
        "partitionCount": topic.partition_count,
        "replicationFactor": topic.replication_factor,
        "configs": topic.configs,
        "partitions": [
            {
                "partition": each.partition,
                "leaderId": each.leader,
                "leaderEpoch": each.leader_epoch,
                "partitionEpoch": each.partition_epoch,
                "replicas": list(each.replicas),
                "isr": list(each.isr),
                "elr": list(each.elr),
                "lastKnownElr": list(each.last_known_elr),
                "addingReplicas": list(each.adding_replicas),
                "removingReplicas": list(each.removing_replicas),
                "directoryIds": [uuid_to_text(directory) for directory in each.directories],
                "recovering": each.recovering,
                "health": health_of(each, live),
            }
            for each in partitions
        ],
    }


def outcome_data(outcome: values.TopicOutcome) -> dict[str, Any]:
    """Return what became of a topic as data."""
    plan = outcome.plan
    return {
        "topic": outcome.name,
        "topicId": None if outcome.topic_id is None else uuid_to_text(outcome.topic_id),
        **error_fields(outcome.error, outcome.message),
        "partitionCount": outcome.partitions,
        "replicationFactor": outcome.replication_factor or None,
        "plan": None if plan is None else _plan_json(plan),
    }


def error_fields(error: ErrorCode, message: str | None) -> dict[str, str | None]:
    """Return an error as data; both fields are ``None`` for success."""
    if error.value == 0:
        return {"error": None, "errorMessage": None}
    return {"error": error.name, "errorMessage": message or None}


def _plan_json(plan: values.TopicPlan) -> dict[str, Any]:
    return {
        "placer": plan.placer or None,
        "seed": plan.seed,
        "partitions": [
            {"partition": each.partition, "replicas": list(each.replicas), "reasons": list(each.reasons)}
            for each in plan.partitions
        ],
    }


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
