"""One input under limits: only named errors, a bounded time, bounded memory.

Time is the processor's, so that a busy machine causes no finding: a timer of it is armed for every input, and what the
input holds up in C is seen when the timer is read afterwards. Memory is counted by ``tracemalloc``, which makes a run
ten times as slow, so campaigns do it for one input of MEASURED_EVERY, and for every one that took long.
"""

from __future__ import annotations

import signal
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType, TracebackType

from tests.fuzz.target import MEMORY_FACTOR, SECONDS_MAX, Target

MEASURED_EVERY = 512
SUSPICIOUS_SECONDS = 0.05
"""An input that takes longer is measured, too."""


class TooSlow(BaseException):
    """The time of an input is over."""


@dataclass(frozen=True, slots=True)
class Finding:
    """An input that did what no input may do.

    Attributes:
        place: the kind of failure and where it happened: two findings of one place are taken for one.
        story: what happened, in a line.
    """

    target: str
    place: str
    story: str
    data: bytes


@contextmanager
def timers() -> Iterator[None]:
    """Own the processor-time timer; hold this around every judgement."""

    def over(_number: int, _frame: FrameType | None) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, over)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


class Judge:
    """Judges the inputs of one target, one after the other.

    Attributes:
        inputs: how many there were.
        refused: how many of them ended in a named error.
        measured: of how many the memory was counted.
        slowest: the most seconds that one took.
    """

    def __init__(self, target: Target, *, measured_every: int = MEASURED_EVERY) -> None:
        self.target = target
        self.inputs = self.refused = self.measured = 0
        self.slowest = 0.0
        self._every = measured_every

    def judge(self, data: bytes) -> Finding | None:
        """Run an input; return what it did wrong."""
        self.inputs += 1
        if self.inputs % self._every == 0:
            return self._measured(data)
        found, seconds = self._timed(data)
        if found is None and seconds > SUSPICIOUS_SECONDS:
            return self._measured(data)
        return found

    def _timed(self, data: bytes, factor: float = 1.0) -> tuple[Finding | None, float]:
        target, found, limit = self.target, None, SECONDS_MAX * factor
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, limit)
            target.run(data)
        except target.refusals:
            self.refused += 1
        except TooSlow:
            return Finding(target.name, "time", f"{len(data)} bytes took more than {limit} s", data), limit
        except BaseException as error:  # noqa: BLE001 - whatever else comes out is what is searched for
            place, story = _placed(error)
            found = Finding(target.name, place, story, data)
        seconds = limit - signal.setitimer(signal.ITIMER_VIRTUAL, 0)[0]
        if factor == 1.0:
            self.slowest = max(self.slowest, seconds)
        return found, seconds

    def _measured(self, data: bytes) -> Finding | None:
        self.measured += 1
        tracemalloc.start()
        try:
            found, _ = self._timed(data, factor=20.0)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        allowed = self.target.memory_base + MEMORY_FACTOR * len(data)
        if found is None and peak > allowed:
            story = f"{len(data)} bytes took {peak} bytes of memory, {allowed} are allowed"
            return Finding(self.target.name, "memory", story, data)
        return found


def _placed(error: BaseException) -> tuple[str, str]:
    """Name the innermost line of ours, or of a test, that an error came from."""
    place, at = "?", error.__traceback__
    while at is not None:
        place, at = _line(at) or place, at.tb_next
    return f"{type(error).__name__} at {place}", f"{type(error).__name__}: {str(error)[:300]}"


def _line(at: TracebackType) -> str | None:
    path = at.tb_frame.f_code.co_filename
    for root in ("kraftpy/", "tests/fuzz/targets/"):
        if root in path:
            return f"{root}{path.rpartition(root)[2]}:{at.tb_lineno}"
    return None
