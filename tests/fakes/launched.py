"""The processes that :mod:`tests.fakes.launcher` forks, for asyncio: one launcher serves all tests of this process.

When the launcher is lost, waiting for one of its processes fails.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from functools import cache
from pathlib import Path

from tests.fakes.launcher import SIGNALLED

ROOT = Path(__file__).resolve().parents[2]


class LaunchedProcess:
    """A forked process; what :class:`asyncio.subprocess.Process` has of the same names is the same."""

    def __init__(self) -> None:
        self.started: Future[int] = Future()
        self.ended: Future[int] = Future()
        for each in (self.started, self.ended):
            # A test that no longer waits does not cancel what the others wait for.
            each.set_running_or_notify_cancel()

    @property
    def pid(self) -> int:
        return self.started.result()

    @property
    def returncode(self) -> int | None:
        return self.ended.result() if self.ended.done() else None

    async def wait(self) -> int:
        return await asyncio.wrap_future(self.ended)

    def send_signal(self, signal: int) -> None:
        if not self.ended.done():
            os.kill(self.pid, signal)


class _Launcher:
    """The process that forks, and the thread that reads what it reports."""

    def __init__(self) -> None:
        path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(ROOT)]))
        self._environment: dict[str, str] = {}
        self._process = subprocess.Popen(
            [sys.executable, "-u", "-m", "tests.fakes.launcher"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": path},
        )
        self._by_key: dict[str, LaunchedProcess] = {}
        threading.Thread(target=self._read, name="launcher", daemon=True).start()

    def start(self, verb: str, *fields: str) -> LaunchedProcess:
        launched = LaunchedProcess()
        key = str(len(self._by_key))
        self._by_key[key] = launched
        environment = dict(os.environ)
        if environment != self._environment:
            # What the tests' runner says of itself has line breaks in it.
            self._send("environ", *(f"{name}={value}" for name, value in environment.items() if value.isprintable()))
            self._environment = environment
        self._send(verb, key, *fields)
        return launched

    def _send(self, *fields: str) -> None:
        assert not any("\t" in each or "\n" in each for each in fields), fields
        assert self._process.stdin is not None
        self._process.stdin.write("\t".join(fields) + "\n")
        self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            what, key, number = line.split("\t")
            process, value = self._by_key[key], int(number)
            if what == "started":
                process.started.set_result(value)
            else:
                process.ended.set_result(value if value < SIGNALLED else SIGNALLED - value)
        for process in self._by_key.values():
            for each in (process.started, process.ended):
                if not each.done():
                    each.set_exception(RuntimeError("the launcher of the tests' nodes has ended"))


@cache
def _launcher() -> _Launcher:
    return _Launcher()


async def launch(verb: str, log: Path, argv: Sequence[str]) -> LaunchedProcess:
    """Fork a process.

    Args:
        verb: ``start`` for the command ``kraftpy`` with these arguments, ``script`` for a script and its arguments.
        log: what its output is appended to.
        argv: the arguments.
    """
    process = _launcher().start(verb, str(log), *argv)
    await asyncio.wrap_future(process.started)
    return process


def launch_now(log: Path, argv: Sequence[str]) -> LaunchedProcess:
    """Fork the command ``kraftpy``, where there is no event loop."""
    process = _launcher().start("start", str(log), *argv)
    process.started.result()
    return process


def run(argv: Sequence[str], timeout_s: float) -> subprocess.CompletedProcess[str]:
    """Run the command ``kraftpy`` to its end, as :func:`subprocess.run` would.

    Raises:
        subprocess.TimeoutExpired: it took longer; it is killed.
    """
    with tempfile.TemporaryDirectory(prefix="kraftpy-") as directory:
        out, err = (Path(directory, each) for each in ("out", "err"))
        process = _launcher().start("apart", str(out), str(err), *argv)
        try:
            code = process.ended.result(timeout_s)
        except TimeoutError:
            process.send_signal(signal.SIGKILL)
            raise subprocess.TimeoutExpired(argv, timeout_s, out.read_text(), err.read_text()) from None
        return subprocess.CompletedProcess(argv, code, out.read_text(), err.read_text())
