"""The steps of :mod:`bench.day_plan` that clients and the monitoring cause, as requests over Kafka's protocol.

Each answer is checked: errors, and what was created.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from bench.brokers import CLUSTER_VERSION, CONTROLLERS, CREATE_VERSION, Broker, Brokers
from bench.channel import Answer, Channel
from bench.day_plan import Action, Chain, Step
from bench.followed import Followed
from bench.observer import METADATA_TOPIC, QUORUM_VERSION
from bench.topics import DELETE_VERSION, TIMEOUT_MS, error_of_created, topic_of
from bench.wire import VERSION as CONFIGS_VERSION
from bench.wire import Config, Resource
from kraftpy.model.resource_types import ResourceType
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc

TOPICS: Final = "day"
"""What the names of the topics begin with that are there from the start."""
GROW_VERSION: Final = 3
PRODUCER_IDS_VERSION: Final = 0
PRODUCER_IDS: Final = 1_000
"""In a block."""
TOPIC_CONFIGS: Final = (("retention.ms", 3_600_000), ("max.message.bytes", 1_048_588), ("segment.bytes", 104_857_600))
"""Keys, and numbers to which that of the change is added, so that each changes something."""
WAITED_FOR: Final = frozenset({Action.RETURN, Action.REJOIN, Action.ELECT})
THROTTLES: Final = ("leader.replication.throttled.rate", "follower.replication.throttled.rate")
"""What a reassignment sets, on brokers."""


@dataclass(frozen=True, slots=True)
class Done:
    """How a step ended.

    Attributes:
        error: what was wrong; empty for a success.
        at: when (``time.perf_counter()``) its last answer came; ``None`` when there was nothing to request.
    """

    error: str
    at: float | None


def done(error: str = "") -> Done:
    """Return how a step ends whose last answer has just come."""
    return Done(error, time.perf_counter())


class Gates:
    """Steps that others wait for: those of a restart."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self._left = Counter((step.action, step.serial) for step in steps if step.action in WAITED_FOR)
        self._events = {key: asyncio.Event() for key in self._left}

    def passed(self, step: Step) -> None:
        """Count a step as done."""
        key = (step.action, step.serial)
        if key in self._left:
            self._left[key] -= 1
            if not self._left[key]:
                self._events[key].set()

    async def wait(self, action: Action, serial: int) -> None:
        """Wait for all steps of an action with this number; there may be none."""
        event = self._events.get((action, serial))
        if event is not None:
            await event.wait()


@dataclass(slots=True)
class Cluster:
    """What steps are done on.

    Attributes:
        brokers: registered, each with a connection for its heartbeats.
        followed: the partitions that they have.
        topics: how many of them are there from the start.
        links: the other connections.
        gates: what is waited for.
        first_serial: added to the number of a topic or a change, so that it has not been there before.
        requests: how many were made.
    """

    brokers: Brokers
    followed: Followed
    links: Mapping[Chain, Channel]
    gates: Gates
    topics: int
    first_serial: int = 0
    requests: int = 0
    _numbered: list[Broker] = field(init=False)

    def __post_init__(self) -> None:
        self._numbered = list(self.brokers.by_id.values())

    def broker(self, number: int) -> Broker:
        """Return the broker of a number."""
        return self._numbered[number]

    async def ask(self, chain: Chain, request: Message, version: int, answer: type[Answer]) -> Answer:
        """Ask a question on a chain's connection."""
        self.requests += 1
        return await self.links[chain].ask(request, version, answer)


Does = Callable[[Chain, Step], Awaitable[Done]]


