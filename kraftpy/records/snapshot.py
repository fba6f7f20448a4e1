"""Snapshot files: the state at an offset, as batches.

A snapshot starts with a control batch (header, kraft.version, voters), goes on with data batches and ends with a
control batch that holds the footer alone. Offsets in it count from 0 and have nothing to do with offsets in the log;
the epoch of every batch is that of the snapshot id. A file without its footer was not finished and is refused, which
Kafka's reader does not check.

The footer states two digests in tagged fields of ours, which Kafka's readers skip. That of the state, over the data
records (:mod:`kraftpy.records.state_digest`), is what nodes compare. That of the file, over every byte before the
footer's batch, costs a reader next to nothing and is always checked: checksums find what a disk did to a batch, it
finds what was made to fit them. A snapshot without digests (Kafka's, or an older one of ours) is as good as ever.

Source: ``on-disk formats`` §7 and §8.1; KIP-630.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from kraftpy.model.digests import NO_DIGEST
from kraftpy.model.errors import LocalError, MalformedError, TooLargeError
from kraftpy.model.offsets import Epoch
from kraftpy.model.voters import VoterSet
from kraftpy.records.batch import (
    BATCH_BYTES_MAX,
    BATCH_HEADER_BYTES,
    RECORD_OVERHEAD_MAX,
    Batch,
    encode_batch,
    encode_control_batch,
    iterate_batches,
    read_header,
)
from kraftpy.records.control import (
    ControlRecord,
    KRaftVersionRecord,
    SnapshotFooterRecord,
    SnapshotHeaderRecord,
    VotersRecord,
    voter_set_from_record,
    voter_set_to_record,
)
from kraftpy.records.state_digest import StateHasher, file_digest, file_hasher

GROUP_RECORDS_MAX: Final = 1024
"""How many records one group holds at most; a group is never split over two batches."""

SNAPSHOT_BATCH_BYTES: Final = 512 * 1024
"""A node closes a batch of its snapshots before it would grow beyond this, though one may hold 8 MiB: loading it blocks
all else for one batch, and few enough records are decoded at once."""


class DigestMismatchError(MalformedError):
    """The content of a snapshot is not that of which its footer states the digest."""


class SnapshotEncoder:
    """Turns groups of framed record values into the bytes of a snapshot file.

    Call :meth:`header` once, then :meth:`add` for each group, then :meth:`finish`; write what they return in that
    order. At most one batch is held in memory. A group that ``batch_bytes`` has no room for gets a batch to itself, if
    it fits ``batch_bytes_max``. The footer states the digests, unless there are no records or
    ``states_digest`` is false: then the file is what Kafka would have written, to the byte.
    """

    def __init__(
        self,
        *,
        epoch: Epoch,
        timestamp_ms: int,
        last_contained_log_timestamp_ms: int,
        kraft_version: int = 0,
        voters: VoterSet | None = None,
        batch_bytes_max: int = BATCH_BYTES_MAX,
        batch_bytes: int | None = None,
        states_digest: bool = True,
    ) -> None:
        if voters is not None and kraft_version == 0:
            raise LocalError(
                "a snapshot at kraft.version 0 cannot hold a voter set; static voters are in the configuration"
            )
        self._epoch = epoch
        self._timestamp_ms = timestamp_ms
        self._first: list[ControlRecord] = [SnapshotHeaderRecord(0, last_contained_log_timestamp_ms)]
        if kraft_version > 0:
            self._first.append(KRaftVersionRecord(0, kraft_version))
        if voters is not None:
            self._first.append(voter_set_to_record(voters))
        self._batch_bytes_max = batch_bytes_max
        self._batch_bytes = batch_bytes_max if batch_bytes is None else batch_bytes
        self._next_offset = 0
        self._values: list[bytes] = []
        self._bytes = BATCH_HEADER_BYTES
        self._states_digest = states_digest
        self._state = StateHasher()
        self._file = file_hasher()

    def header(self) -> bytes:
        """Return the first batch."""
        return self._counted(self._control(self._first))

    def add(self, values: Sequence[bytes]) -> bytes:
        """Take one group of framed values; return a batch that got full before it, or nothing.

        Raises:
            TooLargeError: when the group has too many records, or does not fit a batch.
        """
        if len(values) > GROUP_RECORDS_MAX:
            raise TooLargeError(f"a group of {len(values)} records is over the limit of {GROUP_RECORDS_MAX}")
        size = sum(map(len, values)) + RECORD_OVERHEAD_MAX * len(values)
        if BATCH_HEADER_BYTES + size > self._batch_bytes_max:
            raise TooLargeError(f"a group of up to {size} bytes does not fit a batch of {self._batch_bytes_max}")
        full = self._flush() if self._bytes + size > self._batch_bytes else b""
        self._values += values
        self._bytes += size
        if self._states_digest:
            self._state.update(values)
        return full

    def finish(self) -> bytes:
        """Return what is left, and the footer."""
        rest = self._flush()
        footer = SnapshotFooterRecord(0)
        if self._states_digest and self._next_offset > len(self._first):
            footer = SnapshotFooterRecord(0, self._state.digest(), file_digest(self._file))
        return rest + self._control([footer])

    def encode(self, groups: Iterable[Sequence[bytes]]) -> Iterator[bytes]:
        """Iterate over all pieces of the file, in order."""
        yield self.header()
        for group in groups:
            if piece := self.add(group):
                yield piece
        yield self.finish()

    def _flush(self) -> bytes:
        if not self._values:
            return b""
        piece = encode_batch(
            self._values, base_offset=self._next_offset, epoch=self._epoch, timestamp_ms=self._timestamp_ms
        )
        self._next_offset += len(self._values)
        self._values = []
        self._bytes = BATCH_HEADER_BYTES
        return self._counted(piece)

    def _counted(self, piece: bytes) -> bytes:
        self._file.update(piece)
        return piece

    def _control(self, records: list[ControlRecord]) -> bytes:
        piece = encode_control_batch(
            records, base_offset=self._next_offset, epoch=self._epoch, timestamp_ms=self._timestamp_ms
        )
        self._next_offset += len(records)
        return piece


@dataclass(frozen=True, slots=True)
class SnapshotContents:
    """A whole snapshot. ``batches`` are its data batches, in order; ``digest`` is ``None`` when it states none."""

    header: SnapshotHeaderRecord
    kraft_version: int
    voters: VoterSet | None
    digest: bytes | None
    batches: tuple[Batch, ...]


def decode_snapshot(chunks: Iterable[bytes], *, checks_state: bool = False) -> Iterator[Batch]:
    """Iterate over all batches of a snapshot, control batches included, while its bytes come in.

    Chunks may be cut anywhere; at most one batch and one chunk are held in memory. ``checks_state`` looks at every
    record, too, which takes about a microsecond each: that the digest is the state's, not only the file the writer's.

    Raises:
        CorruptError: when a checksum does not match.
        DigestMismatchError: when its content is not that of which its footer states the digest.
        MalformedError: when it does not start with a header, does not end with a footer, has a gap in its offsets or
            something after its footer. Nothing that came before may be used then.
    """
    sequence = _Sequence(StateHasher() if checks_state else None)
    buffer = bytearray()
    needed = BATCH_HEADER_BYTES
    for chunk in chunks:
        buffer += chunk
        start = 0
        while len(buffer) - start >= needed:
            if needed == BATCH_HEADER_BYTES:
                needed = read_header(bytes(buffer[start : start + needed])).size
                if len(buffer) - start < needed:
                    break
            (batch,) = iterate_batches(bytes(buffer[start : start + needed]))
            sequence.check(batch)
            yield batch
            start += needed
            needed = BATCH_HEADER_BYTES
        del buffer[:start]
    if buffer:
        raise MalformedError(f"snapshot ends inside a batch: {len(buffer)} bytes are left over")
    sequence.check_end()


def read_snapshot(data: bytes) -> SnapshotContents:
    """Read a whole snapshot at once.

    Raises:
        CorruptError: when a checksum does not match.
        MalformedError: as :func:`decode_snapshot`, or when its control records break a rule.
    """
    batches = list(decode_snapshot([data], checks_state=True))
    return contents_of(batches)


def contents_of(batches: Sequence[Batch]) -> SnapshotContents:
    """Read the control records of a snapshot whose batches :func:`decode_snapshot` has checked.

    Raises:
        MalformedError: when a control record breaks a rule.
    """
    controls = [record for batch in batches if batch.is_control for record in batch.control_records()]
    header = next(record for record in controls if isinstance(record, SnapshotHeaderRecord))
    versions = [record.kraft_version for record in controls if isinstance(record, KRaftVersionRecord)]
    voters = [voter_set_from_record(record) for record in controls if isinstance(record, VotersRecord)]
    return SnapshotContents(
        header=header,
        kraft_version=versions[-1] if versions else 0,
        voters=voters[-1] if voters else None,
        digest=stated_digest(batches[-1]),
        batches=tuple(batch for batch in batches if not batch.is_control),
    )


def stated_digest(last_batch: Batch) -> bytes | None:
    """Return the digest that a snapshot states in its last batch, ``None`` when it states none.

    Raises:
        MalformedError: when a control record in it breaks a rule.
    """
    records = last_batch.control_records() if last_batch.is_control else []
    footer = records[-1] if records else None
    if not isinstance(footer, SnapshotFooterRecord) or footer.state_digest == NO_DIGEST:
        return None
    return footer.state_digest


def _compare(what: str, stated: bytes, found: bytes) -> None:
    """Compare two digests, if there are two of one scheme."""
    if stated[0] == found[0] and stated != found:
        raise DigestMismatchError(
            f"the snapshot's {what} have the digest {found.hex()}, its footer states {stated.hex()}: the checksums are "
            "right, and the content is not what was written"
        )


class _Sequence:
    """Checks that batches form a snapshot, one by one."""

    def __init__(self, state: StateHasher | None) -> None:
        self._next_offset = 0
        self._epoch: Epoch | None = None
        self._is_finished = False
        self._file = file_hasher()
        self._state = state

    def check(self, batch: Batch) -> None:
        """Check that a batch may follow what came before."""
        if self._is_finished:
            raise MalformedError(f"snapshot: a batch at offset {batch.base_offset} follows the footer")
        if batch.base_offset != self._next_offset:
            raise MalformedError(f"snapshot: batch starts at offset {batch.base_offset}, expected {self._next_offset}")
        if self._epoch not in (None, batch.epoch):
            raise MalformedError(
                f"snapshot: batch at offset {batch.base_offset} has epoch {batch.epoch}, not {self._epoch}"
            )
        records = batch.control_records() if batch.is_control else []
        if batch.base_offset == 0 and not (records and isinstance(records[0], SnapshotHeaderRecord)):
            raise MalformedError("snapshot does not start with a SnapshotHeaderRecord")
        self._is_finished = bool(records) and isinstance(records[-1], SnapshotFooterRecord)
        self._epoch = batch.epoch
        self._next_offset = batch.next_offset
        if self._is_finished:
            self._check_digests(records[-1])
            return
        self._file.update(batch.data)
        if self._state is not None and not batch.is_control:
            self._state.update(batch.values())

    def _check_digests(self, footer: ControlRecord) -> None:
        assert isinstance(footer, SnapshotFooterRecord)
        _compare("bytes", footer.file_digest, file_digest(self._file))
        if self._state is not None:
            _compare("records", footer.state_digest, self._state.digest())

    def check_end(self) -> None:
        """Check that the snapshot is complete."""
        if not self._is_finished:
            raise MalformedError(
                f"snapshot has {self._next_offset} records and no SnapshotFooterRecord: it was not finished"
            )
