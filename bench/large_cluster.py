"""What a large cluster costs its active controller: topics created, brokers and racks that fail, a rolling restart.

Run: python bench/large_cluster.py [--brokers 1000] [--partitions 1000000] [--racks 10] [--roll 1000]

The controller decides, rehearses, encodes and replays every record, as in a node; the log, its replication and the
loader are not in it. Every step is checked: the partitions with a leader, and who leads, are counted in the state.
"""

from __future__ import annotations

import argparse
import gc
import resource
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from kraftpy.controller.config import ControllerConfig
from kraftpy.controller.controller import Controller
from kraftpy.controller.partition_requests import AlterPartition, IsrMember, PartitionAlteration
from kraftpy.controller.requests import BrokerHeartbeat, Listener, RegisterBroker, SupportedFeature
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.topic_requests import CreatableTopic, CreateTopics, PlacementOptions
from kraftpy.image import EMPTY, MetadataImage
from kraftpy.model.features import LATEST_PRODUCTION_LEVEL, METADATA_VERSION
from kraftpy.model.ids import NO_NODE

PARTITIONS_PER_TOPIC = 1_000
TOPICS_PER_REQUEST = 10
REPLICATION_FACTOR = 3
FROZEN_RECORDS = 100_000
FAR = 2**62
"""An offset beyond every record: a broker that has read everything."""


class Uuids:
    """Ids in turn."""

    def __init__(self) -> None:
        self._given = 0

    def next(self) -> bytes:
        """Return the next one."""
        self._given += 1
        return (1 << 64 | self._given).to_bytes(16, "big")


@dataclass
class Measured:
    """One step.

    Attributes:
        records: how many it made.
        decide_ms: the time of each decision with its records (ms), the longest first.
        total_s: the CPU time of the whole step.
    """

    records: int = 0
    decide_ms: list[float] = field(default_factory=list)
    total_s: float = 0.0


