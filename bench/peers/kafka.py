"""Apache Kafka's own controllers, from its jars; driven by our own client over their listener, or by Kafka's.

The jars are those that ``make interop`` fetches. Three nodes of the role ``controller`` are all that is needed: since
KIP-919 a controller takes IncrementalAlterConfigs, DescribeConfigs and DescribeQuorum on its own listener, so the very
frames that kraftpy gets in its form ``kafka`` go to Kafka, from the same program.

Everything is at its default, fsync included: Kafka's metadata log is flushed on every append, on leader and followers.
By default the leader waits up to 25 ms for company before it appends (``controller.quorum.append.linger.ms``), which
one write in flight pays in full; ``kafka-no-linger`` is the same with 0. Each request in flight has a connection of its
own, for Kafka takes one request of a connection at a time: over four, as kraftpy gets them, it does a tenth.
"""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from bench.background import wire_writer
from bench.peers.admin import run_admin
from bench.peers.ensemble import HOST, NODES, START_TIMEOUT_S, Ensemble, free_ports
from bench.requests import CONNECTIONS_MAX
from bench.wire import run_wire
from bench.work import ADMIN, BackgroundWriter, Measuring, Outcome, Prober, SkippedError, Work, eventually
from bench.writer import LOST, Caller, Writer, run_load, wire_prober
from bench.writes import KEY, MARK_INDEX, alike, name_of, value_of
from kraftpy.model.resource_types import ResourceType
from kraftpy.records.generated import rpc
from kraftpy.storage.names import METADATA_DIRECTORY
from tests.interop.jars import Jars, NoKafkaError, fetch

SERVER_HEAP = "2g"
GARBAGE_COLLECTION = (
    "-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20", "-XX:InitiatingHeapOccupancyPercent=35",
    "-XX:+ExplicitGCInvokesConcurrent", "-XX:MaxInlineLevel=15",
)  # fmt: skip
"""What Kafka's own start script says."""

CLUSTER_ID = "a3JhZnRweS1iZW5jaC0xIA"
FORMAT_TIMEOUT_S = 120.0
DESCRIBE_VERSION = 4
QUORUM_VERSION = 2
METADATA_TOPIC = "__cluster_metadata"
WARM_UP_S = 30.0
"""A fresh Java process commits a fifth of what it does half a minute later."""

LOG4J = """\
rootLogger.level = INFO
rootLogger.appenderRef.out.ref = OUT
appender.out.type = Console
appender.out.name = OUT
appender.out.layout.type = PatternLayout
appender.out.layout.pattern = %d{UNIX_MILLIS} %p %m (%c{1})%n%ex
"""

MARKS = {
    "Completed transition to ProspectiveState(": "detect",
    "Completed transition to Leader(": "elect",
    "Performing controller activation.": "activate",
}
"""What a node's log says when it has given its leader up, has been elected, is active."""


