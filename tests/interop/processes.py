"""Processes on loopback: started with their output in a file, waited for by condition, ended by their own id."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from kraftpy.local_cluster import cluster

HOST = "127.0.0.1"
STOP_TIMEOUT_S = 30.0
POLL_S = 0.05
DEADLINE_S = 90.0
LOG_TAIL_CHARS = 6_000

Value = TypeVar("Value")


class Process:
    """One child process."""

    def __init__(self, name: str, command: Sequence[str], log_file: Path, env: Mapping[str, str] | None = None) -> None:
        self.name = name
        self.log_file = log_file
        log_file.parent.mkdir(parents=True, exist_ok=True)
        with log_file.open("ab") as log:
            log.write(f"$ {shlex.join(command)}\n".encode())
            log.flush()
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONUNBUFFERED": "1", **(env or {})},
                start_new_session=True,
            )

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    def kill(self) -> None:
        """Kill -9: the process gets no chance to say anything."""
        if self.is_running:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        """Ask the process to end; one that does not is killed, and its code says so."""
        if self.is_running:
            self.process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                return self.process.wait(STOP_TIMEOUT_S)
            self.process.send_signal(signal.SIGKILL)
        return self.process.wait()

    def pause(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def log_text(self) -> str:
        return self.log_file.read_text(encoding="utf-8", errors="replace")


def eventually(
    what: str, probe: Callable[[], Value], processes: Sequence[Process] = (), deadline_s: float = DEADLINE_S
) -> Value:
    """Ask ``probe`` until its answer is true, and return that; fail with what was waited for and the logs' ends."""
    ends = time.monotonic() + deadline_s
    while True:
        value = probe()
        if value:
            return value
        dead = [process.name for process in processes if not process.is_running]
        if time.monotonic() > ends or dead:
            tails = "\n".join(f"--- {one.name}\n{one.log_text()[-LOG_TAIL_CHARS:]}" for one in processes)
            why = f"{', '.join(dead)} ended while waiting" if dead else f"not within {deadline_s:.0f} s"
            raise AssertionError(f"{what}: {why}; the last answer was {value!r}\n{tails}")
        time.sleep(POLL_S)


def free_ports(count: int) -> list[int]:
    """Find free ports, below those of outgoing connections: one of them could take the port of a node that is down."""
    return cluster.free_ports(count)
