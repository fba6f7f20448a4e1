"""A cluster of which each node runs this version or the last landed one, and what is asked of all its nodes."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from kraftpy.client.async_client import AsyncClient
from kraftpy.local_cluster.child_processes import Child
from kraftpy.model.consistency import Consistency
from kraftpy.records.batch import split_batches
from kraftpy.records.metadata import LogRecord
from tests.fakes.launched import ROOT, launch, run
from tests.fakes.processes import (
    KEY,
    PATIENCE_S,
    STEADY,
    Cluster,
    Load,
    configure,
    described,
    eventually,
    records_of,
    running,
    under_load,
)
from tests.integration.test_forwarding import create, topics_at

NEW = ROOT
"""The tree of this version."""

NODE_OF_TREE = Path(__file__).with_name("node_of_tree.py")
READ_PAUSE_S = 0.1

OFTEN = {
    "metadata.log.state.digest.interval.ms": "300",
    "metadata.log.max.record.bytes.between.snapshots": "4000",
}
"""Digests and snapshots often enough for a test of seconds to see several."""


@dataclass
class MixedCluster:
    """The processes of a sandbox, and the tree that each of them was started from.

    Attributes:
        old: the tree of the last landed version.
        trees: node id to tree, once it was started.
        topics: those that unary calls made.
    """

    cluster: Cluster
    old: Path
    trees: dict[int, Path] = field(default_factory=dict)
    topics: list[str] = field(default_factory=list)

    @property
    def broker_ids(self) -> list[int]:
        return [node.node_id for node in self.cluster.sandbox.brokers]

    @property
    def node_ids(self) -> list[int]:
        return [node.node_id for node in self.cluster.sandbox.nodes]

    async def start(self, tree: Path, *node_ids: int) -> None:
        """Start nodes from a tree, and check in their logs that they are what it has."""
        for node_id in node_ids:
            node = self.cluster.node(node_id)
            argv = [str(NODE_OF_TREE), node.kind.value, "--config", str(node.config_file)]
            process = await launch("script", node.log_file, argv, tree)
            self.cluster.children.by_id[node_id] = Child(node, process)
            self.trees[node_id] = tree
        for node_id in node_ids:
            await eventually(
                lambda node_id=node_id: self._imported_from(node_id),
                lambda found, tree=tree: found == str(tree),
                f"node {node_id} runs the code in {tree}",
            )

    async def _imported_from(self, node_id: int) -> str:
        lines = self.cluster.log_of(node_id).splitlines()
        found = [line for line in lines if line.startswith("imported from ")]
        return found[-1].removeprefix("imported from ") if found else ""

    async def replace(self, tree: Path, node_id: int, **changes: str) -> None:
        """Stop a node, alter its configuration, and start it from another tree; wait until it is back."""
        assert await self.cluster.terminate(node_id) == 0
        configure(self.cluster.node(node_id), **changes)
        await self.start(tree, node_id)
        if node_id in self.broker_ids:
            await self.brokers_are_unfenced()

    async def brokers_are_unfenced(self) -> None:
        wanted = dict.fromkeys(self.broker_ids, False)
        await eventually(self.cluster.brokers, lambda found: found == wanted, "brokers are unfenced")

    async def stop(self, node_ids: Iterable[int]) -> None:
        for node_id in node_ids:
            assert await self.cluster.terminate(node_id) == 0

    async def command(self, tree: Path, *words: object) -> subprocess.CompletedProcess[str]:
        """Run a command of a tree's version on this cluster; it has to succeed."""
        addresses = ",".join(str(self.cluster.node(one).grpc_endpoint) for one in self.cluster.controller_ids)
        argv = [*map(str, words), "-C", addresses]
        done = await asyncio.to_thread(run, argv, PATIENCE_S, tree)
        assert done.returncode == 0, (argv, done.stdout, done.stderr)
        return done

    async def state(self, node_id: int) -> list[LogRecord]:
        """The whole state as a node has it, with secrets."""
        async with self.cluster.client(node_id) as client:
            image = await client.get_image(include_secrets=True)
        return records_of(split_batches(image.records))

    async def one_state(self) -> list[LogRecord]:
        """Wait until all nodes have the same state, and return it. Nothing may be written meanwhile."""

        async def asked() -> list[list[LogRecord]]:
            return [await self.state(node_id) for node_id in self.node_ids]

        found = await eventually(asked, lambda states: all(one == states[0] for one in states), "all states are equal")
        return found[0]

    async def agreed(self, node_ids: Iterable[int], beyond: int) -> None:
        """Wait until a majority has had the state that each node has, by the digests that they compare."""
        for node_id in node_ids:
            gauges = await eventually(
                lambda node_id=node_id: self.cluster.metrics(node_id),
                lambda found: found.get("kraft_state_digest_agreed_offset", -1) > beyond,
                f"a majority has the state of node {node_id} beyond offset {beyond}",
            )
            assert gauges["kraft_state_digest_mismatches_total"] == 0

    async def have_all(self, load: Load) -> None:
        """Check that each node has everything that was acknowledged."""
        due = Load(load.client, acknowledged=dict(load.acknowledged))
        for node_id in self.node_ids:
            await self.cluster.caught_up(node_id, due.last_offset)
            async with self.cluster.client(node_id) as client:
                assert due.missing(await described(client)) == {}, f"node {node_id}"

    def snapshots(self, node_id: int) -> list[int]:
        """The end offsets of the snapshots that a node has, in order."""
        return sorted(int(path.name.partition("-")[0]) for path in self.cluster.data(node_id).glob("*.checkpoint"))

    async def has_snapshot(self, node_id: int, beyond: int) -> None:
        """Wait for a snapshot that contains an offset."""

        async def newest() -> int:
            return max(self.snapshots(node_id), default=0)

        await eventually(newest, lambda end: end > beyond, f"node {node_id} has a snapshot beyond offset {beyond}")

    async def unary_calls(self) -> None:
        """Ask each node by unary calls: the leader does them, the others forward them, whatever version each has."""
        for node_id in self.node_ids:
            await eventually(
                lambda node_id=node_id: self._asked(node_id), lambda one: one == "done", f"done at node {node_id}"
            )

    async def _asked(self, node_id: int) -> str:
        """Have a topic made at a node, and read it there; return why it was not made, if it was not."""
        name = f"topic-{len(self.topics):03d}"
        async with grpc.aio.insecure_channel(self.cluster.node(node_id).grpc_endpoint) as channel:
            try:
                (created,) = (await create(channel, name)).results
            except grpc.aio.AioRpcError as error:
                return str(error)
            assert not created.HasField("error"), created
            self.topics.append(name)
            assert await topics_at(channel) == self.topics
        return "done"


