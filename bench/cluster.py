"""kraftpy under test: three controllers as processes, on a sandbox of their own, with the product's defaults."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bench.background import ClientWriter, wire_writer
from bench.forms import ALL_FORMS, FORMS, Leader, run_form
from bench.grpc_reads import READERS, read, watch
from bench.machine import CHECKOUT, commit
from bench.peers.admin import run_admin
from bench.peers.ensemble import cache_directory
from bench.phases import marks
from bench.reading import Reading, Watched, Watching
from bench.work import (
    ADMIN,
    AS_IT_IS,
    CONNECTIONS,
    WARM_UP_S,
    Address,
    BackgroundWriter,
    Measuring,
    Outcome,
    Prober,
    SkippedError,
    Variant,
    Work,
    eventually,
)
from bench.writer import wire_prober
from bench.writes import changes
from deploy.compiled.build import FORM, is_fresh
from deploy.compiled.modules import MODULES
from kraftpy.client.async_client import AsyncClient
from kraftpy.client.errors import UnavailableError, UnknownOutcomeError
from kraftpy.local_cluster.child_processes import ChildProcesses, start_child
from kraftpy.local_cluster.cluster import LocalCluster, LocalNode, open_local_cluster
from kraftpy.node.build_info import form_text
from kraftpy.storage.names import METADATA_DIRECTORY

CONTROLLERS = 3
START_TIMEOUT_S = 60.0
HTTP_TIMEOUT_S = 5.0
CHUNK_BYTES = 1024 * 1024
PROPERTIES = {"log.format": "json", "max.connections": "20000"}
"""The default of ``max.connections`` is 1,000: fewer than as many brokers need, each with its own."""
UNANSWERED = (OSError, EOFError, TimeoutError)


class KraftPy:
    """Three controllers.

    Args:
        build: ``plain`` runs the sources, in whatever form this process does; ``compiled`` what ``make compiled`` built
            of them.
        variant: settings that all three have besides.

    Attributes:
        beside: the name of the system that this one is a variant of; empty when it is none.
        heap: of its Java processes, which it has none of.
    """

    forms = ALL_FORMS
    probers = ("client", "kafka")
    readers = READERS
    warm_up_s = WARM_UP_S
    connections_max = CONNECTIONS
    heap = ""

    def __init__(self, build: str = "plain", variant: Variant = AS_IT_IS) -> None:
        as_it_is = "kraftpy" if build == "plain" else f"kraftpy {build}"
        self.name = f"{as_it_is}, {variant.name}" if variant.name else as_it_is
        self.beside = as_it_is if variant.name else "kraftpy" if build != "plain" else ""
        self._build = build
        self._extra = PROPERTIES | dict(variant.settings)
        self._sandbox: LocalCluster | None = None
        self._children: ChildProcesses | None = None

    def version(self) -> str:
        """Return the checkout's commit, and the form of the nodes.

        Raises:
            SkippedError: the compiled form is not there, or not of these sources.
        """
        if self._build == "plain":
            return f"{commit()}, compiled: {form_text()}"
        if not is_fresh():
            raise SkippedError(f"{FORM} is not what the sources are now: run `make compiled`")
        return f"{commit()}, compiled: yes ({len(MODULES)} modules)"

    @property
    def _environment(self) -> dict[str, str]:
        """What lets a node import the form that is measured: the working directory would come first.

        Its bytecode is kept, as an installed package's is, whatever is set for this process.
        """
        kept = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(cache_directory("bytecode"))}
        if self._build == "plain":
            return kept
        return kept | {"PYTHONPATH": str(CHECKOUT / FORM), "PYTHONSAFEPATH": "1"}

    # Processes.

    @property
    def _nodes(self) -> dict[str, LocalNode]:
        assert self._sandbox is not None
        return {node.name: node for node in self._sandbox.controllers}

    @property
    def _started(self) -> ChildProcesses:
        assert self._children is not None
        return self._children

    @property
    def pids(self) -> dict[str, int]:
        """The running controllers."""
        children = self._started.by_id.values()
        return {child.node.name: child.pid for child in children if child.exit_code is None}

    @property
    def addresses(self) -> dict[str, Address]:
        """The controllers' listeners."""
        return {name: _kafka_address(node) for name, node in self._nodes.items()}

    async def start(self, root: Path) -> None:
        """Start three controllers and wait for the first committed write."""
        self._sandbox = open_local_cluster(root, controllers=CONTROLLERS, brokers=0, extra=self._extra)
        self._children = ChildProcesses(self._sandbox, self._environment)
        await self._children.start_all()
        async with self._client() as client:
            await client.incremental_alter_configs(
                changes(0, Work(value_bytes=100)), retry_unknown=True, timeout_s=START_TIMEOUT_S
            )
        self._check_form()

    def _check_form(self) -> None:
        """Check in the nodes' logs that they run what they are measured as."""
        wanted = form_text() if self._build == "plain" else f"yes ({len(MODULES)} modules)"
        for node in self._nodes.values():
            if f'"compiled": "{wanted}"' not in node.log_file.read_text(encoding="utf-8"):
                raise RuntimeError(f"{node.name} does not run as compiled: {wanted}; see {node.log_file}")

    async def stop(self) -> None:
        """End the controllers; kill them when this is cancelled, as by a second Ctrl-C."""
        if self._children is None:
            return
        try:
            await self._children.stop_all()
        except asyncio.CancelledError:
            for child in self._children.by_id.values():
                child.signal(signal.SIGKILL)
            raise

    async def stop_node(self, name: str, *, kill: bool) -> None:
        """End one controller."""
        child = self._started.by_id[self._nodes[name].node_id]
        child.signal(signal.SIGKILL if kill else signal.SIGTERM)
        await child.wait()

    async def start_node(self, name: str) -> None:
        """Start one controller again."""
        node = self._nodes[name]
        self._started.by_id[node.node_id] = await start_child(node, self._environment)

    # Questions.

    def _client(self, *, timeout_s: float = 30.0) -> AsyncClient:
        return AsyncClient(self._endpoints(), timeout_s=timeout_s)

    def _endpoints(self) -> list[str]:
        return [node.grpc_endpoint for node in self._nodes.values() if node.grpc_endpoint]

    async def leader(self) -> str:
        """Ask the quorum."""
        async with self._client() as client:
            leader_id = (await client.describe_quorum()).leader_id
        return next(name for name, node in self._nodes.items() if node.node_id == leader_id)

    async def positions(self) -> dict[str, int]:
        """Return the log end offsets that the leader knows of."""
        async with self._client() as client:
            quorum = await client.describe_quorum()
        ids = {node.node_id: name for name, node in self._nodes.items()}
        return {ids[one.key.node_id]: one.log_end_offset for one in quorum.voters if one.log_end_offset is not None}

    async def loaded(self, name: str) -> int:
        """Return the end of what the node has published."""
        page = await self._get(name, "/metrics")
        for line in page.splitlines():
            if line.startswith("kraft_last_applied_record_offset "):
                return int(float(line.rpartition(" ")[2])) + 1
        return -1

    async def is_ready(self, name: str) -> bool:
        """Ask ``/readyz``."""
        return " 200 " in (await self._get(name, "/readyz")).partition("\r\n")[0]

    async def _get(self, name: str, path: str) -> str:
        """Return an HTTP answer with its head; empty when there is none."""
        host, _, port = self._nodes[name].properties["metrics.listener"].rpartition(":")
        try:
            async with asyncio.timeout(HTTP_TIMEOUT_S):
                reader, writer = await asyncio.open_connection(host, int(port))
                writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
                answer = await reader.read()
                writer.close()
        except UNANSWERED:
            return ""
        return answer.decode()

    # Work.

    async def run(self, work: Work, measuring: Measuring) -> Outcome:
        """Write through one of the client forms."""
        if work.form == ADMIN:
            return await run_admin(self.addresses.values(), work, measuring)
        node = self._nodes[await self.leader()]
        assert node.grpc_endpoint is not None
        leader = Leader(node.grpc_endpoint, _kafka_address(node))
        return await run_form(work.form or FORMS[0], self._endpoints(), leader, work, measuring)

    async def read(self, reading: Reading, work: Work, measuring: Measuring) -> Outcome:
        """Read through one of the client forms; the leader alone makes linearizable reads."""
        if reading.is_linearizable and reading.nodes > 1:
            raise SkippedError("only the active controller answers linearizable reads")
        leader = self._nodes[await self.leader()].grpc_endpoint
        assert leader is not None
        return await read(work.form, [leader] if reading.nodes == 1 else self._endpoints(), reading, work, measuring)

    async def watch(self, watching: Watching, measuring: Measuring, measured: Measuring) -> Watched:
        """Watch on all nodes."""
        await self.caught_up()
        leader = await self.leader()
        return await watch(
            self._endpoints(), self.addresses[leader], (await self.positions())[leader], watching, measuring, measured
        )

    @asynccontextmanager
    async def prober(self, form: str = "") -> AsyncIterator[Prober]:
        """Connect the public client, or one over Kafka's protocol."""
        if form == "kafka":
            async with wire_prober(list(self.addresses.values())) as prober:
                yield prober
            return
        async with self._client() as client:
            await client.describe_quorum()
            yield _Prober(client)

    @asynccontextmanager
    async def background_writer(self, form: str = "") -> AsyncIterator[BackgroundWriter]:
        """Connect the public client, or one over Kafka's protocol."""
        if form == "kafka":
            async with wire_writer(list(self.addresses.values())) as writer:
                yield writer
            return
        async with self._client() as client:
            through_client = ClientWriter(client)
            await through_client.connect()
            yield through_client

    def phases(self, killed: str, killed_at: float) -> dict[str, float]:
        """Read the survivors' logs."""
        logs = [node.log_file.read_text(encoding="utf-8") for name, node in self._nodes.items() if name != killed]
        return marks(logs, killed_at)

    def log_bytes(self, name: str) -> int:
        """Count the bytes of all segments; the newest one has zeros ahead of its end, which do not count."""
        segments = sorted(self.metadata_directory(name).glob("*.log"))
        return sum(segment.stat().st_size for segment in segments[:-1]) + sum(map(_written_bytes, segments[-1:]))

    def metadata_directory(self, name: str) -> Path:
        """Return where a node's metadata log is."""
        return self._nodes[name].log_dirs[0] / METADATA_DIRECTORY

    async def mark(self) -> int:
        """Write a record; return the end of what a node has loaded that has it in its state."""
        async with self._client() as client:
            await client.incremental_alter_configs(changes(0, Work(value_bytes=100)), retry_unknown=True)
        return max((await self.positions()).values())

    async def caught_up(self) -> None:
        """Wait until all controllers have the same log."""

        async def equal() -> bool:
            ends = await self.positions()
            return len(ends) == CONTROLLERS and len(set(ends.values())) == 1

        await eventually(equal, "all controllers have the same log end", START_TIMEOUT_S)


class _Prober:
    """Writes until one write is acknowledged, as a user of the public client does."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._serial = 0

    async def first_write(self) -> float:
        """Return when the first success came."""
        while True:
            self._serial += 1
            try:
                await self._client.incremental_alter_configs(changes(self._serial, Work()), retry_unknown=True)
            except (UnavailableError, UnknownOutcomeError):
                continue
            return time.time()


def _kafka_address(node: LocalNode) -> Address:
    host, _, port = node.properties["listeners"].rpartition("/")[2].rpartition(":")
    return host, int(port)


def _written_bytes(segment: Path) -> int:
    """Return where the zeros at the end of a file begin."""
    with segment.open("rb") as file:
        end = file.seek(0, 2)
        while end > 0:
            start = max(0, end - CHUNK_BYTES)
            file.seek(start)
            kept = file.read(end - start).rstrip(b"\0")
            if kept:
                return start + len(kept)
            end = start
    return 0
