"""Record chunks: records on their way into replay, with the fields of ``rows.Entry`` as columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.batch_runs import PADDING, Data
from kraftpy.audit.reading.binaries import binaries
from kraftpy.audit.reading.discovery import KraftFile
from kraftpy.audit.reading.entries import entries_of
from kraftpy.audit.reading.frames import Frames
from kraftpy.audit.reading.reader import read
from kraftpy.audit.reading.rows import Entry
from kraftpy.audit.reading.scan import ScannedRange
from kraftpy.audit.reading.splits import InputSplit

Array: TypeAlias = Any

_SAME: Final = ("positions", "offsets", "epochs", "timestamps", "api_keys", "versions")
"""The columns that do not change where values are copied."""

Bounds: TypeAlias = Callable[[str, str], tuple[int, int]]
"""By file and kind: the wanted offsets as ``[from, to)``."""


@dataclass(slots=True)
class RecordChunk:
    """Consecutive records of one file; every column has one element for each data record.

    Attributes:
        file: contains them.
        kind: ``log`` or ``snapshot``.
        data: bytes that contain all values; at least 16 follow the last one.
        starts: where each value starts in ``data``.
        sizes: the bytes of each value.
        positions: of their batches.
        controls: the control records among them, each with its batch's position.
    """

    file: str
    kind: str
    data: Data
    positions: Array
    offsets: Array
    epochs: Array
    timestamps: Array
    api_keys: Array
    versions: Array
    starts: Array
    sizes: Array
    controls: list[tuple[int, Entry]]

    def __len__(self) -> int:
        return len(self.starts)

    def entry(self, index: int) -> Entry:
        """Return one data record by itself."""
        start = int(self.starts[index])
        return Entry(
            self.file,
            self.kind,
            int(self.offsets[index]),
            int(self.epochs[index]),
            int(self.timestamps[index]),
            control=False,
            api_key=int(self.api_keys[index]),
            version=int(self.versions[index]),
            raw=bytes(self.data[start : start + int(self.sizes[index])]),
        )

    def entries(self) -> list[Entry]:
        """Return all records, in order."""
        placed = [(position, self.entry(index)) for index, position in enumerate(self.positions.tolist())]
        if self.controls:
            placed = sorted([*placed, *self.controls], key=_place_of)
        return [entry for _, entry in placed]


def _place_of(placed: tuple[int, Entry]) -> tuple[int, int]:
    return placed[0], placed[1].offset


def is_empty(bounds: tuple[int, int]) -> bool:
    """Return whether no offset is within bounds ``[from, to)``: the file need not be read."""
    return bounds[0] >= bounds[1]


def replay_chunks(files: Iterable[KraftFile], bounds: Bounds) -> Iterator[RecordChunk]:
    """Yield the records of one replay as columns, from files in the order of replay."""
    for file in files:
        if not is_empty(bounds(file.path, file.kind)):
            yield from chunks_of(InputSplit(file, 0, file.size), bounds)


def chunks_of(split: InputSplit, bounds: Bounds) -> Iterator[RecordChunk]:
    """Yield the records of a split that are within bounds."""
    np = extra("numpy")
    file = split.file
    first, until = bounds(file.path, file.kind)
    for found in read(split):
        if isinstance(found, ScannedRange):
            entries = [(found.position, each) for each in entries_of(split, found) if first <= each.offset < until]
            if entries:
                yield RecordChunk(file.path, file.kind, PADDING, *(np.zeros(0, np.int64),) * 8, entries)
        elif len(found):
            yield _wanted(file, found, first, until)


def _wanted(file: KraftFile, frames: Frames, first: int, until: int) -> RecordChunk:
    """Return the records of a batch run that are within bounds."""
    run, offsets = frames.run, frames.offsets()
    columns = (
        frames.spread(run.positions), offsets, frames.spread(run.epochs), frames.spread(run.base_times),
        frames.api_keys, frames.versions, frames.starts, frames.sizes,
    )  # fmt: skip
    wanted = (offsets >= first) & (offsets < until)
    if not wanted.all():
        columns = tuple(column[wanted] for column in columns)
    return RecordChunk(file.path, file.kind, frames.data, *columns, [])


def part_of(chunk: RecordChunk, chosen: Array) -> RecordChunk:
    """Return some data records, ascending by index, with the bytes of their values and no others."""
    np = extra("numpy")
    starts = chunk.starts[chosen]
    sizes = chunk.sizes[chosen]
    _, _, data = binaries(chunk.data, starts, starts + sizes).buffers()
    held = b"" if data is None else data.to_pybytes()
    return replace(
        chunk,
        data=held + PADDING,
        starts=np.cumsum(sizes) - sizes,
        sizes=sizes,
        controls=[],
        **{name: getattr(chunk, name)[chosen] for name in _SAME},
    )
