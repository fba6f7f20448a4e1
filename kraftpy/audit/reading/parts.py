"""Records on their way into replay as columns: what an :class:`~kraftpy.audit.reading.rows.Entry` says, of many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from kraftpy.audit.extra import extra
from kraftpy.audit.reading.discovery import KraftFile
from kraftpy.audit.reading.entries import entries_of
from kraftpy.audit.reading.frames import scan_groups
from kraftpy.audit.reading.rows import Entry
from kraftpy.audit.reading.splits import Cell

Array: TypeAlias = Any

Bounds: TypeAlias = Callable[[str, str], tuple[int, int]]
"""By file and kind: the first offset that is wanted, and the one after the last."""


@dataclass(slots=True)
class Part:
    """Consecutive records of one file; every column has one element for each data record.

    Attributes:
        file: where they stand.
        kind: ``log`` or ``snapshot``.
        data: bytes that hold all values; at least 16 follow the last one.
        starts: where each value starts in ``data``.
        sizes: how long it is.
        controls: the control records among them.
    """

    file: str
    kind: str
    data: bytes
    offsets: Array
    epochs: Array
    timestamps: Array
    api_keys: Array
    versions: Array
    starts: Array
    sizes: Array
    controls: list[Entry]

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
            raw=self.data[start : start + int(self.sizes[index])],
        )


def replay_parts(files: Iterable[KraftFile], bounds: Bounds) -> Iterator[Part]:
    """Yield the records of one replay from files that are in its order, as ``passes.replay_entries`` does singly."""
    np = extra("numpy")
    for file in files:
        first, until = bounds(file.path, file.kind)
        if first >= until:
            continue
        cell = Cell(file, 0, file.size)
        for group in scan_groups(cell):
            controls = [
                entry for found in group.founds if found.parts for entry in entries_of(cell, found)
                if first <= entry.offset < until
            ]  # fmt: skip
            frames = group.frames
            if frames is None or not len(frames):
                empty = np.zeros(0, np.int64)
                if controls:
                    yield Part(file.path, file.kind, bytes(16), *(empty,) * 7, controls)
                continue
            headers = [found.batch for found in frames.batches]
            times = np.array([each.base_timestamp_ms for each in headers if each is not None], np.int64)
            epochs = np.array([each.epoch for each in headers if each is not None], np.int64)
            columns = (
                frames.offsets, epochs[frames.batch], times[frames.batch], frames.api_keys, frames.versions,
                frames.starts, frames.sizes,
            )  # fmt: skip
            wanted = (frames.offsets >= first) & (frames.offsets < until)
            if not wanted.all():
                columns = tuple(column[wanted] for column in columns)
            yield Part(file.path, file.kind, frames.data, *columns, controls)
