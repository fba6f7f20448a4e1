"""Opening a node's directories: locks, identities, recovery. Blocking, once, before anything listens.

The order is the safety: lock first (two processes on one log would destroy it), then who we are (a directory of another
node or cluster stops the start), then what we promised (vote, snapshots, log). A directory without ``meta.properties``
gets one (KIP-1262): there is no format step. Nothing is written before what can be checked has been checked.

Source: KIP-1262 §Startup; Kafka ``KafkaRaftServer.initializeLogDirs``; on-disk formats §8.5, §10.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

import structlog

import kraftpy
from kraftpy.config.node_config import NodeConfig
from kraftpy.image import MetadataImage
from kraftpy.model.errors import ConfigError, DiskFullError, StorageError, SyncFailedError
from kraftpy.model.features import CLUSTER_ID_LEVEL, DEFAULT_LEVEL, METADATA_VERSION
from kraftpy.model.ids import Uuid, uuid_to_text
from kraftpy.model.replica_status import LogQuarantine
from kraftpy.model.voters import ReplicaKey
from kraftpy.node.build_info import form_text
from kraftpy.node.metadata_disk import MetadataDisk
from kraftpy.node.repair import Repaired, RepairPolicy, open_or_repair
from kraftpy.raft.config import Identity, RecoveredState
from kraftpy.records.codec import Record
from kraftpy.records.metadata import FeatureLevelRecord
from kraftpy.runtime.clock import Clock, SystemClock
from kraftpy.runtime.recovered_state import recovered_state
from kraftpy.storage.bootstrap import read_bootstrap
from kraftpy.storage.clean_shutdown import NO_BROKER_EPOCH, take_clean_shutdown
from kraftpy.storage.config import LogConfig
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.disk_probe import SYNC_P99_MS_MAX, DiskVerdict, SyncTimes, measure_syncs
from kraftpy.storage.durable_directory import make_directory_durably
from kraftpy.storage.ensemble import MetaPropertiesEnsemble, check_metadata_placement
from kraftpy.storage.filesystem import FileSystem
from kraftpy.storage.identity import ClusterIdStore, ensure_formatted
from kraftpy.storage.locks import DirectoryInUseError, DirectoryLock
from kraftpy.storage.meta_properties import meta_properties_path
from kraftpy.storage.reserve import is_full, write_reserve

_log = structlog.get_logger("kraftpy.node")

PROBE_SYNCS_MAX: Final = 32
"""How many syncs the probe of the disk measures at a start."""

PROBE_MS_MAX: Final = 100
"""For how long it begins another one: a fast disk needs a tenth of this for all, a slow one shows itself by a few."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something found or done while opening, to be logged once the node has said who it is."""

    level: str
    event: str
    facts: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedNode:
    """Everything that was found on the node's disks.

    Attributes:
        notices: messages about it for the operator.
        bootstrap: the records that ``storage format`` prepared, if it was used.
        log_dirs: (directory, id) of every directory that works.
        offline_log_dirs: directories that do not, with the reason.
        saturated: those that work and have no space for a reserve, with the reason (KIP-928).
        metadata_disk: a controller's checks of the space where its metadata log is, of which the first was made.
        sync_times: of a controller's metadata log directory; ``None`` where they were not measured.
        previous_broker_epoch: under which a broker's directories were closed cleanly; -1 if they were not.
    """

    directory: MetadataDirectory
    cluster_ids: ClusterIdStore
    identity: Identity
    recovered: RecoveredState
    bootstrap: tuple[Record, ...] | None
    log_dirs: tuple[tuple[str, Uuid], ...]
    offline_log_dirs: tuple[tuple[str, str], ...]
    saturated: Mapping[str, str]
    metadata_disk: MetadataDisk | None
    sync_times: SyncTimes | None
    previous_broker_epoch: int
    notices: tuple[Notice, ...]
    locks: ExitStack

    def close(self) -> None:
        """Let go of the directories; the log must have been closed."""
        self.locks.close()


