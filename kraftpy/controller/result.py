"""What a decision is: the records to append and the answer to give once they are committed.

A result is a value. Deciding has no effect; only appending and replaying the records has (DESIGN D4). A result that is
not atomic may be cut into several appends: each part leaves a state that holds by itself.

Source: Kafka ``ControllerResult``, ``ControllerResultAndOffset``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from kraftpy.model.ids import NodeId
from kraftpy.records.codec import Record

RECORDS_PER_APPEND_MAX: Final = 10_000
"""How many records one append carries; an atomic result must fit."""


class ControllerResult(NamedTuple):
    """Records and the answer that becomes true with them.

    A tuple, because one is made for every request.

    Attributes:
        records: in the order in which they must stand in the log; empty when nothing changes.
        response: the answer's value, ``None`` for work that nobody asked for.
        atomic: whether the records may only be appended in one batch.
        enters_shutdown: the broker whose controlled shutdown begins with the last of the records; there is always one,
            because only a broker that leads something goes this way.
        kraft_version: the level that the quorum is to go to; it writes the records of that by itself.
    """

    records: Sequence[Record]
    response: object
    atomic: bool = True
    enters_shutdown: NodeId | None = None
    kraft_version: int | None = None

    def parts(self) -> Iterator[ControllerResult]:
        """Cut the result into what one append can carry; the answer belongs to the last part.

        A result without records is its only part.
        """
        records, size = self.records, RECORDS_PER_APPEND_MAX
        if self.atomic or len(records) <= size:
            yield self
            return
        last_start = (len(records) - 1) // size * size
        for start in range(0, last_start, size):
            yield ControllerResult(records[start : start + size], None, atomic=False)
        yield ControllerResult(records[last_start:], self.response, atomic=False, enters_shutdown=self.enters_shutdown)