class LargeCluster:
    """An active controller whose log takes everything at once."""

    def __init__(self, brokers: int, racks: int) -> None:
        self.config = ControllerConfig(leader_rebalance=False)
        self.controller = Controller(config=self.config, node_id=100_000, uuids=Uuids())
        self.racks = {broker_id: f"rack-{broker_id % racks}" for broker_id in range(brokers)}
        self.epochs: dict[int, int] = {}
        self.now_ms = 0
        self.offset = -1
        self._incarnations = 0
        self._unfrozen = 0
        self._hosted: dict[int, list[tuple[bytes, int]]] = {}
        result = self.controller.activate(
            now_ms=0, epoch=1, image=EMPTY, next_offset=0, cluster_id=None, bootstrap=None, open_transaction=False
        )
        self.append(result)

    @property
    def image(self) -> MetadataImage:
        """The newest state."""
        return self.controller.image

    def append(self, result: ControllerResult) -> None:
        """Take a result's records as a node does, and commit them."""
        for part in result.parts(self.config.records_per_part):
            if part.records:
                self.controller.validate_replay(part)
                self.controller.encode(part)
                self.offset += len(part.records)
                self.controller.appended(part, self.offset, 1)
        self.controller.committed(self.offset, self.image)
        self._unfrozen += len(result.records)
        if self._unfrozen >= FROZEN_RECORDS:
            # As ``runtime.state_machine`` does: what is loaded is not looked at by later collections.
            self._unfrozen = 0
            gc.collect()
            gc.freeze()

    def ask(self, request: object, measured: Measured) -> ControllerResult:
        """Decide a request and append what it makes."""
        began = time.process_time()
        result = self.controller.decide(self.now_ms, request)  # type: ignore[arg-type] # any request of the table
        self.append(result)
        measured.decide_ms.append(1_000 * (time.process_time() - began))
        measured.records += len(result.records)
        return result

    def register(self, broker_id: int, measured: Measured, previous_epoch: int = -1) -> None:
        """Register a new process of a broker."""
        self._incarnations += 1
        request = RegisterBroker(
            broker_id=broker_id,
            cluster_id=self.controller.cluster_id,
            incarnation_id=(2 << 64 | self._incarnations).to_bytes(16, "big"),
            listeners=(Listener("PLAINTEXT", f"b{broker_id}", 9092),),
            features=(SupportedFeature(METADATA_VERSION, 7, LATEST_PRODUCTION_LEVEL),),
            rack=self.racks[broker_id],
            log_dirs=((3 << 64 | broker_id).to_bytes(16, "big"),),
            previous_broker_epoch=previous_epoch,
        )
        self.epochs[broker_id] = self.ask(request, measured).response.broker_epoch  # type: ignore[attr-defined] # its own

    def heartbeat(self, broker_id: int, measured: Measured, *, shutdown: bool = False) -> None:
        """Send a heartbeat of a broker that has read everything."""
        self.ask(
            BrokerHeartbeat(
                broker_id=broker_id,
                broker_epoch=self.epochs[broker_id],
                metadata_offset=FAR,
                want_shutdown=shutdown,
            ),
            measured,
        )

    def fence_silent(self, measured: Measured) -> None:
        """Do what is due until nothing is."""
        while True:
            began = time.process_time()
            result = self.controller.tick(self.now_ms)
            if result is None:
                return
            self.append(result)
            measured.decide_ms.append(1_000 * (time.process_time() - began))
            measured.records += len(result.records)

    def index_replicas(self) -> None:
        """Note which partitions have a replica on each broker; nothing is moved afterwards."""
        self._hosted = {broker_id: [] for broker_id in self.racks}
        for topic_id, topic in self.image.topics.by_id.items():
            for partition_id, partition in topic.partitions.items():
                for broker_id in partition.replicas:
                    self._hosted[broker_id].append((topic_id, partition_id))

    def rejoin(self, broker_id: int, measured: Measured) -> None:
        """Let the leaders add the replicas of a broker to the ISRs again, each in one request."""
        wanted: dict[int, dict[bytes, list[PartitionAlteration]]] = {}
        for topic_id, partition_id in self._hosted[broker_id]:
            partition = self.image.topics.partition(topic_id, partition_id)
            assert partition is not None
            if broker_id in partition.isr:
                continue
            isr = tuple(IsrMember(one) for one in (*partition.isr, broker_id))
            altered = PartitionAlteration(partition_id, partition.leader_epoch, partition.partition_epoch, isr)
            wanted.setdefault(partition.leader, {}).setdefault(topic_id, []).append(altered)
        for leader, topics in wanted.items():
            rows = tuple((topic_id, tuple(altered)) for topic_id, altered in topics.items())
            self.ask(AlterPartition(broker_id=leader, broker_epoch=self.epochs[leader], topics=rows), measured)

    def out_of_sync(self) -> int:
        """Count the replicas that are in no ISR."""
        return sum(len(one.replicas) - len(one.isr) for one in self._partitions())

    def without_leader(self) -> int:
        """Count the partitions that have none."""
        return sum(1 for one in self._partitions() if one.leader == NO_NODE)

    def led_by(self, brokers: set[int]) -> int:
        """Count the partitions that these brokers lead."""
        return sum(1 for one in self._partitions() if one.leader in brokers)

    def _partitions(self) -> Iterable:  # type: ignore[type-arg] # of registrations
        return (one for topic in self.image.topics.by_id.values() for one in topic.partitions.values())