def open_node(
    config: NodeConfig,
    fs: FileSystem,
    draw: Callable[[int], bytes] = os.urandom,
    clock: Clock | None = None,
    suspect: MetadataImage | None = None,
) -> OpenedNode:
    """Lock, check, complete and open a node's directories.

    ``suspect`` is the state that this process had before, if that proved wrong.

    Raises:
        ConfigError: this configuration may not start with the content of the directories.
        StorageError: a directory cannot be used, or is another node's or cluster's; the message names which, why, and
            the ways out.
    """
    metadata_dir = config.log.metadata_log_dir
    directories = list(dict.fromkeys((*config.log.log_dirs, metadata_dir)))
    notices: list[Notice] = []
    for directory in directories:
        _make(fs, directory, notices, is_metadata=directory == metadata_dir)
    with ExitStack() as locks:
        unlockable = _lock_all(config, directories, locks, notices)
        directories = [directory for directory in directories if directory not in unlockable]
        ensemble = _verified(config, fs, directories)
        bootstrap = _bootstrap(fs, metadata_dir)
        cluster_ids = ClusterIdStore(fs, _formatted(config, fs, ensemble, bootstrap, draw, notices))
        notices += [_offline(directory, str(error)) for directory, error in cluster_ids.complete().failed.items()]
        ensemble = cluster_ids.ensemble
        log_dirs = _working(ensemble, config.log.log_dirs)
        saturated = _reserve(config, fs, draw, log_dirs, notices) if config.is_broker else {}
        key = ReplicaKey(config.node_id, ensemble.directory_id(metadata_dir))
        metadata_disk = _metadata_disk(config, fs, draw)
        sync_times = _sync_times(config, fs, notices)
        opened = _opened(config, fs, draw, clock or SystemClock(), key, suspect, notices)
        return OpenedNode(
            directory=opened,
            cluster_ids=cluster_ids,
            identity=Identity(key=key, cluster_id=ensemble.cluster_id),
            recovered=recovered_state(opened),
            bootstrap=bootstrap,
            log_dirs=log_dirs,
            offline_log_dirs=(*unlockable.items(), *ensemble.errors.items()),
            saturated=saturated,
            metadata_disk=metadata_disk,
            sync_times=sync_times,
            previous_broker_epoch=_previous_broker_epoch(config, fs, log_dirs, notices),
            notices=tuple(notices),
            locks=locks.pop_all(),
        )


def _opened(
    config: NodeConfig,
    fs: FileSystem,
    draw: Callable[[int], bytes],
    clock: Clock,
    key: ReplicaKey,
    suspect: MetadataImage | None,
    notices: list[Notice],
) -> MetadataDirectory:
    """Open vote, snapshots and log; a corrupt log is quarantined where peers have its records."""
    policy = RepairPolicy(enabled=config.log.repair_from_peers, raft=config.raft, key=key)
    opened, repaired = open_or_repair(
        fs, config.log.metadata_log_dir, _log_config(config), draw, policy, now_ms=clock.now_ms, suspect=suspect
    )
    notices += [] if repaired is None else [_repaired(repaired)]
    notices += [Notice("warning", "storage_warning", {"reason": warning}) for warning in opened.warnings]
    notices += _judge_status(config, opened)
    return opened


def _reserve(
    config: NodeConfig,
    fs: FileSystem,
    draw: Callable[[int], bytes],
    log_dirs: Sequence[tuple[str, Uuid]],
    notices: list[Notice],
) -> dict[str, str]:
    """Write the reserve of every log directory, before anything is recovered; return those without space for it.

    Raises:
        StorageError: a reserve cannot be written; the broker does not start (K928-11).
    """
    wanted = config.broker.directories
    saturated = {}
    for directory, _ in log_dirs:
        try:
            write_reserve(fs, directory, wanted.reserve_bytes, draw)
        except StorageError as error:
            if not is_full(error, counts_quota=wanted.counts_quota):
                raise
            if not wanted.may_start_saturated:
                raise DiskFullError(
                    f"{error} The broker keeps a reserve of {wanted.reserve_bytes} bytes in every log directory "
                    "(log.dir.reserve.bytes), for work that frees space when the disk is full. Set "
                    "log.dir.start.saturated=true to start with the directory marked as full."
                ) from error
            saturated[directory] = str(error)
            facts = {"directory": directory, "reason": str(error)}
            notices.append(Notice("error", "log_dir_full", facts | {"state": "saturated"}))
    return saturated


