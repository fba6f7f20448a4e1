"""Positions in the log.

Ranges are half-open everywhere, ``[from, to)``. The log end offset is the next offset to be written; the high watermark
is the first offset that is not known to be committed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kraftpy.model.ids import NodeId

Offset: TypeAlias = int
"""A place in the log: a non-negative int64."""

Epoch: TypeAlias = int
"""A leader epoch (Raft's term): an int32 that starts at 0 for "nothing yet"; elected epochs start at 1."""

NO_OFFSET: Offset = -1
"""How the wire writes "unknown offset"."""


@dataclass(frozen=True, slots=True, order=True)
class OffsetAndEpoch:
    """An exclusive end offset and the epoch of the record just before it.

    The order is Kafka's: **epoch first, then offset** (votes, snapshots). The fields are declared in that order so that
    the generated comparison is the right one.
    """

    epoch: Epoch
    offset: Offset

    def __str__(self) -> str:
        return f"(offset={self.offset}, epoch={self.epoch})"


@dataclass(frozen=True, slots=True)
class LeaderAndEpoch:
    """The leader of an epoch, as far as this node knows; ``leader_id`` is ``None`` while it is unknown."""

    leader_id: NodeId | None
    epoch: Epoch


ORIGIN = OffsetAndEpoch(epoch=0, offset=0)
"""The end of an empty log, and the id of the zero checkpoint that ``storage format`` writes."""
