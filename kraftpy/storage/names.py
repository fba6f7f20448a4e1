"""The names of a metadata log directory, exactly Kafka's but for those that begin with ``kraftpy.``.

Source: on-disk formats §8, §8.1.
"""

from __future__ import annotations

METADATA_DIRECTORY = "__cluster_metadata-0"
META_PROPERTIES = "meta.properties"
BOOTSTRAP_CHECKPOINT = "bootstrap.checkpoint"
CLEAN_SHUTDOWN = ".kafka_cleanshutdown"
QUORUM_STATE = "quorum-state"
LEADER_EPOCH_CHECKPOINT = "leader-epoch-checkpoint"
PARTITION_METADATA = "partition.metadata"
REPLICA_STATUS = "kraftpy.replica-status"
"""Ours; see ``storage.replica_status``."""
QUARANTINE = "kraftpy.quarantine"
"""Ours, a directory: corrupt logs that were moved away; see ``storage.quarantine``."""
RESERVE = "kraftpy.reserve"
"""Ours, in every log directory of a broker: space for when the disk is full; see ``storage.reserve``."""
METADATA_RESERVE = "kraftpy.metadata-reserve"
"""Ours, in a controller's metadata log directory: the same for the metadata log; see ``node.metadata_disk``."""
PROBE = "kraftpy.probe"
"""Ours: written and removed to find out whether a directory can be written to; see ``storage.reserve``."""
SYNC_PROBE = "kraftpy.sync-probe"
"""Ours: written and removed to find out how fast the disk is; see ``storage.disk_probe``."""
RECOVERY_POINT_CHECKPOINT = "recovery-point-offset-checkpoint"

LOG_SUFFIX = ".log"
INDEX_SUFFIX = ".index"
TIME_INDEX_SUFFIX = ".timeindex"
DELETED_SUFFIX = ".deleted"
LEFTOVER_SUFFIXES = (".deleted", ".cleaned", ".tmp")
"""Endings that only an interrupted operation leaves; ``.swap`` is completed instead."""

OFFSET_DIGITS = 20


def segment_name(base_offset: int, suffix: str = LOG_SUFFIX) -> str:
    """Return ``00000000000000000042.log`` and its like."""
    return f"{base_offset:0{OFFSET_DIGITS}d}{suffix}"


def segment_base_offset(name: str, suffix: str = LOG_SUFFIX) -> int | None:
    """Return the base offset that a segment's name states, ``None`` when the name is no segment's."""
    digits = name[: -len(suffix)]
    if not name.endswith(suffix) or len(digits) != OFFSET_DIGITS or not (digits.isascii() and digits.isdigit()):
        return None
    return int(digits)