def _metadata_disk(config: NodeConfig, fs: FileSystem, draw: Callable[[int], bytes]) -> MetadataDisk | None:
    """Write the reserve of a controller's metadata log, or remove it where recovery may need its space."""
    if not config.is_controller:
        return None
    log = config.log
    disk = MetadataDisk(
        fs, log.metadata_log_dir, alarm_bytes=log.alarm_free_bytes, reserve_bytes=log.reserve_bytes, draw=draw
    )
    disk.check()
    return disk


def _sync_times(config: NodeConfig, fs: FileSystem, notices: list[Notice]) -> SyncTimes | None:
    """Measure how fast the disk of a controller's metadata log is; a full one is not measured.

    Raises:
        StorageError: the directory cannot be written to.
    """
    if not (config.is_controller and config.log.disk_probe):
        return None
    directory = config.log.metadata_log_dir
    try:
        return measure_syncs(fs, directory, time.perf_counter, syncs_max=PROBE_SYNCS_MAX, time_ms_max=PROBE_MS_MAX)
    except DiskFullError as error:
        notices.append(Notice("warning", "disk_not_probed", {"directory": directory, "reason": str(error)}))
        return None


def _repaired(repaired: Repaired) -> Notice:
    moved = {} if repaired.quarantined_log is None else {"quarantine": repaired.quarantined_log.path}
    return Notice("error", "directory_repaired", {"reason": repaired.text} | moved)


def _judge_status(config: NodeConfig, opened: MetadataDirectory) -> list[Notice]:
    """Report a replica that is not eligible, or make an empty one eligible, if that is what the operator wants."""
    status = opened.status.value
    if not config.is_controller or status.is_eligible:
        return []
    facts = {"directory": opened.path}
    if status.quarantine is not None:
        return _judge_quarantined(config, opened, status.quarantine)
    was = "held a log and no quorum-state" if status.vote_lost else "was empty"
    if config.trust_empty_directories:
        opened.status.write(status.as_eligible())
        text = (
            f"controller.quorum.trust.empty.directories=true: this directory {was}, and its vote counts all the "
            "same. If it was lost, acknowledged records may be lost with it. Take the property away again"
        )
        return [Notice("error", "empty_directory_trusted", facts | {"reason": text})]
    if status.vote_lost:
        text = (
            "this directory holds a log and no quorum-state: the vote in it was lost, so this node's vote does not "
            "count before it has caught up with a leader"
        )
        return [Notice("warning", "vote_lost", facts | {"reason": text})]
    text = (
        "this directory was empty: its vote does not count before this node has caught up with a leader, or all voters "
        "have reported that they are empty, too (a first start)"
    )
    return [Notice("info", "directory_empty", facts | {"reason": text})]


def _judge_quarantined(config: NodeConfig, opened: MetadataDirectory, note: LogQuarantine) -> list[Notice]:
    """Report a directory with a quarantined log; it is not empty, so no setting makes its voter eligible at once."""
    facts = {"directory": opened.path, "quarantine": note.name, "committed_before": str(note.committed)}
    ignored = "controller.quorum.trust.empty.directories is for empty ones: it is ignored here. "
    text = (
        f"{ignored if config.trust_empty_directories else ''}this directory's log was corrupt and is quarantined: this "
        "node's vote does not count before it has fetched everything that was committed"
    )
    return [Notice("warning", "log_quarantined", facts | {"reason": text})]


