"""Three stock brokers of Kafka and three controllers on three racks, proxies before each, and the load in front.

The same files start kraftpy's controllers and Kafka's; both have the same timers. A rack is a controller and a broker.
Nothing outlives the ``with`` block.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import os
import signal
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from kraftpy.model.ids import uuid_from_random, uuid_to_text
from kraftpy.records.generated import rpc
from tests.fakes.small_disk import filled, small_disk
from tests.interop.cluster import CLUSTER_ID, JVM, Quorum
from tests.interop.fake_brokers import Controller
from tests.interop.jars import Jars
from tests.interop.processes import HOST, eventually, free_ports
from tests.kafka_faults.audited import audited
from tests.kafka_faults.clocks import Clocks
from tests.robustness.proxy import UNKNOWN, Network

CONTROLLERS, BROKERS = (1, 2, 3), (101, 102, 103)
REPLICAS = len(BROKERS)
PATIENCE_S = 120.0
ANSWER_S = 5.0

STOPPED = (0, 128 + signal.SIGTERM)
"""Exit codes of a node that was asked to stop: of ours, and of a JVM."""

TIMERS = {
    "broker.heartbeat.interval.ms": "500",
    "broker.session.timeout.ms": "6000",
    "controller.socket.timeout.ms": "2000",
    "replica.socket.timeout.ms": "2000",
    "request.timeout.ms": "4000",
}
"""Shorter than the defaults, for brokers and for controllers of both kinds. Elections have Kafka's defaults."""

SMALL = {
    "auto.create.topics.enable": "false",
    "default.replication.factor": "3",
    "num.partitions": "3",
    "offsets.topic.replication.factor": "3",
    "offsets.topic.num.partitions": "3",
    "transaction.state.log.replication.factor": "3",
    "transaction.state.log.num.partitions": "3",
    "transaction.state.log.min.isr": "2",
    "share.coordinator.state.topic.replication.factor": "3",
    "share.coordinator.state.topic.num.partitions": "3",
    "share.coordinator.state.topic.min.isr": "2",
    # A record that was delivered as often is passed over; each fault may cost a delivery.
    "group.share.delivery.count.limit": "10",
    "group.initial.rebalance.delay.ms": "0",
    # A producer's records are valid when the broker's clock is set back by a day.
    "log.message.timestamp.after.max.ms": "9223372036854775807",
    "log.cleaner.dedupe.buffer.size": "2097152",
    "num.io.threads": "3",
    "num.network.threads": "2",
}
SMALL_DISK_BROKER = BROKERS[0]
"""The broker whose second log directory is on a small file system."""

SMALL_DISKS_MIB = {**dict.fromkeys(CONTROLLERS, 64), SMALL_DISK_BROKER: 512}
"""The small file systems by node: a controller's log directory, and the broker's."""

LARGE_VALUE_BYTES = 20_000

MANY = "many"
"""How the topics are called that are only there to be many partitions."""

MANY_EACH = 1_000
"""Partitions of each of them: a request that makes topics writes 10,000 records at most."""
MANY_HEAP = ("-Xmx1536m",)
MANY_PATIENCE_S = 900.0
MANY_PAUSE_S = 2.0
"""How often a broker is asked for all partitions, where they are many: the answer has a megabyte."""
MANY_INDEX_BYTES = "4096"

LOAD = Path(__file__).with_name("FaultLoad.java")
LOAD_JVM = [one for one in JVM if not one.startswith("-Xmx")] + ["-Xmx192m"]


@dataclass(frozen=True, slots=True)
class Partition:
    """What one broker knows of a partition."""

    topic: str
    number: int
    leader: int
    replicas: tuple[int, ...]
    isr: tuple[int, ...]


