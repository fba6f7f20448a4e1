"""The bytes of a split to checked batches, with corruption as data.

Valid batches are read piece by piece of the file (``records.batch``). Where no valid batch starts, the bytes are
examined, and the problem gets a name. Reading then continues at the end of the corrupt batch if a header or the end of
the file follows, otherwise at the next anchor (``splits``). Zeros up to the end of a segment are preallocated space,
not corruption. Reading is forward, in pieces, and never maps a file, because a live node may write to it or truncate
it.

A batch that starts before the listed size is read to its end even if the file has grown, so that a live log is not
reported as corrupt.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from struct import Struct
from typing import Any, BinaryIO, Final, TypeAlias

from kraftpy.audit.reading.batch_runs import PADDING, BatchRun, run_at
from kraftpy.audit.reading.filesystem import open_file
from kraftpy.audit.reading.rows import LOG
from kraftpy.audit.reading.splits import InputSplit
from kraftpy.model.errors import CorruptError, MalformedError
from kraftpy.records.batch import (
    BATCH_BYTES_MAX,
    BATCH_HEADER_BYTES,
    BATCH_OVERHEAD_BYTES,
    Batch,
    BatchHeader,
    batch_crc,
    check_batch,
    iterate_batches,
    parse_batch,
    read_header,
)
from kraftpy.records.control import SnapshotFooterRecord, SnapshotHeaderRecord
from kraftpy.records.crc import crc32c

PIECE_BYTES: Final = BATCH_BYTES_MAX
"""The size of one read; the largest batch fits."""

TRAILING_ZEROS_MAX: Final = 4096
"""The most zeros at the end of a valid batch that are still recognized as part of it when its length is corrupt."""

_ZEROS: Final = bytes(PIECE_BYTES)
_NO_PRODUCER: Final = b"\xff" * 14
_PRODUCER_AT: Final = 43
_MAGIC_AT: Final = 16
_LENGTH: Final = Struct(">i")
_LENGTH_AT: Final = 8


class Problem(enum.StrEnum):
    """The problems of a batch, or of the file around it."""

    BAD_HEADER = "bad-header"
    """The bytes are not a batch header: magic, size or counts are invalid."""
    CUT_OFF = "cut-off"
    """The file ends inside a batch, and no valid batch follows: a write was torn, or the end was cut."""
    BAD_LENGTH = "bad-length"
    """A batch claims to reach past the end of the file, but valid batches follow, or it is valid itself: its length
    field, which no checksum covers, is corrupt."""
    BAD_CHECKSUM = "bad-checksum"
    """The checksum does not match the bytes."""
    MALFORMED = "malformed"
    """The checksum matches, but attributes, counts or records break a rule of the metadata log."""
    NO_HEADER = "no-header"
    """A snapshot that does not start with a SnapshotHeaderRecord."""
    NO_FOOTER = "no-footer"
    """A snapshot that does not end with a SnapshotFooterRecord: it was not finished, or was cut."""
    UNREADABLE = "unreadable"
    """The file vanished or cannot be read."""
    SHRUNK = "shrunk"
    """The file became shorter while it was read."""


class ScannedRange:
    """One batch, one range of bytes that is not a batch, or the free space at the end of a segment.

    Attributes:
        values: the records' values, of a data batch; otherwise empty.
        parts: the records' keys and values, of a control batch; otherwise empty.
        position: the byte at which it starts.
        size: in bytes.
        batch: ``None`` where no batch can be read.
        crc_ok: ``None`` where no batch can be read.
        problem: ``None`` for a valid batch, and for free space.
        detail: the problem in a sentence.
    """

    __slots__ = ("batch", "crc_ok", "detail", "parts", "position", "problem", "size", "values")

    def __init__(
        self,
        position: int,
        size: int,
        batch: Batch | None,
        problem: Problem | None = None,
        detail: str | None = None,
        *,
        crc_ok: bool | None = None,
    ) -> None:
        self.position = position
        self.size = size
        self.batch = batch
        self.crc_ok = crc_ok if crc_ok is not None or batch is None else True
        self.problem = problem
        self.detail = detail
        self.values: list[bytes] = []
        self.parts: list[tuple[bytes, bytes]] = []

    @property
    def is_free(self) -> bool:
        """Whether it is preallocated space: zeros up to the end of the file."""
        return self.batch is None and self.problem is None

    def open(self) -> None:
        """Cut a valid batch into its records; if that fails, the batch gets a problem."""
        if self.batch is None or self.problem is not None:
            return
        try:
            if self.batch.is_control:
                self.parts = self.batch.control_parts()
            else:
                self.values = self.batch.values()
        except MalformedError as error:
            self.problem, self.detail = Problem.MALFORMED, str(error)


Step: TypeAlias = ScannedRange | BatchRun
"""What a scan yields: a batch, a range with a problem, or consecutive valid data batches."""


def scan(split: InputSplit, *, by_runs: bool) -> Iterator[Step]:
    """Yield what a split consists of, in the order of the file: every byte belongs to one of the results.

    A file that cannot be read gives one result with a problem. Batches are not cut into records.

    Args:
        split: where to read.
        by_runs: whether consecutive valid data batches come as one batch run, which needs numpy.
    """
    position = split.start
    try:
        with open_file(split.file.address) as file:
            for step in _Scanner(file, split, by_runs=by_runs).run():
                position = step.position + step.size
                yield step
                del step  # so that its piece is free when the next one is read
    except OSError as error:
        yield ScannedRange(
            position,
            max(split.stop - position, 0),
            None,
            Problem.UNREADABLE,
            f"{split.file.path} cannot be read from byte {position} on: {error.strerror or error}",
        )


class _Scanner:
    """Scans one split of an open file."""

    def __init__(self, file: BinaryIO, split: InputSplit, *, by_runs: bool) -> None:
        self._file: Any = file
        self._split = split
        self._by_runs = by_runs
        self._ends: bool = False
        self._is_log = split.file.kind == LOG
        self._buffer = bytearray()

    def run(self) -> Iterator[Step]:
        """Yield what belongs to the split, in order."""
        position: int | None = self._split.start
        if self._split.start > 0:
            position = self._anchor(self._split.start, self._split.stop)
            if position is None:
                return
        is_empty, last = True, None
        while position is not None:
            for step in self._good_steps(position):
                is_empty, last = False, self._first_checked(step) if isinstance(step, ScannedRange) else None
                position = step.position + step.size
                yield step if last is None else last
                del step  # so that its piece is free when the next one is read
            if self._ends:
                return
            corruption = None if position >= self._split.file.size else self._examine(position)
            if corruption is None:
                break
            is_empty, last = False, corruption
            yield corruption
            position += corruption.size
            if corruption.is_free:
                break
        yield from self._tail(last, is_empty=is_empty)

    def _tail(self, last: ScannedRange | None, *, is_empty: bool) -> Iterator[ScannedRange]:
        """Yield what a file lacks at its end: a snapshot its footer, or the bytes that it had when it was listed."""
        size = self._split.file.size
        if not self._is_log and is_empty:
            yield ScannedRange(0, 0, None, Problem.NO_HEADER, "the snapshot is empty")
        elif not self._is_log and not (last is not None and _is_footer(last)):
            yield ScannedRange(size, 0, None, Problem.NO_FOOTER, "the snapshot does not end with a footer")
        self._file.seek(0, 2)
        now = self._file.tell()
        if now < size:
            yield ScannedRange(now, 0, None, Problem.SHRUNK, f"the file had {size} bytes and has {now} now")

    def _first_checked(self, found: ScannedRange) -> ScannedRange:
        if found.position == 0 and not self._is_log and found.batch is not None and not _is_header(found.batch):
            return ScannedRange(
                0, found.size, found.batch, Problem.NO_HEADER,
                "the snapshot does not start with a SnapshotHeaderRecord",
            )  # fmt: skip
        return found

    def _good_steps(self, position: int) -> Iterator[Step]:
        """Yield valid batches from a position, until the split ends (then ``_ends`` is set) or a batch is not valid."""
        stop, size = self._split.stop, self._split.file.size
        while position < size:
            piece = self._piece(position)
            taken = 0
            while position + taken < size:
                at = position + taken
                # The first batch of a snapshot must be a header, which is checked by itself.
                run = run_at(piece, taken, position, stop) if self._by_runs and (at or self._is_log) else None
                if run is not None:
                    taken += run.size
                    yield run
                    del run  # so that its piece is free when the next one is read
                    continue
                batch = _good_batch(piece, taken)
                if batch is None:
                    break
                if at >= stop and _is_anchor(batch.data):
                    self._ends = True
                    return
                taken += batch.size
                yield ScannedRange(at, batch.size, batch)
            if not taken:
                return
            position += taken
            del piece

    def _examine(self, position: int) -> ScannedRange:
        """Return the problem at a position where no valid batch starts."""
        data = self._read(position, BATCH_BYTES_MAX)
        left = self._split.file.size - position
        if self._is_log and self._zeros_to_the_end(position):
            return ScannedRange(position, left, None)
        try:
            header = read_header(data)
        except MalformedError as error:
            kind = Problem.CUT_OFF if len(data) < BATCH_HEADER_BYTES else Problem.BAD_HEADER
            return self._stretch(position, kind, str(error).replace("batch at byte 0", f"batch at byte {position}"))
        if header.size > len(data):
            return self._too_long(position, data, header)
        batch = Batch(**{name: getattr(header, name) for name in _HEADER_FIELDS}, data=data[: header.size])
        try:
            check_batch(batch)
        except CorruptError as error:
            end = position + header.size
            if header.size < left and not self._starts_batch(end):
                return self._stretch(position, Problem.BAD_CHECKSUM, str(error))
            return ScannedRange(position, header.size, batch, Problem.BAD_CHECKSUM, str(error), crc_ok=False)
        except MalformedError as error:
            return ScannedRange(position, header.size, batch, Problem.MALFORMED, str(error))
        # The file changed between the two reads: now the batch is valid.
        return ScannedRange(position, header.size, batch)

    def _too_long(self, position: int, data: bytes, header: BatchHeader) -> ScannedRange:
        """Distinguish a batch that is cut by the end of the file from one whose length is wrong."""
        text = f"batch at byte {position} claims {header.size} bytes, {len(data)} are left"
        found = self._stretch(position, Problem.CUT_OFF, text)
        following = position + found.size
        if following < self._split.file.size and self._is_anchor_at(following):
            found.problem = Problem.BAD_LENGTH
            found.detail = f"{text}; a whole batch follows at byte {following}"
        elif _fits_another_length(data, header.crc, found.size):
            found.problem = Problem.BAD_LENGTH
            found.detail = f"{text}; its content is whole, so its length is wrong"
        return found

    def _stretch(self, position: int, problem: Problem, detail: str) -> ScannedRange:
        following = self._anchor(position + 1, self._split.file.size)
        end = self._split.file.size if following is None else following
        if following is None and self._is_log:
            end = self._end_of_data(position, end)
        return ScannedRange(position, max(end - position, 1), None, problem, detail)

    def _end_of_data(self, position: int, end: int) -> int:
        """Return where the zeros at the end of a segment begin, so that they are not counted as corrupt."""
        while end > position:
            start = max(position, end - PIECE_BYTES)
            kept = self._read(start, end - start).rstrip(b"\0")
            if kept:
                return start + len(kept)
            end = start
        return position

    def _starts_batch(self, position: int) -> bool:
        try:
            read_header(self._read(position, BATCH_HEADER_BYTES))
        except MalformedError:
            return self._is_log and self._zeros_to_the_end(position)
        return True

    def _zeros_to_the_end(self, position: int) -> bool:
        end = self._split.file.size
        while position < end:
            piece = self._read(position, min(PIECE_BYTES, end - position))
            if not piece or not _ZEROS.startswith(piece):
                return not piece
            position += len(piece)
        return True

    def _anchor(self, position: int, end: int) -> int | None:
        """Return where the first anchor between two positions starts, ``None`` when there is none."""
        while position < end:
            piece = self._read(position, PIECE_BYTES + BATCH_HEADER_BYTES)
            at = piece.find(_NO_PRODUCER, _PRODUCER_AT)
            while 0 <= at < PIECE_BYTES + _PRODUCER_AT:
                start = at - _PRODUCER_AT
                if piece[start + _MAGIC_AT] == 2 and self._is_anchor_at(position + start):
                    return position + start if position + start < end else None
                at = piece.find(_NO_PRODUCER, at + 1)
            position += PIECE_BYTES
        return None

    def _is_anchor_at(self, position: int) -> bool:
        try:
            header = read_header(self._read(position, BATCH_HEADER_BYTES))
            data = self._read(position, header.size)
            return len(data) == header.size and len(list(iterate_batches(data))) == 1 and _is_anchor(data)
        except MalformedError:
            return False

    def _piece(self, position: int) -> memoryview:
        """Read from a position; zeros (``PADDING``) follow what is read.

        The memory of the previous piece is reused unless something still refers to it: allocating costs more than
        reading.
        """
        wanted = min(PIECE_BYTES, self._split.file.size - position)
        if len(self._buffer) < wanted + len(PADDING) or not _is_free(self._buffer):
            self._buffer = bytearray(wanted + len(PADDING))
        piece = memoryview(self._buffer)
        self._file.seek(position)
        size = self._file.readinto(piece[:wanted])
        piece[size : size + len(PADDING)] = PADDING
        return piece[: size + len(PADDING)]

    def _read(self, position: int, size: int) -> bytes:
        self._file.seek(position)
        data: bytes = self._file.read(size)
        return data


def _is_free(buffer: bytearray) -> bool:
    """Return whether nothing refers to a buffer: if something does, its length cannot be changed."""
    try:
        buffer.append(0)
    except BufferError:
        return False
    buffer.pop()
    return True


_HEADER_FIELDS: Final = (
    "base_offset", "size", "epoch", "magic", "crc", "attributes", "last_offset_delta", "base_timestamp_ms",
    "max_timestamp_ms", "record_count",
)  # fmt: skip


def _good_batch(piece: memoryview, place: int) -> Batch | None:
    """Return the batch at a place, ``None`` if it is not whole or not valid."""
    left = len(piece) - len(PADDING) - place
    if left < BATCH_HEADER_BYTES:
        return None
    size = _LENGTH.unpack_from(piece, place + _LENGTH_AT)[0] + BATCH_OVERHEAD_BYTES
    if not BATCH_HEADER_BYTES <= size <= left:
        return None
    try:
        return parse_batch(bytes(piece[place : place + size]))
    except MalformedError:
        return None


def _fits_another_length(data: bytes, crc: int, written: int) -> bool:
    """Return whether a checksum is that of the written bytes, or of those and some of the following zeros."""
    end = max(written, BATCH_HEADER_BYTES)
    found = batch_crc(data[:end])
    for _ in range(min(TRAILING_ZEROS_MAX, len(data) - end)):
        if found == crc:
            return True
        found = crc32c(b"\0", found)
    return bool(found == crc)


def _is_anchor(data: bytes) -> bool:
    return data.startswith(_NO_PRODUCER, _PRODUCER_AT)


def _is_header(batch: Batch) -> bool:
    return _control_ends(batch, 0, SnapshotHeaderRecord)


def _is_footer(found: ScannedRange) -> bool:
    return found.problem is None and found.batch is not None and _control_ends(found.batch, -1, SnapshotFooterRecord)


def _control_ends(batch: Batch, index: int, wanted: type) -> bool:
    try:
        return batch.is_control and isinstance(batch.control_records()[index], wanted)
    except MalformedError:
        return False
