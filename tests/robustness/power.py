"""What a power loss leaves of a directory whose node was killed: synced data whole, the rest sector by sector.

Every write that was not synced may have reached the platter in any of its sectors, in any order, or not at all, and so
may the new length of a file.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

from tests.robustness.attacked_node import NOTE

SECTOR = 512
ALL_LOST = 0.3
"""Share of power losses in which nothing of what was not synced survives."""


def lose_power(directory: Path, draw: random.Random) -> int:
    """Undo unsynced writes below a node's directory; return how many bytes were put back to what they were."""
    undo = directory / "undo"
    files = {path.stat().st_ino: path for path in directory.rglob("*") if path.is_file() and undo not in path.parents}
    undone = 0
    for notes in sorted(undo.iterdir()):
        path = files.get(int(notes.name))
        if path is not None:
            undone += _undo(path, _read(notes.read_bytes()), draw)
        notes.unlink()
    return undone


def _read(data: bytes) -> list[tuple[int, int, bytes]]:
    """Read notes: (position, the file's length before, the bytes before)."""
    found, at = [], 0
    while at + NOTE.size <= len(data):
        position, length, size = NOTE.unpack_from(data, at)
        at += NOTE.size
        found.append((position, length, data[at : at + size]))
        at += size
    return found


def _undo(path: Path, notes: list[tuple[int, int, bytes]], draw: random.Random) -> int:
    if not notes:
        return 0
    lose_all = draw.random() < ALL_LOST
    now, undone = path.stat().st_size, 0
    descriptor = os.open(path, os.O_RDWR)
    try:
        for position, _, before in reversed(notes):
            for at in range(0, len(before), SECTOR):
                if lose_all or draw.random() < 0.5:
                    os.pwrite(descriptor, before[at : at + SECTOR], position + at)
                    undone += len(before[at : at + SECTOR])
        if lose_all or draw.random() < 0.5:
            undone += abs(now - notes[0][1])
            os.ftruncate(descriptor, notes[0][1])
    finally:
        os.close(descriptor)
    return undone


def flip_bit(path: Path, offset: int, bit: int) -> None:
    """Change one bit of a file."""
    with path.open("r+b") as file:
        file.seek(offset)
        byte = file.read(1)[0]
        file.seek(offset)
        file.write(bytes([byte ^ 1 << bit]))