class Proxies:
    """The proxies, in a loop and a thread of their own."""

    def __init__(self) -> None:
        self.network = Network()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxies", daemon=True)
        self._thread.start()

    def open(self, node_id: int, port: int, target: int) -> None:
        """Listen in front of a node."""
        self._do(self.network.open(node_id, port, target))

    def cut_off(self, nodes: Sequence[int], others: Sequence[int]) -> None:
        """Cut all links of some nodes, both ways."""

        async def cut() -> None:
            self.network.partition(nodes, others)

        self._do(cut())

    def heal(self) -> None:
        """Let everything through again."""

        async def heal() -> None:
            self.network.heal()

        self._do(heal())

    def refuse(self, node_id: int) -> None:
        """Refuse connections to a node that has ended, or is about to: a killed process does not listen."""

        async def refuse() -> None:
            self.network.refuse(node_id)

        self._do(refuse())

    def accept(self, node_id: int) -> None:
        """Take connections to a node that is being started, once it listens."""

        async def accept() -> None:
            self.network.accept(node_id)

        self._do(accept())

    def close(self) -> None:
        """End them."""
        self._do(self.network.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(ANSWER_S)


class Load:
    """The load's JVM: its lines, and commands to it."""

    def __init__(self, jars: Jars, directory: Path, servers: str) -> None:
        self.file = directory / "load.log"
        self.lines: list[str] = []
        self.acknowledged: list[tuple[float, int]] = []
        """When each acknowledgement came, by the monotonic clock, and how long it took (ms)."""
        self._numbers = itertools.count(1)
        self._answers: dict[str, str] = {}
        self.arrived = threading.Condition()
        command = ["java", *LOAD_JVM, "-cp", jars.classpath, str(LOAD), servers]
        with (directory / "load.err").open("wb") as errors:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True
            )
        self._thread = threading.Thread(target=self._listen, name="load", daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with self.file.open("w", encoding="utf-8", buffering=1) as kept:
            for line in self.process.stdout:
                kept.write(line)
                words = line.split()
                with self.arrived:
                    self.lines.append(line.rstrip("\n"))
                    if words[:1] == ["ack"]:
                        self.acknowledged.append((time.monotonic(), int(words[4])))
                    elif words[:1] == ["answer"]:
                        self._answers[words[1]] = " ".join(words[2:])
                    self.arrived.notify_all()

    def ask(self, *words: object, timeout_s: float = PATIENCE_S) -> float:
        """Carry out a command; return how long it took (s), by the monotonic clock of this process."""
        began = time.monotonic()
        number = self.begin(*words)
        self.answer(number, timeout_s)
        return time.monotonic() - began

    def begin(self, *words: object) -> str:
        """Send a command; return its number."""
        number = str(next(self._numbers))
        assert self.process.stdin is not None
        self.process.stdin.write(" ".join([number, *(str(word) for word in words)]) + "\n")
        self.process.stdin.flush()
        return number

    def query(self, *words: object) -> str:
        """Carry out a command that asks for something; return the answer, empty where it is nothing.

        Raises:
            AssertionError: it failed, or took too long.
        """
        return self.answer(self.begin(*words)).partition(" ")[2]

    def answer(self, number: str, timeout_s: float = PATIENCE_S) -> str:
        """Wait for the answer to a command, which must have succeeded.

        Returns:
            How long it took (ms), and what else it says.
        """
        with self.arrived:
            came = self.arrived.wait_for(lambda: number in self._answers, timeout_s)
        assert came, f"the load does not answer within {timeout_s:.0f} s; see {self.file}"
        outcome, _, rest = self._answers[number].partition(" ")
        assert outcome == "ok", self._answers[number]
        return rest

    def longest_wait(self, since: float) -> float:
        """Return how long a record waited at most from a moment on (s), of those acknowledged since."""
        with self.arrived:
            return longest_wait(self.acknowledged, since)

    def stop(self) -> None:
        """End the JVM."""
        self.process.kill()
        self.process.wait()
        self._thread.join()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()


def longest_wait(acknowledged: Iterable[tuple[float, int]], since: float) -> float:
    """Return how long a record waited at most from a moment on (s).

    Args:
        acknowledged: when each acknowledgement came (s), and how long it took (ms).
        since: the moment. How long a record had waited before is not counted.
    """
    return max((min(took / 1_000, came - since) for came, took in acknowledged if came >= since), default=0.0)


@dataclass
class World:
    """The cluster; a context that ends what it started.

    Attributes:
        ours: whether the controllers are kraftpy's.
        many: how many partitions there are besides those of the load.
        replicas: how many replicas each of these has.
    """

    jars: Jars
    root: Path
    ours: bool
    many: int = 0
    replicas: int = REPLICAS
    quorum: Quorum = field(init=False)
    proxies: Proxies = field(init=False)
    load: Load | None = None
    endpoints: dict[int, int] = field(default_factory=dict)
    """The port at which each node itself listens."""
    paused: set[int] = field(default_factory=set)
    clocks: Clocks = field(init=False)
    no_small_disks: str = ""
    """Why there are no small file systems; empty where there are."""
    _mounted: ExitStack = field(default_factory=ExitStack)
    _values: Iterator[int] = field(default_factory=itertools.count)

    def __enter__(self) -> Self:
        self.quorum = Quorum(self.jars, self.root)
        self.proxies = Proxies()
        self.clocks = Clocks(self.root / "clocks", (*CONTROLLERS, *BROKERS))
        try:
            self._add_all()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for node_id in self.paused:
            self._process(node_id).resume()
        if self.load is not None:
            self.load.stop()
        self.quorum.__exit__()
        self._mounted.close()
        self.proxies.close()

    def _add_all(self) -> None:
        nodes = (*CONTROLLERS, *BROKERS)
        ports = free_ports(2 * len(nodes) + 2 * len(CONTROLLERS))
        before = dict(zip(nodes, ports, strict=False))
        self.endpoints = dict(zip(nodes, ports[len(nodes) :], strict=False))
        spare = iter(ports[2 * len(nodes) :])
        for node_id in nodes:
            self.proxies.open(node_id, before[node_id], self.endpoints[node_id])
        common = TIMERS | {
            # For controllers, too: below it they remember who may lead (eligible leader replicas).
            "min.insync.replicas": "2",
            "controller.quorum.voters": ",".join(f"{one}@{HOST}:{before[one]}" for one in CONTROLLERS),
            "controller.listener.names": "CONTROLLER",
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
        }
        for node_id in CONTROLLERS:
            own = {
                "process.roles": "controller",
                "listeners": f"CONTROLLER://{HOST}:{self.endpoints[node_id]}",
                "advertised.listeners": f"CONTROLLER://{HOST}:{before[node_id]}",
            }
            if self.ours:
                own |= {"grpc.listener": f"{HOST}:{next(spare)}", "metrics.listener": f"{HOST}:{next(spare)}"}
            self.quorum.add(node_id, ours=self.ours, properties=common | own)
        for place, node_id in enumerate(BROKERS):
            own = (
                SMALL
                | self.many_settings()
                | {
                    "process.roles": "broker",
                    "log.dirs": ",".join(str(one) for one in self.directories(node_id)),
                    "metadata.log.dir": str(self.directories(node_id)[0]),
                    "broker.rack": f"rack-{place + 1}",
                    "listeners": f"PLAINTEXT://{HOST}:{self.endpoints[node_id]}",
                    "advertised.listeners": f"PLAINTEXT://{HOST}:{before[node_id]}",
                }
            )
            self.quorum.add(node_id, ours=False, properties=common | own)
        for node_id, member in self.quorum.members.items():
            member.environment = self.clocks.environment(node_id)
        for node_id, mib in SMALL_DISKS_MIB.items():
            mounting = small_disk(self.small_disk(node_id), mib, keeps=node_id in CONTROLLERS)
            self.no_small_disks = self.no_small_disks or self._mounted.enter_context(mounting)
        self.servers = ",".join(f"{HOST}:{before[node_id]}" for node_id in BROKERS)

    def directories(self, broker: int) -> tuple[Path, Path]:
        """Return a broker's two log directories; the metadata log is in the first."""
        directory = self.root / f"kafka-{broker}"
        second = self.small_disk(broker) if broker == SMALL_DISK_BROKER else directory
        return directory / "data", second / "data-2"

    def small_disk(self, node_id: int) -> Path:
        """Return where a node has a small file system, if one can be mounted."""
        return self.root / f"kafka-{node_id}" / "small" if node_id in BROKERS else self.quorum.members[node_id].data

    @property
    def many_topics(self) -> list[str]:
        """Return the names of the topics that are only there to be many partitions."""
        return [f"{MANY}-{number}" for number in range(math.ceil(self.many / MANY_EACH))]

    def many_settings(self) -> dict[str, str]:
        """Return the settings of brokers that have many partitions: an index of each is kept in memory."""
        return {"log.index.size.max.bytes": MANY_INDEX_BYTES} if self.many else {}

    def start(self) -> None:
        """Start all, and the load."""
        self.start_nodes()
        self.load = Load(self.jars, self.root, self.servers)
        self.wait_for_brokers()

    def start_node(self, node_id: int) -> None:
        """Start a node, with more memory where there is more to remember."""
        self.proxies.accept(node_id)
        self.quorum.members[node_id].start(*(MANY_HEAP if self.many else ()))

    def add_partitions(self, *, led_by: int | None = None) -> None:
        """Make topics until there are as many partitions as are wanted.

        Args:
            led_by: which broker is preferred to lead them all; ``None`` for each broker as many as another.
        """
        assert self.load is not None
        for number, topic in enumerate(self.many_topics):
            place = number % REPLICAS if led_by is None else BROKERS.index(led_by)
            turned = BROKERS[place:] + BROKERS[:place]
            count = min(MANY_EACH, self.many - number * MANY_EACH)
            self.load.ask("create", topic, count, *turned[: self.replicas])
        if self.many:
            # A broker knows a partition long before it has made its log, and does nothing for newer topics until then.
            self.wait("the brokers have made all logs", self._has_logs)
            self.wait("all partitions are whole", self.is_whole)

    def _has_logs(self) -> bool:
        directories = (directory for broker in BROKERS for directory in set(self.directories(broker)))
        return sum(1 for one in directories for _ in one.glob(f"{MANY}-*")) >= self.many * self.replicas

    @property
    def patience_s(self) -> float:
        """How long anything is waited for."""
        return MANY_PATIENCE_S if self.many else PATIENCE_S

    def start_nodes(self) -> None:
        """Start the controllers and the brokers."""
        for node_id, member in self.quorum.members.items():
            if node_id in CONTROLLERS:
                member.format()
            else:
                for directory in self.directories(node_id):
                    format_broker(node_id, directory)
        for node_id in self.quorum.members:
            self.start_node(node_id)
        self.quorum.wait_for_leader()

    def wait_for_brokers(self) -> None:
        """Wait until each broker knows that all live."""
        self.wait("three brokers serve", lambda: all(len(self.brokers_at(one)) == REPLICAS for one in BROKERS))

    # Faults.

    def _process(self, node_id: int) -> Any:
        process = self.quorum.members[node_id].process
        assert process is not None
        return process

    def is_running(self, node_id: int) -> bool:
        """Return whether a node's process is there."""
        return bool(self._process(node_id).is_running)

    def listens(self, node_id: int) -> bool:
        """Return whether a node takes connections."""
        with suppress(OSError), socket.create_connection((HOST, self.endpoints[node_id]), ANSWER_S):
            return True
        return False

    def log_text(self, node_id: int) -> str:
        """Return what a node has logged."""
        return self.quorum.members[node_id].log_text()

    def resident_mib(self, node_id: int) -> int:
        """Return how much memory a node's process holds."""
        status = Path(f"/proc/{self._process(node_id).process.pid}/status").read_text(encoding="ascii")
        (line,) = [one for one in status.splitlines() if one.startswith("VmRSS:")]
        return round(int(line.split()[1]) / 1_024)

    def exit_code(self, node_id: int) -> int | None:
        """Return the exit code of a node's process; ``None`` while it is there."""
        code: int | None = self._process(node_id).process.poll()
        return code

    def kill(self, *nodes: int) -> None:
        """Kill -9."""
        for node_id in nodes:
            self.proxies.refuse(node_id)
            self._process(node_id).kill()

    def ask_to_stop(self, node_id: int) -> None:
        """SIGTERM."""
        self._process(node_id).process.send_signal(signal.SIGTERM)

    def stop(self, node_id: int) -> None:
        """SIGTERM, and wait: it ends by itself."""
        code = self.quorum.members[node_id].stop()
        self.proxies.refuse(node_id)
        assert code in STOPPED, f"{node_id} was asked to stop and ended with {code}"

    def freeze(self, node_id: int) -> None:
        """SIGSTOP."""
        self.paused.add(node_id)
        self._process(node_id).pause()

    def cut_off(self, *nodes: int) -> None:
        """Let nothing reach some nodes, and nothing that they say arrive."""
        self.proxies.cut_off(nodes, [one for one in (*CONTROLLERS, *BROKERS, UNKNOWN) if one not in nodes])

    @contextmanager
    def failed_directory(self, broker: int) -> Iterator[frozenset[tuple[str, int]]]:
        """Take a broker's second log directory away: files that are open can be written, none can be opened or made.

        The next checkpoint fails, so the broker gives the directory up. It is back when the block ends, which has to
        stop the broker before: nothing brings a directory back to a broker that runs.

        Returns:
            The partitions in it, by topic and number.
        """
        directory = self.directories(broker)[1]
        hidden = directory.with_name(f"{directory.name}-hidden")
        directory.rename(hidden)
        # A broker makes a directory that is not there; it cannot make one where a file is.
        directory.touch()
        try:
            yield frozenset(_partitions_in(hidden))
        finally:
            directory.unlink()
            hidden.rename(directory)

    @contextmanager
    def full_directory(self, broker: int) -> Iterator[frozenset[tuple[str, int]]]:
        """Let the file system of a broker's second log directory be full: the next append to it fails.

        As with :meth:`failed_directory` the block has to stop the broker.

        Returns:
            The partitions in it, by topic and number.
        """
        with filled(self.small_disk(broker)):
            yield frozenset(_partitions_in(self.directories(broker)[1]))

    def fill(self, controller: int) -> None:
        """Let the file system of a controller's log be full, and have changes committed until the node has ended."""
        with filled(self.small_disk(controller)) as fill:

            def has_ended() -> bool:
                fill()
                if self.is_running(controller):
                    self.commit(LARGE_VALUE_BYTES)
                return not self.is_running(controller)

            eventually(f"{controller} ends on its full disk", has_ended, (), PATIENCE_S)

    def heal(self) -> None:
        """End every fault."""
        self.proxies.heal()
        self.clocks.set_right()
        for node_id in list(self.paused):
            self._process(node_id).resume()
            self.paused.discard(node_id)
        for node_id, member in self.quorum.members.items():
            if member.process is None or not member.process.is_running:
                self.start_node(node_id)

    def active(self) -> int:
        """Return the active controller (F-2: there is one)."""
        return self.quorum.wait_for_leader().node_id

    def epoch(self) -> int:
        """Return the newest epoch that a controller knows."""
        return max(self.quorum.members[one].quorum_state().get("leaderEpoch", 0) for one in CONTROLLERS)

    # What brokers know.

    def metadata(self, broker: int, *topics: str) -> tuple[list[int], list[Partition]]:
        """Ask one broker itself for the brokers that live, and for some or all partitions.

        It is not asked for all too often where these are many.

        Args:
            broker: its id.
            topics: the names of those that are wanted, which must be there; all of them without a name.

        Raises:
            OSError: it does not answer.
        """
        if self.many and not topics:
            time.sleep(MANY_PAUSE_S)
        with socket.create_connection((HOST, self.endpoints[broker]), ANSWER_S) as connection:
            connection.sendall(_metadata_request(topics))
            file = connection.makefile("rb")
            return _read_metadata(file.read(struct.unpack(">i", file.read(4))[0]))

    def brokers_at(self, broker: int) -> list[int]:
        """Return the brokers that live, as one of them knows; none when it does not answer."""
        try:
            return sorted(self.metadata(broker)[0])
        except (OSError, struct.error):
            return []

    def partitions(self, *topics: str, without: Sequence[int] = ()) -> list[Partition]:
        """Return the partitions of some topics, or all, as the first broker knows that answers."""
        for broker in BROKERS:
            if broker in without or broker in self.paused:
                continue
            with suppress(OSError, struct.error):
                return self.metadata(broker, *topics)[1]
        return []

    def leader_of(self, topic: str) -> int:
        """Return who leads the first partition of a topic."""
        return next((one.leader for one in self.partitions(topic) if one.number == 0), -1)

    def is_whole(self) -> bool:
        """Return whether every broker knows that all live, and that all their replicas are in sync (F-15, F-17)."""
        for broker in BROKERS:
            try:
                living, partitions = self.metadata(broker)
            except (OSError, struct.error):
                return False
            if sorted(living) != list(BROKERS):
                return False
            if any(one.leader < 0 or len(one.isr) != len(one.replicas) for one in partitions):
                return False
        return True

    def audit(self) -> list[str]:
        """Audit the metadata logs of all nodes, while all is whole; return what should not be found."""
        self.wait("all is whole for the audit", self.is_whole)
        return audited([member.directory for member in self.quorum.members.values()], self.root / "audited")

    def wait(self, what: str, probe: Callable[[], object], timeout_s: float | None = None) -> float:
        """Wait until something is so; return when it was, by the monotonic clock."""
        eventually(what, probe, self.quorum.running, self.patience_s if timeout_s is None else timeout_s)
        return time.monotonic()

    # What a controller commits.

    def commit(self, size: int = 0, timeout_s: float = PATIENCE_S) -> None:
        """Have a new value of a config committed, by whichever controller takes it; of ``size`` bytes at least."""
        value = f"{next(self._values)}.".ljust(size, "x")
        change = rpc.IncrementalAlterConfigsRequestAlterableConfig("metrics", 0, value)
        row = rpc.IncrementalAlterConfigsRequestAlterConfigsResource(16, "prober", [change])
        ends = time.monotonic() + timeout_s
        while time.monotonic() < ends:
            for node_id in CONTROLLERS:
                if node_id in self.paused or not self._process(node_id).is_running:
                    continue
                with suppress(OSError, AssertionError):
                    address = f"{HOST}:{self.endpoints[node_id]}"
                    with Controller(address, CLUSTER_ID) as controller:
                        answer = controller.ask(rpc.IncrementalAlterConfigsRequest([row]), 1)
                        if answer.responses[0].error_code == 0:
                            return
            time.sleep(0.002)
        raise AssertionError(f"no controller commits within {timeout_s:.0f} s")


def format_broker(node_id: int, directory: Path) -> None:
    """Write what ``kafka-storage format`` writes for a broker; a JVM less for each."""
    directory.mkdir(parents=True, exist_ok=True)
    directory_id = uuid_to_text(uuid_from_random(os.urandom))
    text = f"version=1\ncluster.id={CLUSTER_ID}\nnode.id={node_id}\ndirectory.id={directory_id}\n"
    (directory / "meta.properties").write_text(text, encoding="utf-8")


def _partitions_in(directory: Path) -> Iterator[tuple[str, int]]:
    """List the partitions that have a replica in a directory, without those that are being deleted."""
    for path in directory.iterdir():
        topic, _, number = path.name.rpartition("-")
        if path.is_dir() and number.isdecimal():
            yield topic, int(number)


def _text(value: str) -> bytes:
    return struct.pack(">h", len(value)) + value.encode()


def _metadata_request(topics: Sequence[str]) -> bytes:
    """Encode Metadata, version 1, of some topics or all: kraftpy has no codec for what only brokers answer."""
    body = struct.pack(">hhi", 3, 1, 1) + _text("faults") + struct.pack(">i", len(topics) or -1)
    body += b"".join(map(_text, topics))
    return struct.pack(">i", len(body)) + body


class _Cursor:
    """Reads fields one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, form: str) -> Any:
        (value,) = struct.unpack_from(f">{form}", self._data, self._at)
        self._at += struct.calcsize(f">{form}")
        return value

    def text(self) -> str:
        size = max(0, self.take("h"))
        self._at += size
        return self._data[self._at - size : self._at].decode()

    def ids(self) -> tuple[int, ...]:
        return tuple(self.take("i") for _ in range(self.take("i")))


def _read_metadata(data: bytes) -> tuple[list[int], list[Partition]]:
    cursor = _Cursor(data)
    cursor.take("i")
    brokers, partitions = [], []
    for _ in range(cursor.take("i")):
        brokers.append(cursor.take("i"))
        cursor.text()
        cursor.take("i")
        cursor.text()
    cursor.take("i")
    for _ in range(cursor.take("i")):
        cursor.take("h")
        topic = cursor.text()
        cursor.take("b")
        for _ in range(cursor.take("i")):
            cursor.take("h")
            number, leader = cursor.take("i"), cursor.take("i")
            partitions.append(Partition(topic, number, leader, cursor.ids(), cursor.ids()))
    return brokers, partitions
