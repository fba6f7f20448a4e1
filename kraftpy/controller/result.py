"""What a decision is: the records to append and the answer to give once they are committed.

A result is a value. Deciding has no effect; only appending and replaying the records has (DESIGN D4).

A result with more than :data:`RECORDS_PER_PART_MAX` records is appended in parts, over several turns. One that is not
atomic may be cut anywhere: each part leaves a state that holds by itself. One that is atomic becomes a metadata
transaction (KIP-868): its records take effect with the EndTransactionRecord, and not at all without it. What becomes of
the partitions of a broker that goes is one change wherever a transaction can hold it, and is cut where none can: it is
never refused for its size.

Source: Kafka ``ControllerResult``, ``ControllerResultAndOffset``; KIP-868.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from kraftpy.controller.broker_events import BrokerEvent
from kraftpy.model.ids import NodeId
from kraftpy.records.codec import Record
from kraftpy.records.metadata import BeginTransactionRecord, EndTransactionRecord

RECORDS_PER_PART_MAX: Final = 2_000
"""How many records a part has at most. Some 20 ms of work: an active controller appends one part a turn."""


class ControllerResult(NamedTuple):
    """Records and the answer that becomes true with them.

    A tuple, because one is made for every request.

    Attributes:
        records: in the order that they must have in the log; empty when nothing changes.
        response: the answer's value, ``None`` for work without a request.
        atomic: whether the records take effect together, or not at all; a result that is too large for that is refused.
        prefers_transaction: whether one that is not atomic takes effect together all the same, if a transaction can
            hold it.
        enters_shutdown: the broker whose controlled shutdown begins with the last of the records; there is always one,
            because only a broker that leads something goes this way.
        kraft_version: the level that the quorum is to go to; it writes the records of that by itself.
        transaction: the name of the metadata transaction that the records are to be appended in; empty for none.
        broker_event: what the records do to a broker, once the last of them is committed; for the log.
    """

    records: Sequence[Record]
    response: object
    atomic: bool = True
    prefers_transaction: bool = False
    enters_shutdown: NodeId | None = None
    kraft_version: int | None = None
    transaction: str = ""
    broker_event: BrokerEvent | None = None

    @property
    def log_records(self) -> Sequence[Record]:
        """What is appended: the records, between the marks of the transaction if there is one."""
        if not self.transaction:
            return self.records
        return (BeginTransactionRecord(name=self.transaction), *self.records, EndTransactionRecord())

    @property
    def is_divisible(self) -> bool:
        """Whether it may be appended in parts."""
        return bool(self.transaction) or not self.atomic

    def parts(self, size: int = RECORDS_PER_PART_MAX) -> Iterator[ControllerResult]:
        """Cut the result into parts of at most ``size`` records; the answer belongs to the last one.

        A result without records is its only part.
        """
        records = self.log_records
        if not self.is_divisible or len(records) <= size:
            yield self._replace(records=records, transaction="")
            return
        last_start = (len(records) - 1) // size * size
        for start in range(0, last_start, size):
            yield ControllerResult(records[start : start + size], None, atomic=False)
        yield ControllerResult(
            records[last_start:],
            self.response,
            atomic=False,
            enters_shutdown=self.enters_shutdown,
            broker_event=self.broker_event,
        )
