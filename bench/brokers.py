"""Brokers that are nothing but requests: registered with the active controller, unfenced, and kept so by heartbeats.

Each has an id, a rack and one log directory. They hold no data and follow no log: their heartbeats report an offset
beyond every record, so that a controller takes them for brokers that have applied everything. kraftpy's and Kafka's
controllers get the same requests.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bench.channel import Channel, connect
from bench.work import Address, System, eventually
from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import Uuid
from kraftpy.records.generated import rpc

FIRST_ID = 1_000
"""Of the brokers; the controllers' ids are below."""
RACKS = 3
HEARTBEAT_INTERVAL_S = 2.0
"""Kafka's and kraftpy's default of ``broker.heartbeat.interval.ms``."""
SESSION_TIMEOUT_S = 9.0
"""Kafka's and kraftpy's default of ``broker.session.timeout.ms``."""
FAR = 2**40
"""An offset beyond every record."""
CONTROLLERS = 2
"""The endpoint type of controllers in DescribeCluster."""
UNFENCE_TIMEOUT_S = 60.0

REGISTRATION_VERSION = 4
HEARTBEAT_VERSION = 1
CLUSTER_VERSION = 1
CREATE_VERSION = 7
REGISTERED_AT_ONCE = 50

FEATURE_NAMES = (
    "metadata.version", "kraft.version", "transaction.version", "group.version", "share.version", "streams.version",
    "eligible.leader.replicas.version",
)  # fmt: skip
LEVEL_MAX = 1_000
"""What a broker supports of each feature: every level that a controller may run at."""


def directory_of(broker_id: int) -> Uuid:
    """Return the id of a broker's log directory."""
    return (1 << 100 | broker_id).to_bytes(16, "big")


class RegistrationRejectedError(RuntimeError):
    """A controller rejected a registration."""

    def __init__(self, broker_id: int, error_code: int) -> None:
        super().__init__(f"broker {broker_id} was not registered: error {error_code}")
        self.error_code = error_code


class HeartbeatRejectedError(RuntimeError):
    """A controller rejected a heartbeat."""

    def __init__(self, broker_id: int, error_code: int) -> None:
        super().__init__(f"a heartbeat of broker {broker_id} was rejected: error {error_code}")
        self.error_code = error_code


@dataclass(slots=True)
class Broker:
    """A registered broker.

    Attributes:
        epoch: of its registration; -1 before.
        incarnation: the number of its process.
        channel: its connection with the active controller.
        beats: whether it sends heartbeats by itself.
        heard_at: when its last heartbeat left, in the time of the event loop.
    """

    broker_id: int
    rack: str
    channel: Channel
    epoch: int = -1
    incarnation: int = 0
    beats: bool = True
    heard_at: float = 0.0

    async def register(self, cluster_id: str) -> None:
        """Register it.

        Raises:
            RegistrationRejectedError: it was rejected.
        """
        request = rpc.BrokerRegistrationRequest(
            broker_id=self.broker_id,
            cluster_id=cluster_id,
            incarnation_id=(2 << 100 | self.incarnation << 32 | self.broker_id).to_bytes(16, "big"),
            listeners=[rpc.BrokerRegistrationRequestListener("PLAINTEXT", "localhost", 9_092, 0)],
            features=[rpc.BrokerRegistrationRequestFeature(name, 0, LEVEL_MAX) for name in FEATURE_NAMES],
            rack=self.rack,
            log_dirs=[directory_of(self.broker_id)],
            previous_broker_epoch=self.epoch,
        )
        answer = await self.channel.ask(request, REGISTRATION_VERSION, rpc.BrokerRegistrationResponse)
        if answer.error_code:
            raise RegistrationRejectedError(self.broker_id, answer.error_code)
        self.epoch = answer.broker_epoch

    async def beat(self, *, shut_down: bool = False) -> rpc.BrokerHeartbeatResponse:
        """Send a heartbeat; one that a busy controller has no time for is no error, as there is a next one.

        Raises:
            HeartbeatRejectedError: it was rejected.
        """
        request = rpc.BrokerHeartbeatRequest(
            broker_id=self.broker_id,
            broker_epoch=self.epoch,
            current_metadata_offset=FAR,
            want_shut_down=shut_down,
        )
        self.heard_at = asyncio.get_running_loop().time()
        answer = await self.channel.ask(request, HEARTBEAT_VERSION, rpc.BrokerHeartbeatResponse)
        if answer.error_code not in {ErrorCode.NONE, ErrorCode.REQUEST_TIMED_OUT}:
            raise HeartbeatRejectedError(self.broker_id, answer.error_code)
        return answer

    async def unfence(self) -> None:
        """Send heartbeats until it is not fenced any more."""

        async def is_unfenced() -> bool:
            return not (await self.beat()).is_fenced

        await eventually(is_unfenced, f"broker {self.broker_id} is unfenced", UNFENCE_TIMEOUT_S)


