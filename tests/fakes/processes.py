"""A cluster of real processes on loopback, to be killed, frozen and read from outside.

It builds on the product's own sandbox and children, so what is started here is what ``quickstart`` starts. Ports and
directories belong to one test alone. A test that fails gets the last lines of every node's log with its error; the
directories stay where pytest keeps ``tmp_path``.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

import grpc

from kraftpy.authenticator.login import Login
from kraftpy.client.async_client import AsyncClient
from kraftpy.client.errors import UnavailableError, UnknownOutcomeError
from kraftpy.client.values import ConfigChange, Resource, WatchedBatch
from kraftpy.local_cluster.child_processes import Child, ChildProcesses, log_tail, start_child
from kraftpy.local_cluster.cluster import LocalCluster, LocalNode, open_local_cluster
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.features import SchemaSet
from kraftpy.model.replica_status import ReplicaStatus
from kraftpy.model.resource_types import ResourceType
from kraftpy.records.batch import BATCH_HEADER_BYTES, Batch, parse_batch, read_header
from kraftpy.records.metadata import ConfigRecord, LogRecord, decode_record
from kraftpy.records.properties import render_properties
from kraftpy.storage.filesystem import RealFileSystem
from kraftpy.storage.names import METADATA_DIRECTORY, segment_base_offset
from kraftpy.storage.replica_status import ReplicaStatusFile
from tests.fakes.launched import LaunchedProcess, launch, launch_now, run

T = TypeVar("T")

POLL_S = 0.05
PAUSE_S = 0.01
"""What a writer leaves to the others after each write: the machine has few cores, and the load is no benchmark."""

PATIENCE_S = 40.0
"""How long anything may take on a machine that has other things to do."""

QUICK_TIMERS = {
    "controller.quorum.fetch.timeout.ms": "1000",
    "controller.quorum.election.timeout.ms": "500",
    "controller.quorum.election.backoff.max.ms": "200",
    "broker.heartbeat.interval.ms": "300",
    "broker.session.timeout.ms": "3000",
}
"""Shorter than the defaults, for tests that wait for a timer, and longer than a busy machine's hiccups."""

STEADY: Final = {"controller.quorum.fetch.timeout.ms": "15000"}
"""For tests that count on one leader, which no fault ends: however busy the machine is, none is deposed."""

PATIENT: Final = {"controller.quorum.fetch.timeout.ms": "3000"}
"""For tests that kill a leader and count on the one before and the one after: both are waited for, and deposed by
nothing but a machine that stops for seconds."""

SCRAPE_S: Final = 10.0
"""How long a node has to answer with its metrics. One that is down refuses the connection at once."""

ROOT = Path(__file__).resolve().parents[2]
KEY = "streams.initial.rebalance.delay.ms"
UNANSWERED = (OSError, EOFError, TimeoutError)


