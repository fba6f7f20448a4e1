"""The records that a controller has written since one looked last, read from its directory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from kraftpy.model.features import SchemaSet
from kraftpy.records.authors import unfamiliar
from kraftpy.records.batch import parse_batch
from kraftpy.records.metadata import LogRecord, UnknownRecord, decode_record
from tests.interop.logs import START


def _without_author(value: bytes) -> LogRecord:
    """Decode a record; who asked for it is in ours alone, and every other tagged field is compared."""
    record = decode_record(value, SchemaSet.KAFKA)
    if not isinstance(record, UnknownRecord):
        record.unknown_tags = unfamiliar(record.unknown_tags)  # type: ignore[attr-defined] # every generated record has it
    return record


class LogTail:
    """Reads on in the segments of one log.

    What a controller answers is in its log by then, so what is read after an answer is complete. Zeros after the last
    batch are space that ours allocates ahead.
    """

    def __init__(self, log_dir: Path) -> None:
        self._log_dir = log_dir
        self._segment: Path | None = None
        self._file = -1
        self._at = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file >= 0:
            os.close(self._file)

    def read(self) -> list[tuple[str, Any]]:
        """Return the records that came, each with the form that it was written in: type and version."""
        found = list(self._values())
        if not found and self._open_next():
            found = list(self._values())
        return [(f"{value[1]}v{value[2]}", _without_author(value)) for value in found]

    def _values(self) -> Iterator[bytes]:
        if self._file < 0:
            return
        while True:
            start = os.pread(self._file, START.size, self._at)
            if len(start) < START.size:
                return
            _, length = START.unpack(start)
            data = os.pread(self._file, START.size + length, self._at) if length else b""
            if len(data) < START.size + length or not length:
                return
            self._at += len(data)
            batch = parse_batch(data)
            if not batch.is_control:
                yield from batch.values()

    def _open_next(self) -> bool:
        """Go on to the next segment if there is one."""
        segments = sorted(self._log_dir.glob("*.log"))
        later = [each for each in segments if self._segment is None or each.name > self._segment.name]
        if not later:
            return False
        with suppress(OSError):
            os.close(self._file)
        self._segment, self._at = later[0], 0
        self._file = os.open(later[0], os.O_RDONLY)
        return True
