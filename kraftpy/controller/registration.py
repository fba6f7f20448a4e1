"""Registering and forgetting nodes.

A broker's process registers under its incarnation id and gets a broker epoch: the offset of its record at the earliest,
hence unique and strictly increasing. A new incarnation starts fenced and takes nothing over from the one before, whose
ISR memberships and leaderships end before the record of the registration: it could otherwise be listed as a leader
while it is fenced. All of that is one change, up to what a transaction holds; beyond that, or below the level of
transactions, it takes several, and if the appends end early, the broker repeats its registration. The same incarnation
registering again amends its registration and keeps epoch and flags; if that would change nothing, nothing is written.

The checks of a broker's registration, in order:

1. INVALID_REGISTRATION, ours: the id is negative.
2. INCONSISTENT_CLUSTER_ID: the broker belongs to another cluster, or to none yet.
3. DUPLICATE_BROKER_REGISTRATION, ours: the id is reserved for another process (KIP-426).
4. DUPLICATE_BROKER_REGISTRATION: another process has the id, is not fenced, and its session lasts.
5. INVALID_REGISTRATION: it has no directories. This one and 6 to 9 from metadata.version 17 on.
6. INVALID_REGISTRATION, ours: it has more than :data:`LOG_DIRS_MAX` directories.
7. INVALID_REGISTRATION: a directory has a reserved id.
8. INVALID_REGISTRATION: a directory is named twice.
9. INVALID_REGISTRATION: a directory is another broker's.
10. INVALID_REGISTRATION, ours: it has more than :data:`LISTENERS_MAX` listeners.
11. INVALID_REGISTRATION, ours: no record holds the name or the host of a listener.
12. INVALID_REGISTRATION, ours: two listeners have one name.
13. INVALID_REGISTRATION, ours: a listener's port is none.
14. INVALID_REGISTRATION, ours: a listener's security protocol is none.
15. INVALID_REGISTRATION, ours: no record holds the rack.
16. INVALID_REGISTRATION, ours: the host that its id is to be remembered by is none (KIP-426).
17. INVALID_REGISTRATION, ours: it has more than :data:`FEATURES_MAX` features.
18. INVALID_REGISTRATION, ours: no record holds the name of a feature.
19. INVALID_REGISTRATION, ours: a feature is named twice.
20. INVALID_REGISTRATION, ours: the range of a feature is none.
21. UNSUPPORTED_VERSION: the broker does not support the finalized level of a feature.

Of the removal of a broker:

22. BROKER_ID_NOT_REGISTERED: no broker has the id.

Of a controller's registration:

23. UNSUPPORTED_VERSION: the metadata.version is below 15.
24. INVALID_REGISTRATION, ours: as 1.
25. INVALID_REGISTRATION, ours: as 10 to 14.
26. INVALID_REGISTRATION, ours: as 17 to 20.

Of the removal of a controller:

27. INVALID_REQUEST: it is the active controller.
28. INVALID_REQUEST: it is a voter.
29. UNSUPPORTED_VERSION: the metadata.version is below 33.
30. CONTROLLER_ID_NOT_REGISTERED: no controller has the id.

Source: Kafka ``ClusterControlManager``; KIP-631 §Broker Registration; KIP-858; KIP-919; KIP-966 (clean shutdown);
controller reference §9.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kraftpy.controller.broker_events import BrokerEvent, BrokerEventKind
from kraftpy.controller.broker_ids import check_not_reserved, check_registered_host, host_records
from kraftpy.controller.decision_context import DecisionContext
from kraftpy.controller.isr_changes import departures
from kraftpy.controller.limits import check_string
from kraftpy.controller.requests import (
    Listener,
    RegisterBroker,
    RegisterBrokerResponse,
    RegisterController,
    RegisterControllerResponse,
    SupportedFeature,
    UnregisterBroker,
    UnregisterBrokerResponse,
    UnregisterController,
    UnregisterControllerResponse,
)
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.slices import Slices
from kraftpy.image.image import MetadataImage
from kraftpy.image.registrations import BrokerRegistration, ControllerRegistration, log_directories
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.features import (
    CLUSTER_ID_LEVEL,
    CONTROLLER_REGISTRATION_LEVEL,
    DIRECTORIES_LEVEL,
    KRAFT_VERSION,
    METADATA_VERSION,
    SATURATED_DIRECTORIES_LEVEL,
    UNREGISTER_CONTROLLER_LEVEL,
)
from kraftpy.model.ids import NodeId, Uuid, is_reserved_uuid, uuid_to_text
from kraftpy.records.metadata import (
    PartitionChangeRecord,
    RegisterBrokerRecord,
    RegisterBrokerRecordBrokerEndpoint,
    RegisterBrokerRecordBrokerFeature,
    RegisterControllerRecord,
    RegisterControllerRecordControllerEndpoint,
    RegisterControllerRecordControllerFeature,
    RemoveControllerRegistrationRecord,
    UnregisterBrokerRecord,
    UnregisterControllerRecord,
)

SECURITY_PROTOCOLS: Final = range(4)
"""PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL."""

PORT_MAX: Final = 65_535
LISTENERS_MAX: Final = 100
FEATURES_MAX: Final = 1_000
LOG_DIRS_MAX: Final = 10_000
FEATURE_LEVEL_MAX: Final = 32_767
ASSUMED_METADATA_VERSION: Final = 1
"""The level of a log without a FeatureLevelRecord, and what a broker that declares no range supports."""


def register_broker(view: DecisionContext, request: RegisterBroker) -> Slices[ControllerResult]:
    """Decide the registration of a broker's process.

    Raises:
        ApiError: the first of the checks, in the order of the controller reference §9.2.
    """
    existing = view.image.cluster.brokers.get(request.broker_id)
    _check_node_id("broker", request.broker_id)
    _check_cluster_id(view, request)
    check_not_reserved(view, request.broker_id, request.incarnation_id)
    _check_not_duplicate(view, request, existing)
    if request.is_migrating_zk_broker:
        raise ApiError(ErrorCode.BROKER_ID_NOT_REGISTERED, "Controller does not support registering ZK brokers.")
    if view.image.level >= DIRECTORIES_LEVEL:
        _check_directories(view.image, request)
    _check_listeners(request.listeners)
    check_string(ErrorCode.INVALID_REGISTRATION, "The rack", request.rack)
    check_registered_host(request.host)
    _check_features(view, request.features)
    if existing is not None and existing.incarnation_id == request.incarnation_id:
        return (yield from _amend(view, request, existing))
    changes: list[PartitionChangeRecord] = []
    if existing is not None:
        was_clean = request.previous_broker_epoch == existing.broker_epoch
        changes = yield from departures(view, request.broker_id, unclean=not was_clean)
    record = _broker_record(view, request, epoch=view.next_offset)
    hosts = host_records(view, request.broker_id, request.host)
    return ControllerResult(
        (*changes, record, *hosts),
        RegisterBrokerResponse(broker_epoch=view.next_offset),
        atomic=False,
        prefers_transaction=True,
        broker_event=_registered(record, request, existing),
    )


def _registered(
    record: RegisterBrokerRecord, request: RegisterBroker, existing: BrokerRegistration | None
) -> BrokerEvent:
    facts: dict[str, object] = {}
    if existing is not None:
        facts = {
            "previous_incarnation": uuid_to_text(existing.incarnation_id),
            "previous_broker_epoch": existing.broker_epoch,
            "was_fenced": existing.fenced,
            "was_shut_down_cleanly": request.previous_broker_epoch == existing.broker_epoch,
        }
    return BrokerEvent(BrokerEventKind.REGISTERED, BrokerRegistration.from_record(record), facts)


def _amend(view: DecisionContext, request: RegisterBroker, existing: BrokerRegistration) -> Slices[ControllerResult]:
    """Restate the registration of a process that is registered; replicas in directories it no longer has go."""
    record = _broker_record(view, request, epoch=existing.broker_epoch)
    record.fenced, record.in_controlled_shutdown = existing.fenced, existing.in_controlled_shutdown
    cordoned = existing.cordoned_log_dirs
    record.cordoned_log_dirs = None if cordoned is None else list(cordoned)
    # Heartbeats report what becomes full or well; a registration adds directories that were not registered.
    added = set(record.log_dirs).difference(existing.log_dirs)
    saturated = added.intersection(record.saturated_log_dirs).union(existing.saturated_log_dirs)
    record.saturated_log_dirs = list(log_directories(saturated.intersection(record.log_dirs)))
    response = RegisterBrokerResponse(broker_epoch=existing.broker_epoch)
    hosts = host_records(view, request.broker_id, request.host)
    amended = BrokerRegistration.from_record(record)
    if amended == existing:
        if not request.validate_only:
            # Nothing is replayed that would note it, and it is a sign of life all the same.
            view.heartbeats.touch(request.broker_id, view.now_ms)
        return ControllerResult(tuple(hosts), response, atomic=False)
    gone = frozenset(existing.log_dirs) - frozenset(record.log_dirs)
    changes = (yield from departures(view, request.broker_id, directories=gone)) if gone else []
    return ControllerResult(
        (*changes, record, *hosts),
        response,
        atomic=False,
        prefers_transaction=True,
        broker_event=BrokerEvent(BrokerEventKind.AMENDED, amended, {}),
    )


def _broker_record(view: DecisionContext, request: RegisterBroker, *, epoch: int) -> RegisterBrokerRecord:
    return RegisterBrokerRecord(
        broker_id=request.broker_id,
        incarnation_id=request.incarnation_id,
        broker_epoch=epoch,
        end_points=[
            RegisterBrokerRecordBrokerEndpoint(one.name, one.host, one.port, one.security_protocol)
            for one in request.listeners
        ],
        features=[
            RegisterBrokerRecordBrokerFeature(one.name, one.min_level, one.max_level) for one in request.features
        ],
        rack=request.rack,
        fenced=True,
        log_dirs=sorted(request.log_dirs) if view.image.level >= DIRECTORIES_LEVEL else [],
        saturated_log_dirs=_saturated(view.image, request),
    )


def _saturated(image: MetadataImage, request: RegisterBroker) -> list[Uuid]:
    """Return which of the directories are full (KIP-928)."""
    reported = () if image.level < SATURATED_DIRECTORIES_LEVEL else request.saturated_log_dirs or ()
    return list(log_directories(set(reported).intersection(request.log_dirs)))


def _check_node_id(what: str, node_id: NodeId) -> None:
    """Refuse an id that names no node on every wire: its record would stay in the log for ever."""
    if node_id < 0:
        raise ApiError(ErrorCode.INVALID_REGISTRATION, f"The {what} id is {node_id}; node ids begin at 0")


def _check_cluster_id(view: DecisionContext, request: RegisterBroker) -> None:
    if view.cluster_id is None or request.cluster_id != view.cluster_id:
        raise ApiError(
            ErrorCode.INCONSISTENT_CLUSTER_ID,
            f"Expected cluster ID {view.cluster_id}, but got cluster ID {request.cluster_id}. Broker "
            f"{request.broker_id} belongs to another cluster, or did not yet learn the id of this one.",
        )


def _check_not_duplicate(view: DecisionContext, request: RegisterBroker, existing: BrokerRegistration | None) -> None:
    """A live broker keeps its id: another process gets it only once that one is fenced or silent."""
    if existing is None or existing.fenced or existing.incarnation_id == request.incarnation_id:
        return
    if view.heartbeats.has_valid_session(request.broker_id, view.now_ms):
        raise ApiError(
            ErrorCode.DUPLICATE_BROKER_REGISTRATION,
            f"Another broker is registered with that broker id: {request.broker_id}, incarnation "
            f"{uuid_to_text(existing.incarnation_id)}. If the broker was restarted, this resolves itself when the old "
            f"session of {view.config.session_timeout_ms} ms ends; if not, two processes have the same node.id.",
        )


def _check_directories(image: MetadataImage, request: RegisterBroker) -> None:
    def refuse(text: str) -> ApiError:
        return ApiError(ErrorCode.INVALID_REGISTRATION, text)

    dirs = request.log_dirs
    if not dirs:
        raise refuse("No directories specified in request")
    if len(dirs) > LOG_DIRS_MAX:
        raise refuse(f"{len(dirs)} directories specified in request, at most {LOG_DIRS_MAX} are allowed")
    reserved = next((one for one in dirs if is_reserved_uuid(one)), None)
    if reserved is not None:
        raise refuse(f"Reserved directory ID in request: {uuid_to_text(reserved)}")
    if len(set(dirs)) != len(dirs):
        raise refuse("Duplicate directory ID in request")
    wanted = set(dirs)
    for broker_id, broker in image.cluster.brokers.items():
        if broker_id != request.broker_id and not wanted.isdisjoint(broker.log_dirs):
            shared = min(wanted & set(broker.log_dirs))
            raise refuse(f"Broker {broker_id} is already registered with directory {uuid_to_text(shared)}")


def _check_listeners(listeners: Sequence[Listener]) -> None:
    """Refuse what the record's fields cannot hold, or an address that cannot be connected to."""
    code = ErrorCode.INVALID_REGISTRATION
    if len(listeners) > LISTENERS_MAX:
        raise ApiError(code, f"{len(listeners)} listeners in request, at most {LISTENERS_MAX} are allowed")
    names = [listener.name for listener in listeners]
    for listener in listeners:
        check_string(code, "A listener name", listener.name)
        check_string(code, f"The host of listener {listener.name}", listener.host)
        if names.count(listener.name) > 1:
            raise ApiError(code, f"Listener {listener.name} is in the request more than once")
        if not 0 <= listener.port <= PORT_MAX:
            raise ApiError(code, f"Listener {listener.name} has port {listener.port}, expected 0 to {PORT_MAX}")
        if listener.security_protocol not in SECURITY_PROTOCOLS:
            raise ApiError(code, f"Listener {listener.name} has unknown security protocol {listener.security_protocol}")