class ClientSteps:
    """Topics, configs, producer ids, and what the monitoring reads."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self.does: dict[Action, Does] = {
            Action.CREATE: self._create,
            Action.GROW: self._grow,
            Action.DELETE: self._delete,
            Action.TOPIC_CONFIG: self._configure,
            Action.BROKER_CONFIG: self._configure,
            Action.METRICS_CONFIG: self._configure,
            Action.PRODUCER_IDS: self._allocate,
            Action.CLUSTER: self._describe_cluster,
            Action.QUORUM: self._describe_quorum,
        }

    def _topic(self, step: Step, partitions: int) -> rpc.CreateTopicsRequestCreatableTopic:
        return topic_of(self._cluster.first_serial + step.serial, partitions)

    async def _create(self, chain: Chain, step: Step) -> Done:
        topic = self._topic(step, step.count)
        request = rpc.CreateTopicsRequest([topic], TIMEOUT_MS)
        answer = await self._cluster.ask(chain, request, CREATE_VERSION, rpc.CreateTopicsResponse)
        return done(error_of_created(answer, {topic.name}, step.count))

    async def _grow(self, chain: Chain, step: Step) -> Done:
        topic = rpc.CreatePartitionsRequestCreatePartitionsTopic(self._topic(step, 1).name, step.count, None)
        request = rpc.CreatePartitionsRequest([topic], TIMEOUT_MS)
        answer = await self._cluster.ask(chain, request, GROW_VERSION, rpc.CreatePartitionsResponse)
        return done(_first_error(answer.results))

    async def _delete(self, chain: Chain, step: Step) -> Done:
        state = rpc.DeleteTopicsRequestDeleteTopicState(self._topic(step, 1).name)
        request = rpc.DeleteTopicsRequest([state], [], TIMEOUT_MS)
        answer = await self._cluster.ask(chain, request, DELETE_VERSION, rpc.DeleteTopicsResponse)
        return done(_first_error(answer.responses))

    async def _configure(self, chain: Chain, step: Step) -> Done:
        request = rpc.IncrementalAlterConfigsRequest([self._configs(step)])
        answer = await self._cluster.ask(chain, request, CONFIGS_VERSION, rpc.IncrementalAlterConfigsResponse)
        return done(_first_error(answer.responses))

    def _configs(self, step: Step) -> Resource:
        """Return the configs of a change: values that were not there before."""
        serial = self._cluster.first_serial + step.serial
        if step.action is Action.TOPIC_CONFIG:
            key, base = TOPIC_CONFIGS[serial % len(TOPIC_CONFIGS)]
            name = f"{TOPICS}-{serial % self._cluster.topics}"
            return Resource(ResourceType.TOPIC, name, [Config(key, 0, str(base + serial))])
        if step.action is Action.BROKER_CONFIG:
            name = str(self._cluster.broker(step.broker).broker_id)
            return Resource(ResourceType.BROKER, name, [Config(key, 0, str(1_000_000 + serial)) for key in THROTTLES])
        name = f"{TOPICS}-{serial}"
        return Resource(ResourceType.CLIENT_METRICS, name, [Config("interval.ms", 0, str(1_000 + serial))])

    async def _allocate(self, chain: Chain, step: Step) -> Done:
        await self._cluster.gates.wait(Action.RETURN, step.serial)
        broker = self._cluster.broker(chain.broker)
        request = rpc.AllocateProducerIdsRequest(broker.broker_id, broker.epoch)
        answer = await self._cluster.ask(chain, request, PRODUCER_IDS_VERSION, rpc.AllocateProducerIdsResponse)
        if answer.error_code or answer.producer_id_len != PRODUCER_IDS:
            return done(f"error {answer.error_code}, {answer.producer_id_len} producer ids")
        return done()

    async def _describe_cluster(self, chain: Chain, step: Step) -> Done:
        del step
        request = rpc.DescribeClusterRequest(endpoint_type=CONTROLLERS)
        answer = await self._cluster.ask(chain, request, CLUSTER_VERSION, rpc.DescribeClusterResponse)
        if answer.error_code or answer.cluster_id != self._cluster.brokers.cluster_id:
            return done(f"error {answer.error_code}, cluster {answer.cluster_id!r}")
        return done()

    async def _describe_quorum(self, chain: Chain, step: Step) -> Done:
        del step
        topic = rpc.DescribeQuorumRequestTopicData(METADATA_TOPIC, [rpc.DescribeQuorumRequestPartitionData(0)])
        request = rpc.DescribeQuorumRequest([topic])
        answer = await self._cluster.ask(chain, request, QUORUM_VERSION, rpc.DescribeQuorumResponse)
        error = answer.error_code or answer.topics[0].partitions[0].error_code
        return done(f"error {error}" if error else "")


class Judged(Protocol):
    """A row of an answer."""

    error_code: int
    error_message: str | None


def _first_error(rows: Iterable[Judged]) -> str:
    return next((f"error {row.error_code}: {row.error_message}" for row in rows if row.error_code), "")
