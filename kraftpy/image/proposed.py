"""What a leader proposed, for its own loader: the records that it decided, which nobody has to decode again.

When a leader's records are committed, its loader would read their bytes back and decode them: a third of what a write
costs a leader's state. So the controller hands over the records, and the loader replays them in place of decoded ones
if, and only if, the committed batches are what was proposed: framing the proposed values again, at the offsets, in the
epoch and with the time that the log names, must give the very bytes that stand in the log.

Only ConfigRecords are handed over: they are what writes come in masses of, and they have one version, so that what was
encoded is what would be decoded. Replay stays the only thing that changes state (DESIGN D4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kraftpy.model.invariant import invariant
from kraftpy.model.offsets import Epoch, Offset
from kraftpy.records.batch import Batch, encode_batch
from kraftpy.records.metadata import ConfigRecord, LogRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """Records that follow one another in the log.

    Attributes:
        base_offset: where the first one stands.
        epoch: in which they were proposed.
        records: as they were decided.
        values: as they were proposed; as many.
    """

    base_offset: Offset
    epoch: Epoch
    records: Sequence[ConfigRecord]
    values: Sequence[bytes]

    def by_batch(self, batches: Sequence[Batch]) -> Mapping[Offset, Sequence[LogRecord]] | None:
        """Return base offsets of committed batches and their records; ``None`` if these batches are something else.

        Raises:
            InvariantViolation: they stand where, and in the epoch in which, other values were proposed: either the log
                or this node's memory is damaged, and nothing tells which.
        """
        if batches[0].base_offset != self.base_offset or batches[-1].next_offset != self.base_offset + len(self.values):
            return None
        if any(batch.is_control or batch.epoch != self.epoch for batch in batches):
            return None
        found: dict[Offset, Sequence[LogRecord]] = {}
        for batch in batches:
            start = batch.base_offset - self.base_offset
            place = slice(start, start + batch.record_count)
            framed = encode_batch(
                self.values[place],
                base_offset=batch.base_offset,
                epoch=self.epoch,
                timestamp_ms=batch.base_timestamp_ms,
            )
            invariant(
                framed == batch.data, "what is committed is what its leader proposed", batch.base_offset, batch.epoch
            )
            found[batch.base_offset] = self.records[place]
        return found
