"""Disks that return something else than what was written to them, and say nothing of it.

Three ways: a bit flips; a sector's write is lost although it was acknowledged, so that its old content is found there;
a sector is written to a wrong place, so that the old content is found in the right one, and in the wrong one what
does not belong there. The last two are shown by a loss of power, when what the page cache had kept is gone. They hit
what a file's last sync wrote, as a disk's lies do; names of files are true.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from tests.fakes.filesystem import SECTOR_BYTES, Inode
from tests.fakes.filesystem import SimulatedFileSystem as FileSystem


@dataclass(frozen=True, slots=True)
class Harm:
    """The harm that was chosen.

    Attributes:
        do: does it, and says what it was.
        undone: the file, and the sector of it, that is going to be as it was before a write that was acknowledged.
    """

    do: Callable[[], str]
    undone: tuple[str, int] | None = None


def files_of(fs: FileSystem) -> list[tuple[str, Inode]]:
    """Return every file with something in it, by path."""
    found = [
        (f"{path}/{name}", inode)
        for path, directory in fs.directories.items()
        for name, inode in directory.names.items()
        if inode.live
    ]
    return sorted(found, key=lambda each: each[0])


@dataclass(frozen=True, slots=True)
class Change:
    """The bytes of a file that were changed, from the first to the last that differs.

    Attributes:
        position: of the first of them in the file, in bytes.
        before: what had been written there.
        after: what is read there; it has the length of ``before``.
    """

    path: str
    position: int
    before: bytes
    after: bytes


def changes(before: FileSystem, after: FileSystem) -> list[Change]:
    """Return what differs in the files of one disk; a file has the same length before and after."""
    written = dict(files_of(before))
    found = []
    for path, inode in files_of(after):
        old, new = bytes(written[path].live), bytes(inode.live)
        if old != new:
            differing = [at for at, (one, other) in enumerate(zip(old, new, strict=True)) if one != other]
            first, end = differing[0], differing[-1] + 1
            found.append(Change(path, first, old[first:end], new[first:end]))
    return found


def as_written(path: str, content: bytes, harm: Iterable[Change]) -> bytes:
    """Return the content of a file, or the beginning of it, as the process wrote it."""
    sound = bytearray(content)
    for change in reversed(list(harm)):
        end = change.position + len(change.after)
        if path == change.path and sound[change.position : end] == change.after:
            sound[change.position : end] = change.before
    return bytes(sound)


def flip(fs: FileSystem, rng: random.Random) -> Harm | None:
    """Choose a bit anywhere; zeros that were written ahead are left out, there would be little else."""
    files = [(path, len(bytes(inode.live).rstrip(b"\0")), inode) for path, inode in files_of(fs)]
    files = [each for each in files if each[1]]
    if not files:
        return None
    path, size, inode = rng.choice(files)
    position, bit = rng.randrange(size), rng.randrange(8)

    def harm() -> str:
        if position < len(inode.live):
            inode.put(bytes([inode.live[position] ^ (1 << bit)]), position)
        return f"bit {bit} of byte {position} of {path} of {size}"

    return Harm(harm)


def lose(fs: FileSystem, rng: random.Random) -> Harm | None:
    """Choose a sector that was synced last and is going to be as it was before."""
    chosen = _synced_sector(fs, rng)
    if chosen is None:
        return None
    path, inode, sector = chosen

    def harm() -> str:
        _undo(inode, sector)
        return f"sector {sector} of {path} is as it was"

    return Harm(harm, (path, sector))


def misdirect(fs: FileSystem, rng: random.Random) -> Harm | None:
    """Choose a sector that was synced last, and where on this disk it was written instead."""
    chosen = _synced_sector(fs, rng)
    if chosen is None:
        return None
    path, inode, sector = chosen
    other_path, other = rng.choice(files_of(fs))
    place = rng.randrange(-(-len(other.live) // SECTOR_BYTES))
    # A file's last sector is written whole, with zeros after its end.
    data = inode.durable[sector * SECTOR_BYTES : (sector + 1) * SECTOR_BYTES].ljust(SECTOR_BYTES, b"\0")
    is_undone = (other_path, place) != (path, sector)

    def harm() -> str:
        room = max(0, len(other.live) - place * SECTOR_BYTES)
        other.put(data[:room], place * SECTOR_BYTES)
        if is_undone:
            _undo(inode, sector)
        return f"sector {sector} of {path} stands in sector {place} of {other_path}"

    return Harm(harm, (path, sector) if is_undone else None)


def _synced_sector(fs: FileSystem, rng: random.Random) -> tuple[str, Inode, int] | None:
    places = [(path, inode, sector) for path, inode in files_of(fs) for sector in inode.sectors_of_last_sync()]
    return rng.choice(places) if places else None


def _undo(inode: Inode, sector: int) -> None:
    start = sector * SECTOR_BYTES
    size = min(SECTOR_BYTES, max(0, len(inode.live) - start))
    inode.put(inode.former[start : start + size].ljust(size, b"\0"), start)


KINDS: Mapping[str, Callable[[FileSystem, random.Random], Harm | None]] = {
    "bit flipped": flip,
    "write lost": lose,
    "write misdirected": misdirect,
}