async def eventually(
    probe: Callable[[], Awaitable[T]], until: Callable[[T], object], what: str, timeout_s: float = PATIENCE_S
) -> T:
    """Ask until the answer is right; fail with the last answer when it never is."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + timeout_s
    while True:
        answer = await probe()
        if until(answer):
            return answer
        if loop.time() > deadline:
            raise AssertionError(f"not within {timeout_s:.0f} s: {what}; the last answer was {answer!r}")
        await asyncio.sleep(POLL_S)


@dataclass
class Cluster:
    """The processes of one sandbox."""

    sandbox: LocalCluster
    children: ChildProcesses
    paused: set[int] = field(default_factory=set)
    credentials: grpc.ChannelCredentials | None = None
    """What clients show and believe, where the public API speaks TLS."""
    login: Login | None = None
    """What clients authenticate themselves with, where the public API speaks SASL."""
    forks: bool = True
    """Whether one interpreter is forked for all nodes. Interpreters of their own hash strings each in another order."""

    # Processes.

    def node(self, node_id: int) -> LocalNode:
        return next(node for node in self.sandbox.nodes if node.node_id == node_id)

    def child(self, node_id: int) -> Child:
        return self.children.by_id[node_id]

    @property
    def controller_ids(self) -> list[int]:
        return [node.node_id for node in self.sandbox.controllers]

    @property
    def running_controllers(self) -> list[int]:
        """Those that can answer."""
        return [node_id for node_id in self.controller_ids if self.is_running(node_id) and node_id not in self.paused]

    def is_running(self, node_id: int) -> bool:
        child = self.children.by_id.get(node_id)
        return child is not None and child.exit_code is None

    async def start(self, *node_ids: int) -> None:
        for node_id in node_ids:
            node = self.node(node_id)
            self.children.by_id[node_id] = await (forked(node) if self.forks else start_child(node))

    async def start_script(self, script: Path, node_id: int) -> None:
        """Start a node by a script of the tests; see :mod:`tests.fakes.altered_node`."""
        node = self.node(node_id)
        argv = [str(script), node.kind.value, "--config", str(node.config_file)]
        if self.forks:
            self.children.by_id[node_id] = Child(node, await launch("script", node.log_file, argv))
        else:
            self.children.by_id[node_id] = await executed(node, argv)

    async def kill(self, *node_ids: int) -> None:
        """Kill -9, all of them before any is waited for."""
        for node_id in node_ids:
            self.child(node_id).signal(signal.SIGKILL)
        for node_id in node_ids:
            await self.child(node_id).wait()

    async def terminate(self, node_id: int, timeout_s: float = PATIENCE_S) -> int:
        """SIGTERM; returns the exit code."""
        self.child(node_id).signal(signal.SIGTERM)
        return await self.exit_code(node_id, timeout_s)

    async def exit_code(self, node_id: int, timeout_s: float = PATIENCE_S) -> int:
        """Wait for a process to end by itself."""
        async with asyncio.timeout(timeout_s):
            return await self.child(node_id).wait()

    def pause(self, node_id: int) -> None:
        self.paused.add(node_id)
        self.child(node_id).signal(signal.SIGSTOP)

    def resume(self, node_id: int) -> None:
        self.paused.discard(node_id)
        self.child(node_id).signal(signal.SIGCONT)

    def log_of(self, node_id: int) -> str:
        return self.node(node_id).log_file.read_text(encoding="utf-8", errors="replace")

    async def states(self, node_id: int, text: str) -> None:
        """Wait for a text in a node's log."""

        async def found() -> bool:
            return text in self.log_of(node_id)

        await eventually(found, bool, f"{self.node(node_id).name} says {text!r}")

    # What the nodes answer.

    def client(self, *node_ids: int, timeout_s: float = PATIENCE_S) -> AsyncClient:
        """A client of some controllers, or of all. Reads through a client of one node are that node's."""
        targets = [self.node(node_id).grpc_endpoint for node_id in node_ids or self.controller_ids]
        given = [target for target in targets if target]
        return AsyncClient(given, timeout_s=timeout_s, credentials=self.credentials, login=self.login)

    async def metrics(self, node_id: int) -> dict[str, float]:
        """The node's gauges; empty when it does not answer."""
        host, _, port = self.node(node_id).properties["metrics.listener"].rpartition(":")
        return await scrape(host, int(port))

    async def leader(self, timeout_s: float = PATIENCE_S) -> int:
        """Wait until a majority of the controllers follows one that leads, and return it."""

        async def agreed() -> int | None:
            gauges = {node_id: await self.metrics(node_id) for node_id in self.running_controllers}
            votes = [
                (int(one["kraft_current_leader"]), int(one["kraft_current_epoch"])) for one in gauges.values() if one
            ]
            for leader_id, epoch in set(votes):
                leads = gauges.get(leader_id, {}).get("kraft_active_controller") == 1.0
                if leads and votes.count((leader_id, epoch)) * 2 > len(self.controller_ids):
                    return leader_id
            return None

        found = await eventually(agreed, lambda one: one is not None, "a majority knows a leader", timeout_s)
        assert found is not None
        return found

    async def lead(self, node_id: int) -> None:
        """Have a controller lead. A transfer that it was too slow for is asked for again, as an operator does."""

        async def asked() -> int | str:
            try:
                async with self.client() as client:
                    await client.transfer_leadership(node_id)
            except (UnavailableError, ApiError) as error:
                return str(error)
            return await self.leader()

        await eventually(asked, lambda found: found == node_id, f"{self.node(node_id).name} leads")

    async def caught_up(self, node_id: int, offset: int, timeout_s: float = PATIENCE_S) -> None:
        """Wait until a node has published everything up to an offset."""
        await eventually(
            lambda: self.metrics(node_id),
            lambda one: one.get("kraft_last_applied_record_offset", -1) >= offset,
            f"{self.node(node_id).name} has offset {offset}",
            timeout_s,
        )

    async def brokers(self) -> dict[int, bool]:
        """Broker ids, and whether each is fenced."""
        async with self.client(*self.running_controllers) as client:
            cluster = await client.describe_cluster(include_fenced=True)
            return {one.broker_id: one.fenced for one in cluster.brokers}

    def data(self, node_id: int) -> Path:
        """The directory of the node's metadata log."""
        return self.node(node_id).log_dirs[0] / METADATA_DIRECTORY


