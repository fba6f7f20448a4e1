"""The position of an image in the log.

An image is the effect of every record up to and including one offset. That offset, the epoch of its record and the
record's time are the image's provenance; a snapshot made from the image is named by the *exclusive* end of the same
range, which is why ``snapshot_id`` is one further.

Source: Kafka ``MetadataProvenance``; KIP-630 §Snapshot Format.
"""

from __future__ import annotations

from dataclasses import dataclass

from kraftpy.model.offsets import NO_OFFSET, Epoch, Offset, OffsetAndEpoch


@dataclass(frozen=True, slots=True)
class Provenance:
    """The last record that an image contains.

    Attributes:
        offset: of that record; -1 when the image contains none.
        epoch: in which it was appended; -1 when there is none.
        timestamp_ms: when it was appended; -1 when there is none.
        batch_aligned: whether it is the last of its batch. Only then may a snapshot be made: snapshots end where
            batches end.
    """

    offset: Offset
    epoch: Epoch
    timestamp_ms: int
    batch_aligned: bool

    @property
    def snapshot_id(self) -> OffsetAndEpoch:
        """The name of a snapshot of this image: the end offset is exclusive."""
        return OffsetAndEpoch(offset=self.offset + 1, epoch=self.epoch)


NOWHERE = Provenance(offset=NO_OFFSET, epoch=-1, timestamp_ms=-1, batch_aligned=False)
"""The provenance of the empty image."""