def _check_feature_fields(features: Sequence[SupportedFeature]) -> None:
    code = ErrorCode.INVALID_REGISTRATION
    if len(features) > FEATURES_MAX:
        raise ApiError(code, f"{len(features)} features in request, at most {FEATURES_MAX} are allowed")
    seen: set[str] = set()
    for feature in features:
        check_string(code, "A feature name", feature.name)
        if feature.name in seen:
            raise ApiError(code, f"Feature {feature.name} is in the request more than once")
        seen.add(feature.name)
        if not 0 <= feature.min_level <= feature.max_level <= FEATURE_LEVEL_MAX:
            raise ApiError(
                code, f"Feature {feature.name} has the impossible range {feature.min_level} to {feature.max_level}"
            )


def _check_features(view: DecisionContext, features: Sequence[SupportedFeature]) -> None:
    """Every finalized level must be one that the broker understands; what it does not declare it supports at 0 only."""
    _check_feature_fields(features)
    finalized = {METADATA_VERSION: ASSUMED_METADATA_VERSION, **view.image.features.levels}
    finalized[KRAFT_VERSION] = view.quorum.kraft_version
    declared = {feature.name: (feature.min_level, feature.max_level) for feature in features}
    for name, levels in declared.items():
        _check_level(name, finalized.get(name, 0), levels)
    if METADATA_VERSION not in declared:
        raise ApiError(ErrorCode.INVALID_REGISTRATION, f"Request features do not contain '{METADATA_VERSION}'")
    for name in sorted(set(finalized).difference(declared)):
        _check_level(name, finalized[name], (0, 0))


