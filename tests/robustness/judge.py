"""The verdict on a history, with the log that the cluster ended up with as evidence.

The register search (:mod:`tests.robustness.linear`) takes every acknowledged write, also one that changed nothing, and
every linearizable read. The log settles what no client knows: a write of unknown outcome without a record in it changed
nothing. These stricter facts are checked as well: at the offset of a write's acknowledgement its register has the
written value; offsets follow real time; a read returns exactly the value in the log as of its offset; what one process
shows never goes back.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tests.robustness.history import Kind, Operation, Outcome
from tests.robustness.linear import Verdict, check

SHOWN_MAX = 5
"""How many offenders a complaint names."""


@dataclass(frozen=True, slots=True)
class Written:
    """A record of a register as it is in the log; offsets are of records, ``None`` deletes."""

    offset: int
    key: str
    value: str | None


@dataclass(slots=True)
class Judgement:
    """What was found; no complaint means that all is well."""

    verdicts: Mapping[str, Verdict]
    counts: Mapping[str, int]
    complaints: list[str] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        """Whether nothing was lost, and no key's history is impossible; an unknown verdict is not clean."""
        return not self.complaints and set(self.verdicts.values()) <= {Verdict.VALID}


class Timelines:
    """What every register says at every offset."""

    def __init__(self, log: Iterable[Written]) -> None:
        self._of: dict[str, list[Written]] = defaultdict(list)
        for each in sorted(log, key=lambda each: each.offset):
            self._of[each.key].append(each)

    def last(self, key: str, offset: int) -> Written | None:
        """Return the newest record of a register up to an offset."""
        place = bisect_right(self._of.get(key, []), offset, key=lambda each: each.offset)
        return self._of[key][place - 1] if place else None

    def states(self, key: str, offset: int) -> str | None:
        """Return a register's value as of an offset."""
        found = self.last(key, offset)
        return None if found is None else found.value


def judge(history: Sequence[Operation], log: Iterable[Written]) -> Judgement:
    """Judge a finished history by the final log."""
    written = list(log)
    timelines = Timelines(written)
    unexplained = _unexplained(history, written, timelines)
    complaints = [
        *_lost(history, timelines),
        *_made_up(history, unexplained),
        *_out_of_order(history, timelines),
        *_misread(history, timelines),
        *_went_back(history),
    ]
    settled = [each for each in history if not _changed_nothing(each, unexplained)]
    counts = Counter(each.name for each in history)
    counts["write that changed nothing"] = sum(not _has_record(each, timelines) for each in _acknowledged(history))
    return Judgement(check(settled), dict(sorted(counts.items())), complaints)


def _changed_nothing(operation: Operation, unexplained: Counter[tuple[str, str | None]]) -> bool:
    """Return whether a write of unknown outcome has no record of its own: it was not done, or changed nothing."""
    is_unknown = operation.kind is Kind.WRITE and operation.outcome is Outcome.UNKNOWN
    return is_unknown and unexplained[operation.key, operation.value] <= 0


def _has_record(write: Operation, timelines: Timelines) -> bool:
    found = timelines.last(write.key, write.offset)
    return found is not None and found.offset == write.offset


def _unexplained(
    history: Sequence[Operation], log: Sequence[Written], timelines: Timelines
) -> Counter[tuple[str, str | None]]:
    """Count the records that are at no acknowledged write's offset, by key and value."""
    places = {(each.key, each.offset) for each in _acknowledged(history) if _has_record(each, timelines)}
    return Counter((each.key, each.value) for each in log if (each.key, each.offset) not in places)


def _lost(history: Sequence[Operation], timelines: Timelines) -> list[str]:
    """Find acknowledged writes that their register does not show at the offset that they were acknowledged with."""
    lost = [
        f"{each.key}={each.value} was acknowledged at offset {each.offset}; there it says {states}"
        for each in _acknowledged(history)
        if (states := timelines.states(each.key, each.offset)) != each.value
    ]
    return _first("acknowledged writes are lost", lost)


def _made_up(history: Sequence[Operation], unexplained: Counter[tuple[str, str | None]]) -> list[str]:
    """Find more records than the writes that could have made them: none made it, or one write was done twice."""
    open_ones = Counter(
        (each.key, each.value) for each in history if each.kind is Kind.WRITE and each.outcome is Outcome.UNKNOWN
    )
    invented = [f"{key}={value}, {count} times too often" for (key, value), count in (unexplained - open_ones).items()]
    return _first("writes were made up or made twice", invented)


def _out_of_order(history: Sequence[Operation], timelines: Timelines) -> list[str]:
    """Find answers of a state without what had been acknowledged, or read, before they were asked for."""
    reported = [each for each in history if each.outcome is Outcome.OK and each.ended is not None]
    # What was seen at any node was committed, and so was all before it.
    done = sorted(reported, key=lambda each: each.ended or 0.0)
    asked = [each for each in reported if each.kind is not Kind.READ or each.linearizable]
    highest, index, wrong = -1, 0, []
    for later in sorted(asked, key=lambda each: each.started):
        while index < len(done) and (done[index].ended or 0.0) < later.started:
            highest = max(highest, done[index].offset)
            index += 1
        wrote = later.kind is Kind.WRITE and _has_record(later, timelines)
        shares = wrote and later.offset == highest and not _is_first(later, reported)
        if later.offset < highest or (wrote and later.offset == highest and not shares):
            what = f"{later.kind} {later.key}={later.value} at offset {later.offset}"
            wrong.append(f"{what} began after {highest} was acknowledged")
    return _first("offsets do not follow real time", wrong)


def _is_first(write: Operation, reported: Sequence[Operation]) -> bool:
    """Return whether a write is the only one that may have made the record at its offset; others found it there."""
    same = [
        each for each in reported if each.kind is Kind.WRITE and (each.key, each.offset) == (write.key, write.offset)
    ]
    return min(same, key=lambda each: each.started) is write


def _misread(history: Sequence[Operation], timelines: Timelines) -> list[str]:
    """Find reads that differ from the log as of the offset that they state."""
    wrong = [
        f"{read.key} as of offset {read.offset} was read as {read.value}, the log says {states}"
        for read in history
        if read.kind is Kind.READ and read.value != (states := timelines.states(read.key, read.offset))
    ]
    return _first("reads differ from the log", wrong)


def _went_back(history: Sequence[Operation]) -> list[str]:
    """Find reads that one process answered from a state before one that it had shown."""
    by_process: dict[str, list[Operation]] = defaultdict(list)
    for each in history:
        if each.kind is Kind.READ and each.node:
            by_process[each.node].append(each)
    wrong = []
    for process, reads in by_process.items():
        done = sorted(reads, key=lambda each: each.ended or 0.0)
        highest, index = -1, 0
        for later in sorted(reads, key=lambda each: each.started):
            while index < len(done) and (done[index].ended or 0.0) < later.started:
                highest = max(highest, done[index].offset)
                index += 1
            if later.offset < highest:
                wrong.append(f"process {process} showed offset {highest}, and {later.offset} later")
    return _first("reads go back at a process", wrong)


def _acknowledged(history: Sequence[Operation]) -> list[Operation]:
    return [each for each in history if each.kind is Kind.WRITE and each.outcome is Outcome.OK]


def _first(what: str, found: list[str]) -> list[str]:
    return [f"{len(found)} {what}: {'; '.join(found[:SHOWN_MAX])}"] if found else []
