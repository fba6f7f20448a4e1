"""How far the work on files has come, in bytes and files: counted in this process, or by Spark's tasks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from kraftpy.audit.engines.protocol import ProgressReport
from kraftpy.audit.reading.discovery import KraftFile
from kraftpy.audit.reading.record_chunks import Bounds, RecordChunk, chunks_of, is_empty
from kraftpy.audit.reading.splits import InputSplit

LOOK_S: Final = 0.5
"""How often the driver looks at what Spark's tasks have counted."""

Amount = tuple[int, int]
"""Bytes and files."""


class FilesDone:
    """Counts the files that a step of this process works on.

    Args:
        progress: receives it.
        what: the step.
        files: all files of the step; one that is read again does not count twice.
    """

    def __init__(self, progress: ProgressReport, what: str, files: Iterable[KraftFile]) -> None:
        self._progress = progress
        self._what = what
        self._sizes = {file.path: file.size for file in files}
        self._total = sum(self._sizes.values())
        self._done: set[str] = set()
        self._before = self._reached = 0

    def chunks(self, files: Iterable[KraftFile], bounds: Bounds) -> Iterator[RecordChunk]:
        """Yield what ``record_chunks.replay_chunks`` does."""
        for file in files:
            if is_empty(bounds(file.path, file.kind)):
                continue
            for chunk in chunks_of(InputSplit(file, 0, file.size), bounds):
                if len(chunk):
                    self.reached(file, int(chunk.positions[-1]))
                yield chunk
            self.reached(file, file.size)

    def reached(self, file: KraftFile, position: int) -> None:
        """Count what is before a position of a file, which is done at its size."""
        if file.path in self._done:
            return
        self._reached = max(self._reached, self._before + min(position, file.size))
        if position >= file.size:
            self._done.add(file.path)
            self._before += file.size
        self._progress(self._what, self._reached, self._total, len(self._done), len(self._sizes))


@contextmanager
def watched(progress: ProgressReport | None, what: str, total: Amount, done: Callable[[], Amount]) -> Iterator[None]:
    """Report what is done, from a thread, while the block runs; and at its end that all is.

    Args:
        progress: receives it; without one, nothing is reported.
        what: the step.
        total: of all of it.
        done: says how much is.
    """
    if progress is None:
        yield
        return
    ended = threading.Event()

    def report() -> None:
        # A task that is run again counts again.
        amount, files = (min(each, most) for each, most in zip(done(), total, strict=True))
        progress(what, amount, total[0], files, total[1])

    def watch() -> None:
        while not ended.wait(LOOK_S):
            report()

    report()
    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
    progress(what, total[0], total[0], total[1], total[1])


@contextmanager
def counted_by_tasks(
    progress: ProgressReport | None, context: Any, what: str, total: Amount
) -> Iterator[Callable[[Amount], None] | None]:
    """Report what tasks have counted while the block runs their job; see :func:`watched`.

    Yields:
        What a task calls with its own amount when it is done; it can be pickled. ``None`` without a progress.
    """
    counters = None if progress is None else TaskCounters(context)
    with watched(progress, what, total, lambda: (0, 0) if counters is None else counters.amount):
        yield None if counters is None else counters.count


class TaskCounters:
    """The counters of a job: bytes and files.

    Attributes:
        count: what a task calls with its own amount when it is done; it can be pickled.
    """

    def __init__(self, context: Any) -> None:
        self._counters = (context.accumulator(0), context.accumulator(0))
        self.count = _Count(self._counters)

    @property
    def amount(self) -> Amount:
        """What all tasks have counted so far."""
        return self._counters[0].value, self._counters[1].value


class _Count:
    """Adds to the counters of a job; runs in a worker."""

    def __init__(self, counters: Sequence[Any]) -> None:
        self._counters = counters

    def __call__(self, amount: Amount) -> None:
        for counter, number in zip(self._counters, amount, strict=True):
            counter.add(number)


def counted(
    item: Any, task: Callable[[Any], Iterable[Any]], count: Callable[[Amount], None], amount_of: Callable[[Any], Amount]
) -> Iterator[Any]:
    """Run a task in a worker, and count its item when it is done."""
    yield from task(item)
    count(amount_of(item))


def amount_of_files(files: Iterable[KraftFile]) -> Amount:
    """Return the bytes of files, and how many files they are."""
    sizes = [file.size for file in files]
    return sum(sizes), len(sizes)


def amount_of_splits(splits: Iterable[InputSplit]) -> Amount:
    """Return the bytes of splits, and how many files end in them."""
    found = list(splits)
    return sum(split.stop - split.start for split in found), sum(split.is_last for split in found)
