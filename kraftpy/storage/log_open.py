"""How the log is opened: what ``recovery`` made usable, held against the other witnesses, becomes a log.

Three files beside the segments have a say. ``recovery-point-offset-checkpoint`` says how far the log was durable and
committed: below that nothing may be missing. When it cannot be used the log is opened all the same, takes nothing for a
torn write, and says so (``MetadataLog.end_unknown``). ``leader-epoch-checkpoint`` is a second witness for the epochs
below that point. The newest snapshot replaces a log that ends before it.

Source: on-disk formats §10; Kafka ``LogLoader``, ``KafkaMetadataLog.truncateToLatestSnapshot``.
"""

from __future__ import annotations

from kraftpy.model.errors import CorruptLogError
from kraftpy.model.offsets import Offset, OffsetAndEpoch
from kraftpy.storage.config import LogConfig
from kraftpy.storage.corruption import UNKNOWN
from kraftpy.storage.epoch_checkpoint import read_epoch_checkpoint, write_epoch_checkpoint
from kraftpy.storage.epochs import EpochEntries, contradiction
from kraftpy.storage.filesystem import FileSystem, join, parent
from kraftpy.storage.log import MetadataLog
from kraftpy.storage.names import LEADER_EPOCH_CHECKPOINT, RECOVERY_POINT_CHECKPOINT
from kraftpy.storage.recovery import Recovered, recover
from kraftpy.storage.recovery_point import (
    RecoveryPoint,
    UnusableRecoveryPointError,
    epochs_checksum,
    read_whole_recovery_point,
)


def open_metadata_log(
    fs: FileSystem, directory: str, config: LogConfig, *, snapshot: OffsetAndEpoch | None = None
) -> MetadataLog:
    """Recover the log in a directory, which is created if missing.

    Args:
        fs: the disk.
        directory: ``<log dir>/__cluster_metadata-0``.
        config: the limits.
        snapshot: the id of the newest snapshot, ``None`` without one. A log that ends before it is replaced by an
            empty one that starts there: a crash came between the download and the truncation.

    Raises:
        CorruptLogError: acknowledged data is corrupt or missing.
        StorageError: a disk operation failed.
    """
    unusable: UnusableRecoveryPointError | None = None
    recovery_point_path = join(parent(directory), RECOVERY_POINT_CHECKPOINT)
    try:
        noted = read_whole_recovery_point(fs, recovery_point_path)
        recovered = recover(fs, directory, config, noted.offset, snapshot)
    except UnusableRecoveryPointError as error:
        unusable, noted = error, RecoveryPoint()
        recovered = recover(fs, directory, config, UNKNOWN, snapshot)
        recovered.warnings.append(f"DAMAGE: {error}; it is written anew. Check the disk")
    try:
        log = _opened(fs, directory, config, recovered, noted, snapshot)
    except BaseException:
        # Whatever the error: no other code holds these files yet.
        recovered.close()
        raise
    if unusable is not None:
        log.end_unknown = _unknown_end(unusable, directory, log, recovery_point_path)
    return log


def _opened(
    fs: FileSystem,
    directory: str,
    config: LogConfig,
    recovered: Recovered,
    noted: RecoveryPoint,
    snapshot: OffsetAndEpoch | None,
) -> MetadataLog:
    """Hold what was recovered against epochs and snapshot, and make it a log."""
    _check_epochs(fs, directory, recovered, noted)
    epochs = EpochEntries(recovered.epochs)
    start, end = recovered.segments[0].base_offset, OffsetAndEpoch(epochs.last_epoch, recovered.end_offset)
    if snapshot is None or not is_behind(start, end, snapshot):
        if snapshot is not None and not epochs.entries:
            epochs.reset(snapshot.epoch)
        return MetadataLog(fs, directory, config, recovered, epochs, noted.offset)
    recovered.warnings.append(f"the log ended at {end}, before snapshot {snapshot}: it restarts there")
    _check_may_reset(end, noted.offset, snapshot, directory)
    log = MetadataLog(fs, directory, config, recovered, epochs, noted.offset)
    log.reset_to(snapshot)
    return log


def _check_epochs(fs: FileSystem, directory: str, recovered: Recovered, at_recovery_point: RecoveryPoint) -> None:
    """Compare the epochs of what was durable and committed with the epoch checkpoint.

    Where the two differ, the checksum stored with the recovery point may confirm the log; then the file is rewritten
    from it.

    The log may end below that: a crash came while its segments were deleted, the last one first, because a snapshot
    replaces them. Any other missing part was reported earlier.
    """
    path = join(directory, LEADER_EPOCH_CHECKPOINT)
    noted = read_epoch_checkpoint(fs, path)
    recovery_point = at_recovery_point.offset
    below = min(recovery_point, recovered.end_offset)
    wrong = None if noted is None else contradiction(noted, recovered.epochs, below)
    if wrong is not None and at_recovery_point.epochs == epochs_checksum(recovered.epochs, recovery_point):
        write_epoch_checkpoint(fs, path, recovered.epochs)
        recovered.warnings.append(
            f"DAMAGE: {path} said other epochs than the log at offset {wrong}. The log is right by what was noted with "
            "the recovery point: the file is made from it anew. Check the disk"
        )
    elif wrong is not None:
        raise CorruptLogError(
            f"The log in {directory} says other epochs at offset {wrong} than {path}, and everything below offset "
            f"{recovery_point} was durable and committed: one of them is damaged. Ways out: restore the log from a "
            f"copy; or, while a majority of the other voters is healthy, move {directory} away and let this node fetch "
            f"everything from the leader; or, if you know that the log is right, delete {path}: it is made from the "
            "log."
        )


def _unknown_end(unusable: UnusableRecoveryPointError, directory: str, log: MetadataLog, path: str) -> str:
    return (
        f"{unusable}. The log in {directory} reads well up to offset {log.end_offset} (epoch {log.last_epoch}); "
        "whether acknowledged records stood behind that, nothing on this disk can tell any more. Ways out: restore "
        f"{path} from a copy; or, while a majority of the other voters is healthy, move {directory} away and let this "
        "node fetch everything from the leader; or, to go on with what the log holds and give up what it may have "
        f"lost, delete {path}."
    )


def is_behind(start_offset: Offset, end: OffsetAndEpoch, snapshot: OffsetAndEpoch) -> bool:
    """Return whether a log lacks what a snapshot holds; such a log is deleted, and restarts at the snapshot's end.

    That includes a log whose last epoch is above the snapshot's: it contains uncommitted records of a failed leader. A
    snapshot holds committed records only, so records of a log below its end and in another epoch are not committed.

    Source: on-disk formats §10.6; Kafka ``KafkaMetadataLog.truncateToLatestSnapshot`` (which keeps such a log).
    """
    if snapshot.offset < start_offset or start_offset == end.offset == snapshot.offset:
        return False
    differs_at_the_end = snapshot.offset == end.offset and snapshot.epoch != end.epoch
    return snapshot.epoch > end.epoch or snapshot.offset > end.offset or differs_at_the_end


def _check_may_reset(end: OffsetAndEpoch, recovery_point: Offset, snapshot: OffsetAndEpoch, directory: str) -> None:
    if snapshot.offset < recovery_point:
        raise CorruptLogError(
            f"Snapshot {snapshot} in {directory} is newer than the log, whose last epoch is {end.epoch}, but "
            f"everything below offset {recovery_point} was durable and committed: one of them is damaged. Restore "
            f"them from a copy; or, while a majority of the other voters is healthy, move {directory} away and let "
            "this node fetch everything from the leader."
        )