class Brokers:
    """Brokers of one cluster, and the connection by which it is prepared.

    Attributes:
        address: of the active controller.
        cluster_id: what the controllers say their cluster is.
        by_id: the brokers.
        latencies_us: of the heartbeats that keep them unfenced.
        failure: why no heartbeats are sent any more, such as another controller having become active; else empty.
    """

    def __init__(self, address: Address, cluster_id: str, channel: Channel, brokers: Iterable[Broker]) -> None:
        self.address = address
        self.cluster_id = cluster_id
        self.by_id = {broker.broker_id: broker for broker in brokers}
        self.latencies_us: list[float] = []
        self.failure = ""
        self._channel = channel

    async def create(self, request: rpc.CreateTopicsRequest) -> list[rpc.CreateTopicsResponseCreatableTopicResult]:
        """Create topics.

        Raises:
            RuntimeError: one of them was rejected.
        """
        answer = await self._channel.ask(request, CREATE_VERSION, rpc.CreateTopicsResponse)
        for topic in answer.topics:
            if topic.error_code:
                raise RuntimeError(f"topic {topic.name} was rejected: error {topic.error_code}: {topic.error_message}")
        return answer.topics

    async def keep_unfenced(self) -> None:
        """Send heartbeats, those of an interval spread over it, until one is rejected or lost: see :attr:`failure`."""
        try:
            await self._beat_for_ever()
        except (OSError, RuntimeError, TimeoutError) as error:
            self.failure = str(error)

    async def _beat_for_ever(self) -> None:
        loop, begin = asyncio.get_running_loop(), asyncio.get_running_loop().time()
        pause_s, sent = HEARTBEAT_INTERVAL_S / max(1, len(self.by_id)), 0
        beats: set[asyncio.Task[object]] = set()
        try:
            while True:
                for broker in self.by_id.values():
                    sent += 1
                    if broker.beats:
                        beats.add(loop.create_task(self._beat(broker)))
                    await asyncio.sleep(max(0.0, begin + sent * pause_s - loop.time()))
                    for beat in [one for one in beats if one.done()]:
                        beats.remove(beat)
                        beat.result()
        finally:
            for beat in beats:
                beat.cancel()

    async def _beat(self, broker: Broker) -> None:
        began = time.perf_counter()
        await broker.beat()
        self.latencies_us.append((time.perf_counter() - began) * 1e6)


async def _cluster_id(channel: Channel) -> str:
    """Ask until the controller knows: one of Kafka's has to load its own metadata.version first."""
    found: list[str] = []

    async def is_known() -> bool:
        request = rpc.DescribeClusterRequest(endpoint_type=CONTROLLERS)
        answer = await channel.ask(request, CLUSTER_VERSION, rpc.DescribeClusterResponse)
        found[:] = [answer.cluster_id] if answer.cluster_id and not answer.error_code else []
        return bool(found)

    await eventually(is_known, "the controller describes its cluster", UNFENCE_TIMEOUT_S, 0.1)
    return found[0]


async def _start(broker: Broker, cluster_id: str) -> None:
    await broker.register(cluster_id)
    await broker.unfence()


@asynccontextmanager
async def registered(system: System, count: int, *, racks: int = RACKS, shared: bool = True) -> AsyncIterator[Brokers]:
    """Register brokers with the active controller, and keep them unfenced.

    Args:
        system: whose controllers are asked.
        count: how many brokers.
        racks: how many racks they are in, in turn.
        shared: whether all of them use one connection; each has its own otherwise, as real ones have.
    """
    address = system.addresses[await system.leader()]
    channels = [await connect(address)]
    try:
        cluster_id = await _cluster_id(channels[0])
        channels += [await connect(address) for _ in range(1 if shared else count)]
        found = [
            Broker(FIRST_ID + number, f"rack-{number % racks}", channels[1 if shared else 1 + number])
            for number in range(count)
        ]
        for first in range(0, count, REGISTERED_AT_ONCE):
            await asyncio.gather(*(_start(broker, cluster_id) for broker in found[first : first + REGISTERED_AT_ONCE]))
        brokers = Brokers(address, cluster_id, channels[0], found)
        heartbeats = asyncio.ensure_future(brokers.keep_unfenced())
        try:
            yield brokers
        finally:
            heartbeats.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await heartbeats
    finally:
        for channel in channels:
            channel.close()
