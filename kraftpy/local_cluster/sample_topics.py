"""Topics for a new cluster to try things on: ``topic-1``, ``topic-2``, ... with a replica in each rack."""

from __future__ import annotations

from typing import Final

from kraftpy.client import AsyncClient
from kraftpy.client.values import NewTopic, Placement
from kraftpy.local_cluster.cluster import LocalCluster
from kraftpy.model.errors import ApiError, ErrorCode

TOPICS_MAX: Final = 1_000
PARTITIONS: Final = 6
"""Partitions of each topic: a multiple of three brokers, so that all lead as many."""

REPLICATION_FACTOR_MAX: Final = 3
TOPICS_PER_REQUEST: Final = 100


async def create_sample_topics(sandbox: LocalCluster, count: int) -> int:
    """Create the topics that do not exist yet, as many as racks and brokers allow replicas of each.

    Returns:
        How many were created.

    Raises:
        ApiError: a topic was refused.
        UnavailableError: no controller answered in time.
    """
    targets = [node.grpc_endpoint for node in sandbox.controllers if node.grpc_endpoint]
    placement = Placement(placer="kip36" if sandbox.racks else None)
    topics = [
        NewTopic(
            name=f"topic-{number}",
            partitions=PARTITIONS,
            replication_factor=min(REPLICATION_FACTOR_MAX, len(sandbox.brokers)),
        )
        for number in range(1, count + 1)
    ]
    created = 0
    async with AsyncClient(targets) as client:
        for first in range(0, count, TOPICS_PER_REQUEST):
            done = await client.create_topics(topics[first : first + TOPICS_PER_REQUEST], placement=placement)
            for outcome in done.outcomes:
                if outcome.error is ErrorCode.NONE:
                    created += 1
                elif outcome.error is not ErrorCode.TOPIC_ALREADY_EXISTS:
                    raise ApiError(outcome.error, f"{outcome.name}: {outcome.message}")
    return created
