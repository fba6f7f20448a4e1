"""CreateTopics: one result per topic, and all topics that are created appear together.

The checks, in order. Of the request, whose topics that are named twice, or that are the metadata topic, do not count:

1. POLICY_VIOLATION: it has more than :func:`partitions_max` partitions.
2. INVALID_REQUEST, ours: there is no such placer.

Of each topic, whose error leaves the others alone:

3. INVALID_REQUEST: the request names it more than once.
4. INVALID_REQUEST: it is the metadata topic.
5. TOPIC_ALREADY_EXISTS: a topic has the name.
6. INVALID_TOPIC_EXCEPTION: no topic can have the name.
7. INVALID_TOPIC_EXCEPTION: the name differs only in ``.`` and ``_`` from that of a topic, or of one in the request.
8. INVALID_CONFIG: a config has no value.
9. INVALID_CONFIG: a config is none of a topic, or its value is wrong (``configs``, 8, 12 and 13).

Of a topic whose partitions are placed, before 1 to 4 of ``new_partitions``:

10. INVALID_REPLICATION_FACTOR: the factor is 0, or below -1.
11. INVALID_PARTITIONS: the number of partitions is 0, or below -1.

Of a topic with replicas by hand:

12. INVALID_REQUEST: it has a replication factor as well.
13. INVALID_REQUEST: it has a number of partitions as well.
14. INVALID_REPLICA_ASSIGNMENT: a partition has two assignments; else 5 to 11 of ``new_partitions`` for each.
15. INVALID_REPLICA_ASSIGNMENT: the partitions are not those from 0 on.

Then the operator's policy (``policies``) and the mutation quota of the client (``kraftpy.quotas``) are asked.

Source: Kafka ``ControllerApis.createTopics``, ``ReplicationControlManager.createTopics``; controller reference §12.2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from kraftpy.controller.configs import new_topic_configs
from kraftpy.controller.decision_context import DecisionContext
from kraftpy.controller.limits import BATCH_RECORDS_MAX
from kraftpy.controller.new_partitions import NewPartitions, partition_records
from kraftpy.controller.placement import PlacementError
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.slices import PARTITIONS_PER_SLICE, Slices
from kraftpy.controller.topic_names import NameCollisions, name_fault
from kraftpy.controller.topic_requests import (
    DEFAULT_COUNT,
    ConfigLayers,
    CreatableTopic,
    CreateTopics,
    CreateTopicsResponse,
    PlannedTopic,
    TopicResult,
)
from kraftpy.image.partitions import PartitionRegistration
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.features import TRANSACTIONS_LEVEL
from kraftpy.model.ids import METADATA_TOPIC, Uuid
from kraftpy.quotas.mutations import MutationCharge
from kraftpy.records.codec import Record
from kraftpy.records.metadata import TopicRecord

PARTITIONS_PER_REQUEST_MAX: Final = 100_000
"""How many partitions the topics of one request may have together; below the level of transactions a batch's records.
Kafka's ``MAX_PARTITIONS_PER_BATCH`` is 10,000."""


def partitions_max(level: int) -> int:
    """Return how many partitions one request may make at a metadata.version."""
    return PARTITIONS_PER_REQUEST_MAX if level >= TRANSACTIONS_LEVEL else BATCH_RECORDS_MAX


def create_topics(view: DecisionContext, request: CreateTopics) -> Slices[ControllerResult]:
    """Decide a whole request; the refusal of a topic is a value in the response.

    Raises:
        ApiError: the request as a whole is refused: it has too many partitions, or names a placer that is none.
    """
    names = Counter(topic.name for topic in request.topics)
    decided = [topic for topic in request.topics if names[topic.name] == 1 and topic.name != METADATA_TOPIC]
    _check_partition_count(decided, view.config.num_partitions, partitions_max(view.image.level))
    charge = view.charge(request.mutator)
    creation = _Creation(view, request, charge)
    results: list[TopicResult] = []
    for topic in request.topics:
        result = _repeated(topic.name) if names[topic.name] > 1 else (yield from creation.result(topic))
        results.append(result)
    image = view.image
    layers = ConfigLayers(
        image.configs.broker(view.node_id), image.configs.broker(None), view.config.static_topic_configs
    )
    return ControllerResult(creation.records, CreateTopicsResponse(tuple(results), layers, charge.until_ms))


def _check_partition_count(topics: Iterable[CreatableTopic], default: int, allowed: int) -> None:
    count = 0
    for topic in topics:
        if topic.assignments:
            count += len(topic.assignments)
        else:
            count += default if topic.partitions == DEFAULT_COUNT else max(topic.partitions, 0)
    if count > allowed:
        raise ApiError(ErrorCode.POLICY_VIOLATION, "Excessively large number of partitions per request.")


def _repeated(name: str) -> TopicResult:
    return TopicResult(name, ErrorCode.INVALID_REQUEST, "Duplicate topic name.")


