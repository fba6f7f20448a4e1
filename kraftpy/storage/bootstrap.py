"""``bootstrap.checkpoint``: the records that the first active controller writes into an empty log.

The file has a snapshot's format with epoch 0 and timestamps 0. ``metadata.version`` comes first, because it decides
what the records after it mean; the cluster id follows where that level knows it (KIP-1262). Kafka from 4.2 on keeps the
same records in the zero checkpoint instead (KIP-1170), which is read when the file is missing.

Source: on-disk formats §7.1; tools §1.1; Kafka ``BootstrapDirectory``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kraftpy.model.errors import MalformedError, StorageError
from kraftpy.model.features import BY_LEVEL, CLUSTER_ID_LEVEL, METADATA_VERSION, SchemaSet
from kraftpy.model.offsets import ORIGIN
from kraftpy.records.codec import Record
from kraftpy.records.file_names import snapshot_file_name
from kraftpy.records.metadata import (
    ClusterIdRecord,
    FeatureLevelRecord,
    LogRecord,
    decode_record,
    encode_for_level,
)
from kraftpy.records.snapshot import SnapshotEncoder, read_snapshot
from kraftpy.storage.atomic_file import replace_file
from kraftpy.storage.filesystem import FileSystem, join, read_file
from kraftpy.storage.names import BOOTSTRAP_CHECKPOINT, METADATA_DIRECTORY
from kraftpy.storage.os_errors import faults_of

BOOTSTRAP_LEVEL_MIN = 4
"""The first metadata.version that is stored in the log (3.3-IV0)."""


def bootstrap_records(
    level: int, cluster_id: str | None, features: Mapping[str, int], others: Sequence[Record] = ()
) -> list[Record]:
    """Return the records of a new cluster, in the order that they must be replayed in."""
    records: list[Record] = [FeatureLevelRecord(METADATA_VERSION, level)]
    if cluster_id is not None and level >= CLUSTER_ID_LEVEL:
        records.append(ClusterIdRecord(cluster_id))
    records += [FeatureLevelRecord(name, features[name]) for name in sorted(features) if features[name] > 0]
    return [*records, *others]


def write_bootstrap(fs: FileSystem, directory: str, records: Iterable[Record], level: int) -> None:
    """Write a directory's ``bootstrap.checkpoint``, durably."""
    values = [encode_for_level(record, level) for record in records]
    encoder = SnapshotEncoder(epoch=0, timestamp_ms=0, last_contained_log_timestamp_ms=0, states_digest=False)
    replace_file(fs, join(directory, BOOTSTRAP_CHECKPOINT), b"".join(encoder.encode([values])))


def read_bootstrap(fs: FileSystem, directory: str) -> list[LogRecord] | None:
    """Return the bootstrap records of a directory, ``None`` when it has none.

    Raises:
        StorageError: the file is corrupt, or has no metadata.version that may start a cluster.
    """
    zero_checkpoint = join(join(directory, METADATA_DIRECTORY), snapshot_file_name(ORIGIN))
    for path in (join(directory, BOOTSTRAP_CHECKPOINT), zero_checkpoint):
        with faults_of("reading", path):
            content = read_file(fs, path) if fs.exists(path) else None
        if content is not None and (records := _decode(path, content)):
            return records
    return None


def _decode(path: str, content: bytes) -> list[LogRecord]:
    try:
        values = [value for batch in read_snapshot(content).batches for value in batch.values()]
        if not values:
            return []
        level = _level([decode_record(value, SchemaSet.KAFKA) for value in values], path)
        return [decode_record(value, SchemaSet.for_level(level)) for value in values]
    except MalformedError as error:
        raise StorageError(
            f"{path} is corrupt: {error}. Format the directory again, or restore the file from a copy."
        ) from error


def _level(records: Sequence[LogRecord], path: str) -> int:
    levels = [r.feature_level for r in records if isinstance(r, FeatureLevelRecord) and r.name == METADATA_VERSION]
    if not levels:
        raise StorageError(
            f"No FeatureLevelRecord for metadata.version was found in the bootstrap metadata from {path}"
        )
    if levels[-1] < BOOTSTRAP_LEVEL_MIN:
        raise StorageError(
            f"Bootstrap metadata.version before {BY_LEVEL[BOOTSTRAP_LEVEL_MIN].name} are not supported. Can't load "
            f"metadata from {path}"
        )
    return levels[-1]
