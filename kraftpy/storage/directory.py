"""A node's metadata directory, opened as a whole: vote, snapshots, log, and what Raft must know before it starts.

The order matters. A directory that holds nothing gets its status before anything else is written there; a quarantine
that a crash interrupted is finished. Then the vote: without it nothing else may be acted on. Then the newest snapshot,
checked to the last byte, because a log that ends before it is dropped in its favour. Then the log. Then the agreement
of the two: a log that does not start at 0 needs a snapshot to start from.

Source: on-disk formats §10; raft §5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kraftpy.model.election import ElectionState
from kraftpy.model.errors import CorruptLogError, MalformedError
from kraftpy.model.offsets import ORIGIN, Offset, OffsetAndEpoch
from kraftpy.records.control import ControlRecord
from kraftpy.storage.config import LogConfig
from kraftpy.storage.durable_directory import make_directory_durably
from kraftpy.storage.filesystem import FileSystem, join
from kraftpy.storage.log import MetadataLog
from kraftpy.storage.log_open import open_metadata_log
from kraftpy.storage.names import METADATA_DIRECTORY, PARTITION_METADATA, QUORUM_STATE
from kraftpy.storage.partition_metadata import ensure_partition_metadata
from kraftpy.storage.quarantine import finish_quarantine
from kraftpy.storage.quorum_state import QuorumStateFile, read_quorum_state
from kraftpy.storage.replica_status import ReplicaStatusFile
from kraftpy.storage.snapshots import SnapshotStore


@dataclass(frozen=True, slots=True, kw_only=True)
class MetadataDirectory:
    """Everything that a node finds on its disk when it starts.

    Attributes:
        path: ``<log dir>/__cluster_metadata-0``.
        election: the stored epoch with its leader or vote.
        quorum_state: where the next one is written.
        log: the recovered log.
        snapshots: the snapshots.
        control_records: those of the newest snapshot (at the offset before its end; -1 for the zero checkpoint), then
            those of the log from there to its end, uncommitted ones included; ascending by offset.
        status: whether its replica may vote, and what it has to remember.
        warnings: everything worth a line in the log.
    """

    path: str
    election: ElectionState
    quorum_state: QuorumStateFile
    log: MetadataLog
    snapshots: SnapshotStore
    control_records: tuple[tuple[Offset, ControlRecord], ...]
    status: ReplicaStatusFile
    warnings: tuple[str, ...]

    @property
    def latest_snapshot(self) -> OffsetAndEpoch | None:
        """The newest snapshot's id."""
        return self.snapshots.latest

    @classmethod
    def open(
        cls, fs: FileSystem, log_directory: str, config: LogConfig, draw: Callable[[int], bytes]
    ) -> MetadataDirectory:
        """Open the directory, and repair what a crash may have left.

        Args:
            fs: the disk.
            log_directory: ``metadata.log.dir``.
            config: the log's limits.
            draw: returns that many random bytes.

        Raises:
            CorruptLogError: acknowledged data is corrupt or missing.
            StorageError: a disk operation failed, or the files cannot be used.
        """
        path = join(log_directory, METADATA_DIRECTORY)
        make_directory_durably(fs, path)
        status = ReplicaStatusFile.open(fs, path, draw)
        finish_quarantine(fs, path, status)
        quorum_state_path = join(path, QUORUM_STATE)
        election = read_quorum_state(fs, quorum_state_path)
        snapshots = SnapshotStore.open(fs, path, draw)
        if snapshots.latest is not None:
            snapshots.validate(snapshots.latest, checks_state=False)
            _check_older(snapshots, snapshots.latest)
        log = open_metadata_log(fs, path, config, snapshot=snapshots.latest)
        try:
            if fs.exists(quorum_state_path):
                _check_epoch(log, election, path)
            snapshots.check_covers(log.start_offset)
            snapshots.mark_deleted_below(log.start_offset)
            snapshots.purge()
            ensure_partition_metadata(fs, join(path, PARTITION_METADATA))
            control_records = _control_records(log, snapshots, path)
        except BaseException:
            # No other code holds its files yet.
            log.abandon()
            raise
        return cls(
            path=path,
            election=election,
            quorum_state=QuorumStateFile(fs, quorum_state_path),
            log=log,
            snapshots=snapshots,
            control_records=control_records,
            status=status,
            warnings=(*snapshots.warnings, *log.recovery.warnings),
        )

    def close(self) -> None:
        """Close the log, cleanly."""
        self.log.close()


def _check_older(snapshots: SnapshotStore, latest: OffsetAndEpoch) -> None:
    """Check of the older snapshots what a running node reads of them: their age, in the first batch.

    Met later, corruption there would stop the node, and again after each start that does not look.
    """
    for older in snapshots.ids:
        if ORIGIN != older != latest:
            try:
                snapshots.last_contained_timestamp_ms(older)
            except CorruptLogError as error:
                raise CorruptLogError(f"{error} Or delete the file: snapshot {latest} is newer, and whole.") from error


def _check_epoch(log: MetadataLog, election: ElectionState, path: str) -> None:
    """Check that no entry has an epoch above the stored one.

    An epoch is stored before the first record of it is appended. The epoch field of a batch is not covered by a
    checksum; if a flipped bit raised it in the last batch, this log would appear newer than logs that contain more.
    """
    if log.last_epoch > election.epoch:
        raise CorruptLogError(
            f"the log in {path} ends with epoch {log.last_epoch}, but {QUORUM_STATE} there states that this node has "
            f"never seen one above {election.epoch}: one of them is corrupt. Ways out: restore them from a "
            "copy; or, while a majority of the other voters is healthy, move the directory away and let this node "
            "fetch everything from the leader."
        )


def _control_records(log: MetadataLog, snapshots: SnapshotStore, path: str) -> tuple[tuple[Offset, ControlRecord], ...]:
    found: list[tuple[Offset, ControlRecord]] = []
    start = log.start_offset
    latest = snapshots.latest
    if latest is not None:
        found += [(latest.offset - 1, record) for record in snapshots.control_records(latest)]
        start = max(start, latest.offset)
    try:
        for batch in log.control_batches(start):
            found += enumerate(batch.control_records(), batch.base_offset)
    except MalformedError as error:
        raise CorruptLogError(
            f"the log in {path} has a control batch whose checksum is right and whose content is not: {error}. Ways "
            "out: restore the log from a copy; or, while a majority of the other voters is healthy, move the directory "
            "away and let this node fetch everything from the leader."
        ) from error
    return tuple(found)
