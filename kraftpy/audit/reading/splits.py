"""Cells: the pieces of files that are read independently of each other.

A file is cut on a fixed grid (``cell_bytes``), so that the pieces, and with them everything that is said of a file, do
not depend on how many tasks read it. A cell begins at the first *anchor* at or after its grid point and goes on to the
first anchor at or after the next one; an anchor is a batch that is whole, whose checksum fits and which names no
producer, as no batch of a metadata log does. So both neighbours agree on the cut without speaking to each other. Bytes
that look like an anchor inside a record's value could make them disagree: each cell says where it began and ended
(:class:`kraftpy.audit.reading.scan.Summary`), and the engines read a file whose cells do not meet in one piece.

A bundle is what one task reads: one cell of a large file, or many small files, since a Spark task costs about 40 ms
whatever it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from kraftpy.audit.reading.discovery import KraftFile

CELL_BYTES: Final = 64 * 1024 * 1024
"""The grid. One core reads and checks this much in a fraction of a second, and decodes it in a few."""

BUNDLE_BYTES: Final = 16 * 1024 * 1024
"""Small files are read together up to this many bytes."""

BUNDLE_FILES_MAX: Final = 512
"""And up to this many, because opening a remote file takes its time."""


@dataclass(frozen=True, slots=True)
class InputSplit:
    """The batches of a file that start between two grid points, up to the first anchor of the next cell."""

    file: KraftFile
    start: int
    stop: int

    @property
    def is_last(self) -> bool:
        """Whether it goes on to the end of the file."""
        return self.stop >= self.file.size


Bundle: TypeAlias = tuple[InputSplit, ...]


def cells_of(file: KraftFile, cell_bytes: int = CELL_BYTES) -> list[InputSplit]:
    """Cut one file on the grid; an empty file has one cell."""
    return [
        InputSplit(file, start, min(start + cell_bytes, file.size)) for start in range(0, max(file.size, 1), cell_bytes)
    ]  # fmt: skip


def split_groups_of(
    files: Iterable[KraftFile],
    *,
    cell_bytes: int = CELL_BYTES,
    bundle_bytes: int = BUNDLE_BYTES,
    at_least: int = 1,
) -> list[Bundle]:
    """Put the cells of files into bundles.

    Args:
        files: segments and snapshots.
        cell_bytes: the grid.
        bundle_bytes: small files are read together up to this many bytes.
        at_least: how many bundles are wanted where there are that many cells: one per core.
    """
    cells = [cell for file in files for cell in cells_of(file, cell_bytes)]
    total = sum(cell.stop - cell.start for cell in cells)
    wanted = max(1, min(bundle_bytes, total // max(at_least, 1)))
    return list(_filled(cells, wanted))


def _filled(cells: Iterable[InputSplit], bundle_bytes: int) -> Iterator[Bundle]:
    bundle: list[InputSplit] = []
    size = 0
    for cell in cells:
        length = cell.stop - cell.start
        if bundle and (size + length > bundle_bytes or len(bundle) == BUNDLE_FILES_MAX):
            yield tuple(bundle)
            bundle, size = [], 0
        bundle.append(cell)
        size += length
    if bundle:
        yield tuple(bundle)