class Kafka(Ensemble):
    """Three of Kafka's controllers.

    Args:
        linger_ms: how long the leader waits for company; ``None`` for Kafka's default.

    Attributes:
        heap: the largest that a controller may have that is started from now on.
    """

    forms = ("kafka", ADMIN)
    probers = ("kafka",)
    warm_up_s = WARM_UP_S
    connections_max = CONNECTIONS_MAX

    def __init__(self, *, linger_ms: int | None = None) -> None:
        super().__init__()
        self.name = "kafka" if linger_ms is None else "kafka-no-linger"
        self.heap = SERVER_HEAP
        self._linger_ms = linger_ms
        self._jars: Jars | None = None
        self._callers: dict[str, Caller] = {}
        self._marks = 0

    def version(self) -> str:
        """Return its version, and fetch its jars."""
        try:
            self._jars = fetch()
        except NoKafkaError as error:
            raise SkippedError(str(error)) from error
        return self._jars.version

    # Processes.

    def names(self) -> list[str]:
        """Return the controllers' names."""
        return [f"kafka-{number}" for number in range(1, NODES + 1)]

    def configure(self, root: Path) -> None:
        """Choose ports, write the files, and have Kafka's tool format the directories."""
        self.addresses = {name: (HOST, port) for name, port in zip(self.names(), free_ports(NODES), strict=True)}
        self._callers = {name: Caller(address) for name, address in self.addresses.items()}
        (root / "log4j2.properties").write_text(LOG4J, encoding="utf-8")
        voters = ",".join(f"{_id_of(name)}@{HOST}:{port}" for name, (_, port) in self.addresses.items())
        for name, (_, port) in self.addresses.items():
            settings = [
                "process.roles=controller",
                f"node.id={_id_of(name)}",
                f"controller.quorum.voters={voters}",
                f"listeners=CONTROLLER://{HOST}:{port}",
                "controller.listener.names=CONTROLLER",
                f"log.dirs={root / name}",
            ]
            if self._linger_ms is not None:
                settings.append(f"controller.quorum.append.linger.ms={self._linger_ms}")
            self._config_file(name).write_text("\n".join(settings) + "\n", encoding="utf-8")
        self._format(root)

    def _format(self, root: Path) -> None:
        """Format all directories at once: each takes a Java process some seconds.

        Raises:
            RuntimeError: one of them could not be formatted.
        """
        running = {}
        for name in self.names():
            arguments = ("format", "--cluster-id", CLUSTER_ID, "--config", str(self._config_file(name)))
            with (root / f"{name}.log").open("ab") as log:
                command = self._java("kafka.tools.StorageTool", *arguments)
                running[name] = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        codes = {name: process.wait(FORMAT_TIMEOUT_S) for name, process in running.items()}
        failed = [name for name, code in codes.items() if code]
        if failed:
            raise RuntimeError(f"kafka-storage format failed; see {root / failed[0]}.log")

    def _config_file(self, name: str) -> Path:
        return self._root / f"{name}.properties"

    def _java(self, main: str, *arguments: str, options: Sequence[str] = ()) -> Sequence[str]:
        assert self._jars is not None
        logs = (f"-Dlog4j2.configurationFile={self._root / 'log4j2.properties'}", f"-Dkafka.logs.dir={self._root}")
        return ("java", *options, "-Djava.awt.headless=true", *logs, "-cp", self._jars.classpath, main, *arguments)

    def command(self, name: str) -> Sequence[str]:
        """Return a controller's command line, as Kafka's start script makes it but for the heap."""
        options = (f"-Xmx{self.heap}", *GARBAGE_COLLECTION)
        return self._java("kafka.Kafka", str(self._config_file(name)), options=options)

    async def start(self, root: Path) -> None:
        """Start three controllers and wait for the first committed write."""
        await super().start(root)
        await self.mark()

    async def stop(self) -> None:
        """Kill them."""
        for caller in self._callers.values():
            caller.close()
        await super().stop()

    async def stop_node(self, name: str, *, kill: bool) -> None:
        """End one controller."""
        self._callers[name].close()
        await super().stop_node(name, kill=kill)

    # Questions.

    async def _quorum(self) -> rpc.DescribeQuorumResponsePartitionData | None:
        """Ask the controllers in turn; only the one that leads knows."""
        partition = rpc.DescribeQuorumRequestPartitionData(0)
        topic = rpc.DescribeQuorumRequestTopicData(METADATA_TOPIC, [partition])
        for name in self.pids:
            try:
                answer = await self._callers[name].ask(rpc.DescribeQuorumRequest([topic]), QUORUM_VERSION)
            except LOST:
                continue
            assert isinstance(answer, rpc.DescribeQuorumResponse)
            reported = answer.topics[0].partitions[0] if not answer.error_code and answer.topics else None
            if reported is not None and not reported.error_code:
                return reported
        return None

    async def leader(self) -> str:
        """Ask until a controller says that it leads."""
        found: list[str] = []

        async def known() -> bool:
            reported = await self._quorum()
            found[:] = [] if reported is None else [f"kafka-{reported.leader_id}"]
            return bool(found)

        await eventually(known, "Kafka has an active controller", START_TIMEOUT_S, 0.1)
        return found[0]

    async def positions(self) -> dict[str, int]:
        """Return the log end offsets that the leader knows of."""
        reported = await self._quorum()
        return (
            {}
            if reported is None
            else {f"kafka-{one.replica_id}": one.log_end_offset for one in reported.current_voters}
        )

    async def loaded(self, name: str) -> int:
        """Return the number of the last mark in the controller's published state; -1 while it does not answer."""
        resource = rpc.DescribeConfigsRequestDescribeConfigsResource(
            ResourceType.CLIENT_METRICS, name_of(MARK_INDEX), None
        )
        try:
            answer = await self._callers[name].ask(rpc.DescribeConfigsRequest([resource]), DESCRIBE_VERSION)
        except LOST:
            return -1
        assert isinstance(answer, rpc.DescribeConfigsResponse)
        (result,) = answer.results
        if result.error_code:
            return -1
        return next((int(one.value) for one in result.configs if one.name == KEY and one.value), 0)

    async def mark(self) -> int:
        """Write the next mark and return it: a node that has it in its state has all that was written before."""
        self._marks += 1
        writer = Writer(list(self.addresses.values()))
        try:
            await writer.write(MARK_INDEX, 1, alike(value_of(self._marks, 1)))
        finally:
            writer.close()
        return self._marks

    def phases(self, killed: str, killed_at: float) -> dict[str, float]:
        """Read the survivors' logs."""
        logs = [self._root / f"{name}.log" for name in self.names() if name != killed]
        return marks((log.read_text(encoding="utf-8", errors="replace") for log in logs), killed_at)

    def log_bytes(self, name: str) -> int:
        """Count the bytes of all segments: Kafka allocates none ahead."""
        return sum(segment.stat().st_size for segment in self.metadata_directory(name).glob("*.log"))

    def metadata_directory(self, name: str) -> Path:
        """Return where a node's metadata log is."""
        return self._root / name / METADATA_DIRECTORY

    # Work.

    async def run(self, work: Work, measuring: Measuring) -> Outcome:
        """Write through our own client, or Kafka's admin client."""
        if work.form == ADMIN:
            return await run_admin(self.addresses.values(), work, measuring)
        if work.total:
            outcome = await run_load(list(self.addresses.values()), work, measuring)
            await self.mark()
            return outcome
        # Kafka takes one request of a connection at a time: it takes one connection for each request in flight.
        return await run_wire(self.addresses[await self.leader()], work, measuring, self.connections_max)

    @asynccontextmanager
    async def prober(self, form: str = "") -> AsyncIterator[Prober]:
        """Connect to every controller."""
        del form
        async with wire_prober(list(self.addresses.values())) as prober:
            yield prober

    @asynccontextmanager
    async def background_writer(self, form: str = "") -> AsyncIterator[BackgroundWriter]:
        """Connect to every controller, many times."""
        del form
        async with wire_writer(list(self.addresses.values())) as writer:
            yield writer


def marks(logs: Iterable[str], killed_at: float) -> dict[str, float]:
    """Return when each mark came first on any survivor, in ms since the kill."""
    found: dict[str, float] = {}
    for line in (line for log in logs for line in log.splitlines()):
        mark = next((mark for words, mark in MARKS.items() if words in line), None)
        at, _, _ = line.partition(" ")
        if mark is not None and at.isdecimal() and int(at) >= killed_at * 1000:
            found[mark] = min(found.get(mark, float("inf")), int(at) - killed_at * 1000)
    return found


def _id_of(name: str) -> int:
    return int(name.rpartition("-")[2])
