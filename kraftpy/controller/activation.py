"""The first write of an active controller.

An empty log gets the bootstrap records: metadata.version, the cluster id from the level of KIP-1262 on, and whatever
``storage format`` prepared. They go into a metadata transaction where the level has those, so that a crash between two
batches leaves nothing behind: the next leader finds the transaction open, aborts it and starts over. A log with
records needs nothing, except the abort of a transaction that was left open.

"Empty" means that no metadata.version was ever committed; control records of the quorum do not count.

The cluster id has one source per case (K1262-7, K1262-9): the bootstrap records, else this node's meta.properties, else
a fresh one. Two of them that disagree are two clusters, and activation is refused.

Source: Kafka ``ActivationRecordsGenerator``; KIP-868; KIP-1262; controller reference §4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NoReturn

from kraftpy.controller.config import ControllerConfig, UuidSource
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.topic_rules import MIN_ISR
from kraftpy.image.configs import BROKER
from kraftpy.image.image import EMPTY, MetadataImage
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.feature_registry import ELR_VERSION
from kraftpy.model.features import (
    BY_LEVEL,
    CLUSTER_ID_LEVEL,
    LATEST_PRODUCTION_LEVEL,
    METADATA_VERSION,
    MINIMUM_LEVEL,
    TRANSACTIONS_LEVEL,
)
from kraftpy.model.ids import NodeId, uuid_to_text
from kraftpy.records.codec import Record
from kraftpy.records.metadata import (
    AbortTransactionRecord,
    BeginTransactionRecord,
    ClusterIdRecord,
    ConfigRecord,
    EndTransactionRecord,
    FeatureLevelRecord,
)

BOOTSTRAP_TRANSACTION: Final = "Bootstrap records"
ABORT_REASON: Final = "Controller failover"


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivationContext:
    """What a new leader finds.

    Attributes:
        image: the committed state.
        cluster_id: from this node's meta.properties, ``None`` if it has none.
        bootstrap: what ``storage format`` prepared, ``None`` if it did not run.
        open_transaction: whether the log ends inside a metadata transaction.
    """

    node_id: NodeId
    image: MetadataImage
    cluster_id: str | None
    bootstrap: Sequence[Record] | None
    open_transaction: bool


def activation_records(found: ActivationContext, config: ControllerConfig, uuids: UuidSource) -> ControllerResult:
    """Decide what a new active controller writes first.

    Raises:
        ApiError: this node cannot serve this log; the message names the file or setting that is in the way.
    """
    abort = [AbortTransactionRecord(reason=ABORT_REASON)] if found.open_transaction else []
    if METADATA_VERSION in found.image.features.levels:
        _check_log(found, config)
        return ControllerResult(tuple(abort), None)
    if not found.image.same_content(EMPTY):
        _refuse(
            found,
            ErrorCode.UNSUPPORTED_VERSION,
            "the log has records but no metadata.version. Upgrade the cluster with Kafka 3.3 to 3.9 first",
        )
    records = _bootstrap(found, config, uuids)
    if _level_of(records[0]) < TRANSACTIONS_LEVEL:
        return ControllerResult(tuple(records), None)
    transaction = [BeginTransactionRecord(name=BOOTSTRAP_TRANSACTION), *records, EndTransactionRecord()]
    return ControllerResult((*abort, *transaction), None, atomic=False)


def _refuse(found: ActivationContext, code: ErrorCode, reason: str) -> NoReturn:
    raise ApiError(code, f"Controller {found.node_id} cannot become active: {reason}.")


def _check_log(found: ActivationContext, config: ControllerConfig) -> None:
    """Check that this software and this node's files go with a log that has records."""
    level, in_log, local = found.image.level, found.image.cluster_id.value, found.cluster_id
    _check_level(found, level, config)
    if found.open_transaction and level < TRANSACTIONS_LEVEL:
        _refuse(found, ErrorCode.UNSUPPORTED_VERSION, f"a transaction is open, which metadata.version {level} forbids")
    if level < CLUSTER_ID_LEVEL:
        if local is None:
            _refuse_without_id(found, level)
    elif in_log is None:
        _refuse(found, ErrorCode.INCONSISTENT_CLUSTER_ID, f"the log is at level {level} but holds no ClusterIdRecord")
    elif local is not None and local != in_log:
        _refuse_other_id(found, in_log, "the log")


