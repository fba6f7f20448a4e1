"""What a controller is asked about topics, and what it answers; a part of :mod:`kraftpy.controller.requests`.

Every request names several topics, and each has a result of its own: a topic that is refused leaves the others alone.

Source: Kafka ``CreateTopicsRequest``, ``DeleteTopicsRequest``, ``CreatePartitionsRequest``; KIP-516, KIP-525.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from kraftpy.controller.placement.spec import RackMode, Replicas
from kraftpy.image.partitions import PartitionRegistration
from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import Uuid
from kraftpy.quotas.mutations import Mutator

DEFAULT_COUNT: Final = -1
"""Means the controller's own default, and for "not given" beside a manual assignment."""

NO_CONFIGS: Final[Mapping[str, str]] = MappingProxyType({})


class PlacementOptions(NamedTuple):
    """How this request wants its partitions placed.

    Attributes:
        placer: a name of ``placement.PLACERS``; empty for the controller's own choice.
        seed: the same seed, brokers and counts give the same plan; ``None`` draws one.
        explains: whether the response has a sentence for each replica.
    """

    placer: str = ""
    seed: int | None = None
    racks: RackMode = RackMode.SAFE
    explains: bool = False


class CreatableTopic(NamedTuple):
    """A topic to be created.

    Attributes:
        partitions: a count, or DEFAULT_COUNT.
        replication_factor: a count, or DEFAULT_COUNT.
        assignments: partition and its replicas; empty to have them placed.
        configs: key and value; of a key that is named twice the last value counts.
    """

    name: str
    partitions: int = DEFAULT_COUNT
    replication_factor: int = DEFAULT_COUNT
    assignments: tuple[tuple[int, Replicas], ...] = ()
    configs: tuple[tuple[str, str | None], ...] = ()


class CreateTopics(NamedTuple):
    """Create topics, each with all of its partitions or not at all.

    Attributes:
        mutator: whose quota the partitions are charged to; ``None`` for none.
    """

    topics: tuple[CreatableTopic, ...]
    placement: PlacementOptions = PlacementOptions()
    validate_only: bool = False
    mutator: Mutator | None = None


class PlannedTopic(NamedTuple):
    """Where partitions are placed.

    Attributes:
        seed: what the placer drew from; ``None`` for a manual assignment.
        first_partition: the id of the first of ``partitions``.
        reasons: one sentence for each replica, where that was asked for.
    """

    partitions: tuple[PartitionRegistration, ...]
    first_partition: int = 0
    placer: str = ""
    seed: int | None = None
    reasons: tuple[tuple[str, ...], ...] = ()


class TopicResult(NamedTuple):
    """What became of one topic.

    Attributes:
        topic_id: of a topic that was created, or is known.
        partitions: how many it has; 0 when it was refused.
        configs: the overrides of a created topic.
        plan: of a request that asks for explanations.
        hides_configs: whether the caller may not see the configs and counts of a created topic.
    """

    name: str | None
    error: ErrorCode = ErrorCode.NONE
    message: str | None = None
    topic_id: Uuid | None = None
    partitions: int = 0
    replication_factor: int = 0
    configs: Mapping[str, str] = NO_CONFIGS
    plan: PlannedTopic | None = None
    hides_configs: bool = False


class ConfigLayers(NamedTuple):
    """What holds for a topic's keys that it does not override.

    Attributes:
        node: dynamic values of the active controller's own BROKER resource.
        cluster: dynamic values of the cluster's default.
        static: values of the active controller's file.
    """

    node: Mapping[str, str] = NO_CONFIGS
    cluster: Mapping[str, str] = NO_CONFIGS
    static: Mapping[str, str] = NO_CONFIGS


class CreateTopicsResponse(NamedTuple):
    """One result per topic, in the order asked.

    Attributes:
        throttled_until_ms: until when its client is to wait with the next request, by the clock of decisions; 0 when it
            need not.
    """

    topics: tuple[TopicResult, ...]
    layers: ConfigLayers = ConfigLayers()
    throttled_until_ms: int = 0


class TopicRef(NamedTuple):
    """A topic by its name or by its id; both or neither is refused."""

    name: str | None = None
    topic_id: Uuid | None = None


class DeleteTopics(NamedTuple):
    """Delete topics with everything in them.

    Attributes:
        knows_disabled: whether the client knows the error TOPIC_DELETION_DISABLED.
        mutator: see :class:`CreateTopics`.
    """

    topics: tuple[TopicRef, ...]
    validate_only: bool = False
    knows_disabled: bool = True
    mutator: Mutator | None = None


class DeleteTopicsResponse(NamedTuple):
    """One result per topic, in the order asked; see :class:`CreateTopicsResponse`."""

    topics: tuple[TopicResult, ...]
    throttled_until_ms: int = 0


class CreatePartitionsTopic(NamedTuple):
    """A topic that is to have more partitions.

    Attributes:
        total: how many it is to have in all.
        assignments: the replicas of each new partition; ``None`` to have them placed.
    """

    name: str
    total: int
    assignments: tuple[Replicas, ...] | None = None


class CreatePartitions(NamedTuple):
    """Add partitions to topics; see :class:`CreateTopics`."""

    topics: tuple[CreatePartitionsTopic, ...]
    placement: PlacementOptions = PlacementOptions()
    validate_only: bool = False
    mutator: Mutator | None = None


class CreatePartitionsResponse(NamedTuple):
    """One result per topic, in the order asked; see :class:`CreateTopicsResponse`."""

    topics: tuple[TopicResult, ...]
    throttled_until_ms: int = 0


TopicRequest: TypeAlias = CreateTopics | DeleteTopics | CreatePartitions
TopicResponse: TypeAlias = CreateTopicsResponse | DeleteTopicsResponse | CreatePartitionsResponse
