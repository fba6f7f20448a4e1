"""A write that takes more than one turn: to be decided, to be appended, or both.

Its decision is made in slices (``controller.slices``), its records are appended a part each turn. Nothing else is
appended meanwhile, so the state that it was decided from stays what it is; heartbeats that change nothing are answered
(:mod:`kraftpy.runtime.controller_loop`).

An atomic one is a metadata transaction. If it cannot go on, its records are dropped: by an AbortTransactionRecord of
this controller, or, when leadership was lost, of the next one.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from kraftpy.controller.controller import TICK
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.slices import Slices
from kraftpy.model.invariant import invariant
from kraftpy.model.offsets import Offset
from kraftpy.records.codec import Record
from kraftpy.runtime.waiters import QueuedWrite

PART_BYTES_MAX: Final = 1024 * 1024
"""How many bytes of records one part has, unless a single record has more."""

SPARED_RECORDS_MIN: Final = 1_000
"""From this number of records on they are excluded from garbage collection."""


@dataclass(slots=True)
class LargeWrite:
    """One such write.

    Attributes:
        write: who waits for it; ``None`` for what the controller decided on its own.
        began_at: the offset of the last record before it.
        slices: the decision, while it is being made.
        result: what was decided.
        prepared: the encoded part that the log did not take yet.
        spent_ms: how long it was worked on so far.
    """

    write: QueuedWrite | None
    began_at: Offset
    slices: Slices[ControllerResult] | Slices[ControllerResult | None] | None = None
    result: ControllerResult | None = None
    prepared: tuple[ControllerResult, Sequence[bytes]] | None = None
    spent_ms: int = 0
    _records: Sequence[Record] = field(default=())
    _appended: int = 0

    @property
    def kind(self) -> str:
        """What its errors are counted as."""
        return TICK if self.write is None else type(self.write.submission.request).__name__

    @property
    def author(self) -> bytes:
        """Who asked for it, encoded; empty for what the controller decided on its own."""
        return b"" if self.write is None else self.write.submission.author

    @property
    def is_begun(self) -> bool:
        """Whether a part of it is in the log."""
        return self._appended > 0

    @property
    def is_done(self) -> bool:
        """Whether all of it is in the log."""
        return self.result is not None and self._appended == len(self._records)

    @property
    def takes_effect_whole(self) -> bool:
        """Whether what is in the log has no effect before the last part is."""
        return self.result is None or bool(self.result.transaction) or not self.is_begun

    def decided(self, result: ControllerResult) -> None:
        """Go on with appending."""
        self.slices, self.result, self._records = None, result, result.log_records

    def next_records(self, size: int) -> Sequence[Record]:
        """Return the next records, as many as a part has at most."""
        return self._records[self._appended : self._appended + size]

    def next_part(self, records: Sequence[Record]) -> ControllerResult:
        """Return these next records as a part of the result."""
        invariant(self.result is not None, "a write is decided before it is appended")
        assert self.result is not None
        is_last = self._appended + len(records) == len(self._records)
        if is_last:
            return self.result._replace(records=records, transaction="")
        return ControllerResult(records, None, atomic=False)

    def spare_collector(self) -> None:
        """Exclude what this turn made from garbage collection, if it is much.

        The records live until the write is done, and form no cycles. A collection over all of them takes longer than
        a turn may.
        """
        if self.slices is not None or len(self._records) >= SPARED_RECORDS_MIN:
            gc.collect(1)
            gc.freeze()

    def appended(self, count: int) -> None:
        """Note that the log took the prepared part."""
        self._appended += count
        self.prepared = None


def fitting(values: Sequence[bytes]) -> int:
    """Return how many of these encoded records make a part; at least one."""
    size = 0
    for count, value in enumerate(values):
        size += len(value)
        if size > PART_BYTES_MAX and count > 0:
            return count
    return len(values)
