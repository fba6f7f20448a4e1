"""Child processes: the nodes of a sandbox, started and stopped in order.

A child runs ``python -m kraftpy <kind> --config <file>``, or Kafka in a JVM, with its output in the node's log file.
Stopping is SIGTERM, brokers first and the quorum last, so that a controller can release every broker. What does not end
in time is killed, and reported.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from kraftpy.config.environment import PREFIX
from kraftpy.local_cluster.cluster import LocalCluster, LocalNode, NodeKind
from kraftpy.local_cluster.kafka_broker import STARTED_MESSAGE, jvm_command
from kraftpy.local_cluster.kafka_installation import KafkaInstallation

STOP_TIMEOUT_S = 15.0
"""How long a node may take to drain after SIGTERM."""

KAFKA_STOP_TIMEOUT_S = 45.0
"""How long a Kafka broker may take: its shutdown waits for the controller, and then flushes every partition."""

JVM_TERMINATED = 128 + signal.SIGTERM
"""The exit code of a JVM that ran its shutdown hooks after SIGTERM."""

LOG_TAIL_BYTES = 4_096
LOG_CHUNK_BYTES = 65_536
"""How much of a log is read at once when a line is looked for."""


def ending_signals() -> tuple[signal.Signals, ...]:
    """Return the signals on which a process that runs nodes stops them and ends.

    A closed terminal sends SIGHUP; the nodes have sessions of their own and would keep running. Under ``nohup``, which
    ignores it, everything continues.
    """
    asked = (signal.SIGINT, signal.SIGTERM)
    return asked if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN else (*asked, signal.SIGHUP)


class ChildProcess(Protocol):
    """What a child needs of its process; :class:`asyncio.subprocess.Process` has it."""

    @property
    def pid(self) -> int:
        """The process id."""

    @property
    def returncode(self) -> int | None:
        """The exit code, or minus the signal that ended it; ``None`` while it runs."""

    async def wait(self) -> int:
        """Wait until it ends; return the exit code."""

    def send_signal(self, signal: int) -> None:
        """Send a signal."""


class Child:
    """One running node.

    Args:
        node: which one.
        process: its process.
        log_start: how long its log file was when it was started.
    """

    def __init__(self, node: LocalNode, process: ChildProcess, log_start: int = 0) -> None:
        self.node = node
        self._process = process
        self._searched = log_start
        self._has_started = node.kind is not NodeKind.KAFKA_BROKER

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """The exit code, or ``None`` while it runs."""
        return self._process.returncode

    async def wait(self) -> int:
        """Wait until the process ends."""
        return await self._process.wait()

    def signal(self, number: signal.Signals) -> None:
        """Send a signal, unless the process has ended."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(number)

    def is_starting(self) -> bool:
        """Return whether it is a Kafka broker whose log, since it was started, does not have that it serves clients.

        A kraftpy node is started when the controllers report it as running.
        """
        if not self._has_started:
            self._has_started = self._finds_started()
        return not self._has_started

    def _finds_started(self) -> bool:
        """Search what the log has since the last time; a log that was taken away has nothing."""
        try:
            with self.node.log_file.open("rb") as log:
                while True:
                    log.seek(self._searched)
                    chunk = log.read(LOG_CHUNK_BYTES)
                    if STARTED_MESSAGE in chunk:
                        return True
                    # The message may have begun in the last bytes: they are searched again with those that follow.
                    self._searched += max(0, len(chunk) - len(STARTED_MESSAGE) + 1)
                    if len(chunk) < LOG_CHUNK_BYTES:
                        return False
        except FileNotFoundError:
            return False

    def log_tail(self) -> str:
        """Return the last lines that the node wrote."""
        return log_tail(self.node.log_file)


async def start_child(
    node: LocalNode, environment: Mapping[str, str] | None = None, kafka: KafkaInstallation | None = None
) -> Child:
    """Start a node; its output is appended to its log file.

    Args:
        node: what to start.
        environment: variables that it has besides this process's own.
        kafka: what a Kafka broker is started from.
    """
    if node.kind is NodeKind.KAFKA_BROKER:
        assert kafka is not None, node.name
        command = jvm_command(kafka.java, kafka.jars, node.directory)
    else:
        command = [sys.executable, "-m", "kraftpy", node.kind.value, "--config", str(node.config_file)]
    with node.log_file.open("ab") as log:
        log_start = log.tell()
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log,
            stderr=asyncio.subprocess.STDOUT,
            env={**_inherited(), "PYTHONUNBUFFERED": "1", **(environment or {})},
            # A terminal's Ctrl-C goes to the whole foreground group: the children get their own, so that we decide.
            start_new_session=True,
        )
    return Child(node, process, log_start)