class Scenario:
    """The steps, each with what must hold after it."""

    def __init__(self, cluster: LargeCluster) -> None:
        self._cluster = cluster
        self._brokers = list(cluster.racks)

    def start(self, measured: Measured) -> None:
        """Register and unfence all brokers."""
        for broker_id in self._brokers:
            self._cluster.register(broker_id, measured)
            self._cluster.heartbeat(broker_id, measured)

    def create(self, partitions: int, measured: Measured) -> None:
        """Create topics, several in a request."""
        topics = partitions // PARTITIONS_PER_TOPIC
        for first in range(0, topics, TOPICS_PER_REQUEST):
            names = [f"topic-{number}" for number in range(first, min(first + TOPICS_PER_REQUEST, topics))]
            request = CreateTopics(
                tuple(CreatableTopic(name, PARTITIONS_PER_TOPIC, REPLICATION_FACTOR) for name in names),
                PlacementOptions(placer="kip36", seed=first),
            )
            self._cluster.ask(request, measured)
        self._cluster.index_replicas()

    def lose(self, lost: list[int], measured: Measured) -> None:
        """Let the sessions of these brokers end."""
        cluster = self._cluster
        cluster.now_ms += cluster.config.session_timeout_ms - 1
        for broker_id in set(self._brokers).difference(lost):
            cluster.heartbeat(broker_id, Measured())
        cluster.now_ms += 1
        cluster.fence_silent(measured)
        assert cluster.led_by(set(lost)) == 0, "a broker that is gone leads"
        assert cluster.without_leader() == 0, "a partition has replicas and no leader"

    def come_back(self, lost: list[int], measured: Measured) -> None:
        """Let them be unfenced, and let the leaders add their replicas to the ISRs."""
        for broker_id in lost:
            self._cluster.heartbeat(broker_id, measured)
            self._cluster.rejoin(broker_id, measured)
        self._check_whole()

    def roll(self, count: int, measured: Measured) -> None:
        """Restart brokers one after the other, each by a controlled shutdown."""
        cluster = self._cluster
        for broker_id in self._brokers[:count]:
            while not cluster.image.cluster.brokers[broker_id].fenced:
                cluster.heartbeat(broker_id, measured, shutdown=True)
            cluster.register(broker_id, measured, cluster.epochs[broker_id])
            cluster.heartbeat(broker_id, measured)
            cluster.rejoin(broker_id, measured)
        self._check_whole()

    def _check_whole(self) -> None:
        assert self._cluster.without_leader() == 0
        assert self._cluster.out_of_sync() == 0


def step(name: str, work: Callable[[Measured], None]) -> Measured:
    """Run one step and print its row."""
    measured = Measured()
    began = time.process_time()
    work(measured)
    measured.total_s = time.process_time() - began
    times = sorted(measured.decide_ms)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"| {name:<34} | {measured.records:>10,} | {len(times):>6,} | {measured.total_s:>8.1f} "
        f"| {times[len(times) // 2]:>9.2f} | {times[-1]:>9.1f} | {memory:>7,} |",
        flush=True,
    )
    return measured


def main() -> None:
    """Print a table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--brokers", type=int, default=1_000)
    options.add_argument("--partitions", type=int, default=1_000_000)
    options.add_argument("--racks", type=int, default=10)
    options.add_argument("--roll", type=int, default=1_000, help="brokers that are restarted one after the other")
    asked = options.parse_args()
    cluster = LargeCluster(asked.brokers, asked.racks)
    does = Scenario(cluster)
    gc.set_threshold(20_000)
    print(f"{asked.brokers:,} brokers on {asked.racks} racks, {asked.partitions:,} partitions\n")
    print("| step | records | decisions | CPU s | median ms | longest ms | peak MB |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    one = list(cluster.racks)[:1]
    rack = [broker_id for broker_id, name in cluster.racks.items() if name == "rack-1"]
    step("register and unfence all brokers", does.start)
    step("create all topics", lambda measured: does.create(asked.partitions, measured))
    step("a broker fails", lambda measured: does.lose(one, measured))
    step("it returns, and to the ISRs", lambda measured: does.come_back(one, measured))
    step("a rack fails", lambda measured: does.lose(rack, measured))
    step("it returns, and to the ISRs", lambda measured: does.come_back(rack, measured))
    step(f"restart {asked.roll:,} brokers in turn", lambda measured: does.roll(asked.roll, measured))


if __name__ == "__main__":
    main()
