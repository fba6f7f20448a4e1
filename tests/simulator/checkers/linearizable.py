"""Every register's history can be explained by one order that real time allows; all acknowledged answers count.

The ledger is independent evidence, and settles what no client knows: an acknowledged write is at the offset of its
answer, or the register had that value already at that offset; a write of unknown outcome without a record changed
nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict

from kraftpy.model.features import SchemaSet
from kraftpy.records.metadata import decode_record
from tests.robustness.history import Kind, Outcome
from tests.robustness.history import Operation as Seen
from tests.robustness.linear import Verdict, check_register
from tests.simulator.checkers.base import Checker
from tests.simulator.readers import Read
from tests.simulator.registers import DRY_RUN, register_of
from tests.simulator.workload import Operation

Timeline = list[tuple[int, "str | None"]]
"""Offsets and values of one register's records, ascending."""


class LinearizableChecker(Checker):
    """Judges the histories of the registers, in the end.

    Attributes:
        judged: how many operations were.
    """

    name = "linearizable"

    def __init__(self, sim: object) -> None:
        super().__init__(sim)
        self.judged = 0

    def at_end(self) -> None:
        timelines = self._timelines()
        writes = defaultdict(list)
        for operation in self.sim.registers.history:
            if operation.key and self.sim.registers.kinds.get(operation.number) != DRY_RUN:
                writes[operation.key].append(operation)
        for key in sorted({*timelines, *writes, *(read.key for read in self.sim.readers.answers)}):
            self._judge(key, writes[key], timelines[key])

    def _timelines(self) -> defaultdict[str, Timeline]:
        schema = SchemaSet.for_level(self.sim.level)
        found: defaultdict[str, Timeline] = defaultdict(list)
        for entry in self.sim.ledger.entries:
            values = () if entry.batch.is_control else entry.batch.values()
            for offset, value in enumerate(values, entry.batch.base_offset):
                written = register_of(decode_record(value, schema))
                if written is not None:
                    found[written[0]].append((offset, written[1]))
        return found

    def _judge(self, key: str, writes: list[Operation], timeline: Timeline) -> None:
        unexplained = Counter(value for _, value in timeline)
        quarantined: set[int] = set()
        for write in writes:
            if write.acknowledged is not None:
                states = self._states(timeline, write.acknowledged)
                self.require(
                    states == write.value, "a register says what was acknowledged at that offset", write.number, states
                )
                if (write.acknowledged, write.value) in timeline and write.acknowledged not in quarantined:
                    quarantined.add(write.acknowledged)
                    unexplained[write.value] -= 1
        unknown = Counter(write.value for write in writes if write.acknowledged is None)
        made_up = +(unexplained - unknown)
        self.require(not made_up, "what stands in the log was asked for, so many times", key, made_up)
        reads = [read for read in self.sim.readers.answers if read.key == key]
        for read in reads:
            states = self._states(timeline, read.offset)
            self.require(
                states == read.value, "a register was read as it was at the offset that the answer states", read
            )
        seen = [self._seen(write) for write in writes if write.acknowledged is not None or unexplained[write.value] > 0]
        seen += [_seen_by(read) for read in reads if read.linearizable]
        # A reader looks when all is over.
        now = float(self.sim.moments.next())
        last = timeline[-1][1] if timeline else None
        seen.append(Seen("world", Kind.READ, key, last, now, now + 0.5, Outcome.OK, linearizable=True))
        self.judged += len(seen)
        verdict = check_register(seen)
        self.require(verdict is Verdict.VALID, "an order explains what the clients of a register saw", key, verdict)

    def _states(self, timeline: Timeline, offset: int) -> str | None:
        place = bisect_right(timeline, offset, key=lambda each: each[0])
        return timeline[place - 1][1] if place else None

    def _seen(self, write: Operation) -> Seen:
        ends = [moment for moment in (write.answered, write.settled) if moment is not None]
        done = write.acknowledged is not None
        return Seen(
            client=str(write.client),
            kind=Kind.WRITE,
            key=write.key,
            value=write.value,
            started=float(write.began),
            ended=float(min(ends)) if done else None,
            outcome=Outcome.OK if done else Outcome.UNKNOWN,
            offset=-1 if write.acknowledged is None else write.acknowledged,
            until=float(min(ends)) if ends and not done else None,
        )


def _seen_by(read: Read) -> Seen:
    return Seen(
        client="reader",
        kind=Kind.READ,
        key=read.key,
        value=read.value,
        started=float(read.began),
        ended=float(read.ended),
        outcome=Outcome.OK,
        offset=read.offset,
        linearizable=True,
    )