async def forked(node: LocalNode) -> Child:
    """Start a node as :func:`start_child` does, but without the imports."""
    return Child(node, await launch("start", node.log_file, [node.kind.value, "--config", str(node.config_file)]))


async def executed(node: LocalNode, argv: Sequence[str]) -> Child:
    """Start a script as a node, by an interpreter of its own."""
    with node.log_file.open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *argv,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])},
        )
    return Child(node, process)


@asynccontextmanager
async def running(
    root: Path,
    *,
    controllers: int = 3,
    brokers: int = 0,
    extra: Mapping[str, str] | None = None,
    start: bool = True,
    forks: bool = True,
) -> AsyncIterator[Cluster]:
    """Start a cluster; in the end everything is killed, and a failure takes the last lines of the logs with it."""
    sandbox = open_local_cluster(root, controllers=controllers, brokers=brokers, extra=QUICK_TIMERS | dict(extra or {}))
    cluster = Cluster(sandbox, ChildProcesses(sandbox), forks=forks)
    try:
        if start:
            await cluster.start(*(node.node_id for node in sandbox.nodes))
        yield cluster
    except Exception as error:
        for node in sandbox.nodes:
            gauges = {name: value for name, value in (await cluster.metrics(node.node_id)).items() if value}
            error.add_note(f"--- {node.log_file}\n{log_tail(node.log_file, 2_000)}\n{gauges}")
        raise
    finally:
        await cluster.kill(*cluster.children.by_id)


async def scrape(host: str, port: int) -> dict[str, float]:
    """Read a metrics page."""
    try:
        async with asyncio.timeout(SCRAPE_S):
            page = await _get(host, port, "/metrics")
    except UNANSWERED:
        return {}
    found = {}
    for line in page.splitlines():
        name, _, value = line.rpartition(" ")
        if name and not line.startswith("#"):
            found[name] = float(value)
    return found


async def _get(host: str, port: int, path: str) -> str:
    reader, writer = await asyncio.open_connection(host, port)
    try:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        answer = await reader.read()
    finally:
        writer.close()
    return answer.partition(b"\r\n\r\n")[2].decode()


# Load.


