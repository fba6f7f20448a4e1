"""Runs a peer's load tool, a program of its own in the peer's best client language.

The tool prints ``measuring`` when its warm-up is over and then one JSON object with the fields of
:class:`~bench.work.Outcome`. As a prober it runs on: every line on its input is answered, at the next acknowledged
write, with that write's time (``time.time()``). As a background writer it runs on, too: every line on its input is a
time in seconds, for which it writes at once; the answer is one JSON object with the fields of
:class:`~bench.work.BackgroundWrites`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from bench.background import GIVE_UP_S
from bench.reading import Watched
from bench.work import BackgroundWrites, Measuring, Outcome, Work

LINE_BYTES_MAX = 256 * 1024 * 1024
PROBE_TIMEOUT_S = 60.0
ANSWER_TIMEOUT_S = 60.0
"""Of a background writer, after its last write has ended: time to start, too."""
CONNECTING_S = 0.1
"""A background writer's first writes, with which it connects."""


def arguments_of(work: Work) -> dict[str, str]:
    """Return the tool's arguments for some work."""
    return {
        "in-flight": str(work.in_flight),
        "batch": str(work.batch),
        "value-bytes": str(work.value_bytes),
        "seconds": str(work.seconds),
        "warmup": str(work.warmup_s),
        "rate": str(work.rate or 0),
        "total": str(work.total),
    }


async def run_tool(command: Sequence[str], measuring: Measuring) -> Outcome:
    """Run a load tool to its end.

    Raises:
        RuntimeError: it failed.
    """
    process = await _start(command)
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        errors = asyncio.ensure_future(process.stderr.read())
        found: dict[str, Any] | None = None
        while line := await process.stdout.readline():
            if line.startswith(b"measuring"):
                measuring()
            elif line.startswith(b"{"):
                found = json.loads(line)
        code, stated = await process.wait(), (await errors).decode(errors="replace")
    finally:
        await _end(process)
    if found is None:
        raise RuntimeError(f"{command[0]} ended with {code} and no result: {stated[-500:]}")
    return Outcome(**found)


async def run_watchers(
    command: Sequence[str], writing: Callable[[], Awaitable[Outcome]], measuring: Measuring, measured: Measuring
) -> Watched:
    """Start watchers, write when all of them watch, and return what they received.

    Raises:
        RuntimeError: a tool failed.
    """
    process = await _start(command)
    assert process.stdout is not None
    assert process.stderr is not None
    writer: asyncio.Future[Outcome] | None = None
    try:
        errors = asyncio.ensure_future(process.stderr.read())
        found: dict[str, Any] | None = None
        while line := await process.stdout.readline():
            if line.startswith(b"watching"):
                writer = asyncio.ensure_future(writing())
            elif line.startswith(b"measuring"):
                measuring()
            elif line.startswith(b"measured"):
                measured()
            elif line.startswith(b"{"):
                found = json.loads(line)
        stated = (await errors).decode(errors="replace")
        if found is None or writer is None:
            raise RuntimeError(f"{command[0]} ended with {await process.wait()} and no result: {stated[-500:]}")
        return Watched.of(found, await writer)
    finally:
        if writer is not None:
            writer.cancel()
        await _end(process)


class ToolProber:
    """A prober that runs as a process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def first_write(self) -> float:
        """Ask for the time of the next success."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(b"\n")
        async with asyncio.timeout(PROBE_TIMEOUT_S):
            line = await self._process.stdout.readline()
        if not line:
            raise RuntimeError("the prober has ended")
        return float(line)


@asynccontextmanager
async def probing(command: Sequence[str]) -> AsyncIterator[ToolProber]:
    """Start a prober and have it connect."""
    process = await _start(command)
    try:
        prober = ToolProber(process)
        await prober.first_write()
        yield prober
    finally:
        await _end(process)


class ToolWriter:
    """A background writer that runs as a process, and keeps its connections by itself."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def connect(self) -> None:
        """Do nothing: its client library reconnects."""

    async def write_for(self, seconds: float) -> BackgroundWrites:
        """Have it write for a time.

        Raises:
            RuntimeError: it has ended.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{seconds}\n".encode())
        async with asyncio.timeout(seconds + GIVE_UP_S + ANSWER_TIMEOUT_S):
            line = await self._process.stdout.readline()
        if not line:
            raise RuntimeError("the background writer has ended")
        return BackgroundWrites(**json.loads(line))


@asynccontextmanager
async def writing(command: Sequence[str]) -> AsyncIterator[ToolWriter]:
    """Start a background writer and have it connect."""
    process = await _start(command)
    try:
        writer = ToolWriter(process)
        await writer.write_for(CONNECTING_S)
        yield writer
    finally:
        await _end(process)


async def _start(command: Sequence[str]) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=pipe, limit=LINE_BYTES_MAX)


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
