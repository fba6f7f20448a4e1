"""Handle a state that differs from the majority's: find out whether memory or disk is wrong, and what differs.

A node that detects this fences itself (``node.state_guard``): it answers no more requests, resigns, writes the
divergence into its status (:mod:`kraftpy.storage.replica_status`) and stops. The next start, in the same process or
another one, reads it, and replays the log on a scratch image up to the offset of the digest:

*   The digest is the majority's: the disk is right, so the memory was wrong. The difference is reported, if the wrong
    image still exists, with the offset of the last record about it; then the node starts normally, from its disk.
    (Snapshots that were written since might hold the wrong state, so their content must equal the scratch image, too.)
*   The digest is another one: the disk is wrong, in a way that no checksum detects. The log is quarantined as a whole,
    and re-replicated from the peers like any corrupt log (:mod:`kraftpy.node.repair`): the node's vote does not count
    until it holds what was committed. When a majority agrees with the state again, the two logs are compared, and the
    first offset at which they differ is reported.

A node that diverges again after re-replication is not restarted and changes nothing more: then the software differs, or
the machine's memory is faulty again, and the operator has to investigate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from kraftpy.image import MetadataImage, MetadataLoader, ReplayError
from kraftpy.image.digest import Entity, entity_of, first_difference, image_digest
from kraftpy.model.errors import CorruptLogError, KraftError, MalformedError
from kraftpy.model.offsets import Offset, OffsetAndEpoch
from kraftpy.model.replica_status import Divergence
from kraftpy.records.batch import Batch, parse_batch
from kraftpy.records.metadata import decode_record
from kraftpy.storage.config import LogConfig
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.filesystem import FileSystem, join
from kraftpy.storage.names import segment_name
from kraftpy.storage.quarantine import quarantined_logs
from kraftpy.storage.recovery import segment_bases
from kraftpy.storage.scan import whole_batches


class StateDivergedError(KraftError):
    """This node's state is not that of the majority; it has fenced itself.

    Attributes:
        found: the digests.
        suspect: the image that differs, while the process lives.
    """

    def __init__(self, found: Divergence, suspect: MetadataImage | None) -> None:
        self.found = found
        self.suspect = suspect
        again = (
            " again, although everything was fetched again: it is not started once more by itself. Compare this node's "
            "software and memory with the others'"
            if found.is_refetched
            else ""
        )
        super().__init__(
            f"this node's state at offset {found.own.end_offset} has the digest {found.own.value.hex()}, that of the "
            f"majority of the voters is {found.agreed.value.hex()}: it has diverged{again}"
        )

    @property
    def is_final(self) -> bool:
        """Whether starting again does not help."""
        return self.found.is_refetched


@dataclass(frozen=True, slots=True)
class MemoryCorruption:
    """Replaying the disk gives the majority's state.

    Attributes:
        entity: the first difference, if the wrong image still exists.
        offset: of the last record about it; ``None`` when that is in a snapshot.
    """

    entity: Entity | None
    offset: Offset | None

    def __str__(self) -> str:
        if self.entity is None:
            return "its disk leads to the majority's state, so its memory was wrong"
        where = "in its snapshot" if self.offset is None else f"at offset {self.offset}"
        return (
            f"its disk leads to the majority's state, so its memory was wrong: the first thing that differed is "
            f"{' '.join(self.entity)}, written last {where}"
        )


@dataclass(frozen=True, slots=True)
class DiskIsWrong:
    """The disk does not lead to the majority's state."""

    reason: str


@dataclass(frozen=True, slots=True)
class NothingThere:
    """The log does not reach so far: there is nothing to be examined, and what is missing is fetched."""


Verdict = MemoryCorruption | DiskIsWrong | NothingThere