def _inherited() -> dict[str, str]:
    """Return the variables of this process, without those that would give every node the same values."""
    return {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}


class ChildProcesses:
    """All nodes of a sandbox.

    Attributes:
        environment: variables that every node has besides this process's own.
        kafka: what Kafka brokers are started from; ``None`` where the sandbox has none.
    """

    def __init__(
        self,
        sandbox: LocalCluster,
        environment: Mapping[str, str] | None = None,
        kafka: KafkaInstallation | None = None,
    ) -> None:
        self.sandbox = sandbox
        self.environment = environment
        self.kafka = kafka
        self.by_id: dict[int, Child] = {}

    async def start_all(self) -> None:
        """Start the controllers, then kraftpy's brokers; none is waited for."""
        for node in (*self.sandbox.controllers, *self.sandbox.brokers):
            if node.kind is not NodeKind.KAFKA_BROKER:
                await self._start(node)

    async def start_kafka_brokers(self) -> None:
        """Start the Kafka brokers that were not started yet; to be called when the quorum has its leader."""
        for node in self.sandbox.kafka_brokers:
            if node.node_id not in self.by_id:
                await self._start(node)

    def starting(self) -> frozenset[int]:
        """Return the ids of the Kafka brokers that do not serve clients yet."""
        return frozenset(
            node.node_id
            for node in self.sandbox.kafka_brokers
            if (child := self.by_id.get(node.node_id)) is None or child.is_starting()
        )

    async def _start(self, node: LocalNode) -> None:
        self.by_id[node.node_id] = await start_child(node, self.environment, self.kafka)

    def of_kind(self, kind: NodeKind) -> list[Child]:
        """Return the children of one kind, ascending by id."""
        return [child for _, child in sorted(self.by_id.items()) if child.node.kind is kind]

    def ended(self) -> list[Child]:
        """Return the children that ended without being stopped."""
        return [child for _, child in sorted(self.by_id.items()) if child.exit_code is not None]

    @property
    def majority_is_gone(self) -> bool:
        """Whether too few controllers are left to agree on anything."""
        controllers = self.of_kind(NodeKind.CONTROLLER)
        gone = sum(1 for child in controllers if child.exit_code is not None)
        return len(controllers) - gone <= len(controllers) // 2

    async def stop_all(self) -> list[str]:
        """Stop everything, brokers first.

        Returns:
            One sentence for each node that had to be killed or ended with an error.
        """
        complaints: list[str] = []
        for kind, timeout_s in (
            (NodeKind.BROKER, STOP_TIMEOUT_S),
            (NodeKind.KAFKA_BROKER, KAFKA_STOP_TIMEOUT_S),
            (NodeKind.CONTROLLER, STOP_TIMEOUT_S),
        ):
            complaints += await _stop(self.of_kind(kind), timeout_s)
        return complaints


def ended_in_order(kind: NodeKind, exit_code: int | None) -> bool:
    """Return whether a node that was asked to stop ended with the code of one that did, or was reported as killed."""
    # A child that was signalled before it installed its handler has done nothing yet.
    accepted = {0, -signal.SIGKILL, -signal.SIGTERM}
    return exit_code in (accepted | {JVM_TERMINATED} if kind is NodeKind.KAFKA_BROKER else accepted)


async def _stop(children: Sequence[Child], timeout_s: float) -> list[str]:
    running = [child for child in children if child.exit_code is None]
    for child in running:
        child.signal(signal.SIGTERM)
    complaints = []
    waits = {asyncio.ensure_future(child.wait()): child for child in running}
    if waits:
        _, late = await asyncio.wait(waits, timeout=timeout_s)
        for wait in late:
            child = waits[wait]
            child.signal(signal.SIGKILL)
            complaints.append(f"{child.node.name} did not stop within {timeout_s:.0f} s and was killed")
        if late:
            await asyncio.wait(late)
    return complaints + [
        f"{child.node.name} ended with code {child.exit_code}; see {child.node.log_file}"
        for child in running
        if not ended_in_order(child.node.kind, child.exit_code)
    ]


def log_tail(file: Path, size: int = LOG_TAIL_BYTES) -> str:
    """Return the last lines of a log file; empty when there is none."""
    try:
        with file.open("rb") as log:
            log.seek(0, os.SEEK_END)
            log.seek(max(0, log.tell() - size))
            return log.read().decode("utf-8", errors="replace")
    except FileNotFoundError:
        return ""