@dataclass
class Load:
    """Writers that set one config of ever new groups, and remember what was acknowledged.

    Attributes:
        acknowledged: group -> (value, offset).
        unsure: groups whose write may or may not have been committed.
    """

    client: AsyncClient
    prefix: str = "g"
    acknowledged: dict[str, tuple[str, int]] = field(default_factory=dict)
    unsure: set[str] = field(default_factory=set)
    count: int = 0

    async def write(self) -> None:
        """Write one value that was not written before."""
        self.count += 1
        name, value, request_id = f"{self.prefix}-{self.count:06d}", str(10_000 + self.count), os.urandom(16)
        try:
            answer = await self.client.incremental_alter_configs(
                group(name, value), request_id=request_id, retry_unknown=True
            )
        except (UnknownOutcomeError, UnavailableError, ApiError):
            self.unsure.add(name)
        else:
            assert answer.outcomes[0].error is ErrorCode.NONE, answer.outcomes
            self.acknowledged[name] = (value, answer.position.offset)

    async def keep_writing(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            await self.write()
            await asyncio.sleep(PAUSE_S)

    async def grow(self, by: int) -> None:
        """Wait until ``by`` more writes are acknowledged."""
        target = len(self.acknowledged) + by

        async def count() -> int:
            return len(self.acknowledged)

        await eventually(count, lambda have: have >= target, f"{target} writes are acknowledged")

    @property
    def last_offset(self) -> int:
        return max(offset for _, offset in self.acknowledged.values())

    def missing(self, values: Mapping[str, str]) -> dict[str, str]:
        """What was acknowledged and is not there, or differs."""
        return {name: value for name, (value, _) in self.acknowledged.items() if values.get(name) != value}


@asynccontextmanager
async def under_load(
    cluster: Cluster, *, writers: int = 4, prefix: str = "g", timeout_s: float = PATIENCE_S
) -> AsyncIterator[Load]:
    """Keep some writers busy inside the block; ``timeout_s`` is how long each write waits for its answer."""
    stop = asyncio.Event()
    async with cluster.client(timeout_s=timeout_s) as client:
        load = Load(client, prefix)
        async with asyncio.TaskGroup() as tasks:
            for _ in range(writers):
                tasks.create_task(load.keep_writing(stop))
            try:
                yield load
            finally:
                stop.set()


def group(name: str, value: str) -> dict[Resource, list[ConfigChange]]:
    """The change that gives a group's key a value."""
    return {Resource(ResourceType.GROUP, name): [ConfigChange(KEY, value)]}


async def described(client: AsyncClient) -> dict[str, str]:
    """Group -> value, as DescribeConfigs returns it."""
    configs = await client.describe_configs()
    return {one.name: keys[KEY] for one, keys in configs.resources.items() if KEY in keys}


# Logs.


async def watched(client: AsyncClient, upto: int) -> list[WatchedBatch]:
    """Watch from offset 0 until an offset has come; a snapshot on the way is a failure."""
    batches: list[WatchedBatch] = []
    async with asyncio.timeout(PATIENCE_S), aclosing(client.watch(0)) as events:
        async for event in events:
            assert isinstance(event, WatchedBatch), f"a log that was never cleaned starts with {event!r}"
            batches.append(event)
            if event.last_offset >= upto:
                return batches
    raise AssertionError("a watch ends only when its reader leaves")


def check_offsets(batches: Iterable[WatchedBatch | Batch], start: int = 0) -> None:
    """Check that each offset is there once, in order."""
    due = start
    for batch in batches:
        assert batch.base_offset == due, f"offset {batch.base_offset} came where {due} was due"
        due = batch.last_offset + 1


def groups_in(batches: Iterable[Batch]) -> dict[str, str]:
    """Group -> value, by replaying config records."""
    found = {}
    for record in records_of(batches):
        if isinstance(record, ConfigRecord) and record.name == KEY and record.value is not None:
            found[record.resource_name] = record.value
    return found


def records_of(batches: Iterable[Batch]) -> list[LogRecord]:
    """All metadata records."""
    return [
        decode_record(value, SchemaSet.KRAFTPY) for batch in batches if not batch.is_control for value in batch.values()
    ]


def parsed(batches: Iterable[WatchedBatch]) -> list[Batch]:
    return [parse_batch(batch.records) for batch in batches]


def read_log(directory: Path) -> list[Batch]:
    """Read the segment files up to their zeros or to a torn end, checking every checksum."""
    batches = []
    for path in sorted(directory.glob("*.log")):
        if segment_base_offset(path.name) is None:
            continue
        data, at = path.read_bytes(), 0
        while len(data) - at > BATCH_HEADER_BYTES and data[at + 16] == 2:
            size = read_header(data, at).size
            if at + size > len(data):
                break
            batches.append(parse_batch(data[at : at + size]))
            at += size
    return batches


# Single commands.


def kraftpy(*args: object, timeout_s: float = PATIENCE_S) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return run([str(arg) for arg in args], timeout_s)


def run_node(node: LocalNode, timeout_s: float = PATIENCE_S) -> subprocess.CompletedProcess[str]:
    """Run a node that is expected to refuse to start."""
    return kraftpy(node.kind.value, "--config", node.config_file, timeout_s=timeout_s)


@contextmanager
def started(node: LocalNode, until: str) -> Iterator[LaunchedProcess]:
    """Start one node outside of a cluster, wait for a word in its log, and kill it in the end.

    The log goes to the node's log file, as in a sandbox.
    """
    node.log_file.unlink(missing_ok=True)
    process = launch_now(node.log_file, [node.kind.value, "--config", str(node.config_file)])
    deadline = time.monotonic() + PATIENCE_S
    try:
        while until not in log_tail(node.log_file, 1 << 20):
            assert process.returncode is None, log_tail(node.log_file)
            assert time.monotonic() < deadline, f"{until!r} is not in {log_tail(node.log_file)}"
            time.sleep(POLL_S)
        yield process
    finally:
        process.send_signal(signal.SIGKILL)
        process.ended.result(PATIENCE_S)


def error_line(result: subprocess.CompletedProcess[str]) -> str:
    """The one line that says why; anything else in the way of a traceback is a failure."""
    assert "Traceback" not in result.stderr, result.stderr
    lines = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
    assert len(lines) == 1, result.stderr
    return lines[0].removeprefix("error: ")


def complaints(result: subprocess.CompletedProcess[str]) -> str:
    """What is on stderr beside the lines of a command that had to wait, as on a busy machine."""
    return without_waits(result.stderr)


def without_waits(errors: str) -> str:
    """What a command printed on stderr, without the lines that say what it waits for."""
    return "".join(line for line in errors.splitlines(keepends=True) if not line.startswith("# waiting: "))


def configure(node: LocalNode, **changes: str) -> None:
    """Change properties of a node's file; dots are written as ``__``."""
    node.properties.update({key.replace("__", "."): value for key, value in changes.items()})
    node.config_file.write_text(render_properties(node.properties), encoding="utf-8")


def status_in(directory: Path) -> ReplicaStatus:
    """Read the status of the replica of a metadata directory."""
    return ReplicaStatusFile.read(RealFileSystem(), str(directory)).value