def examine(opened: MetadataDirectory, found: Divergence, suspect: MetadataImage | None) -> Verdict:
    """Find out whether a directory leads to the state that the majority agreed on.

    Args:
        opened: the directory; nothing is written.
        found: the digests that differed.
        suspect: the image that was wrong, if the process still has it.
    """
    end_offset = found.agreed.end_offset
    if opened.log.end_offset < end_offset:
        return NothingThere()
    try:
        scratch = _Scratch(opened, end_offset)
        digest = image_digest(scratch.image)
        if digest != found.agreed:
            return DiskIsWrong(
                f"what the log leads to has the digest {'none' if digest is None else digest.value.hex()}"
            )
        image = scratch.image
        scratch.check_later_snapshots()
    except (ReplayError, CorruptLogError, MalformedError) as error:
        return DiskIsWrong(str(error))
    difference = None if suspect is None else first_difference(suspect, image)
    if difference is None:
        return MemoryCorruption(None, None)
    entity = difference.entity
    return MemoryCorruption(entity, _last_record_about(entity, scratch.batches_below(end_offset), image))


def open_examined(
    fs: FileSystem,
    log_directory: str,
    config: LogConfig,
    draw: Callable[[int], bytes],
    suspect: MetadataImage | None,
) -> tuple[MetadataDirectory, str | None]:
    """Open a metadata directory; one whose state was found to be wrong is examined first.

    Returns:
        The directory, and what was found out about it.

    Raises:
        CorruptLogError: it is corrupt, or leads to a state that is not the majority's.
        StorageError: as :meth:`MetadataDirectory.open`.
    """
    opened = MetadataDirectory.open(fs, log_directory, config, draw)
    try:
        return opened, _judge(opened, suspect)
    except BaseException:
        # The log must be closed before it is quarantined, or before the start fails.
        opened.log.abandon()
        raise


def _judge(opened: MetadataDirectory, suspect: MetadataImage | None) -> str | None:
    status = opened.status
    found = status.value.divergence
    if found is None or found.is_refetched:
        return None
    match examine(opened, found, suspect):
        case MemoryCorruption() as verdict:
            status.write_divergence(None)
            return f"this node's state at offset {found.own.end_offset} was not the majority's: {verdict}"
        case NothingThere():
            # A log that was quarantined for it, by a start that died before it could record that; or a tail that was
            # lost in a crash: what is missing is fetched, and compared again.
            is_refetched = status.value.quarantine is not None
            status.write_divergence(replace(found, is_refetched=True) if is_refetched else None)
            return None
        case DiskIsWrong(reason):
            raise CorruptLogError(
                f"the log in {opened.path} does not lead to the state that the majority of the voters has at offset "
                f"{found.own.end_offset} (digest {found.agreed.value.hex()}), although every checksum in it is right: "
                f"{reason}. Ways out: restore the log from a copy; or, while a majority of the other voters is "
                "healthy, move the directory away and let this node fetch everything from the leader."
            )


