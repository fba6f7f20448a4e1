"""The verdict on a history, with the log that the cluster ended up with as the witness.

The log settles what no client knows: a write of unknown outcome either stands in it, or never happened. So the register
search (:mod:`tests.robustness.linear`) has little left to guess, and these stricter facts can be asked for besides:
every acknowledged write stands at the offset that it was acknowledged with; offsets follow real time; a read gives
exactly what the log says as of its offset.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tests.robustness.history import Kind, Operation, Outcome
from tests.robustness.linear import Verdict, check

SHOWN_MAX = 5
"""How many offenders a complaint names."""


@dataclass(frozen=True, slots=True)
class Written:
    """A config write as it stands in the log; offsets are of records."""

    offset: int
    key: str
    value: str


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


def judge(history: Sequence[Operation], log: Iterable[Written]) -> Judgement:
    """Judge a finished history by the final log."""
    written = sorted(log, key=lambda each: each.offset)
    complaints = [
        *_lost(history, written),
        *_out_of_order(history),
        *_misread(history, written),
    ]
    settled = [each for each in (_settled(each, {one.value for one in written}) for each in history) if each]
    counts = Counter(f"{each.kind} {each.outcome}{' confirmed' if each.confirmed else ''}" for each in history)
    return Judgement(check(settled), dict(sorted(counts.items())), complaints)


def _settled(operation: Operation, values: set[str | None]) -> Operation | None:
    """Decide a write of unknown outcome by the log: it happened (some time after its start), or it never did."""
    if operation.kind is Kind.WRITE and operation.outcome is Outcome.UNKNOWN:
        return replace(operation, outcome=Outcome.UNKNOWN) if operation.value in values else None
    return operation


def _lost(history: Sequence[Operation], log: Sequence[Written]) -> list[str]:
    """Find acknowledged writes that are not where they were acknowledged, and values that came from nowhere."""
    at = {each.offset: each for each in log}
    lost = [
        f"{each.key}={each.value} was acknowledged at offset {each.offset}; there stands {at.get(each.offset)}"
        for each in _acknowledged(history)
        if (found := at.get(each.offset)) is None or (found.key, found.value) != (each.key, each.value)
    ]
    asked = Counter((each.key, each.value) for each in history if each.kind is Kind.WRITE)
    stand = Counter((each.key, each.value) for each in log)
    invented = [f"{key}={value} stands in the log {stand[key, value]} times" for key, value in stand - asked]
    return _first("acknowledged writes are lost", lost) + _first("writes were made up or made twice", invented)


def _out_of_order(history: Sequence[Operation]) -> list[str]:
    """Find writes that were committed before one that had been acknowledged when they began."""
    done = sorted(_acknowledged(history), key=lambda each: each.ended or 0.0)
    begun = sorted(_acknowledged(history), key=lambda each: each.started)
    highest, index, wrong = -1, 0, []
    for later in begun:
        while index < len(done) and (done[index].ended or 0.0) < later.started:
            highest = max(highest, done[index].offset)
            index += 1
        if later.offset <= highest:
            wrong.append(f"{later.key}={later.value} at offset {later.offset} began after {highest} was acknowledged")
    return _first("offsets do not follow real time", wrong)


def _misread(history: Sequence[Operation], log: Sequence[Written]) -> list[str]:
    """Find reads that differ from the log as of the offset that they state."""
    wrong = []
    for read in (each for each in history if each.kind is Kind.READ):
        expected = next((one.value for one in reversed(log) if one.key == read.key and one.offset <= read.offset), None)
        if read.value != expected:
            wrong.append(f"{read.key} as of offset {read.offset} was read as {read.value}, the log says {expected}")
    return _first("reads differ from the log", wrong)


def _acknowledged(history: Sequence[Operation]) -> list[Operation]:
    return [each for each in history if each.kind is Kind.WRITE and each.outcome is Outcome.OK]


def _first(what: str, found: list[str]) -> list[str]:
    return [f"{len(found)} {what}: {'; '.join(found[:SHOWN_MAX])}"] if found else []