def _make(fs: FileSystem, directory: str, notices: list[Notice], *, is_metadata: bool) -> None:
    """Make a missing directory, durably; one that cannot be made is an error directory, fatal for the metadata log."""
    try:
        make_directory_durably(fs, directory)
    except StorageError as error:
        if is_metadata and not isinstance(error, SyncFailedError):
            cause = error.__cause__
            why = "there is a file" if isinstance(cause, FileExistsError) else getattr(cause, "strerror", error)
            raise StorageError(
                f"metadata.log.dir {directory} cannot be made a directory: {why}. Make room, or name another one."
            ) from error
        if is_metadata:
            raise
        facts = {"directory": directory, "reason": str(error)}
        notices.append(Notice("error", "log_dir_offline", facts))


def _lock_all(
    config: NodeConfig, directories: Sequence[str], locks: ExitStack, notices: list[Notice]
) -> dict[str, str]:
    """Lock the directories; return those that cannot be locked, with the reason: they stay offline."""
    unlockable = {
        directory: reason
        for directory in _dirs_to_lock(config, directories)
        if (reason := _lock(directory, locks, is_metadata=directory == config.log.metadata_log_dir)) is not None
    }
    notices += [
        Notice("error", "log_dir_offline", {"directory": one, "reason": reason}) for one, reason in unlockable.items()
    ]
    return unlockable


def _lock(directory: str, locks: ExitStack, *, is_metadata: bool) -> str | None:
    """Lock a directory; return why one cannot hold the file, which is fatal only where the metadata log is."""
    try:
        lock = DirectoryLock.acquire(directory)
    except StorageError as error:
        if is_metadata or isinstance(error, DirectoryInUseError):
            raise
        return str(error)
    locks.callback(lock.release)
    return None


def _dirs_to_lock(config: NodeConfig, directories: Sequence[str]) -> list[str]:
    """Choose the directories whose ``.lock`` this process takes; those that do not exist are offline anyway."""
    wanted = directories if config.is_broker else [config.log.metadata_log_dir]
    return [directory for directory in wanted if Path(directory).is_dir()]


def _verified(config: NodeConfig, fs: FileSystem, directories: Sequence[str]) -> MetaPropertiesEnsemble:
    """Read who the directories belong to; another node's or cluster's stop the start."""
    ensemble = MetaPropertiesEnsemble.load(fs, directories, config.log.metadata_log_dir)
    ensemble.verify(
        expected_cluster_id=config.expected_cluster_id,
        expected_node_id=config.node_id,
        require_metadata_directory=True,
    )
    check_metadata_placement(fs, directories, config.log.metadata_log_dir)
    return ensemble


def _log_config(config: NodeConfig) -> LogConfig:
    return LogConfig(
        segment_bytes=config.log.segment_bytes,
        segment_ms=config.log.segment_ms,
        truncate_corrupt_tail=config.log.truncate_corrupt_tail,
    )


def _bootstrap(fs: FileSystem, metadata_dir: str) -> tuple[Record, ...] | None:
    records = read_bootstrap(fs, metadata_dir)
    return None if records is None else tuple(cast("list[Record]", records))


def _formatted(
    config: NodeConfig,
    fs: FileSystem,
    ensemble: MetaPropertiesEnsemble,
    bootstrap: tuple[Record, ...] | None,
    draw: Callable[[int], bytes],
    notices: list[Notice],
) -> MetaPropertiesEnsemble:
    """Complete the identities of the directories (K1262-12, -13, -14, -27)."""
    if config.is_voter and config.log.metadata_log_dir in ensemble.empty and not config.auto_format_voter:
        raise ConfigError(
            f"{config.log.metadata_log_dir} has no meta.properties, and metadata.auto.format.voter is false: a voter "
            "that lost its disk also lost its vote. If this is a first start, run `kraftpy storage format`; if the "
            "disk was replaced, make sure that a majority of the other voters is healthy before you allow it."
        )
    if config.is_controller and bootstrap is not None:
        level = next(
            (
                one.feature_level
                for one in bootstrap
                if isinstance(one, FeatureLevelRecord) and one.name == METADATA_VERSION
            ),
            DEFAULT_LEVEL,
        )
        if level < CLUSTER_ID_LEVEL:
            ensemble.check_cluster_id_can_be_known(level)
    formatted = ensure_formatted(fs, ensemble, config.node_id, draw)
    for directory in formatted.created:
        facts = {"file": meta_properties_path(directory)}
        if config.is_voter and directory == config.log.metadata_log_dir:
            why = "a voter's directory was empty: a first start, or a lost disk"
            notices.append(Notice("warning", "directory_formatted", facts | {"reason": why}))
        else:
            notices.append(Notice("info", "directory_formatted", facts))
    notices += [
        Notice("info", "directory_id_assigned", {"file": meta_properties_path(directory)})
        for directory in formatted.completed
    ]
    notices += [_offline(directory, reason) for directory, reason in formatted.ensemble.errors.items()]
    return formatted.ensemble


