"""How the log is opened: what ``recovery`` made usable, compared with the files beside it, becomes a log.

Three files beside the segments have a say. ``recovery-point-offset-checkpoint`` says how far the log was durable and
committed: below that nothing may be missing. ``leader-epoch-checkpoint`` is second evidence for the epochs below that
point. The newest snapshot replaces a log that ends before it.

When one of the first two is malformed the log is opened all the same, takes nothing for a torn write, and says so
(``MetadataLog.end_unknown``). Without the first nothing says how far the log reached. No crash makes the second
malformed, so the disk wrote there what belongs elsewhere, and that may have been the end of the log.

Source: on-disk formats §10; Kafka ``LogLoader``, ``KafkaMetadataLog.truncateToLatestSnapshot``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kraftpy.model.errors import CorruptLogError, StorageError
from kraftpy.model.offsets import Epoch, Offset, OffsetAndEpoch
from kraftpy.storage.config import LogConfig
from kraftpy.storage.corruption import UNKNOWN
from kraftpy.storage.epoch_checkpoint import (
    UnusableEpochCheckpointError,
    read_epoch_checkpoint,
    write_epoch_checkpoint,
)
from kraftpy.storage.epochs import EpochEntries, contradiction
from kraftpy.storage.filesystem import FileSystem, join, parent
from kraftpy.storage.log import MetadataLog
from kraftpy.storage.names import LEADER_EPOCH_CHECKPOINT, RECOVERY_POINT_CHECKPOINT
from kraftpy.storage.recovery import Recovered, check_length, recover
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
    points, epochs = join(parent(directory), RECOVERY_POINT_CHECKPOINT), join(directory, LEADER_EPOCH_CHECKPOINT)
    unusable: dict[str, StorageError] = {}
    noted, noted_epochs = RecoveryPoint(), None
    try:
        noted = read_whole_recovery_point(fs, points)
    except UnusableRecoveryPointError as error:
        unusable[points] = error
    try:
        noted_epochs = read_epoch_checkpoint(fs, epochs)
    except UnusableEpochCheckpointError as error:
        unusable[epochs] = error
    recovered = recover(fs, directory, config, UNKNOWN if unusable else noted.offset, snapshot)
    recovered.warnings += [f"CORRUPTION: {error}; it is written again. Check the disk" for error in unusable.values()]
    try:
        check_length(recovered, directory, noted.offset, snapshot)
        if noted_epochs is not None:
            _check_epochs(fs, directory, recovered, noted, noted_epochs)
        log = _opened(fs, directory, config, recovered, noted, snapshot, unusable)
    except BaseException:
        # Whatever the error: no other code holds these files yet.
        recovered.close()
        raise
    return log


def _opened(
    fs: FileSystem,
    directory: str,
    config: LogConfig,
    recovered: Recovered,
    noted: RecoveryPoint,
    snapshot: OffsetAndEpoch | None,
    unusable: Mapping[str, StorageError],
) -> MetadataLog:
    """Compare what was recovered with the snapshot, and make it a log."""
    epochs = EpochEntries(recovered.epochs)
    start, end = recovered.segments[0].base_offset, OffsetAndEpoch(epochs.last_epoch, recovered.end_offset)
    if snapshot is None or not is_behind(start, end, snapshot):
        if snapshot is not None and not epochs.entries:
            epochs.reset(snapshot.epoch)
        log = MetadataLog(fs, directory, config, recovered, epochs, noted.offset)
        log.end_unknown = _unknown_end(unusable, directory, end) if unusable else None
        return log
    if unusable:
        # To replace the log would remove what shows that its end is unknown; a kill after that would leave a voter that
        # counts and may lack what followed the snapshot.
        raise CorruptLogError(_unknown_end(unusable, directory, end))
    recovered.warnings.append(f"the log ended at {end}, before snapshot {snapshot}: it restarts there")
    _check_may_reset(end, noted.offset, snapshot, directory)
    log = MetadataLog(fs, directory, config, recovered, epochs, noted.offset)
    log.reset_to(snapshot)
    return log


def _check_epochs(
    fs: FileSystem,
    directory: str,
    recovered: Recovered,
    at_recovery_point: RecoveryPoint,
    noted: Sequence[tuple[Epoch, Offset]],
) -> None:
    """Compare the epochs of what was durable and committed with the epoch checkpoint.

    Where the two differ, the checksum stored with the recovery point may confirm the log; then the file is rewritten
    from it.

    The log may end below that: a crash came while its segments were deleted, the last one first, because a snapshot
    replaces them. Any other missing part was reported earlier.
    """
    path = join(directory, LEADER_EPOCH_CHECKPOINT)
    recovery_point = at_recovery_point.offset
    below = min(recovery_point, recovered.end_offset)
    wrong = contradiction(noted, recovered.epochs, below)
    if wrong is not None and at_recovery_point.epochs == epochs_checksum(recovered.epochs, recovery_point):
        write_epoch_checkpoint(fs, path, recovered.epochs)
        recovered.warnings.append(
            f"CORRUPTION: {path} had other epochs than the log at offset {wrong}. The log is right by what was noted "
            "with the recovery point: the file is written again from the log. Check the disk"
        )
    elif wrong is not None:
        raise CorruptLogError(
            f"The log in {directory} has other epochs at offset {wrong} than {path}, and everything below offset "
            f"{recovery_point} was durable and committed: one of them is corrupt. Ways out: restore the log from a "
            f"copy; or, while a majority of the other voters is healthy, move {directory} away and let this node fetch "
            f"everything from the leader; or, if you know that the log is right, delete {path}: it is made from the "
            "log."
        )


def _unknown_end(unusable: Mapping[str, StorageError], directory: str, end: OffsetAndEpoch) -> str:
    paths = " and ".join(unusable)
    return (
        f"{'. '.join(str(error) for error in unusable.values())}. The log in {directory} reads well up to offset "
        f"{end.offset} (epoch {end.epoch}); whether acknowledged records followed, this disk "
        f"cannot show. Ways out: restore {paths} from a copy; or, while a majority of the other voters is healthy, "
        f"move {directory} away and let this node fetch everything from the leader; or, to go on with what the log "
        f"holds and give up what it may have lost, delete {paths}."
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
            f"everything below offset {recovery_point} was durable and committed: one of them is corrupt. Restore "
            f"them from a copy; or, while a majority of the other voters is healthy, move {directory} away and let "
            "this node fetch everything from the leader."
        )
