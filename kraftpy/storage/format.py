"""What ``storage format`` does: make directories ready for a cluster that does not want the defaults.

Formatting is optional (KIP-1262), but still the way to choose another metadata.version, features, SCRAM credentials or
a dynamic quorum. Order makes an interrupted run harmless: ``bootstrap.checkpoint``, then the zero checkpoint of a
dynamic quorum, and ``meta.properties`` last, for it is what makes a directory a formatted one. What fails is undone.

At a metadata.version without ClusterIdRecord the file is version 1, as released Kafka reads it; above, it is version 2.

Source: on-disk formats §8.5; tools §1.1; KIP-1262, KIP-853; Kafka ``Formatter``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from kraftpy.model.errors import ConfigError, StorageError
from kraftpy.model.feature_registry import FEATURES, FEATURES_BY_NAME
from kraftpy.model.features import BY_LEVEL, CLUSTER_ID_LEVEL, KRAFT_VERSION, METADATA_VERSION, MINIMUM_LEVEL
from kraftpy.model.ids import NodeId, Uuid
from kraftpy.model.offsets import ORIGIN
from kraftpy.model.voters import VoterSet
from kraftpy.records.codec import Record
from kraftpy.records.file_names import snapshot_file_name
from kraftpy.records.snapshot import SnapshotEncoder
from kraftpy.storage.atomic_file import remove_if_exists, replace_file
from kraftpy.storage.bootstrap import bootstrap_records, write_bootstrap
from kraftpy.storage.durable_directory import make_directory_durably
from kraftpy.storage.ensemble import MetaPropertiesEnsemble
from kraftpy.storage.filesystem import FileSystem, join, parent
from kraftpy.storage.identity import fresh_directory_id
from kraftpy.storage.meta_properties import MetaProperties, meta_properties_path, write_meta_properties
from kraftpy.storage.names import BOOTSTRAP_CHECKPOINT, METADATA_DIRECTORY
from kraftpy.storage.recovery import segment_bases


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatRequest:
    """What is asked for.

    Attributes:
        node_id: the configured ``node.id``.
        directories: all log directories.
        metadata_directory: the one of them that holds the metadata log.
        metadata_version: the level that the cluster starts at.
        cluster_id: ``None`` to have the first active controller draw one.
        features: other features by name, ``kraft.version`` included; those left out get the release's default.
        credentials: SCRAM records for the bootstrap file.
        initial_voters: the first voter set of a dynamic quorum, ``None`` for a static quorum or a later joiner.
        ignore_formatted: skip directories that are formatted already instead of refusing.
        allow_unstable: accept a level that is no release's.
    """

    node_id: NodeId
    directories: tuple[str, ...]
    metadata_directory: str
    metadata_version: int
    cluster_id: str | None = None
    features: Mapping[str, int] = field(default_factory=dict)
    credentials: tuple[Record, ...] = ()
    initial_voters: VoterSet | None = None
    ignore_formatted: bool = False
    allow_unstable: bool = False


@dataclass(frozen=True, slots=True)
class FormatOutcome:
    """What was done.

    Attributes:
        lines: what the tool prints.
        formatted: the directories that were formatted, with their ids.
    """

    lines: tuple[str, ...]
    formatted: Mapping[str, Uuid]


def format_directories(fs: FileSystem, request: FormatRequest, draw: Callable[[int], bytes]) -> FormatOutcome:
    """Format what is not formatted yet; on a failure nothing of this run stays.

    Args:
        fs: the disk.
        request: what to format.
        draw: returns that many random bytes.

    Raises:
        ConfigError: the request contradicts itself, or the files in the directories.
        StorageError: a disk operation failed, or the directories do not belong together.
    """
    kraft_version = check_request(request)
    ensemble = MetaPropertiesEnsemble.load(fs, request.directories, request.metadata_directory)
    ensemble.verify(
        expected_cluster_id=request.cluster_id, expected_from="--cluster-id", expected_node_id=request.node_id
    )
    lines = [f"I/O error trying to read log directory {directory}. Ignoring..." for directory in ensemble.errors]
    if ensemble.found and not request.ignore_formatted:
        raise ConfigError(
            f"Log directory {next(iter(ensemble.found))} is already formatted. Use --ignore-formatted to ignore this "
            "directory and format the others."
        )
    if not ensemble.empty:
        if not ensemble.found:
            raise ConfigError("No available log directories to format.")
        return FormatOutcome((*lines, "All of the log directories are already formatted."), {})
    for directory in ensemble.empty:
        _check_has_room(fs, directory)
        _check_has_no_log(fs, directory)
    ids = _directory_ids(request, ensemble, draw)
    name = BY_LEVEL[request.metadata_version].name
    written: list[str] = []
    try:
        for directory in ensemble.empty:
            lines.append(f"Formatting {_kind(request, directory)} {directory} with metadata.version {name}.")
            _format_one(fs, request, directory, ids[directory], kraft_version, ensemble.cluster_id, written)
    except StorageError:
        # The first error is the one to report.
        for path in reversed(written):
            with suppress(StorageError):
                remove_if_exists(fs, path)
        raise
    return FormatOutcome(tuple(lines), ids)


def check_request(request: FormatRequest) -> int:
    """Check a request in itself; return the kraft.version it leads to.

    Raises:
        ConfigError: in Kafka's words.
    """
    if request.cluster_id is None and request.metadata_version < CLUSTER_ID_LEVEL:
        raise ConfigError(
            "You must specify the cluster id. (It may be left out from metadata.version "
            f"{BY_LEVEL[CLUSTER_ID_LEVEL].name} on, which keeps it in the log. Otherwise give every node the same one: "
            "--cluster-id; kraftpy storage random-uuid prints a fresh one.)"
        )
    if request.node_id < 0:
        raise ConfigError(f"You must specify a valid non-negative node ID, not {request.node_id}.")
    if not request.directories:
        raise ConfigError("You must specify at least one directory to format")
    if request.metadata_directory not in request.directories:
        raise ConfigError(
            f"The specified metadata log directory, {request.metadata_directory} was not one of the given directories: "
            f"{', '.join(request.directories)}"
        )
    _check_level(request)
    return _check_features(request)


def _check_level(request: FormatRequest) -> None:
    newest = max(BY_LEVEL)
    if request.metadata_version > newest:
        raise ConfigError(
            f"metadata.version {request.metadata_version} is not known here; levels are {MINIMUM_LEVEL} to {newest}."
        )
    version = BY_LEVEL.get(request.metadata_version)
    if version is None or version.level < MINIMUM_LEVEL:
        name = version.name if version else request.metadata_version
        raise ConfigError(f"metadata.version {name} is too old to be supported.")
    if not version.production and not request.allow_unstable:
        raise ConfigError(
            f"metadata.version {version.name} is not yet stable. To try it in a cluster that you can lose, set "
            "unstable.feature.versions.enable=true in the file of every node."
        )


def _check_features(request: FormatRequest) -> int:
    for name, level in request.features.items():
        if name not in FEATURES_BY_NAME:
            known = ", ".join(sorted((*FEATURES_BY_NAME, METADATA_VERSION)))
            raise ConfigError(f"Unsupported feature: {name}. Supported features are: {known}")
        feature = FEATURES_BY_NAME[name]
        if feature.at(level) is None:
            highest = feature.levels[-1].level
            raise ConfigError(f"No feature:{name} with feature level {level}: it has 0 to {highest}")
    dynamic = request.initial_voters is not None
    kraft_version = request.features.get(KRAFT_VERSION, int(dynamic))
    if dynamic and kraft_version == 0:
        raise ConfigError(
            "Cannot set kraft.version to 0 if KIP-853 configuration is present. Try removing the --feature flag for "
            "kraft.version."
        )
    if not dynamic and kraft_version > 0:
        raise ConfigError(
            f"Cannot set kraft.version to {kraft_version} unless KIP-853 configuration is present. Try removing the "
            "--feature flag for kraft.version."
        )
    levels = {**effective_features(request), KRAFT_VERSION: kraft_version, METADATA_VERSION: request.metadata_version}
    for name, level in levels.items():
        found = FEATURES_BY_NAME[name].at(level) if name in FEATURES_BY_NAME else None
        for needed_name, needed in found.needs if found is not None else ():
            if levels.get(needed_name, 0) < needed:
                raise ConfigError(
                    f"{name} could not be set to {level} because it depends on {needed_name} level {needed}"
                )
    return kraft_version


def effective_features(request: FormatRequest) -> dict[str, int]:
    """Return the level of every feature that a FeatureLevelRecord finalizes: as chosen, else the release's default.

    Level 0 takes no record. Source: KIP-1022; Kafka ``Formatter.calculateEffectiveFeatureLevels``.
    """
    defaults = {each.name: each.default_for(request.metadata_version) for each in FEATURES}
    return {name: level for name, level in {**defaults, **request.features}.items() if name != KRAFT_VERSION}


def _check_has_room(fs: FileSystem, directory: str) -> None:
    """Check that nothing but directories is in the way, so that none is made for a run that must fail at another."""
    place = directory
    while not fs.exists(place) and parent(place) != place:
        place = parent(place)
    if fs.exists(place) and not fs.is_directory(place):
        raise ConfigError(
            f"{directory} cannot be made a directory: {place} is a file. Move it away, or name another directory; "
            "nothing was formatted"
        )


def _check_has_no_log(fs: FileSystem, directory: str) -> None:
    log_directory = join(directory, METADATA_DIRECTORY)
    if segment_bases(fs, log_directory):
        raise ConfigError(
            f"{log_directory} holds a metadata log, but {meta_properties_path(directory)} is missing. Formatting would "
            "start another cluster on top of it: restore meta.properties, or move the log away first."
        )


def _directory_ids(
    request: FormatRequest, ensemble: MetaPropertiesEnsemble, draw: Callable[[int], bytes]
) -> dict[str, Uuid]:
    taken = {p.directory_id for p in ensemble.found.values() if p.directory_id is not None}
    voter = request.initial_voters.by_id(request.node_id) if request.initial_voters is not None else None
    stated = voter.key.directory_id if voter is not None else None
    ids = {}
    for directory in ensemble.empty:
        if directory == request.metadata_directory and stated is not None:
            if stated in taken:
                raise ConfigError(f"The directory id stated for voter {request.node_id} belongs to another directory.")
            ids[directory] = stated
            taken.add(stated)
    for directory in ensemble.empty:
        if directory not in ids:
            ids[directory] = fresh_directory_id(draw, taken)
    return ids


def _kind(request: FormatRequest, directory: str) -> str:
    if directory != request.metadata_directory:
        return "data directory"
    if request.initial_voters is None:
        return "metadata directory"
    if request.initial_voters.by_id(request.node_id) is None:
        return "dynamic metadata directory"
    return "dynamic metadata voter directory"


def _format_one(
    fs: FileSystem,
    request: FormatRequest,
    directory: str,
    directory_id: Uuid,
    kraft_version: int,
    known_cluster_id: str | None,
    written: list[str],
) -> None:
    """Format one directory; ``written`` learns of each path before it is touched."""
    cluster_id = request.cluster_id or known_cluster_id
    level = request.metadata_version
    make_directory_durably(fs, directory)
    records = bootstrap_records(level, cluster_id, effective_features(request), request.credentials)
    written.append(join(directory, BOOTSTRAP_CHECKPOINT))
    write_bootstrap(fs, directory, records, level)
    if directory == request.metadata_directory and request.initial_voters is not None:
        log_directory = join(directory, METADATA_DIRECTORY)
        make_directory_durably(fs, log_directory)
        path = join(log_directory, snapshot_file_name(ORIGIN))
        written.append(path)
        replace_file(fs, path, zero_checkpoint(kraft_version, request.initial_voters))
    written.append(meta_properties_path(directory))
    properties = MetaProperties(
        version=2 if level >= CLUSTER_ID_LEVEL else 1,
        cluster_id=cluster_id,
        node_id=request.node_id,
        directory_id=directory_id,
    )
    write_meta_properties(fs, directory, properties)


def zero_checkpoint(kraft_version: int, voters: VoterSet) -> bytes:
    """Return the bytes of ``00000000000000000000-0000000000.checkpoint``."""
    encoder = SnapshotEncoder(
        epoch=0, timestamp_ms=0, last_contained_log_timestamp_ms=0, kraft_version=kraft_version, voters=voters
    )
    return b"".join(encoder.encode([]))
