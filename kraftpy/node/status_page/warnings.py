"""What a state gives an operator reason to look after, in sentences; docs/status-page.md has the rules.

A sentence has no age and no offset in it: it would change with every state. The tables have them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from kraftpy.node.status_page.state import (
    BrokersSection,
    DirectoryRow,
    NodeSection,
    PartitionsSection,
    ReplicaRow,
)

SILENT_MS: Final = 3_000
"""A voter that has not fetched for so long is reported: longer than a fetch that waits, and than most elections."""

FREE_SHARE_MIN: Final = 10
"""A disk with less than one part in this many free is reported."""

VOTER: Final = "voter"
ONLINE: Final = "online"


def warnings_of(
    *,
    node: NodeSection,
    trouble: str | None,
    replicas: Sequence[ReplicaRow],
    brokers: BrokersSection,
    partitions: PartitionsSection,
    directories: Sequence[DirectoryRow],
) -> Iterator[str]:
    """Yield the warnings, those about this node first."""
    if node.not_ready_because is not None:
        yield f"This node is not ready: {node.not_ready_because}."
    if trouble is not None:
        yield f"This node: {trouble}."
    yield from _of_replicas(node.node_id, replicas)
    for count, what in (
        (partitions.offline_count, "without a leader: they can neither be read nor written"),
        (partitions.under_min_isr_count, "below min.insync.replicas: producers that ask for all replicas are refused"),
        (partitions.under_replicated_count, "with a replica out of sync"),
    ):
        if count:
            yield f"{_counted(count, 'partition')} {what}."
    if brokers.fenced_count:
        yield f"{brokers.fenced_count:,} of {_counted(brokers.listed.total or 0, 'broker')} fenced."
    yield from _of_directories(directories)


def _of_replicas(node_id: int, replicas: Sequence[ReplicaRow]) -> Iterator[str]:
    progress_is_known = any(one.is_leader and one.last_fetch_age_ms is not None for one in replicas)
    for one in replicas:
        if one.replica_kind != VOTER:
            continue
        if one.node_id == node_id and one.vote_counts is False:
            yield f"The vote of this node, voter {node_id}, does not count until it has caught up with a leader."
        if progress_is_known and (one.last_fetch_age_ms is None or one.last_fetch_age_ms > SILENT_MS):
            yield f"Voter {one.node_id} does not fetch from the leader."


def _of_directories(directories: Sequence[DirectoryRow]) -> Iterator[str]:
    for one in directories:
        if one.directory_state not in {None, ONLINE}:
            yield f"The log directory {one.directory} is {one.directory_state}."
        if one.free_bytes is not None and one.total_bytes and one.free_bytes * FREE_SHARE_MIN < one.total_bytes:
            yield f"Less than a {FREE_SHARE_MIN}th of the disk is free where {one.directory} is."


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