class _Creation:
    """The topics of one request that are created so far."""

    def __init__(self, view: DecisionContext, request: CreateTopics, charge: MutationCharge) -> None:
        self.records: list[Record] = []
        self._view = view
        self._charge = charge
        self._explains = request.placement.explains
        self._partitions = NewPartitions(view, request.placement)
        self._collisions = NameCollisions(view.image.topics)

    def result(self, topic: CreatableTopic) -> Slices[TopicResult]:
        """Create a topic, or say why not."""
        try:
            return (yield from self._create(topic))
        except ApiError as refused:
            return TopicResult(topic.name, refused.code, refused.message)

    def _create(self, topic: CreatableTopic) -> Slices[TopicResult]:
        self._check_name(topic.name)
        configs = _values(topic.configs)
        config_records = new_topic_configs(self._view, topic.name, configs)
        plan = yield from self._assigned(topic) if topic.assignments else self._placed(topic)
        yield from self._ask_policy(topic, plan, configs)
        self._charge.take(len(plan.partitions))
        topic_id = self._fresh_id()
        self.records.append(TopicRecord(name=topic.name, topic_id=topic_id))
        self.records += config_records
        self.records += yield from partition_records(topic_id, 0, plan.partitions, self._view.image.level)
        self._collisions.add(topic.name)
        return TopicResult(
            name=topic.name,
            topic_id=topic_id,
            partitions=len(plan.partitions),
            replication_factor=len(plan.partitions[0].replicas),
            configs=configs,
            plan=plan if self._explains else None,
        )

    def _ask_policy(self, topic: CreatableTopic, plan: PlannedTopic, configs: dict[str, str]) -> Slices[None]:
        """Ask the operator's policy, which may take long: a slice has one such call at most."""
        policies = self._view.policies
        if policies.create_topic is None:
            return
        yield
        if topic.assignments:
            policies.check_assigned(topic.name, plan.partitions, configs)
        else:
            policies.check_placed(topic.name, len(plan.partitions), len(plan.partitions[0].replicas), configs)

    def _check_name(self, name: str) -> None:
        if name == METADATA_TOPIC:
            raise ApiError(ErrorCode.INVALID_REQUEST, f"Creation of internal topic {METADATA_TOPIC} is prohibited.")
        if name in self._view.image.topics.ids_by_name:
            raise ApiError(ErrorCode.TOPIC_ALREADY_EXISTS, f"Topic '{name}' already exists.")
        fault = name_fault(name)
        if fault is not None:
            raise ApiError(ErrorCode.INVALID_TOPIC_EXCEPTION, fault)
        other = self._collisions.find(name)
        if other is not None:
            raise ApiError(ErrorCode.INVALID_TOPIC_EXCEPTION, f"Topic '{name}' collides with existing topic: {other}")

    def _fresh_id(self) -> Uuid:
        topics = self._view.image.topics
        while True:
            topic_id = self._view.uuids.next()
            if topics.topic(topic_id) is None:
                return topic_id

    def _placed(self, topic: CreatableTopic) -> Slices[PlannedTopic]:
        config = self._view.config
        if topic.replication_factor < DEFAULT_COUNT or topic.replication_factor == 0:
            raise ApiError(
                ErrorCode.INVALID_REPLICATION_FACTOR,
                "Replication factor must be larger than 0, or -1 to use the default value.",
            )
        if topic.partitions < DEFAULT_COUNT or topic.partitions == 0:
            raise ApiError(
                ErrorCode.INVALID_PARTITIONS, "Number of partitions was set to an invalid non-positive value."
            )
        is_default = topic.replication_factor == DEFAULT_COUNT
        factor = config.default_replication_factor if is_default else topic.replication_factor
        count = config.num_partitions if topic.partitions == DEFAULT_COUNT else topic.partitions
        try:
            return (yield from self._partitions.place(count, factor))
        except PlacementError as error:
            raise ApiError(
                ErrorCode.INVALID_REPLICATION_FACTOR, f"Unable to replicate the partition {factor} time(s): {error}"
            ) from None

    def _assigned(self, topic: CreatableTopic) -> Slices[PlannedTopic]:
        if topic.replication_factor != DEFAULT_COUNT:
            raise ApiError(
                ErrorCode.INVALID_REQUEST,
                "A manual partition assignment was specified, but replication factor was not set to -1.",
            )
        if topic.partitions != DEFAULT_COUNT:
            raise ApiError(
                ErrorCode.INVALID_REQUEST,
                "A manual partition assignment was specified, but numPartitions was not set to -1.",
            )
        partitions: dict[int, PartitionRegistration] = {}
        factor = None
        for partition, replicas in topic.assignments:
            if partition in partitions:
                raise ApiError(
                    ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                    f"Found multiple manual partition assignments for partition {partition}",
                )
            partitions[partition] = self._partitions.assign(partition, replicas, factor)
            factor = len(replicas)
            if len(partitions) % PARTITIONS_PER_SLICE == 0:
                yield
        if partitions.keys() != set(range(len(partitions))):
            raise ApiError(
                ErrorCode.INVALID_REPLICA_ASSIGNMENT, "partitions should be a consecutive 0-based integer sequence"
            )
        return PlannedTopic(tuple(partitions[partition] for partition in range(len(partitions))))


def _values(configs: tuple[tuple[str, str | None], ...]) -> dict[str, str]:
    """Return the configs of a new topic.

    Raises:
        ApiError: INVALID_CONFIG, when some have no value.
    """
    without = [key for key, value in configs if value is None]
    if without:
        raise ApiError(ErrorCode.INVALID_CONFIG, f"Null value not supported for topic configs: {','.join(without)}")
    return {key: value for key, value in configs if value is not None}
