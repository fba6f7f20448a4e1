"""Counts and bounds of what was read: of an input split while it is read, and of a file from its splits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from kraftpy.audit.reading.batch_runs import BatchRun
from kraftpy.audit.reading.rows import LOG, FileSummary
from kraftpy.audit.reading.scan import Problem, ScannedRange
from kraftpy.audit.reading.splits import InputSplit


@dataclass(slots=True)
class Summary:
    """Counts and bounds of one split. It is filled while the split is read, and complete at the end.

    Attributes:
        began: the position of its first batch or problem, -1 if there is none.
        ended: the position after its last one, -1 if there is none.
        first_offset: base offset of its first readable batch, -1 if there is none.
        first_epoch: the epoch of that batch.
        end_offset: the offset after the last readable batch before the first problem or break, -1 if there is none.
        end_epoch: that batch's epoch, -1 if there is none.
        max_timestamp_ms: the largest timestamp up to there, -1 if there is none.
        problems: rows with a problem, and breaks of the order: a base offset that does not follow, an epoch that
            decreases.
        is_whole: whether ``end_offset`` is the end of the split, because nothing in it is wrong.
        reached: the offset after the last readable batch, even after corruption; -1 if there is none.
        epochs: (epoch, base offset) of each readable batch whose epoch differs from that of the preceding one.
        stopped: the first problem in words.
        is_torn: whether the first problem is a batch that the end of the file cuts.
        batch_bytes: bytes of valid batches.
        free_bytes: zeros at the end.
        corrupt_bytes: all other bytes.
    """

    split: InputSplit
    began: int = -1
    ended: int = -1
    first_offset: int = -1
    first_epoch: int = -1
    end_offset: int = -1
    end_epoch: int = -1
    max_timestamp_ms: int = -1
    problems: int = 0
    is_whole: bool = True
    reached: int = -1
    epochs: list[tuple[int, int]] = field(default_factory=list)
    stopped: str = ""
    is_torn: bool = False
    batch_bytes: int = 0
    free_bytes: int = 0
    corrupt_bytes: int = 0
    _next: int = -1
    _epoch: int = -1

    def add(self, found: ScannedRange) -> None:
        """Add one batch, problem or free space, in the order of the file."""
        if self.began < 0:
            self.began = found.position
        self.ended = found.position + found.size
        batch = found.batch
        if found.is_free:
            self.free_bytes += found.size
            return
        if found.problem is not None or batch is None:
            self._add_problem(found)
            return
        self.batch_bytes += found.size
        self._add_good(batch.base_offset, batch.next_offset, batch.epoch, batch.max_timestamp_ms)

    def add_run(self, run: BatchRun, problems: Mapping[int, ScannedRange]) -> None:
        """Add the batches of a run; ``problems`` has those that break a rule, by index."""
        firsts, nexts, epochs, times = (
            column.tolist() for column in (run.base_offsets, run.next_offsets, run.epochs, run.max_times)
        )
        is_steady = not problems and firsts[1:] == nexts[:-1] and epochs == sorted(epochs)
        if self.began < 0:
            self.began = run.position
        self.ended = run.position + run.size
        self.batch_bytes += run.size
        if is_steady and epochs[0] == epochs[-1]:
            self._add_good(firsts[0], nexts[-1], epochs[0], max(times))
            return
        for index, (first, following, epoch, time_ms) in enumerate(zip(firsts, nexts, epochs, times, strict=True)):
            if index in problems:
                self.batch_bytes -= problems[index].size
                self._add_problem(problems[index])
            else:
                self._add_good(first, following, epoch, time_ms)

    def _add_problem(self, found: ScannedRange) -> None:
        self.corrupt_bytes += found.size
        detail = found.detail or str(found.problem)
        place = "" if " at byte " in detail else f"at byte {found.position}: "
        self._stop(f"{place}{detail}", is_torn=found.problem is Problem.CUT_OFF)

    def _stop(self, why: str, *, is_torn: bool = False) -> None:
        self.problems += 1
        self.is_whole = False
        if not self.stopped:
            self.stopped, self.is_torn = why, is_torn

    def _add_good(self, base_offset: int, next_offset: int, epoch: int, max_timestamp_ms: int) -> None:
        """Add valid batches of one epoch that follow each other."""
        if self._next >= 0 and base_offset != self._next:
            self._stop(f"offset {base_offset} follows where {self._next} is due")
        elif self._next >= 0 and epoch < self._epoch:
            self._stop(f"offset {base_offset} has epoch {epoch} after epoch {self._epoch}")
        if epoch != self._epoch:
            self.epochs.append((epoch, base_offset))
        self._next, self._epoch = next_offset, epoch
        self.reached = max(self.reached, next_offset)
        if self.first_offset < 0:
            self.first_offset, self.first_epoch = base_offset, epoch
        if self.is_whole:
            self.end_offset, self.end_epoch = next_offset, epoch
            self.max_timestamp_ms = max(self.max_timestamp_ms, max_timestamp_ms)


def file_summaries(summaries: Iterable[Summary]) -> tuple[list[FileSummary], list[str]]:
    """Join the summaries of splits into one summary per file.

    Returns:
        The summaries, and the paths of files whose splits do not meet: those must be read in one piece.
    """
    by_file: dict[str, list[Summary]] = {}
    for summary in summaries:
        by_file.setdefault(summary.split.file.path, []).append(summary)
    joined: list[FileSummary] = []
    torn: list[str] = []
    for path, parts in by_file.items():
        parts.sort(key=lambda summary: summary.split.start)
        owners = [part for part in parts if part.began >= 0]
        if any(left.ended != right.began for left, right in pairwise(owners)):
            torn.append(path)
        joined.append(_joined(parts[0].split, owners))
    return joined, torn


def _joined(split: InputSplit, parts: list[Summary]) -> FileSummary:
    file = split.file
    first = next((part.first_offset for part in parts if part.first_offset >= 0), -1)
    end, epoch, time_ms, problems, is_whole = first, -1, -1, 0, True
    stopped: list[tuple[str, bool]] = []
    epochs: list[tuple[int, int]] = []
    for part in parts:
        follows = part.first_offset < 0 or (part.first_offset == end and part.first_epoch >= epoch)
        problems += part.problems + (not follows)
        if is_whole and not follows:
            stopped.append((f"offset {part.first_offset} follows where {end} is due", False))
        if part.stopped:
            stopped.append((part.stopped, part.is_torn))
        epochs += part.epochs[1:] if epochs and part.epochs[:1] and part.epochs[0][0] == epochs[-1][0] else part.epochs
        is_whole = is_whole and follows
        if is_whole and part.end_offset >= 0:
            end, epoch = part.end_offset, part.end_epoch
            time_ms = max(time_ms, part.max_timestamp_ms)
        is_whole = is_whole and part.is_whole
    if file.kind == LOG and first >= 0 and first != file.base_offset:
        problems += 1
        stopped.insert(0, (f"it starts with offset {first}", False))
    return FileSummary(
        file.cluster, file.node, file.path, file.kind, first, end, epoch, time_ms, problems,
        reached=max((part.reached for part in parts), default=-1),
        epochs=tuple(epochs),
        stopped=stopped[0][0] if stopped else "",
        is_torn=problems == 1 and bool(stopped) and stopped[0][1],
        batch_bytes=sum(part.batch_bytes for part in parts),
        free_bytes=sum(part.free_bytes for part in parts),
        corrupt_bytes=sum(part.corrupt_bytes for part in parts),
    )  # fmt: skip
