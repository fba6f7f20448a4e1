"""Input splits: the pieces of files that are read independently of each other.

A file is cut on a fixed grid (``split_bytes``), so that the splits, and with them everything that is reported of a
file, do not depend on how many tasks read it. A split begins at the first *anchor* at or after its grid point and ends
at the first anchor at or after the next grid point. An anchor is a whole batch with a valid checksum that names no
producer; no batch of a metadata log names one. So neighbours agree on the cut without communicating.

Bytes inside a record's value that look like an anchor could make neighbours disagree. Each split therefore reports
where it began and ended (:class:`kraftpy.audit.reading.summaries.Summary`), and the engines read a file whose splits do
not meet in one piece.

A split group is what one Spark task reads: one split of a large file, or many small files, because a task costs about
40 ms in itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from kraftpy.audit.reading.discovery import KraftFile

SPLIT_BYTES: Final = 64 * 1024 * 1024
"""The grid. One core reads and checks this much in a fraction of a second, and decodes it in a few seconds."""

GROUP_BYTES: Final = 16 * 1024 * 1024
"""Small files are read together up to this many bytes."""

GROUP_FILES_MAX: Final = 512
"""And up to this many, because opening a remote file takes time."""


@dataclass(frozen=True, slots=True)
class InputSplit:
    """The batches of a file between two grid points, up to the first anchor of the next split."""

    file: KraftFile
    start: int
    stop: int

    @property
    def is_last(self) -> bool:
        """Whether it goes on to the end of the file."""
        return self.stop >= self.file.size


SplitGroup: TypeAlias = tuple[InputSplit, ...]


def splits_of(file: KraftFile, split_bytes: int = SPLIT_BYTES) -> list[InputSplit]:
    """Cut one file on the grid; an empty file has one split."""
    return [
        InputSplit(file, start, min(start + split_bytes, file.size))
        for start in range(0, max(file.size, 1), split_bytes)
    ]


def split_groups(
    files: Iterable[KraftFile],
    *,
    split_bytes: int = SPLIT_BYTES,
    group_bytes: int = GROUP_BYTES,
    at_least: int = 1,
) -> list[SplitGroup]:
    """Return the splits of files in groups, one for each Spark task.

    Args:
        files: segments and snapshots.
        split_bytes: the grid.
        group_bytes: small files are read together up to this many bytes.
        at_least: the number of groups wanted, if there are that many splits: one per core.
    """
    splits = [split for file in files for split in splits_of(file, split_bytes)]
    total = sum(split.stop - split.start for split in splits)
    wanted = max(1, min(group_bytes, total // max(at_least, 1)))
    return list(_filled(splits, wanted))


def _filled(splits: Iterable[InputSplit], group_bytes: int) -> Iterator[SplitGroup]:
    group: list[InputSplit] = []
    size = 0
    for split in splits:
        length = split.stop - split.start
        if group and (size + length > group_bytes or len(group) == GROUP_FILES_MAX):
            yield tuple(group)
            group, size = [], 0
        group.append(split)
        size += length
    if group:
        yield tuple(group)
