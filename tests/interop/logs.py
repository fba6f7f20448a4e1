"""Metadata logs compared byte by byte, by twelve bytes of knowledge: where a batch starts and how long it is.

None of our own readers is used for that, so a fault in them cannot hide itself.
"""

from __future__ import annotations

import struct
from pathlib import Path

START = struct.Struct(">qi")


def raw_batches(file: Path) -> dict[int, bytes]:
    """Return base offset to bytes of every batch of a segment or snapshot; zeros allocated ahead are passed over."""
    data = file.read_bytes()
    found: dict[int, bytes] = {}
    at = 0
    while at + START.size <= len(data):
        base_offset, length = START.unpack_from(data, at)
        end = at + START.size + length
        if length == 0 or end > len(data):
            break
        found[base_offset] = data[at:end]
        at = end
    assert data.count(0, at) == len(data) - at, f"{file}: something else than zeros after byte {at}"
    return found


def log_batches(log_dir: Path) -> dict[int, bytes]:
    """Return the batches of all segments of a log."""
    found: dict[int, bytes] = {}
    for segment in sorted(log_dir.glob("*.log")):
        found.update(raw_batches(segment))
    return found


def end_offset(batches: dict[int, bytes]) -> int:
    """Return the offset after the last record; the last offset's delta is at byte 23 of a batch."""
    if not batches:
        return 0
    last = max(batches)
    delta: int = struct.unpack_from(">i", batches[last], 23)[0]
    return last + delta + 1


def assert_equal_logs(ours: Path, theirs: Path, *, at_least: int) -> None:
    """Compare what both logs hold; that must be ``at_least`` batches, and one of them must be the tail."""
    left, right = log_batches(ours), log_batches(theirs)
    start = max(min(left, default=0), min(right, default=0))
    end = min(end_offset(left), end_offset(right))
    common_left = {base: data for base, data in left.items() if start <= base < end}
    common_right = {base: data for base, data in right.items() if start <= base < end}
    assert sorted(common_left) == sorted(common_right), f"{ours} and {theirs} are cut into different batches"
    for base, data in common_left.items():
        assert data == common_right[base], f"the batch at offset {base} of {ours} differs from that of {theirs}"
    assert len(common_left) >= at_least, f"{ours} and {theirs} share only {len(common_left)} batches"
