"""From the committed log to images: batches in, publications out.

The loader folds all batches of a call into one delta and publishes it once. A transaction holds that back: what came
before its Begin is published first, then nothing until its End; an Abort throws its delta away and goes on with a fresh
one over the same base. Control batches change no metadata but move the offset, so they are published too, with an empty
delta: a publisher that waits for an offset must hear of it.

Decoded records may come along with their batches.

A record that does not replay ends the loader: it raises, publishes nothing of that call, keeps the last published image
and raises the same error from then on, until a snapshot replaces everything. Half a batch is never seen. Kafka reports
such a record to a fault handler and goes on without it, which lets images of equal logs differ.

The record table follows the metadata.version while decoding: a FeatureLevelRecord rules from the next record on. A
snapshot starts from no level at all and states its own first.

Source: Kafka ``MetadataLoader``, ``MetadataBatchLoader``; KIP-868.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from kraftpy.image.delta import MetadataDelta
from kraftpy.image.errors import ReplayError
from kraftpy.image.image import EMPTY, MetadataImage, check_cluster_id, check_cluster_id_at
from kraftpy.image.provenance import Provenance
from kraftpy.image.publishing import LogDeltaManifest, Publication, SnapshotManifest
from kraftpy.model.errors import MalformedError
from kraftpy.model.features import SchemaSet
from kraftpy.model.invariant import invariant
from kraftpy.model.offsets import Offset, OffsetAndEpoch
from kraftpy.records.batch import Batch
from kraftpy.records.metadata import (
    AbortTransactionRecord,
    BeginTransactionRecord,
    EndTransactionRecord,
    FeatureLevelRecord,
    LogRecord,
    decode_record,
    decode_records,
)

NO_RECORDS: Final[Mapping[Offset, Sequence[LogRecord]]] = MappingProxyType({})
_MARKS: Final = frozenset({BeginTransactionRecord, EndTransactionRecord, AbortTransactionRecord})
_TURNS: Final = _MARKS | {FeatureLevelRecord}
"""Kinds of records after which the loader has to look up."""


class MetadataLoader:
    """Folds committed batches and snapshots into images.

    Attributes:
        image: the last published image.
        next_offset: the first offset that was not loaded yet; it is ahead of the image inside a transaction.
        in_transaction: whether a transaction is open.
        open_from: where the batch begins in which the transaction that was open last began.
        failure: why the loader stopped, ``None`` while it runs.
    """

    __slots__ = ("_delta", "_held", "_last", "failure", "image", "in_transaction", "next_offset", "open_from")

    def __init__(self, image: MetadataImage = EMPTY) -> None:
        self.image = image
        self.next_offset: Offset = image.provenance.offset + 1
        self.in_transaction = False
        self.open_from: Offset = self.next_offset
        self.failure: ReplayError | None = None
        self._delta = MetadataDelta(image)
        self._held = (0, 0)
        self._last = image.provenance

    @property
    def last_timestamp_ms(self) -> int:
        """When the last batch that was loaded was made; -1 when none was."""
        return self._last.timestamp_ms

    def load_batches(self, batches: Sequence[Batch]) -> list[Publication]:
        """Load committed batches that follow on from ``next_offset``.

        Returns:
            What to publish, in order; empty inside a transaction.

        Raises:
            ReplayError: when a record cannot be read or does not replay; the loader has stopped then.
        """
        return self.load_records(batches, NO_RECORDS)

    def catch_up(self, batches: Sequence[Batch]) -> None:
        """Load committed batches without publishing them, until :meth:`caught_up` makes an image of all of them.

        A node that starts loads its log this way: an image for each piece costs more than the records.

        Raises:
            ReplayError: as :meth:`load_batches`.
        """
        self._load(batches, NO_RECORDS, hold=True)

    def caught_up(self) -> None:
        """Bring the image to where the loader is, or to where the open transaction began."""
        fold = self._fold()
        fold.finish()
        self._keep(fold)

    def load_records(
        self, batches: Sequence[Batch], decoded: Mapping[Offset, Sequence[LogRecord]]
    ) -> list[Publication]:
        """Load committed batches, some of which the caller has the records of.

        Args:
            batches: as for :meth:`load_batches`.
            decoded: base offset of a batch to its records, all of them and unchanged since they were encoded.

        Raises:
            ReplayError: as :meth:`load_batches`.
        """
        return self._load(batches, decoded, hold=False)

    def _load(
        self, batches: Sequence[Batch], decoded: Mapping[Offset, Sequence[LogRecord]], *, hold: bool
    ) -> list[Publication]:
        if self.failure is not None:
            raise self.failure
        if not batches:
            return []
        fold = self._fold()
        try:
            for batch in batches:
                expected = fold.next_offset if fold.next_offset is not None else self.next_offset
                invariant(batch.base_offset == expected, "committed batches follow on", batch.base_offset, expected)
                fold.take(batch, decoded.get(batch.base_offset))
        except ReplayError as error:
            self.failure = error
            raise
        if hold:
            fold.delta.absorb()
            publications = []
        else:
            publications = fold.finish()
        self.next_offset = batches[-1].next_offset
        self._keep(fold)
        return publications

    def _fold(self) -> _Fold:
        return _Fold(self.image, self._delta, self._last, self._held, in_transaction=self.in_transaction)

    def _keep(self, fold: _Fold) -> None:
        self.image, self._delta, self.in_transaction = fold.image, fold.delta, fold.in_transaction
        self.open_from = self.open_from if fold.open_from is None else fold.open_from
        self._last, self._held = fold.last, fold.held

    def load_snapshot(
        self, snapshot_id: OffsetAndEpoch, contents: Iterable[Batch], last_contained_log_timestamp_ms: int
    ) -> Publication:
        """Replace everything by a snapshot; an open transaction is forgotten.

        Args:
            snapshot_id: the first offset that the snapshot does not contain, and the epoch of the one before.
            contents: all its batches; control batches are passed over.
            last_contained_log_timestamp_ms: from its header.

        Raises:
            ReplayError: when a record cannot be read or does not replay; nothing has changed then.
        """
        loading = self.start_snapshot(snapshot_id, last_contained_log_timestamp_ms)
        for batch in contents:
            loading.take(batch)
        return self.finish_snapshot(loading)

    def start_snapshot(self, snapshot_id: OffsetAndEpoch, last_contained_log_timestamp_ms: int) -> SnapshotLoading:
        """Start to load a snapshot piece by piece, for a caller that has to answer others in between.

        Feed it all batches and hand it to :meth:`finish_snapshot`. Until then the loader is as it was; a loading that
        is dropped has no effect.
        """
        return SnapshotLoading(self.image, snapshot_id, last_contained_log_timestamp_ms)

    def finish_snapshot(self, loading: SnapshotLoading) -> Publication:
        """Replace everything by a snapshot that is completely read; an open transaction is forgotten.

        Raises:
            ReplayError: when it names another cluster than the image before, or none where its level calls for one;
                nothing has changed then.
        """
        invariant(loading.base is self.image, "nothing else was loaded while the snapshot was read", self.image)
        publication = loading.finish()
        self.image, self._delta = publication.image, MetadataDelta(publication.image)
        self.next_offset, self.in_transaction = publication.image.provenance.offset + 1, False
        self.failure, self._last, self._held = None, publication.image.provenance, (0, 0)
        return publication


class SnapshotLoading:
    """A snapshot being read.

    Attributes:
        base: the image that it will replace.
    """

    __slots__ = ("_delta", "_provenance", "base")

    def __init__(self, base: MetadataImage, snapshot_id: OffsetAndEpoch, timestamp_ms: int) -> None:
        self.base = base
        self._delta = MetadataDelta(base, snapshot=True)
        self._provenance = Provenance(snapshot_id.offset - 1, snapshot_id.epoch, timestamp_ms, batch_aligned=True)

    def take(self, batch: Batch) -> None:
        """Read the next batch; control batches are passed over.

        Raises:
            ReplayError: when a record cannot be read or does not replay. The loading is of no use then.
        """
        if not batch.is_control:
            _replay_snapshot_batch(self._delta, batch)
            self._delta.absorb()

    def finish(self) -> Publication:
        """Return the difference to the base image.

        Raises:
            ReplayError: when the content names another cluster than the base, or none where its level calls for one.
        """
        self._delta.finish_snapshot()
        image = self._delta.apply(self._provenance)
        check_cluster_id(image)
        return Publication(self._delta, image, SnapshotManifest(self._provenance))


def _plain_records(batch: Batch, schema: SchemaSet) -> list[LogRecord] | None:
    """Decode a batch in one go; ``None`` when it has to be taken record by record.

    That is so when the loader has to inspect records in between, and when a record cannot be decoded: an earlier one
    may not replay, and the first error is the one to report.
    """
    try:
        records = decode_records(batch.values(), schema)
    except MalformedError:
        return None
    return records if _TURNS.isdisjoint(map(type, records)) else None


def _replay_snapshot_batch(delta: MetadataDelta, batch: Batch) -> None:
    records = _plain_records(batch, delta.schema)
    if records is not None:
        delta.replay_all(records, batch.base_offset)
        return
    offset = batch.base_offset
    try:
        for value in batch.values():
            record = decode_record(value, delta.schema)
            if type(record) in _MARKS:
                raise ReplayError(record, "a snapshot has no transactions")
            delta.replay(record)
            offset += 1
    except ReplayError as error:
        raise error.at(offset) from error
    except MalformedError as error:
        raise ReplayError("record of a snapshot", str(error), offset) from error


class _Fold:
    """One call's batches on their way into a delta."""

    __slots__ = (
        "_batches",
        "_bytes",
        "_publications",
        "delta",
        "image",
        "in_transaction",
        "last",
        "next_offset",
        "open_from",
    )

    def __init__(
        self,
        image: MetadataImage,
        delta: MetadataDelta,
        last: Provenance,
        held: tuple[int, int],
        *,
        in_transaction: bool,
    ) -> None:
        self.image = image
        self.delta = delta
        self.last = last
        self.in_transaction = in_transaction
        self.next_offset: Offset | None = None
        self.open_from: Offset | None = None
        self._publications: list[Publication] = []
        self._batches, self._bytes = held

    @property
    def held(self) -> tuple[int, int]:
        """Batches, and bytes of them, that no publication has counted yet."""
        return self._batches, self._bytes

    def take(self, batch: Batch, decoded: Sequence[LogRecord] | None) -> None:
        """Fold one batch in."""
        if not batch.is_control:
            if decoded is None:
                self._replay_values(batch)
            else:
                self._replay_decoded(batch, decoded)
            if self.delta.features is not None and not self.in_transaction:
                # Batch by batch and not call by call: every node has to stop at the same place of a log.
                check_cluster_id_at(self.delta.level, self.delta.known_cluster_id, batch.last_offset)
        self._batches += 1
        self._bytes += batch.size
        self.next_offset = batch.next_offset
        self.last = Provenance(batch.last_offset, batch.epoch, batch.max_timestamp_ms, batch_aligned=True)

    def _replay_values(self, batch: Batch) -> None:
        records = _plain_records(batch, self.delta.schema)
        if records is not None:
            self.delta.replay_all(records, batch.base_offset)
            return
        offset = batch.base_offset
        try:
            for value in batch.values():
                record = decode_record(value, self.delta.schema)
                if type(record) in _TURNS:
                    self._turn(batch, offset, record)
                else:
                    self.delta.replay(record)
                offset += 1
        except ReplayError as error:
            raise error.at(offset) from error
        except MalformedError as error:
            raise ReplayError("record", str(error), offset) from error

    def _replay_decoded(self, batch: Batch, records: Sequence[LogRecord]) -> None:
        invariant(
            len(records) == batch.record_count, "records are those of their batch", len(records), batch.record_count
        )
        if _TURNS.isdisjoint(map(type, records)):
            self.delta.replay_all(records, batch.base_offset)
            return
        offset = batch.base_offset
        try:
            for record in records:
                if type(record) in _TURNS:
                    self._turn(batch, offset, record)
                else:
                    self.delta.replay(record)
                offset += 1
        except ReplayError as error:
            raise error.at(offset) from error

    def _turn(self, batch: Batch, offset: Offset, record: LogRecord) -> None:
        """Take a record after which the loader has to look up."""
        if isinstance(record, BeginTransactionRecord):
            if self.in_transaction:
                raise ReplayError(record, "a transaction is open already")
            self._publish_before(batch, offset)
            self.in_transaction, self.open_from = True, batch.base_offset
        elif isinstance(record, EndTransactionRecord | AbortTransactionRecord):
            if not self.in_transaction:
                raise ReplayError(record, "no transaction is open")
            self.in_transaction = False
            if isinstance(record, AbortTransactionRecord):
                self.delta = MetadataDelta(self.image)
        else:
            self.delta.replay(record)

    def _publish_before(self, batch: Batch, offset: Offset) -> None:
        """Publish the records before a transaction, if there are any since the last publication."""
        if offset > batch.base_offset:
            before = Provenance(offset - 1, batch.epoch, batch.max_timestamp_ms, batch_aligned=False)
        else:
            before = self.last
        if before.offset > self.image.provenance.offset:
            self._publish(before)

    def _publish(self, provenance: Provenance) -> None:
        image = self.delta.apply(provenance)
        manifest = LogDeltaManifest(provenance, self._batches, self._bytes)
        self._publications.append(Publication(self.delta, image, manifest))
        self.image, self.delta = image, MetadataDelta(image)
        self._batches = self._bytes = 0

    def finish(self) -> list[Publication]:
        """Publish the rest, unless a transaction is open; return everything to publish."""
        if not self.in_transaction and self.last.offset > self.image.provenance.offset:
            self._publish(self.last)
        return self._publications