def _check_level(name: str, level: int, supported: tuple[int, int]) -> None:
    low, high = supported
    if not low <= level <= high:
        raise ApiError(
            ErrorCode.UNSUPPORTED_VERSION,
            f"Unable to register because the broker does not support finalized version {level} of {name}. "
            f"The broker wants a version between {low} and {high}, inclusive.",
        )


def unregister_broker(view: DecisionContext, request: UnregisterBroker) -> Slices[ControllerResult]:
    """Forget a broker, alive or not.

    Raises:
        ApiError: BROKER_ID_NOT_REGISTERED.
    """
    broker = view.image.cluster.brokers.get(request.broker_id)
    if broker is None:
        raise ApiError(ErrorCode.BROKER_ID_NOT_REGISTERED, f"Broker ID {request.broker_id} is not currently registered")
    changes = yield from departures(view, request.broker_id, unclean=True)
    record = UnregisterBrokerRecord(broker_id=request.broker_id, broker_epoch=broker.broker_epoch)
    return ControllerResult(
        (*changes, record),
        UnregisterBrokerResponse(),
        atomic=False,
        prefers_transaction=True,
        broker_event=BrokerEvent(BrokerEventKind.REMOVED, broker, {"was_fenced": broker.fenced}),
    )


def unregister_controller(view: DecisionContext, request: UnregisterController) -> ControllerResult:
    """Forget a controller that is no voter; while its process runs, it registers again.

    Where key 29 of a record is the cluster id (KIP-1262), a record of ours says it.

    Source: KIP-1312; Kafka ``QuorumController.unregisterController``, for the order of the checks.

    Raises:
        ApiError: INVALID_REQUEST, UNSUPPORTED_VERSION, CONTROLLER_ID_NOT_REGISTERED.
    """
    controller_id, image = request.controller_id, view.image
    if controller_id == view.node_id:
        raise ApiError(ErrorCode.INVALID_REQUEST, "Controller cannot unregister itself while it is active.")
    if controller_id in view.quorum.voter_ids:
        raise ApiError(
            ErrorCode.INVALID_REQUEST,
            f"Cannot unregister controller {controller_id} because it is part of the voter set.",
        )
    if image.level < UNREGISTER_CONTROLLER_LEVEL:
        raise ApiError(
            ErrorCode.UNSUPPORTED_VERSION,
            f"Controllers can be unregistered from metadata.version {UNREGISTER_CONTROLLER_LEVEL} on, and "
            f"{image.level} is in force. If the features that controller {controller_id} supports prevent an upgrade, "
            "start a newer version once with its node.id.",
        )
    if controller_id not in image.cluster.controllers:
        raise ApiError(
            ErrorCode.CONTROLLER_ID_NOT_REGISTERED, f"Controller ID {controller_id} is not currently registered."
        )
    record = RemoveControllerRegistrationRecord if image.level >= CLUSTER_ID_LEVEL else UnregisterControllerRecord
    return ControllerResult((record(controller_id=controller_id),), UnregisterControllerResponse())


