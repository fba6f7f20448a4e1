"""What the peers share: three server processes with their output in a file each, and a cache for built tools."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import tempfile
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

from bench.background import GIVE_UP_S, IN_FLIGHT_MAX, RATE
from bench.mixed import OneWrite
from bench.peers.loadtool import arguments_of, probing, run_tool, writing
from bench.peers.writes_file import FILE_NAME, key_of, write_file
from bench.work import WARM_UP_S, Address, BackgroundWriter, Measuring, Outcome, Prober, SkippedError, Work, eventually

NODES = 3
HOST = "127.0.0.1"
START_TIMEOUT_S = 60.0
STOP_TIMEOUT_S = 10.0
BUILD_TIMEOUT_S = 600.0


class Ensemble(ABC):
    """Three servers. A peer says how one is started and how it is asked, and what its clients are."""

    forms: tuple[str, ...] = ()
    warm_up_s = WARM_UP_S
    connections_max = 0

    @property
    def probers(self) -> tuple[str, ...]:
        """Return the clients that wait for the next leader."""
        return self.forms

    def __init__(self) -> None:
        self._root = Path()
        self.addresses: dict[str, Address] = {}
        self._processes: dict[str, asyncio.subprocess.Process] = {}

    # What a peer says.

    @abstractmethod
    def names(self) -> list[str]:
        """Return the nodes' names."""

    @abstractmethod
    def configure(self, root: Path) -> None:
        """Choose ports and write configuration files."""

    @abstractmethod
    def command(self, name: str) -> Sequence[str]:
        """Return a server's command line."""

    @abstractmethod
    async def leader(self) -> str:
        """Return the leader's name."""

    @abstractmethod
    async def loaded(self, name: str) -> int:
        """Return how far a node's state reaches; -1 while it does not answer."""

    # What they have in common.

    @property
    def pids(self) -> dict[str, int]:
        """The running servers."""
        return {name: process.pid for name, process in self._processes.items() if process.returncode is None}

    async def start(self, root: Path) -> None:
        """Start three servers and wait until they have a leader."""
        self._root = root
        self.configure(root)
        for name in self.names():
            await self.start_node(name)

        async def all_ready() -> bool:
            return all([await self.is_ready(name) for name in self.names()])

        await eventually(all_ready, f"all servers answer; see {root}/*.log", START_TIMEOUT_S, 0.1)
        await self.leader()

    async def stop(self) -> None:
        """Kill every server: nothing is needed of them any more.

        All are killed before the first is waited for, so that none is left when this is cancelled.
        """
        for process in self._processes.values():
            if process.returncode is None:
                process.kill()
        for name in list(self._processes):
            await self.stop_node(name, kill=True)

    async def stop_node(self, name: str, *, kill: bool) -> None:
        """End one server."""
        process = self._processes[name]
        if process.returncode is None:
            (process.kill if kill else process.terminate)()
        await process.wait()

    async def start_node(self, name: str) -> None:
        """Start one server."""
        with (self._root / f"{name}.log").open("ab") as log:
            self._processes[name] = await asyncio.create_subprocess_exec(
                *self.command(name), stdout=log, stderr=log, stdin=asyncio.subprocess.DEVNULL, start_new_session=True
            )

    async def positions(self) -> dict[str, int]:
        """Return how far each answering node's state reaches."""
        found = {name: await self.loaded(name) for name in self.names()}
        return {name: position for name, position in found.items() if position >= 0}

    async def is_ready(self, name: str) -> bool:
        """Take a node for ready when it reports its position."""
        return await self.loaded(name) >= 0

    def phases(self, killed: str, killed_at: float) -> dict[str, float]:
        """Report nothing."""
        del killed, killed_at
        return {}

    def log_bytes(self, name: str) -> int:
        """Report nothing: a peer's log has other things in it, and is preallocated in its own way."""
        del name
        return 0


class ToolDriven(Ensemble):
    """A peer whose client is a program of its own."""

    @abstractmethod
    def tool(self, mode: str, arguments: dict[str, str]) -> Sequence[str]:
        """Return the load tool's command line."""

    def key(self, one: OneWrite) -> str:
        """Return the one key that a kind, a resource and a key are here."""
        return key_of(one)

    async def run(self, work: Work, measuring: Measuring) -> Outcome:
        """Have the load tool do the work."""
        arguments = arguments_of(work)
        if work.is_mixed:
            file = self._root / FILE_NAME
            write_file(file, work, self.key)
            arguments["writes"] = str(file)
        return await run_tool(self.tool("load", arguments), measuring)

    @asynccontextmanager
    async def prober(self, form: str = "") -> AsyncIterator[Prober]:
        """Start the load tool as a prober."""
        del form
        async with probing(self.tool("probe", {})) as prober:
            yield prober

    @asynccontextmanager
    async def background_writer(self, form: str = "") -> AsyncIterator[BackgroundWriter]:
        """Start the load tool as a background writer."""
        del form
        given = {"rate": str(RATE), "give-up": str(GIVE_UP_S), "in-flight": str(IN_FLIGHT_MAX)}
        async with writing(self.tool("background", given)) as writer:
            yield writer


def free_ports(count: int) -> list[int]:
    """Find ports without a listener."""
    with ExitStack() as stack:
        holders = [stack.enter_context(socket.socket()) for _ in range(count)]
        for holder in holders:
            holder.bind((HOST, 0))
        return [holder.getsockname()[1] for holder in holders]


def cache_directory(name: str) -> Path:
    """Return where a built tool is kept between runs."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    directory = Path(base) / "kraftpy-bench" / name
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError:
        directory = Path(tempfile.gettempdir()) / "kraftpy-bench" / name
        directory.mkdir(parents=True, exist_ok=True)
    return directory


def is_newer(built: Path, sources: Sequence[Path]) -> bool:
    """Return whether something built is as new as what it was built from."""
    return built.exists() and all(built.stat().st_mtime >= source.stat().st_mtime for source in sources)


def build(command: Sequence[str], directory: Path, what: str) -> None:
    """Run a compiler.

    Raises:
        SkippedError: it failed.
    """
    try:
        done = subprocess.run(
            command, cwd=directory, capture_output=True, text=True, timeout=BUILD_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SkippedError(f"{what} could not be built: {error}") from error
    if done.returncode:
        raise SkippedError(f"{what} could not be built: {(done.stderr or done.stdout).strip()[-300:]}")
