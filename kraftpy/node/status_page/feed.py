"""One state for all viewers: read when there is a viewer, at most once in a second, and for a tenth of the time.

There is no task: the first viewer that asks after a second reads for all others, in slices between which the loop goes
on. A node without a viewer does nothing for the page.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Generator
from functools import cached_property
from typing import Final

from kraftpy.node.status_page.page import page
from kraftpy.node.status_page.state import Json, PageState, state_json, steady_part

PERIOD_S: Final = 1.0
"""How old a state may be before it is read again."""

PERIOD_READINGS: Final = 10
"""How many times as old as its reading held the loop, at least: where many partitions have to be looked at, they are
read less often."""

SLICE_S: Final = 0.002
"""How long a reading may hold the loop; a step is not interrupted."""


class ReadState:
    """A state that was read.

    Attributes:
        state: its JSON as values.
        body: its JSON, on one line of ASCII.
        version: grows with each change; it is that of the state before where nothing changed.
    """

    def __init__(self, state: Json, version: int) -> None:
        self.state = state
        self.version = version
        self.body = json.dumps(state, separators=(",", ":")).encode("ascii")

    @cached_property
    def html(self) -> bytes:
        """The page, made when it is asked for."""
        return page(self.state).encode("utf-8")


class StateFeed:
    """The newest state of a node.

    Args:
        steps: begins a reading; it yields between steps.
        now_s: a clock that never goes back; by default that of the running loop.
    """

    def __init__(
        self, steps: Callable[[], Generator[None, None, PageState]], now_s: Callable[[], float] | None = None
    ) -> None:
        self._steps = steps
        self._now_s = now_s or (lambda: asyncio.get_running_loop().time())
        self._reading = asyncio.Lock()
        self._newest: ReadState | None = None
        self._steady: Json | None = None
        self._read_s = 0.0
        self._took_s = 0.0

    async def newest(self) -> ReadState:
        """Return the state, read again if it is older than the period; others that wait share the reading."""
        async with self._reading:
            period_s = max(PERIOD_S, self._took_s * PERIOD_READINGS)
            if self._newest is None or self._now_s() - self._read_s >= period_s:
                self._newest = self._noted(state_json(await self._read()))
                self._read_s = self._now_s()
            return self._newest

    async def _read(self) -> PageState:
        steps, took_s = self._steps(), 0.0
        while True:
            began_s = self._now_s()
            try:
                while self._now_s() - began_s < SLICE_S:
                    next(steps)
            except StopIteration as end:
                state = end.value
                assert isinstance(state, PageState)
                self._took_s = took_s + self._now_s() - began_s
                return state
            took_s += self._now_s() - began_s
            await asyncio.sleep(0)

    def _noted(self, state: Json) -> ReadState:
        steady, version = steady_part(state), 0 if self._newest is None else self._newest.version
        if steady != self._steady:
            self._steady = steady
            version += 1
        return ReadState(state, version)
