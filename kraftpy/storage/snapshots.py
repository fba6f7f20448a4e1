"""Snapshot files in the log directory: written once, renamed into view, read in chunks, deleted in two steps.

A snapshot becomes visible by a rename after its bytes are durable, so a file with a finished name is whole. It is
deleted by a rename too: a peer that is being served from it keeps its open chunk, and a start removes what is left.

Which snapshots there are is memory of the owner's thread. The halves that wait for the disk (``verify``,
``freeze_file``, what ``begin_delete_below`` returns) touch files alone and may run in another one.

Snapshots are ordered by epoch first, then by end offset. The zero checkpoint ``0-0`` that ``storage format`` writes is
one of them, but it is never sent to another node: it holds this quorum's beginnings, not a state that can be followed.

Source: on-disk formats §7, §8.1; raft §16; KIP-630; Kafka ``Snapshots``, ``FileRawSnapshotWriter``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from kraftpy.model.errors import CorruptLogError, LocalError, MalformedError
from kraftpy.model.invariant import invariant
from kraftpy.model.offsets import ORIGIN, Offset, OffsetAndEpoch
from kraftpy.records.batch import Batch
from kraftpy.records.control import ControlRecord, SnapshotHeaderRecord
from kraftpy.records.file_names import parse_snapshot_file_name, snapshot_file_name
from kraftpy.records.snapshot import decode_snapshot, stated_digest
from kraftpy.storage.atomic_file import TEMPORARY_SUFFIX, remove_if_exists
from kraftpy.storage.filesystem import File, FileSystem, join
from kraftpy.storage.names import DELETED_SUFFIX
from kraftpy.storage.os_errors import faults_of, sync_file, sync_names

CHECKPOINT_SUFFIX = ".checkpoint"
PART_SUFFIX = ".part"
LEFT_OVER_SUFFIXES = tuple(CHECKPOINT_SUFFIX + suffix for suffix in (PART_SUFFIX, DELETED_SUFFIX, TEMPORARY_SUFFIX))
PART_DIGITS_BYTES = 7
"""How many random bytes distinguish two unfinished files of one snapshot."""

CHUNK_BYTES = 1 << 20


class SnapshotWriter:
    """A snapshot that is being written or downloaded; it is not visible before :meth:`freeze`.

    Attributes:
        snapshot_id: which snapshot it will be.
        size: how many bytes it has so far.
    """

    __slots__ = ("_file", "_store", "size", "snapshot_id")

    def __init__(self, store: SnapshotStore, snapshot_id: OffsetAndEpoch, file: File) -> None:
        self._store = store
        self._file: File | None = file
        self.snapshot_id = snapshot_id
        self.size = 0

    def append(self, data: bytes) -> None:
        """Add bytes: they need not be whole batches.

        Raises:
            DiskFullError: no space; :meth:`abort` must follow.
        """
        file = self._open_file()
        with faults_of("appending to", file.path):
            file.pwrite(data, self.size)
        self.size += len(data)

    def sync(self) -> None:
        """Make what was written so far durable, so that :meth:`freeze` is quick.

        Raises:
            SyncFailedError: fatal.
        """
        sync_file(self._open_file())

    def verify(self) -> tuple[ControlRecord, ...]:
        """Check every batch of what was written, and the digest; return the control records of the first batch.

        Raises:
            CorruptLogError: it is not a whole snapshot of this id; :meth:`abort` should follow.
        """
        path = self._open_file().path
        first: tuple[ControlRecord, ...] = ()
        for batch in self._store.checked_batches(path, self.snapshot_id, checks_state=True):
            if batch.base_offset == 0:
                first = tuple(batch.control_records())
        return first

    def freeze(self) -> None:
        """Make the snapshot durable, read-only and visible."""
        self.freeze_file()
        self._store.add(self.snapshot_id)

    def freeze_file(self) -> None:
        """Do the disk's part of :meth:`freeze`, perhaps in another thread; ``SnapshotStore.add`` is the rest."""
        file, self._file = self._open_file(), None
        try:
            sync_file(file)
        finally:
            file.close()
        self._store.publish(file.path, self.snapshot_id)

    def abort(self) -> None:
        """Remove it; nothing happens after :meth:`freeze` or a second time."""
        file, self._file = self._file, None
        if file is not None:
            file.close()
            self._store.discard(file.path)

    def _open_file(self) -> File:
        if self._file is None:
            raise LocalError(f"snapshot {self.snapshot_id} is already frozen or aborted")
        return self._file