def _offline(directory: str, reason: str) -> Notice:
    return Notice("error", "log_dir_offline", {"directory": directory, "reason": reason})


def _working(ensemble: MetaPropertiesEnsemble, log_dirs: Sequence[str]) -> tuple[tuple[str, Uuid], ...]:
    pairs = ((directory, ensemble.directory_id(directory)) for directory in log_dirs)
    return tuple((directory, directory_id) for directory, directory_id in pairs if directory_id is not None)


def _previous_broker_epoch(
    config: NodeConfig, fs: FileSystem, log_dirs: Sequence[tuple[str, Uuid]], notices: list[Notice]
) -> int:
    """Take the clean-shutdown files of a broker's directories away, and return the epoch they agree on."""
    if not config.is_broker:
        return NO_BROKER_EPOCH
    found = take_clean_shutdown(fs, [directory for directory, _ in log_dirs])
    notices += [Notice("warning", "storage_warning", {"reason": warning}) for warning in found.warnings]
    return found.broker_epoch


def log_start(config: NodeConfig, opened: OpenedNode) -> None:
    """Say who starts here, and from where: the first line of every run."""
    directory_ids = ",".join(uuid_to_text(directory_id) for _, directory_id in opened.log_dirs)
    cluster_id = opened.identity.cluster_id
    _log.info(
        "node_starting",
        version=kraftpy.__version__,
        compiled=form_text(),
        node_id=config.node_id,
        roles=",".join(sorted(config.roles)),
        **({} if cluster_id is None else {"cluster_id": cluster_id}),
        directory_ids=directory_ids or "-",
        epoch=opened.recovered.election_state.epoch,
        offset=opened.recovered.log_end_offset,
    )
    if any(config.keys_elsewhere):
        # Names only: a value may be a secret.
        _log.info(
            "config_keys_not_from_file",
            environment=", ".join(config.keys_elsewhere.environment),
            command_line=", ".join(config.keys_elsewhere.command_line),
            file=config.source,
        )
    for notice in opened.notices:
        _log.log(logging.getLevelNamesMapping()[notice.level.upper()], notice.event, **notice.facts)
    if opened.sync_times is not None:
        _log_sync_times(config.log.metadata_log_dir, opened.sync_times)
    for warning in config.warnings:
        _log.warning("config_warning", reason=warning)
    if config.unused_settings:
        _log.warning(
            "config_keys_without_effect",
            reason="these are keys of Kafka that nothing here uses, set to something other than Kafka's default",
            keys=", ".join(config.unused_settings),
            file=config.source,
        )


def _log_sync_times(directory: str, times: SyncTimes) -> None:
    """Say how fast the disk of the metadata log is."""
    facts = {"directory": directory, "p50_ms": times.p50_ms, "p99_ms": times.p99_ms, "syncs": times.count}
    verdict = times.verdict
    if verdict is DiskVerdict.SLOW:
        _log.warning("disk_probed", verdict=verdict.value, limit_ms=SYNC_P99_MS_MAX, **facts)
    else:
        _log.info("disk_probed", verdict=verdict.value, limit_ms=SYNC_P99_MS_MAX, **facts)
