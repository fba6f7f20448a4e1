"""Records as typed changes for a watcher that does not want to decode records.

A record of a metadata transaction is no change before the transaction has ended, and none if it was aborted. How one
ends is behind it in the log, and is looked up there, so that nothing has to be kept meanwhile. A watch that begins in
the middle of the log looks up whether that is the middle of a transaction.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from typing import Any, ClassVar, Final

from kraftpy.image.delta import SLICE_OF
from kraftpy.model.errors import ApiError, ErrorCode, MalformedError
from kraftpy.model.features import METADATA_VERSION, SchemaSet
from kraftpy.model.offsets import Offset
from kraftpy.pb.v1 import changes_pb2, cluster_pb2
from kraftpy.records.authors import Author, BatchAuthors
from kraftpy.records.batch import Batch, split_batches
from kraftpy.records.metadata import (
    AbortTransactionRecord,
    BeginTransactionRecord,
    ClusterIdRecord,
    EndTransactionRecord,
    FeatureLevelRecord,
    Record,
    RemoveTopicRecord,
    decode_record,
)
from kraftpy.records.metadata_changes import is_change
from kraftpy.records.schema import Struct, load, snake_case
from kraftpy.transport.grpc.services.conversions import (
    SHARED_BATCH_BYTES_MAX,
    Converted,
    WatchWork,
    cost_of,
    pieces,
)
from kraftpy.transport.node_api import NodeApi, OffsetGone

CHANGE_BYTES: Final = 200
"""What a change takes in memory, besides four times its bytes, about."""

SCAN_BYTES: Final = 256 * 1024
"""How much of the log is read at a time to find the end of a transaction."""

SCAN_RECORDS_MAX: Final = 1_000_000
"""How many records are looked at to find out whether a watch begins inside a transaction: none is that long."""

_STRUCTS: Final[dict[str, Struct]] = {
    message.name: message.root for message in load("metadata") if is_change(message.name)
}

SLICES: Final[dict[type[Record], str]] = {
    **{record: name for record, name in SLICE_OF.items() if name != "unknown"},
    # A delta replays these itself, because they concern two slices.
    RemoveTopicRecord: "topics",
    ClusterIdRecord: "cluster_id",
}
"""The slice of each record that changes the state."""

_MARKS: Final = (BeginTransactionRecord, EndTransactionRecord, AbortTransactionRecord)


def slices_of(request: cluster_pb2.WatchRequest) -> frozenset[str]:
    """Return the names of the slices whose changes are requested.

    Raises:
        ApiError: INVALID_REQUEST for a slice that does not exist, and for JSON of typed changes.
    """
    names = set()
    for number in request.changes_of:
        if number not in cluster_pb2.MetadataSlice.values() or number == cluster_pb2.METADATA_SLICE_UNSPECIFIED:
            raise ApiError(ErrorCode.INVALID_REQUEST, f"changes_of has {number}, which is no slice of the metadata")
        names.add(cluster_pb2.MetadataSlice.Name(number).removeprefix("METADATA_SLICE_").lower())
    if names and request.include_json:
        raise ApiError(ErrorCode.INVALID_REQUEST, "changes_of and include_json cannot be given together")
    return frozenset(names)


class RecordChanges:
    """Converts the records of consecutive batches.

    Attributes:
        schema: in force behind the last record.
    """

    FIELD: ClassVar = "changes"
    KEEPS_RECORDS: ClassVar = False

    def __init__(self, backend: NodeApi, schema: SchemaSet, slices: Collection[str], work: WatchWork) -> None:
        self.schema = schema
        self._backend = backend
        self._slices = slices
        self._work = work
        self._wanted = frozenset(record for record, name in SLICES.items() if name in slices)
        self._is_aborted = False

    def of_snapshot(self) -> RecordChanges:
        """Return what begins with a snapshot, which sets the metadata.version of its records by itself."""
        return RecordChanges(self._backend, SchemaSet.KAFKA, self._slices, self._work)

    @staticmethod
    def size(change: Any) -> int:
        """Return how many bytes of a message it takes."""
        size: int = change.ByteSize()
        return size

    async def begin_at(self, offset: Offset) -> None:
        """Find out whether an offset inside the log is in a transaction that was aborted."""
        mark = None if offset == 0 else await self._next_mark(offset, SCAN_RECORDS_MAX)
        self._is_aborted = isinstance(mark, AbortTransactionRecord)

    async def of(self, batch: Batch) -> AsyncIterator[changes_pb2.MetadataChange]:
        """Convert a batch, some records at a time: a large one would block the loop for too long."""
        values = [] if batch.is_control else batch.values()
        if batch.size > SHARED_BATCH_BYTES_MAX or _first_mark(values) is not None:
            # What becomes of a transaction is behind it.
            async for change in self._changes(batch, values):
                yield change
            return
        key = "changes", self._wanted, self._is_aborted, self.schema, batch.data
        made = await self._work.converted(key, lambda: self._make(batch, values))
        self.schema = made.state
        for change in made.items:
            yield change

    async def _make(self, batch: Batch, values: Sequence[bytes]) -> Converted:
        changes = [change async for change in self._changes(batch, values)]
        size = sum(4 * change.ByteSize() + CHANGE_BYTES for change in changes)
        return Converted(changes, self.schema, batch.size + size)

    async def _changes(self, batch: Batch, values: Sequence[bytes]) -> AsyncIterator[changes_pb2.MetadataChange]:
        authors = BatchAuthors()
        for start, piece in pieces(values):
            await self._work.turns.take(cost_of(*piece))
            changes = []
            for place, value in enumerate(piece, start + 1):
                record, author = self._decoded(value), authors.of(value)
                if isinstance(record, BeginTransactionRecord):
                    mark = _first_mark(values[place:]) or await self._next_mark(batch.next_offset)
                    self._is_aborted = isinstance(mark, AbortTransactionRecord)
                elif isinstance(record, EndTransactionRecord | AbortTransactionRecord):
                    self._is_aborted = False
                elif not self._is_aborted and type(record) in self._wanted:
                    changes.append(change_of(record, author))
            for change in changes:
                yield change

    def _decoded(self, value: bytes) -> Any:
        try:
            record = decode_record(value, self.schema)
        except MalformedError:
            # No node can apply it, and none has: replay halts there.
            return None
        if isinstance(record, FeatureLevelRecord) and record.name == METADATA_VERSION and not self._is_aborted:
            self.schema = SchemaSet.for_level(record.feature_level)
        return record

    async def _next_mark(self, offset: Offset, records_max: int | None = None) -> Record | None:
        """Return the next record from an offset on that begins or ends a transaction.

        Args:
            offset: where to begin.
            records_max: after how many records, or at the end of the log, ``None`` is returned; by default it is waited
                for.
        """
        seen = 0
        while records_max is None or seen < records_max:
            # One piece at a time, of all watchers together: they would keep the loop from everything else.
            async with self._work.scanning:
                await self._work.turns.take()
                data = await self._backend.read_committed(offset, SCAN_BYTES)
                mark, seen_now, offset = _scanned(data, offset) if isinstance(data, bytes) else (None, 0, offset)
            if mark is not None:
                return mark
            seen += seen_now
            if isinstance(data, OffsetGone):
                if records_max is not None:
                    return None
                raise ApiError(
                    ErrorCode.BROKER_NOT_AVAILABLE, f"a snapshot has replaced the log at offset {offset}: watch again"
                )
            if not data:
                if records_max is not None:
                    return None
                # A log that halted shows transactions that have not ended.
                await self._backend.wait_committed(offset)
        return None


_MARK_KEYS: Final = frozenset(mark.API_KEY for mark in _MARKS)


def _scanned(data: bytes, offset: Offset) -> tuple[Record | None, int, Offset]:
    """Return the first mark in whole batches, how many records were looked at, and the offset behind them."""
    seen = 0
    for batch in split_batches(data, verify_crc=False) if data else ():
        mark = None if batch.is_control else _first_mark(batch.values())
        if mark is not None:
            return mark, seen, offset
        seen += batch.last_offset - batch.base_offset + 1
        offset = batch.next_offset
    return None, seen, offset


def _first_mark(values: Iterable[bytes]) -> Record | None:
    """Return the first record that begins or ends a transaction; the type of a record is its second byte."""
    for value in values:
        if len(value) > 1 and value[1] in _MARK_KEYS:
            with contextlib.suppress(MalformedError):
                record = decode_record(value, SchemaSet.KAFKA)
                if isinstance(record, _MARKS):
                    return record
    return None


def change_of(record: Record, author: Author | None = None) -> changes_pb2.MetadataChange:
    """Convert a record of a type that changes the state, and who asked for it."""
    change = changes_pb2.MetadataChange()
    if author is not None:
        principal, client_id, request_id, correlation_id, fault = author
        change.author.CopyFrom(
            changes_pb2.ChangeAuthor(
                principal=principal,
                client_id=client_id,
                request_id=request_id,
                correlation_id=correlation_id,
                fault=fault,
            )
        )
    target = getattr(change, snake_case(record.NAME))
    target.SetInParent()
    _fill(target, record, _STRUCTS[record.NAME])
    return change


def _fill(target: Any, source: Any, struct: Struct) -> None:
    for field in struct.fields:
        value = getattr(source, field.attribute)
        if value is None:
            continue
        if not field.is_array:
            setattr(target, field.attribute, value)
            continue
        row = getattr(target, field.attribute)
        if field.is_nullable:
            row.SetInParent()
            row.values.extend(value)
        elif field.struct is None:
            row.extend(value)
        else:
            for item in value:
                _fill(row.add(), item, field.struct)
