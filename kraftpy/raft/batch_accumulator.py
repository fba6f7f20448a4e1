"""What was proposed since the last ``Ready``, waiting to be framed.

Everything proposed between two ``Ready`` values becomes as few batches as fit, so a thousand proposals in flight cost
one batch and one fsync. A proposal is one atomic group: it never straddles two batches, because a reader applies a
batch as a whole. No bytes are copied before they are framed.

Source: Kafka ``BatchAccumulator``; D5 of the design.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kraftpy.model.errors import BusyError, LocalError, TooLargeError
from kraftpy.model.offsets import Offset
from kraftpy.raft.config import PENDING_APPEND_BYTES_MAX
from kraftpy.records.batch import BATCH_BYTES_MAX, BATCH_HEADER_BYTES, RECORD_OVERHEAD_MAX

GROUP_BYTES_MAX = BATCH_BYTES_MAX - BATCH_HEADER_BYTES
"""How large a group may be, each record counted with the most that its framing can take."""


@dataclass(slots=True)
class OpenBatch:
    """Record values that will share a batch."""

    base_offset: Offset
    values: list[bytes] = field(default_factory=list)
    size: int = 0


class BatchAccumulator:
    """Groups of record values, in offset order.

    Invariant: ``pending_bytes`` counts what was added and is not confirmed as flushed; it never passes
    PENDING_APPEND_BYTES_MAX.
    """

    __slots__ = ("_batches", "_unframed_bytes", "pending_bytes")

    def __init__(self) -> None:
        self._batches: list[OpenBatch] = []
        self._unframed_bytes = 0
        self.pending_bytes = 0

    @property
    def is_empty(self) -> bool:
        """Return whether nothing waits to be framed."""
        return not self._batches

    def add(self, base_offset: Offset, values: Sequence[bytes]) -> None:
        """Take a group whose first record gets ``base_offset``.

        Raises:
            LocalError: the group is empty, or one of its records is.
            TooLargeError: the group does not fit one batch; nothing was taken.
            BusyError: too many bytes wait for the disk; nothing was taken.
        """
        if not values or not all(values):
            raise LocalError(f"a proposal of {len(values)} records has no records, or an empty one")
        size = sum(map(len, values)) + RECORD_OVERHEAD_MAX * len(values)
        if size > GROUP_BYTES_MAX:
            raise TooLargeError(
                f"a proposal of {len(values)} records takes up to {size} bytes, over the {GROUP_BYTES_MAX} of a batch: "
                "split it"
            )
        if self.pending_bytes + size > PENDING_APPEND_BYTES_MAX:
            raise BusyError(
                f"{self.pending_bytes} proposed bytes wait for the disk and {size} more pass the limit of "
                f"{PENDING_APPEND_BYTES_MAX}: try again when some are flushed"
            )
        if not self._batches or self._batches[-1].size + size > GROUP_BYTES_MAX:
            self._batches.append(OpenBatch(base_offset))
        last = self._batches[-1]
        last.values.extend(values)
        last.size += size
        self._unframed_bytes += size
        self.pending_bytes += size

    def drain(self) -> tuple[list[OpenBatch], int]:
        """Return all batches for framing, and the number of pending bytes in them."""
        batches, size = self._batches, self._unframed_bytes
        self._batches, self._unframed_bytes = [], 0
        return batches, size

    def flushed(self, size: int) -> None:
        """Let go of bytes that reached the disk."""
        self.pending_bytes -= size