def _check_level(found: ActivationContext, level: int, config: ControllerConfig) -> None:
    if level not in BY_LEVEL or level < MINIMUM_LEVEL:
        _refuse(
            found,
            ErrorCode.UNSUPPORTED_VERSION,
            f"metadata.version {level} is not supported; this software supports {BY_LEVEL[MINIMUM_LEVEL]} to "
            f"{BY_LEVEL[LATEST_PRODUCTION_LEVEL]}",
        )
    if not BY_LEVEL[level].production and not config.allow_unstable:
        _refuse(
            found,
            ErrorCode.UNSUPPORTED_VERSION,
            f"metadata.version {BY_LEVEL[level]} is not yet stable. A cluster that is at it already goes on with "
            "unstable.feature.versions.enable=true in the configuration of every node",
        )


def _refuse_without_id(found: ActivationContext, level: int) -> NoReturn:
    _refuse(
        found,
        ErrorCode.INCONSISTENT_CLUSTER_ID,
        f"meta.properties has no cluster.id and metadata.version {level} cannot discover it, which takes "
        f"{CLUSTER_ID_LEVEL}. Run `storage format` with --cluster-id, or write cluster.id into meta.properties",
    )


def _refuse_other_id(found: ActivationContext, other: str, where: str) -> NoReturn:
    _refuse(
        found,
        ErrorCode.INCONSISTENT_CLUSTER_ID,
        f"meta.properties has cluster.id={found.cluster_id} but {where} has {other}. This node's disk, or this "
        "quorum, belongs to another cluster; do not edit the file before you know which",
    )


def _bootstrap(found: ActivationContext, config: ControllerConfig, uuids: UuidSource) -> list[Record]:
    """Return the records of a new cluster: metadata.version, the cluster id where the level has it, the rest."""
    given = list(found.bootstrap or ())
    versions = [record for record in given if _is_metadata_version(record)]
    if not versions and given:
        _refuse(found, ErrorCode.INVALID_REQUEST, "the bootstrap records hold no metadata.version. Format again")
    if len(versions) > 1:
        _refuse(found, ErrorCode.INVALID_REQUEST, "the bootstrap records hold metadata.version twice. Format again")
    version = versions[0] if versions else _metadata_version(config.bootstrap_level)
    level = _level_of(version)
    _check_level(found, level, config)
    ids = [record.cluster_id for record in given if isinstance(record, ClusterIdRecord)]
    rest = [record for record in given if record is not version and not isinstance(record, ClusterIdRecord)]
    return [version, *_cluster_id_records(found, level, ids, uuids), *rest, *_min_isr_records(rest, config)]


def _min_isr_records(bootstrap: Sequence[Record], config: ControllerConfig) -> list[Record]:
    """Return the cluster-wide ``min.insync.replicas``, which eligible leader replicas need to be in the log."""
    features = {record.name: record.feature_level for record in bootstrap if isinstance(record, FeatureLevelRecord)}
    if not features.get(ELR_VERSION):
        return []
    value = str(config.min_insync_replicas)
    return [ConfigRecord(resource_type=BROKER, resource_name="", name=MIN_ISR, value=value)]


def _cluster_id_records(
    found: ActivationContext, level: int, prepared: Sequence[str], uuids: UuidSource
) -> list[ClusterIdRecord]:
    if level < CLUSTER_ID_LEVEL:
        if prepared:
            _refuse(
                found,
                ErrorCode.UNSUPPORTED_VERSION,
                f"the bootstrap records hold a ClusterIdRecord, which metadata.version {level} does not know",
            )
        if found.cluster_id is None:
            _refuse_without_id(found, level)
        return []
    for other in prepared:
        if other != prepared[0] or found.cluster_id not in {None, other}:
            _refuse_other_id(found, other, "the bootstrap checkpoint")
    chosen = found.cluster_id or (prepared[0] if prepared else uuid_to_text(uuids.next()))
    return [ClusterIdRecord(cluster_id=chosen)]


def _metadata_version(level: int) -> FeatureLevelRecord:
    return FeatureLevelRecord(name=METADATA_VERSION, feature_level=level)


def _is_metadata_version(record: Record) -> bool:
    return isinstance(record, FeatureLevelRecord) and record.name == METADATA_VERSION


def _level_of(record: Record) -> int:
    assert isinstance(record, FeatureLevelRecord), record
    return record.feature_level
