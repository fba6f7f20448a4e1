"""ListPartitionReassignments: partitions whose replicas are being moved, a page at a time; a part of ``reads``."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from kraftpy.controller.reassignments import is_reassigning
from kraftpy.image.partitions import PartitionRegistration
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.pb.v1 import cluster_pb2
from kraftpy.transport.grpc.reads import position
from kraftpy.transport.grpc.topic_reads import (
    ITEM_BYTES,
    NAMES_MAX,
    PAGE_BYTES_MAX,
    PAGE_ITEMS_MAX,
    REPLICA_BYTES,
    TopicPages,
)
from kraftpy.transport.node_api import MetadataView

PAGE_LOOKS_MAX: Final = 20_000
"""How many topics and partitions are looked at for one page; a page may be empty and not the last one."""


def list_reassignments(
    request: cluster_pb2.ListPartitionReassignmentsRequest, view: MetadataView, pages: TopicPages
) -> cluster_pb2.ListPartitionReassignmentsResponse:
    """List the reassignments that fit a page.

    Args:
        request: which partitions, and where to begin.
        view: the state.
        pages: the names of all topics in order.

    Raises:
        ApiError: INVALID_REQUEST for too many topics or partitions.
    """
    wanted = _wanted(request)
    names = sorted(wanted) if wanted else pages.names_in_order(view)
    response = cluster_pb2.ListPartitionReassignmentsResponse(position=position(view))
    items_left, bytes_left = min(request.page_size or PAGE_ITEMS_MAX, PAGE_ITEMS_MAX), PAGE_BYTES_MAX
    walk = _walk(request, view, names, wanted)
    for topic, number, partition in islice(walk, PAGE_LOOKS_MAX):
        if items_left <= 0 or bytes_left <= 0:
            response.next.topic, response.next.partition = topic, number
            return response
        if partition is None or not is_reassigning(partition):
            continue
        response.reassignments.add(
            topic=topic,
            partition=number,
            replicas=partition.replicas,
            adding_replicas=partition.adding_replicas,
            removing_replicas=partition.removing_replicas,
        )
        items_left -= 1
        bytes_left -= len(topic) + 3 * len(partition.replicas) * REPLICA_BYTES + ITEM_BYTES
    for topic, number, _ in walk:
        response.next.topic, response.next.partition = topic, number
        break
    return response


def _wanted(request: cluster_pb2.ListPartitionReassignmentsRequest) -> dict[str, set[int]]:
    """Return the partitions asked for by topic; an empty set means all of them."""
    count = sum(len(each.partitions) for each in request.topics)
    for number, what in ((len(request.topics), "topics"), (count, "partitions")):
        if number > NAMES_MAX:
            raise ApiError(ErrorCode.INVALID_REQUEST, f"{number} {what}, at most {NAMES_MAX} are allowed")
    wanted: dict[str, set[int]] = {each.topic: set() for each in request.topics}
    whole = {each.topic for each in request.topics if not each.partitions}
    for each in request.topics:
        if each.topic not in whole:
            wanted[each.topic].update(each.partitions)
    return wanted


def _walk(
    request: cluster_pb2.ListPartitionReassignmentsRequest,
    view: MetadataView,
    names: Sequence[str],
    wanted: dict[str, set[int]],
) -> Iterator[tuple[str, int, PartitionRegistration | None]]:
    """Yield the partitions from the cursor on, in order; a topic without any is one look."""
    start = bisect_left(names, request.start.topic) if request.HasField("start") else 0
    for place in range(start, len(names)):
        name = names[place]
        first = request.start.partition if request.HasField("start") and name == request.start.topic else 0
        topic = view.image.topics.named(name)
        partitions = {} if topic is None else topic.partitions
        numbers = sorted(number for number in wanted.get(name) or partitions if number >= first)
        if not numbers:
            yield name, first, None
        for number in numbers:
            yield name, number, partitions.get(number)