def check_broker_epoch(image: MetadataImage, broker_id: NodeId, epoch: int) -> BrokerRegistration:
    """Find the registration that a call of a broker speaks for.

    Raises:
        ApiError: STALE_BROKER_EPOCH when the broker is not registered, or with another epoch.
    """
    broker = image.cluster.brokers.get(broker_id)
    if broker is None:
        raise ApiError(ErrorCode.STALE_BROKER_EPOCH, f"Broker {broker_id} is not registered. Register it again.")
    if broker.broker_epoch != epoch:
        raise ApiError(
            ErrorCode.STALE_BROKER_EPOCH,
            f"Expected broker epoch {broker.broker_epoch} of broker {broker_id}, but got broker epoch {epoch}",
        )
    return broker


def register_controller(view: DecisionContext, request: RegisterController) -> ControllerResult:
    """Decide the registration of a controller's process.

    Raises:
        ApiError: UNSUPPORTED_VERSION below metadata.version 15, INVALID_REGISTRATION for fields that no record holds.
    """
    if view.image.level < CONTROLLER_REGISTRATION_LEVEL:
        raise ApiError(
            ErrorCode.UNSUPPORTED_VERSION,
            f"The current metadata.version {view.image.level} is too old to support controller registrations; "
            f"{CONTROLLER_REGISTRATION_LEVEL} is needed.",
        )
    _check_node_id("controller", request.controller_id)
    _check_listeners(request.listeners)
    _check_feature_fields(request.features)
    record = RegisterControllerRecord(
        controller_id=request.controller_id,
        incarnation_id=request.incarnation_id,
        end_points=[
            RegisterControllerRecordControllerEndpoint(one.name, one.host, one.port, one.security_protocol)
            for one in request.listeners
        ],
        features=[
            RegisterControllerRecordControllerFeature(one.name, one.min_level, one.max_level)
            for one in request.features
        ],
    )
    existing = view.image.cluster.controllers.get(request.controller_id)
    is_known = existing == ControllerRegistration.from_record(record)
    return ControllerResult(() if is_known else (record,), RegisterControllerResponse())