class _Scratch:
    """The state that a directory leads to at an offset, made from nothing."""

    def __init__(self, opened: MetadataDirectory, end_offset: Offset) -> None:
        self._opened = opened
        self._loader = MetadataLoader()
        self.base = self._base(end_offset)
        if self.base is not None:
            store = opened.snapshots
            timestamp_ms = store.last_contained_timestamp_ms(self.base)
            self._loader.load_snapshot(self.base, store.batches(self.base), timestamp_ms)
        self._load_to(end_offset)
        self.image = self._loader.image

    def _base(self, end_offset: Offset) -> OffsetAndEpoch | None:
        """Choose the newest snapshot that is not beyond the offset, and from which the log goes on."""
        log_start = self._opened.log.start_offset
        usable = [one for one in self._opened.snapshots.ids if max(log_start, 1) <= one.offset <= end_offset]
        if not usable and log_start > 0:
            raise CorruptLogError(f"the log begins at offset {log_start}, and no snapshot below {end_offset} is left")
        return max(usable, key=lambda one: one.offset, default=None)

    def _load_to(self, end_offset: Offset) -> None:
        for batch in self.batches_below(end_offset):
            if batch.base_offset >= self._loader.next_offset:
                self._loader.catch_up([batch])
        self._loader.caught_up()
        reached = self._loader.image.provenance.offset + 1
        if reached != end_offset:
            raise CorruptLogError(f"the log has no state at offset {end_offset}: the one before it is at {reached}")

    def batches_below(self, end_offset: Offset) -> Iterator[Batch]:
        """Iterate over the batches from the snapshot, or from the log's start, to an offset."""
        start = self._opened.log.start_offset if self.base is None else self.base.offset
        for batch in self._opened.log.iterate(start):
            if batch.next_offset > end_offset:
                return
            yield batch

    def check_later_snapshots(self) -> None:
        """Check that the snapshots that were made since state what the log leads to.

        Raises:
            CorruptLogError: one of them does not.
        """
        store = self._opened.snapshots
        for snapshot_id in sorted(store.ids, key=lambda one: one.offset):
            if snapshot_id.offset <= self._loader.next_offset:
                continue
            self._load_to(snapshot_id.offset)
            digest, stated = image_digest(self._loader.image), store.stated_digest(snapshot_id)
            if digest is None or stated is None or digest.value != stated:
                raise CorruptLogError(f"{store.path(snapshot_id)} was written while the state was wrong")


def _last_record_about(entity: Entity, batches: Iterator[Batch], image: MetadataImage) -> Offset | None:
    last = None
    for batch in batches:
        if not batch.is_control:
            for offset, value in enumerate(batch.values(), batch.base_offset):
                if entity_of(decode_record(value, image.schema)) == entity:
                    last = offset
    return last


# -------------------------------------------------------------------- what was wrong with a quarantined log


def what_was_wrong(fs: FileSystem, directory: str) -> str:
    """Describe where the log quarantined last differs from the one that was fetched in its place."""
    quarantined = quarantined_logs(fs, directory)
    if not quarantined:
        return "the quarantined log is not there any more"
    offset = first_differing_offset(fs, quarantined[-1], directory)
    if offset is None:
        return (
            f"what the log in {quarantined[-1]} and the present one have in common is the same: its snapshot was wrong"
        )
    return f"the log in {quarantined[-1]} differs from offset {offset} on"


def first_differing_offset(fs: FileSystem, quarantined_log: str, directory: str) -> Offset | None:
    """Compare a quarantined log with the one that was fetched in its place.

    Only files are read, so that this may run in a thread while the node uses its log.

    Args:
        fs: the disk.
        quarantined_log: the directory of the old log's segments.
        directory: the directory of the new one's.

    Returns:
        The first offset at which both have different records; ``None`` where all common records are equal, so that the
        difference is in the old snapshot, or below the new one.
    """
    new_batches = _batches(fs, directory)
    new = next(new_batches, None)
    for old in _batches(fs, quarantined_log):
        while new is not None and new.base_offset < old.base_offset:
            new = next(new_batches, None)
        if new is None:
            return None
        if new.base_offset == old.base_offset and new.data != old.data:
            return _first_differing_record(old, new)
    return None


def _batches(fs: FileSystem, directory: str) -> Iterator[Batch]:
    for base in segment_bases(fs, directory):
        file = fs.open(join(directory, segment_name(base)))
        try:
            # The bytes after the last batch, zeros or a batch being written, are not a batch; and a batch may be
            # truncated before it is read here, because the log remains in use.
            for whole in whole_batches(file, base):
                try:
                    batch = parse_batch(file.pread(whole.size, whole.position), verify_crc=False)
                except MalformedError:
                    break
                yield batch
        finally:
            file.close()


def _first_differing_record(old: Batch, new: Batch) -> Offset:
    if old.is_control or new.is_control:
        return old.base_offset
    for offset, (one, other) in enumerate(zip(old.values(), new.values(), strict=False), old.base_offset):
        if one != other:
            return offset
    return old.base_offset
