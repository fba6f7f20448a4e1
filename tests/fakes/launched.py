"""The processes that :mod:`tests.fakes.launcher` forks, for asyncio: one launcher serves all tests of this process.

When the launcher is lost, waiting for one of its processes fails. The code of another version, in a directory of its
own, has a launcher of its own, which imports kraftpy from there (``tests/upgrade``).
"""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

ROOT = Path(__file__).resolve().parents[2]
LAUNCHER = Path(__file__).with_name("launcher.py")
LOST = "the launcher of the tests' nodes has ended"
OF_PYTEST = "PYTEST_CURRENT_TEST"
"""The one variable that may hold a line break, and that no node is to see."""


class LaunchedProcess:
    """A forked process; what :class:`asyncio.subprocess.Process` has of the same names is the same."""

    def __init__(self, launcher: _Launcher, key: str) -> None:
        self._launcher = launcher
        self._key = key
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
        """Send a signal. A process that ends meanwhile is not mistaken for a later one of its number."""
        self._launcher.send("signal", self._key, str(int(signal)))

    def fail(self, reason: str) -> None:
        for each in (self.started, self.ended):
            if not each.done():
                each.set_exception(RuntimeError(reason))


class _Launcher:
    """The process that forks, and the thread that reads what it reports. Any thread may start something.

    Args:
        tree: the directory that kraftpy is imported from; that of these tests, or of another version.
    """

    def __init__(self, tree: Path) -> None:
        if tree == ROOT:
            command = ["-m", "tests.fakes.launcher"]
            path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(ROOT)]))
        else:
            # Neither the working directory nor that of the launcher may come before the tree.
            command, path = ["-P", str(LAUNCHER)], str(tree)
        self._environment: dict[str, str] = {}
        self._process = subprocess.Popen(
            [sys.executable, "-u", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            env=os.environ | {"PYTHONPATH": path},
        )
        self._keys = itertools.count()
        self._by_key: dict[str, LaunchedProcess] = {}
        self._lock = threading.Lock()
        self._is_lost = False
        threading.Thread(target=self._read, name="launcher", daemon=True).start()

    def start(self, verb: str, *fields: str) -> LaunchedProcess:
        environment = {name: value for name, value in os.environ.items() if name != OF_PYTEST}
        with self._lock:
            if self._is_lost:
                raise RuntimeError(LOST)
            key = str(next(self._keys))
            launched = self._by_key[key] = LaunchedProcess(self, key)
            if environment != self._environment:
                self._write("environ", *(f"{name}={value}" for name, value in environment.items()))
                self._environment = environment
            self._write(verb, key, *fields)
        return launched

    def send(self, *fields: str) -> None:
        with self._lock, suppress(BrokenPipeError):
            self._write(*fields)

    def _write(self, *fields: str) -> None:
        assert not any("\t" in each or "\n" in each for each in fields), f"a tab or a line break: {fields}"
        assert self._process.stdin is not None
        self._process.stdin.write("\t".join(fields) + "\n")
        self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            what, key, value = line.rstrip("\n").split("\t")
            if what == "started":
                self._by_key[key].started.set_result(int(value))
                continue
            with self._lock:
                process = self._by_key.pop(key)
            if what == "exited":
                process.ended.set_result(int(value))
            else:
                process.fail(value)
        with self._lock:
            self._is_lost = True
            left = list(self._by_key.values())
        for process in left:
            process.fail(LOST)


class _Shared:
    """The launchers of this process by their trees, each once it is needed."""

    lock = threading.Lock()
    launchers: ClassVar[dict[Path, _Launcher]] = {}


def _start(tree: Path, verb: str, *fields: str) -> LaunchedProcess:
    with _Shared.lock:
        if tree not in _Shared.launchers:
            _Shared.launchers[tree] = _Launcher(tree)
        launcher = _Shared.launchers[tree]
    return launcher.start(verb, *fields)


async def launch(verb: str, log: Path, argv: Sequence[str], tree: Path = ROOT) -> LaunchedProcess:
    """Fork a process.

    Args:
        verb: ``start`` for the command ``kraftpy`` with these arguments, ``script`` for a script and its arguments.
        log: what its output is appended to.
        argv: the arguments.
        tree: the directory that kraftpy is imported from.
    """
    process = _start(tree, verb, str(log), *argv)
    await asyncio.wrap_future(process.started)
    return process


def launch_now(log: Path, argv: Sequence[str]) -> LaunchedProcess:
    """Fork the command ``kraftpy``, where there is no event loop."""
    process = _start(ROOT, "start", str(log), *argv)
    process.started.result()
    return process


def run(argv: Sequence[str], timeout_s: float, tree: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run the command ``kraftpy`` of a tree to its end, as :func:`subprocess.run` would.

    Raises:
        subprocess.TimeoutExpired: it took longer; it is killed.
    """
    with tempfile.TemporaryDirectory(prefix="kraftpy-") as directory:
        out, err = (Path(directory, each) for each in ("out", "err"))
        process = _start(tree, "apart", str(out), str(err), *argv)
        try:
            code = process.ended.result(timeout_s)
        except TimeoutError:
            process.send_signal(signal.SIGKILL)
            raise subprocess.TimeoutExpired(argv, timeout_s, out.read_text(), err.read_text()) from None
        return subprocess.CompletedProcess(argv, code, out.read_text(), err.read_text())
