"""A benchmark that is interrupted leaves no process, also when that happens while it stops its systems."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from bench import audit
from bench.cluster import KraftPy
from bench.peers.ensemble import Ensemble
from bench.runs import measure
from kraftpy.cli.errors import CommandError
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.termination import ended_by_sigterm

PATIENCE_S = 20.0


class Sleepers(Ensemble):
    """Three processes that serve no client."""

    name = "sleepers"

    def version(self) -> str:
        return "1"

    def names(self) -> list[str]:
        return ["a", "b", "c"]

    def configure(self, root: Path) -> None:
        del root

    def command(self, name: str) -> Sequence[str]:
        del name
        return (sys.executable, "-c", "import time; time.sleep(600)")

    async def leader(self) -> str:
        return "a"

    async def loaded(self, name: str) -> int:
        del name
        return 0

    def processes(self) -> list[asyncio.subprocess.Process]:
        return list(self._processes.values())


async def test_all_servers_of_a_peer_are_killed_before_one_is_waited_for(tmp_path: Path) -> None:
    """A stop that is cancelled at its first wait leaves none."""
    peer = Sleepers()
    await peer.start(tmp_path)
    stopping = asyncio.ensure_future(peer.stop())
    await asyncio.sleep(0)
    stopping.cancel()
    async with asyncio.timeout(PATIENCE_S):
        codes = [await process.wait() for process in peer.processes()]
    assert codes == [-signal.SIGKILL] * 3


@pytest.mark.parametrize("moment", ["the measurement", "the stop after it"])
async def test_a_run_that_is_cancelled_stops_its_system_and_removes_its_files(tmp_path: Path, moment: str) -> None:
    """Whenever Ctrl-C comes: it cancels the task that measures."""
    peer, reached = Sleepers(), asyncio.Event()
    stops = peer.stop

    async def body(*_: object) -> list[object]:
        if moment == "the measurement":
            reached.set()
            await asyncio.Event().wait()
        return []

    async def stop() -> None:
        await stops()
        if not reached.is_set():
            reached.set()
            await asyncio.Event().wait()

    peer.stop = stop
    measuring = asyncio.ensure_future(measure([peer], 1, tmp_path, body, lambda _: None))
    async with asyncio.timeout(PATIENCE_S):
        await reached.wait()
        measuring.cancel()
        with pytest.raises(asyncio.CancelledError):
            await measuring
    assert (peer.pids, files_in(tmp_path)) == ({}, [])


def files_in(directory: Path) -> list[Path]:
    return list(directory.iterdir())


async def test_controllers_whose_stop_is_cancelled_are_killed() -> None:
    """A second Ctrl-C does not wait for what they do at SIGTERM."""
    received: list[signal.Signals] = []
    reached = asyncio.Event()

    async def stop_all() -> None:
        reached.set()
        await asyncio.Event().wait()

    ours = KraftPy()
    ours._children = SimpleNamespace(stop_all=stop_all, by_id={1: SimpleNamespace(signal=received.append)})
    stopping = asyncio.ensure_future(ours.stop())
    await reached.wait()
    stopping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stopping
    assert received == [signal.SIGKILL]


@pytest.mark.parametrize("before", [signal.default_int_handler, signal.SIG_IGN], ids=["at a terminal", "in a script"])
def test_sigterm_cancels_what_is_measured(before: object) -> None:
    """Also where SIGINT is ignored, as that of a script's background job is."""
    ended: list[str] = []

    async def measuring() -> None:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.append("stopped in order")

    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGINT, before)
    try:
        with pytest.raises(CommandError, match=r"terminated \(SIGTERM\)") as terminated, ended_by_sigterm():
            asyncio.run(measuring())
        assert signal.getsignal(signal.SIGTERM) == handlers[signal.SIGTERM]
    finally:
        signal.signal(signal.SIGINT, handlers[signal.SIGINT])
    assert (terminated.value.code, ended) == (ExitCode.TERMINATED, ["stopped in order"])


def test_what_ends_without_sigterm_ends_as_before() -> None:
    """Ctrl-C would be reported as SIGTERM."""
    with pytest.raises(KeyboardInterrupt), ended_by_sigterm():
        raise KeyboardInterrupt


def test_work_of_the_auditor_ends_with_its_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has a session of its own, which no Ctrl-C of a terminal reaches."""
    started: list[int] = []

    def interrupted(pid: int, _options: int) -> None:
        started.append(pid)
        raise KeyboardInterrupt

    monkeypatch.setattr(audit.os, "wait4", interrupted)
    with pytest.raises(KeyboardInterrupt):
        audit._timed([sys.executable, "-c", "import time; time.sleep(600)"], keep=False)
    with pytest.raises(ProcessLookupError):
        os.kill(started[0], 0)


def test_sigterm_is_one_where_an_import_made_its_own_error_of_it() -> None:
    """As a class with a descriptor does: its cause is the interrupt."""

    def importing() -> None:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
        except KeyboardInterrupt as interrupt:
            raise RuntimeError("Error calling __set_name__") from interrupt

    with pytest.raises(CommandError, match=r"terminated \(SIGTERM\)") as terminated, ended_by_sigterm():
        importing()
    assert terminated.value.code == ExitCode.TERMINATED
