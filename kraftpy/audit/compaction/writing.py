"""The snapshot's file: complete and durable under its name, or absent.

It is written beside its name as ``<name>-<digits>.part``, synced, read again and checked, made read-only as Kafka does,
and given its name by a link, which fails if the name exists. Then the directory is synced, and so are the parents of a
directory that was created.

Source: ``on-disk formats`` §7, §8.1; Kafka ``FileRawSnapshotWriter.freeze``.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from kraftpy.audit.compaction.entities import SECTIONS, SnapshotEntry
from kraftpy.audit.compaction.target import CompactionError, Target
from kraftpy.audit.reading.discovery import KraftFile
from kraftpy.audit.reading.reader import read
from kraftpy.audit.reading.rows import SNAPSHOT
from kraftpy.audit.reading.splits import InputSplit
from kraftpy.audit.reading.summaries import Summary
from kraftpy.model.voters import VoterSet
from kraftpy.records.file_names import snapshot_file_name
from kraftpy.records.snapshot import GROUP_RECORDS_MAX, SnapshotEncoder

GROUP_BYTES_MAX: Final = 1024 * 1024
"""A group is closed when its values reach this; with the largest record it still fits a batch."""

READ_ONLY: Final = stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH

NO_FULL_FSYNC_ERRNOS: Final = frozenset({errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL, errno.ENOTTY})
"""The errors of macOS file systems that do not support ``F_FULLFSYNC``."""


def write_snapshot(
    directory: Path, target: Target, kraft_version: int, voters: VoterSet | None, stated: Iterable[SnapshotEntry]
) -> tuple[Path, int]:
    """Write a snapshot's file.

    Args:
        directory: created if it does not exist.
        target: the snapshot to write.
        kraft_version: in force at its end.
        voters: the voter set in force, ``None`` if no record has one.
        stated: its records, in order.

    Returns:
        Its path, and the number of data records in it.

    Raises:
        CompactionError: when the file exists already, or the records contradict each other.
        OSError: as the file system reports it; nothing is left.
    """
    _make_directory(directory)
    path = directory / snapshot_file_name(target.snapshot_id)
    if path.exists():
        raise CompactionError(f"{path} is there already, and nothing is written over: choose another --out or --at")
    encoder = SnapshotEncoder(
        epoch=target.snapshot_id.epoch,
        timestamp_ms=target.last_contained_ms,
        last_contained_log_timestamp_ms=target.last_contained_ms,
        kraft_version=kraft_version,
        voters=voters if kraft_version > 0 else None,
    )
    count = 0

    def counted() -> Iterator[list[bytes]]:
        nonlocal count
        for group in _groups(_unique(stated)):
            count += len(group)
            yield group

    descriptor, part = tempfile.mkstemp(prefix=f"{path.name.removesuffix('.checkpoint')}-", suffix=".checkpoint.part",
                                        dir=directory)  # fmt: skip
    try:
        with os.fdopen(descriptor, "wb") as file:
            for piece in encoder.encode(counted()):
                file.write(piece)
            file.flush()
            _sync(file.fileno())
        _check(Path(part), target)
        Path(part).chmod(READ_ONLY)
        _give_name(Path(part), path)
    finally:
        with suppress(FileNotFoundError):
            Path(part).unlink()
    _sync_directory(directory)
    return path, count


def _groups(stated: Iterable[SnapshotEntry]) -> Iterator[list[bytes]]:
    group: list[bytes] = []
    size = 0
    for each in stated:
        group.append(each.value)
        size += len(each.value)
        if len(group) == GROUP_RECORDS_MAX or size >= GROUP_BYTES_MAX:
            yield group
            group, size = [], 0
    if group:
        yield group


def _unique(stated: Iterable[SnapshotEntry]) -> Iterator[SnapshotEntry]:
    """Pass records on, and reject two with the same name: replay by shards cannot detect them."""
    before: SnapshotEntry | None = None
    for each in stated:
        if before is not None and (before.section, before.key) >= (each.section, each.key):
            raise CompactionError(
                f"two records of the {SECTIONS[each.section]} {each.key[:100]!r} are alive at once: "
                "no snapshot can express that; kraftpy audit shows where they come from"
            )
        before = each
        yield each


def _check(part: Path, target: Target) -> None:
    """Read the written file again, like any other snapshot."""
    file = KraftFile("", "", str(part), SNAPSHOT, part.stat().st_size, 0, target.snapshot_id.offset)
    split = InputSplit(file, 0, file.size)
    summary = Summary(split)
    for _ in read(split, summary):
        pass
    if summary.problems:
        raise CompactionError(f"{part} was not written as it was meant: {summary.stopped}")


def _give_name(part: Path, path: Path) -> None:
    try:
        path.hardlink_to(part)
    except FileExistsError as error:
        raise CompactionError(f"{path} appeared meanwhile, and nothing is written over") from error
    except OSError:
        # A file system without links: check again and rename.
        if path.exists():
            raise CompactionError(f"{path} appeared meanwhile, and nothing is written over") from None
        part.rename(path)


def _make_directory(directory: Path) -> None:
    """Create a directory and its missing parents; each name is durable before the next is created."""
    missing = []
    while not directory.is_dir():
        missing.append(directory)
        directory = directory.parent
    for each in reversed(missing):
        each.mkdir(exist_ok=True)
        _sync_directory(each.parent)


def _sync(descriptor: int) -> None:
    """Make it durable. Only macOS has ``F_FULLFSYNC``: there an fsync leaves the bytes in the drive's cache."""
    full = getattr(fcntl, "F_FULLFSYNC", None)
    if full is None:
        os.fsync(descriptor)
        return
    try:
        fcntl.fcntl(descriptor, full)
    except OSError as error:
        if error.errno not in NO_FULL_FSYNC_ERRNOS:
            raise
        os.fsync(descriptor)


def _sync_directory(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        _sync(descriptor)
    finally:
        os.close(descriptor)