class SnapshotStore:
    """The snapshots of one log directory.

    Attributes:
        warnings: what opening found, in words.
    """

    def __init__(self, fs: FileSystem, directory: str, draw: Callable[[int], bytes]) -> None:
        """Hold the parts; use :meth:`open`, or this for looking without touching."""
        self._fs = fs
        self._directory = directory
        self._draw = draw
        self._ids: list[OffsetAndEpoch] = []
        self._deleted: list[str] = []
        self.warnings: list[str] = []

    @classmethod
    def open(cls, fs: FileSystem, directory: str, draw: Callable[[int], bytes]) -> SnapshotStore:
        """List the snapshots and remove what interrupted writes and deletions left.

        Args:
            fs: the disk.
            directory: ``__cluster_metadata-0``; it must exist.
            draw: returns that many random bytes.
        """
        store = cls(fs, directory, draw)
        leftovers = store.load()
        for name in leftovers:
            remove_if_exists(fs, join(directory, name))
        if leftovers:
            store.warnings.append(f"removed unfinished or deleted snapshots in {directory}: {', '.join(leftovers)}")
        return store

    def load(self) -> list[str]:
        """Read the directory; return the names of left-overs."""
        with faults_of("listing", self._directory):
            names = self._fs.list_directory(self._directory)
        leftovers = []
        for name in names:
            if name.endswith(LEFT_OVER_SUFFIXES):
                leftovers.append(name)
            elif name.endswith(CHECKPOINT_SUFFIX):
                self._note(name)
        self._ids.sort()
        return leftovers

    def _note(self, name: str) -> None:
        snapshot_id = parse_snapshot_file_name(name)
        if snapshot_id is None:
            self.warnings.append(f"{join(self._directory, name)} has no snapshot's name: it is ignored")
        else:
            self._ids.append(snapshot_id)

    # What there is.

    @property
    def ids(self) -> tuple[OffsetAndEpoch, ...]:
        """All snapshots, ascending by epoch, then by end offset."""
        return tuple(self._ids)

    @property
    def latest(self) -> OffsetAndEpoch | None:
        """The newest one."""
        return self._ids[-1] if self._ids else None

    @property
    def earliest(self) -> OffsetAndEpoch | None:
        """The oldest one."""
        return self._ids[0] if self._ids else None

    @property
    def replicable(self) -> tuple[OffsetAndEpoch, ...]:
        """Those that may be sent to another node: all but the zero checkpoint."""
        return tuple(snapshot_id for snapshot_id in self._ids if snapshot_id != ORIGIN)

    def path(self, snapshot_id: OffsetAndEpoch) -> str:
        """Return where a snapshot is, or would be."""
        return join(self._directory, snapshot_file_name(snapshot_id))

    def size(self, snapshot_id: OffsetAndEpoch) -> int:
        """Return a snapshot's length in bytes.

        Raises:
            LocalError: there is no such snapshot.
        """
        path = self._existing(snapshot_id)
        with faults_of("reading", path):
            return self._fs.size(path)

    def read(self, snapshot_id: OffsetAndEpoch, position: int, max_bytes: int) -> bytes:
        """Return up to ``max_bytes`` from a byte position; empty at the end.

        Raises:
            LocalError: there is no such snapshot.
        """
        path = self._existing(snapshot_id)
        with faults_of("reading", path):
            file = self._fs.open(path)
            try:
                return file.pread(max_bytes, position)
            finally:
                file.close()

    def open_chunks(self, snapshot_id: OffsetAndEpoch, chunk_bytes: int = CHUNK_BYTES) -> Iterator[bytes]:
        """Yield the whole file in pieces."""
        return self._chunks(self._existing(snapshot_id), chunk_bytes)

    def _chunks(self, path: str, chunk_bytes: int = CHUNK_BYTES) -> Iterator[bytes]:
        with faults_of("reading", path):
            file = self._fs.open(path)
            position = 0
            try:
                while chunk := file.pread(chunk_bytes, position):
                    yield chunk
                    position += len(chunk)
            finally:
                file.close()

    def _existing(self, snapshot_id: OffsetAndEpoch) -> str:
        if snapshot_id not in self._ids:
            raise LocalError(f"there is no snapshot {snapshot_id} in {self._directory}")
        return self.path(snapshot_id)

    def batches(self, snapshot_id: OffsetAndEpoch) -> Iterator[Batch]:
        """Yield every batch, checksums and order verified.

        Raises:
            CorruptLogError: the file is corrupt; nothing that was yielded may be used.
        """
        return self.checked_batches(self._existing(snapshot_id), snapshot_id)

    def checked_batches(self, path: str, snapshot_id: OffsetAndEpoch, *, checks_state: bool = False) -> Iterator[Batch]:
        """Yield every batch of a file that is, or is to become, this snapshot; errors as :meth:`batches`."""
        position = 0
        try:
            for batch in decode_snapshot(self._chunks(path), checks_state=checks_state):
                if batch.epoch != snapshot_id.epoch:
                    raise MalformedError(f"its batch has epoch {batch.epoch}, its name has {snapshot_id.epoch}")
                yield batch
                position += batch.size
        except MalformedError as error:
            raise CorruptLogError(
                f"{path} is corrupt at byte {position}: {error}. Ways out: restore the file from a copy; or, while a "
                f"majority of the other voters is healthy, move {self._directory} away and let this node fetch "
                "everything from the leader."
            ) from error

    def validate(self, snapshot_id: OffsetAndEpoch, *, checks_state: bool = True) -> int:
        """Check a whole snapshot; return how many records it holds.

        Args:
            snapshot_id: which one.
            checks_state: whether to look into every record, too, and not only at the bytes.

        Raises:
            CorruptLogError: names the file and the byte where the bad batch starts.
        """
        batches = self.checked_batches(self._existing(snapshot_id), snapshot_id, checks_state=checks_state)
        return sum(batch.record_count for batch in batches)

    def stated_digest(self, snapshot_id: OffsetAndEpoch) -> bytes | None:
        """Return the digest that a snapshot states, ``None`` when it states none."""
        *_, last = self.batches(snapshot_id)
        return stated_digest(last)

    def control_records(self, snapshot_id: OffsetAndEpoch) -> tuple[ControlRecord, ...]:
        """Return the records of the first batch: the header, perhaps kraft.version and voters."""
        first = next(self.batches(snapshot_id))
        return tuple(first.control_records())

    def last_contained_timestamp_ms(self, snapshot_id: OffsetAndEpoch) -> int:
        """Return the time of the newest record whose effect the snapshot holds."""
        header = self.control_records(snapshot_id)[0]
        invariant(isinstance(header, SnapshotHeaderRecord), "a checked snapshot starts with its header", header)
        return header.last_contained_log_timestamp if isinstance(header, SnapshotHeaderRecord) else 0

    # Writing.

    def create(self, snapshot_id: OffsetAndEpoch) -> SnapshotWriter:
        """Start writing a snapshot.

        Raises:
            LocalError: it exists already.
            StorageError: the file cannot be made.
        """
        if snapshot_id in self._ids:
            raise LocalError(f"snapshot {snapshot_id} exists already: {self.path(snapshot_id)}")
        digits = int.from_bytes(self._draw(PART_DIGITS_BYTES), "big")
        path = f"{self.path(snapshot_id).removesuffix(CHECKPOINT_SUFFIX)}-{digits}{CHECKPOINT_SUFFIX}{PART_SUFFIX}"
        with faults_of("creating", path):
            return SnapshotWriter(self, snapshot_id, self._fs.open(path, write=True, create=True))

    def publish(self, part_path: str, snapshot_id: OffsetAndEpoch) -> None:
        """Give a durable part its final name; it is in view after :meth:`add`."""
        with faults_of("freezing", part_path):
            self._fs.make_read_only(part_path)
            self._fs.rename(part_path, self.path(snapshot_id))
        sync_names(self._fs, self._directory)

    def add(self, snapshot_id: OffsetAndEpoch) -> None:
        """Take a snapshot into view that has its final name."""
        if snapshot_id not in self._ids:
            self._ids.append(snapshot_id)
            self._ids.sort()

    def discard(self, part_path: str) -> None:
        """Remove an unfinished file."""
        remove_if_exists(self._fs, part_path)

    # Deleting.

    def mark_deleted(self, snapshot_ids: Iterable[OffsetAndEpoch]) -> None:
        """Take snapshots out of view; :meth:`purge` removes their bytes."""
        for snapshot_id in list(snapshot_ids):
            path = self._forget(snapshot_id)
            self._mark(path)
            self._deleted.append(path + DELETED_SUFFIX)

    def _forget(self, snapshot_id: OffsetAndEpoch) -> str:
        path = self._existing(snapshot_id)
        invariant(snapshot_id != self.latest, "the newest snapshot always stays", snapshot_id)
        self._ids.remove(snapshot_id)
        return path

    def _mark(self, path: str) -> None:
        with faults_of("marking for deletion", path):
            self._fs.rename(path, path + DELETED_SUFFIX)

    def mark_deleted_below(self, log_start: Offset) -> tuple[OffsetAndEpoch, ...]:
        """Take the snapshots out of view that end below the log's start; return them."""
        below = self._below(log_start)
        self.mark_deleted(below)
        return below

    def _below(self, log_start: Offset) -> tuple[OffsetAndEpoch, ...]:
        return tuple(snapshot_id for snapshot_id in self._ids[:-1] if snapshot_id.offset < log_start)

    def begin_delete_below(self, log_start: Offset) -> tuple[tuple[OffsetAndEpoch, ...], Callable[[], None]]:
        """Take the snapshots out of view that end below the log's start.

        Returns:
            Which they are, and what removes their files: it blocks, and may run in another thread.
        """
        below = self._below(log_start)
        return below, self.begin_delete(below)

    def begin_delete(self, snapshot_ids: Iterable[OffsetAndEpoch]) -> Callable[[], None]:
        """Take snapshots out of view, the newest never; return what removes their files, as above."""
        paths = [self._forget(snapshot_id) for snapshot_id in snapshot_ids]

        def on_disk() -> None:
            # First the names, then the bytes: a deletion that takes its time never shows half of them.
            for path in paths:
                self._mark(path)
            for path in paths:
                remove_if_exists(self._fs, path + DELETED_SUFFIX)

        return on_disk

    def purge(self) -> int:
        """Remove the bytes of what was marked; return how many files."""
        count = 0
        while self._deleted:
            count += remove_if_exists(self._fs, self._deleted[0])
            del self._deleted[0]
        return count

    def check_covers(self, log_start: Offset) -> None:
        """Check that a log which does not start at 0 has a snapshot to start from.

        Raises:
            CorruptLogError: it has none.
        """
        if log_start > 0 and (self.latest is None or max(s.offset for s in self._ids) < log_start):
            raise CorruptLogError(
                f"The log in {self._directory} starts at offset {log_start}, but no snapshot there ends at or above "
                "it: what came before is missing. Restore the snapshot from a copy; or, while a majority of the other "
                f"voters is healthy, move {self._directory} away and let this node fetch everything from the leader."
            )
