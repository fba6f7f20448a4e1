"""DescribeTopics: topics and the state of their partitions, a page at a time; a part of ``reads``."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from kraftpy.image.image import MetadataImage
from kraftpy.image.min_isr import min_isr
from kraftpy.image.partitions import LeaderRecoveryState, PartitionRegistration
from kraftpy.image.topics import TopicImage
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.ids import Uuid
from kraftpy.pb.v1 import cluster_pb2
from kraftpy.transport.grpc.reads import position
from kraftpy.transport.node_api import MetadataView

PAGE_ITEMS_MAX: Final = 2_000
"""How many topics and partitions a page holds at most."""

PAGE_BYTES_MAX: Final = 1024 * 1024
"""A page ends behind the topic or partition with which it has this many bytes, about."""

TOPIC_LOOKS_MAX: Final = 2_000
"""How many topics are looked at for one page: whether a caller may see one takes some 10 us."""

NAMES_MAX: Final = 10_000
"""How many topics may be asked for by name."""

ITEM_BYTES: Final = 32
"""What a topic or a partition takes in a message besides its lists and texts, about."""

REPLICA_BYTES: Final = 28
"""What a replica takes, with its place in the ISR and its directory, about."""


class TopicPages:
    """Makes pages; keeps the names in order, which are sorted once for all pages of a state."""

    def __init__(self) -> None:
        self._of: Mapping[str, Uuid] | None = None
        self._names: Sequence[str] = ()

    def page(
        self,
        request: cluster_pb2.DescribeTopicsRequest,
        view: MetadataView,
        shows: Callable[[str], bool] = lambda _: True,
    ) -> cluster_pb2.DescribeTopicsResponse:
        """Describe the topics that fit a page.

        Args:
            request: which topics, and where to begin.
            view: the state.
            shows: whether the caller may see a topic of this name; the others are left out.

        Raises:
            ApiError: INVALID_REQUEST for too many names.
        """
        if len(request.names) > NAMES_MAX:
            raise ApiError(ErrorCode.INVALID_REQUEST, f"{len(request.names)} names, at most {NAMES_MAX} are allowed")
        topics = view.image.topics
        names: Sequence[str] = sorted(set(request.names)) if request.names else self.names_in_order(view)
        page = _Page(request, view)
        page.response.unknown.extend(
            name for name in names if request.names and not request.HasField("start") and topics.named(name) is None
        )
        start = bisect_left(names, request.start.topic) if request.HasField("start") else 0
        for looks, place in enumerate(range(start, len(names))):
            name = names[place]
            if looks >= TOPIC_LOOKS_MAX:
                page.go_on_at(name, 0)
                break
            topic = topics.named(name)
            if topic is None or not shows(name):
                continue
            first = request.start.partition if name == request.start.topic else 0
            if not page.add(topic, first):
                break
        return page.response

    def names_in_order(self, view: MetadataView) -> Sequence[str]:
        """Return the names of all topics, ascending."""
        ids_by_name = view.image.topics.ids_by_name
        if self._of is not ids_by_name:
            self._of, self._names = ids_by_name, sorted(ids_by_name)
        return self._names


class _Page:
    def __init__(self, request: cluster_pb2.DescribeTopicsRequest, view: MetadataView) -> None:
        self.response = cluster_pb2.DescribeTopicsResponse(position=position(view))
        self._image = view.image
        self._omits_partitions = request.omit_partitions
        self._items = min(request.page_size or PAGE_ITEMS_MAX, PAGE_ITEMS_MAX)
        self._bytes = PAGE_BYTES_MAX

    def add(self, topic: TopicImage, first: int) -> bool:
        """Describe a topic from a partition on; return whether it fitted, and say where the next page begins if not."""
        if not self._has_space():
            self.go_on_at(topic.name, first)
            return False
        message = self.response.topics.add()
        self._bytes -= _describe(message, topic, self._image) + ITEM_BYTES
        self._items -= 1
        if self._omits_partitions:
            return True
        for number in sorted(number for number in topic.partitions if number >= first):
            # A page has one partition at least, so that pages come to an end.
            if message.partitions and not self._has_space():
                self.go_on_at(topic.name, number)
                return False
            partition = topic.partitions[number]
            _describe_partition(message.partitions.add(), number, partition)
            self._items -= 1
            self._bytes -= len(partition.replicas) * REPLICA_BYTES + ITEM_BYTES
        return True

    def go_on_at(self, topic: str, partition: int) -> None:
        """Say where the next page begins."""
        self.response.next.topic, self.response.next.partition = topic, partition

    def _has_space(self) -> bool:
        return self._items > 0 and self._bytes > 0


def _describe(message: cluster_pb2.TopicDescription, topic: TopicImage, image: MetadataImage) -> int:
    """Describe a topic without its partitions; return how many bytes its texts take."""
    configs = image.configs.topic(topic.name)
    message.name, message.topic_id = topic.name, topic.id
    message.partition_count = len(topic.partitions)
    first = topic.partitions.get(0)
    # Replicas that a reassignment adds do not count yet. Source: Kafka ``TopicCommand.getReplicationFactor``.
    message.replication_factor = 0 if first is None else len(first.replicas) - len(first.adding_replicas)
    message.min_insync_replicas = min_isr(image.configs, topic.name)
    size = len(topic.name)
    for name, value in sorted(configs.items()):
        message.configs.add(name=name, value=value)
        size += len(name.encode()) + len(value.encode())
    return size


def _describe_partition(
    message: cluster_pb2.PartitionDescription, number: int, partition: PartitionRegistration
) -> None:
    message.partition = number
    if partition.leader is not None:
        message.leader = partition.leader
    message.leader_epoch, message.partition_epoch = partition.leader_epoch, partition.partition_epoch
    message.replicas.extend(partition.replicas)
    message.isr.extend(partition.isr)
    message.elr.extend(partition.elr)
    message.last_known_elr.extend(partition.last_known_elr)
    message.adding_replicas.extend(partition.adding_replicas)
    message.removing_replicas.extend(partition.removing_replicas)
    message.directories.extend(partition.directories)
    message.recovering = partition.leader_recovery_state is LeaderRecoveryState.RECOVERING
