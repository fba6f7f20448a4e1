"""Real nodes in this process, on real directories and sockets, and a way to wait for what they do.

A ``Lab`` writes the configuration of each node as an operator would, starts a :class:`~kraftpy.node.node.Node` from it,
and lets a test wait for a condition with a deadline. Timers are short, so that an election takes a tenth of a second.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from kraftpy.config.node_config import NodeConfig, parse_config
from kraftpy.controller.requests import ControllerRequest
from kraftpy.local_cluster.cluster import free_ports
from kraftpy.model.features import SchemaSet
from kraftpy.model.ids import NodeId
from kraftpy.node.node import Node
from kraftpy.raft.ready import Role
from kraftpy.records.batch import Batch, split_batches
from kraftpy.records.metadata import ClusterIdRecord, LogRecord, decode_record
from kraftpy.records.properties import parse_properties
from kraftpy.storage.filesystem import FileSystem
from kraftpy.transport.node_api import Committed, WriteRequest

DEADLINE_S = 60.0
POLL_S = 0.01
LOG_READ_BYTES = 1 << 20

QUICK = {
    "controller.quorum.election.timeout.ms": "150",
    "controller.quorum.fetch.timeout.ms": "600",
    "controller.quorum.election.backoff.max.ms": "100",
    "controller.quorum.request.timeout.ms": "600",
}


async def until(condition: Callable[[], bool], what: str, deadline_s: float = DEADLINE_S) -> None:
    """Wait until a condition holds; fail with ``what`` when it does not in time."""
    end = time.monotonic() + deadline_s
    while not condition():
        assert time.monotonic() < end, f"not within {deadline_s} s: {what}"
        await asyncio.sleep(POLL_S)


def file_of(directory: Path) -> dict[str, str]:
    """Read a meta.properties as plain properties; empty when there is none."""
    path = directory / "meta.properties"
    return parse_properties(path.read_text(encoding="utf-8")) if path.exists() else {}


class Running:
    """A node that runs as a task."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.task = asyncio.get_running_loop().create_task(node.run())

    @property
    def cluster_id(self) -> str | None:
        """The id in memory."""
        return self.node.cluster_id.value

    @property
    def leads(self) -> bool:
        """Whether this node is the active controller."""
        host = self.node.host
        return host is not None and host.controller.active and self.node.replica.role is Role.LEADER

    async def submit(self, request: ControllerRequest) -> object:
        """Make a request to this node's controller; return its response or raise its refusal."""
        outcome = (await self.node.backend.submit_many([WriteRequest(request, timeout_ms=5_000)]))[0]
        if isinstance(outcome, Committed):
            return outcome.response
        raise outcome

    def batches(self) -> list[Batch]:
        """Read this node's whole log."""
        log = self.node.driver.directory.log
        return split_batches(log.read(log.start_offset, LOG_READ_BYTES, log.end_offset))

    def records(self) -> list[LogRecord]:
        """Read the metadata records of this node's whole log, with the table that has a ClusterIdRecord."""
        data = [batch for batch in self.batches() if not batch.is_control]
        return [decode_record(value, SchemaSet.KRAFTPY) for batch in data for value in batch.values()]

    def cluster_ids_in_log(self) -> list[str]:
        """Return the value of every ClusterIdRecord of the log."""
        return [record.cluster_id for record in self.records() if isinstance(record, ClusterIdRecord)]

    async def stop(self) -> None:
        """Stop at once, as a kill would, but for the open files."""
        self.task.cancel()
        await asyncio.wait([self.task])

    async def failure(self, deadline_s: float = DEADLINE_S) -> BaseException:
        """Wait until the node ends by itself, and return why."""
        done, _ = await asyncio.wait([self.task], timeout=deadline_s)
        assert done, f"the node still runs after {deadline_s} s"
        error = self.task.exception()
        assert error is not None, "the node ended without a reason"
        return error


class Lab:
    """Configurations and nodes of one test; everything is stopped at its end."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.running: list[Running] = []

    def quorum(self, *node_ids: NodeId) -> str:
        """Choose ports and return the value of ``controller.quorum.voters``."""
        ports = free_ports(len(node_ids))
        return ",".join(f"{node_id}@127.0.0.1:{port}" for node_id, port in zip(node_ids, ports, strict=True))

    def directories(self, node_id: NodeId, count: int = 1) -> list[Path]:
        """Return the log directories of a node."""
        return [self.root / f"node-{node_id}" / f"data-{number}" for number in range(count)]

    def controller(self, voters: str, node_id: NodeId = 1, *, dirs: int = 1, **more: str) -> Path:
        """Write a controller's configuration; underscores in a key mean dots."""
        port = dict(each.split("@127.0.0.1:") for each in voters.split(","))[str(node_id)]
        return self._write(
            node_id,
            dirs,
            {"process.roles": "controller", "controller.quorum.voters": voters,
             "listeners": f"CONTROLLER://127.0.0.1:{port}"},
            more,
        )  # fmt: skip

    def broker(self, voters: str, node_id: NodeId = 9, *, dirs: int = 2, **more: str) -> Path:
        """Write a broker's configuration."""
        return self._write(
            node_id,
            dirs,
            {"process.roles": "broker", "controller.quorum.voters": voters,
             "listeners": f"PLAINTEXT://127.0.0.1:{free_ports(1)[0]}"},
            more,
        )  # fmt: skip

    def _write(self, node_id: NodeId, dirs: int, first: dict[str, str], more: dict[str, str]) -> Path:
        log_dirs = ",".join(str(each) for each in self.directories(node_id, dirs))
        given = {key.replace("_", "."): value for key, value in more.items()}
        every = {
            "node.id": str(node_id),
            "controller.listener.names": "CONTROLLER",
            "log.dirs": log_dirs,
            "log.dir.reserve.bytes": "4096",
            "metadata.log.reserve.bytes": "8192",
        }
        path = self.root / f"node-{node_id}.properties"
        path.write_text("".join(f"{key}={value}\n" for key, value in (every | QUICK | first | given).items()))
        return path

    def start(self, path: Path, fs: FileSystem | None = None) -> Running:
        """Start the node of a configuration file."""
        running = Running(Node(config_of(path), fs=fs))
        self.running.append(running)
        return running

    async def close(self) -> None:
        """Stop what still runs."""
        for running in self.running:
            if not running.task.done():
                await running.stop()
        for running in self.running:
            if not running.task.cancelled():
                running.task.exception()


def config_of(path: Path) -> NodeConfig:
    """Read a configuration file."""
    return parse_config(path.read_text(), str(path))


@contextlib.asynccontextmanager
async def lab(root: Path) -> AsyncIterator[Lab]:
    """Make a lab in a directory."""
    one = Lab(root)
    try:
        yield one
    finally:
        await one.close()