async def values_as_of_now(client: AsyncClient) -> dict[str, str]:
    """Group -> value, by a linearizable read."""
    configs = await client.describe_configs(consistency=Consistency.LINEARIZABLE)
    return {one.name: keys[KEY] for one, keys in configs.resources.items() if KEY in keys}


class Reader:
    """Reads everything again and again, linearizably; what was acknowledged before a read began has to be in it."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.count = 0

    async def keep_reading(self, client: AsyncClient, stop: asyncio.Event) -> None:
        while not stop.is_set():
            due = Load(client, acknowledged=dict(self.load.acknowledged))
            missing = due.missing(await values_as_of_now(client))
            assert not missing, f"a read is stale: it lacks {missing}"
            self.count += 1
            await asyncio.sleep(READ_PAUSE_S)


@asynccontextmanager
async def under_checked_load(cluster: Cluster, prefix: str = "g") -> AsyncIterator[tuple[Load, Reader]]:
    """Keep a writer and a reader busy inside the block."""
    stop = asyncio.Event()
    async with under_load(cluster, writers=1, prefix=prefix) as load, cluster.client() as client:
        reader = Reader(load)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(reader.keep_reading(client, stop))
            try:
                yield load, reader
            finally:
                stop.set()


@asynccontextmanager
async def mixed_cluster(
    root: Path, old: Path, *, brokers: int = 2, extra: Mapping[str, str] | None = None, tree: Path | None = None
) -> AsyncIterator[MixedCluster]:
    """Start three controllers and some brokers, all of the last landed version or of ``tree``."""
    async with running(root, brokers=brokers, extra=STEADY | OFTEN | dict(extra or {}), start=False) as cluster:
        mixed = MixedCluster(cluster, old)
        await mixed.start(tree or old, *mixed.node_ids)
        await cluster.leader()
        await mixed.brokers_are_unfenced()
        yield mixed
