"""Names of segments and snapshots. A module of its own, because code that looks for files needs no more.

Source: ``on-disk formats`` §8.1.
"""

from __future__ import annotations

import re
from typing import Final

from kraftpy.model.offsets import Offset, OffsetAndEpoch

_CHECKPOINT: Final = re.compile(r"([0-9]{20})-([0-9]{10})\.checkpoint", re.ASCII)
OFFSET_MAX: Final = 2**63 - 1
EPOCH_MAX: Final = 2**31 - 1


def segment_file_name(base_offset: Offset) -> str:
    """Return the name of the segment that starts at an offset."""
    return f"{base_offset:020d}.log"


def snapshot_file_name(snapshot_id: OffsetAndEpoch) -> str:
    """Return the file name of a snapshot."""
    return f"{snapshot_id.offset:020d}-{snapshot_id.epoch:010d}.checkpoint"


def parse_snapshot_file_name(name: str) -> OffsetAndEpoch | None:
    """Return the snapshot that a file name names, or ``None`` when it is not a finished snapshot's name."""
    match = _CHECKPOINT.fullmatch(name)
    if match is None:
        return None
    snapshot_id = OffsetAndEpoch(epoch=int(match[2]), offset=int(match[1]))
    return snapshot_id if snapshot_id.offset <= OFFSET_MAX and snapshot_id.epoch <= EPOCH_MAX else None
