"""Writes: from messages to requests of the controller, and from what was committed to messages.

The gateway's checks are here: what a request's value must be before anybody decides about it (uuids of 16 bytes, ports,
known enumerators). One table, :data:`WRITES`, serves the unary calls and the session alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from kraftpy.controller import requests as r
from kraftpy.controller.broker_id_requests import AlterBrokerHost
from kraftpy.controller.dedupe import NO_STAMP, Stamp
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.ids import UUID_BYTES, Uuid
from kraftpy.pb.v1 import admin_pb2, common_pb2, errors_pb2, node_pb2
from kraftpy.transport.client_quotas import throttle_ms
from kraftpy.transport.grpc import (
    account_writes,
    acl_writes,
    broker_writes,
    partition_writes,
    token_writes,
    topic_writes,
)
from kraftpy.transport.grpc.reads import resource_to_pb
from kraftpy.transport.node_api import Committed, WriteRequest

PORT_MAX: Final = 65_535

UPDATES_MAX: Final = 100
REGISTERED_MAX: Final = 10_000
"""How many listeners, features or log directories a node may name."""

ALTERATIONS_MAX: Final = 65_536
"""How many resources a request may name, and how many keys."""

MessageT = TypeVar("MessageT")


@dataclass(frozen=True, slots=True)
class GrpcWrite:
    """One kind of write. ``name`` is its field in Request and Response of the session."""

    name: str
    request: type[Any]
    decode: Callable[[Any], r.ControllerRequest]
    encode: Callable[[Any, common_pb2.CommitPosition], Any]

    def submission(self, message: Any, timeout_ms: int | None) -> WriteRequest:
        """Check a message and make it a submission.

        Raises:
            ApiError: INVALID_REQUEST, naming the field.
        """
        request_id = message.options.request_id
        if request_id:
            _uuid(request_id, "options.request_id")
        return WriteRequest(self.decode(message), request_id, timeout_ms, _stamp(message.options), message.ByteSize())

    def answer(self, committed: Committed, now_ms: int) -> Any:
        """Make the response of a committed write that is sent now."""
        position = common_pb2.CommitPosition(
            offset=committed.offset, epoch=committed.epoch, sequence=committed.sequence
        )
        message = self.encode(committed.response, position)
        wait_ms = throttle_ms(committed, now_ms)
        if wait_ms:
            message.throttle_time_ms = wait_ms
        return message


def _invalid(message: str) -> ApiError:
    return ApiError(ErrorCode.INVALID_REQUEST, message)


def _uuid(value: bytes, place: str) -> bytes:
    if len(value) != UUID_BYTES:
        raise _invalid(f"{place} has {len(value)} bytes, a uuid has {UUID_BYTES}")
    return value


def _stamp(options: common_pb2.WriteOptions) -> Stamp:
    epoch = options.first_sent_epoch if options.HasField("first_sent_epoch") else None
    if epoch is None and not options.is_retry:
        return NO_STAMP
    if epoch is not None and epoch < 0:
        raise _invalid(f"options.first_sent_epoch is {epoch}; epochs begin at 0")
    if options.is_retry and not options.request_id:
        raise _invalid("options.is_retry is set without options.request_id: the first attempt could not be recognised")
    sequence = options.first_sent_sequence if options.HasField("first_sent_sequence") else None
    return Stamp(epoch, options.is_retry, sequence)


def _few(values: Sequence[MessageT], place: str, count_max: int = REGISTERED_MAX) -> Sequence[MessageT]:
    """Check a count before values of ours are made, which take many times the bytes of the message."""
    if len(values) > count_max:
        raise _invalid(f"{len(values)} {place}, at most {count_max} are allowed")
    return values


def _listeners(listeners: Sequence[common_pb2.Listener]) -> tuple[r.Listener, ...]:
    made = tuple(
        r.Listener(each.name, each.host, each.port, each.security_protocol) for each in _few(listeners, "listeners")
    )
    for listener in made:
        if not 0 <= listener.port <= PORT_MAX:
            raise _invalid(f"listener {listener.name} has port {listener.port}, expected 0 to {PORT_MAX}")
    return made


def _features(features: Sequence[common_pb2.SupportedFeature]) -> tuple[r.SupportedFeature, ...]:
    named = _few(features, "features")
    return tuple(r.SupportedFeature(each.name, each.min_level, each.max_level) for each in named)


def _register_broker(message: node_pb2.RegisterBrokerRequest) -> r.RegisterBroker:
    return r.RegisterBroker(
        broker_id=message.broker_id,
        cluster_id=message.cluster_id if message.HasField("cluster_id") else None,
        incarnation_id=_uuid(message.incarnation_id, "incarnation_id"),
        listeners=_listeners(message.listeners),
        features=_features(message.features),
        rack=message.rack if message.HasField("rack") else None,
        log_dirs=_directories(message.log_dirs, "log_dirs"),
        saturated_log_dirs=_maybe_directories(message, "saturated_log_dirs"),
        previous_broker_epoch=message.previous_broker_epoch if message.HasField("previous_broker_epoch") else -1,
        validate_only=message.options.validate_only,
    )


def _broker_heartbeat(message: node_pb2.BrokerHeartbeatRequest) -> r.BrokerHeartbeat:
    return r.BrokerHeartbeat(
        broker_id=message.broker_id,
        broker_epoch=message.broker_epoch,
        metadata_offset=message.metadata_offset,
        want_fence=message.want_fence,
        want_shutdown=message.want_shutdown,
        offline_log_dirs=_directories(message.offline_log_dirs, "offline_log_dirs"),
        cordoned_log_dirs=_maybe_directories(message, "cordoned_log_dirs"),
        saturated_log_dirs=_maybe_directories(message, "saturated_log_dirs"),
        validate_only=message.options.validate_only,
    )


def _directories(ids: Sequence[bytes], field: str) -> tuple[Uuid, ...]:
    return tuple(_uuid(each, field) for each in _few(ids, field))


def _maybe_directories(
    message: node_pb2.RegisterBrokerRequest | node_pb2.BrokerHeartbeatRequest, field: str
) -> tuple[Uuid, ...] | None:
    """Read a list that may be absent."""
    return _directories(getattr(message, field).ids, field) if message.HasField(field) else None


def _register_controller(message: node_pb2.RegisterControllerRequest) -> r.RegisterController:
    return r.RegisterController(
        controller_id=message.controller_id,
        incarnation_id=_uuid(message.incarnation_id, "incarnation_id"),
        listeners=_listeners(message.listeners),
        features=_features(message.features),
        validate_only=message.options.validate_only,
    )


def _unregister_broker(message: admin_pb2.UnregisterBrokerRequest) -> r.UnregisterBroker:
    return r.UnregisterBroker(broker_id=message.broker_id, validate_only=message.options.validate_only)


def _unregister_controller(message: admin_pb2.UnregisterControllerRequest) -> r.UnregisterController:
    return r.UnregisterController(controller_id=message.controller_id, validate_only=message.options.validate_only)


def _alter_broker_host(message: admin_pb2.AlterBrokerHostRequest) -> AlterBrokerHost:
    return AlterBrokerHost(
        host=message.host,
        broker_id=message.broker_id if message.HasField("broker_id") else None,
        validate_only=message.options.validate_only,
    )


def _update_features(message: admin_pb2.UpdateFeaturesRequest) -> r.UpdateFeatures:
    try:
        updates = tuple(
            r.FeatureUpdate(each.name, each.level, r.FeatureUpdateKind(each.kind or r.FeatureUpdateKind.UPGRADE))
            for each in _few(message.updates, "updates", UPDATES_MAX)
        )
    except ValueError as error:
        raise _invalid(f"updates.kind: {error}") from error
    return r.UpdateFeatures(updates=updates, validate_only=message.options.validate_only)


def _alter_configs(message: admin_pb2.IncrementalAlterConfigsRequest) -> r.IncrementalAlterConfigs:
    named = _few(message.resources, "resources", ALTERATIONS_MAX)
    alterations = sum(len(each.alterations) for each in named)
    if alterations > ALTERATIONS_MAX:
        raise _invalid(f"{alterations} alterations, at most {ALTERATIONS_MAX} are allowed")
    try:
        resources = tuple(
            (
                r.ConfigResource(each.resource.type, each.resource.name),
                tuple(
                    r.ConfigAlteration(one.name, r.AlterOp(one.op), one.value if one.HasField("value") else None)
                    for one in each.alterations
                ),
            )
            for each in named
        )
    except ValueError as error:
        raise _invalid(f"resources.alterations.op: {error}") from error
    return r.IncrementalAlterConfigs(resources=resources, validate_only=message.options.validate_only)


def _heartbeat_response(
    response: r.BrokerHeartbeatResponse, position: common_pb2.CommitPosition
) -> node_pb2.BrokerHeartbeatResponse:
    return node_pb2.BrokerHeartbeatResponse(
        position=position,
        is_caught_up=response.is_caught_up,
        is_fenced=response.is_fenced,
        in_controlled_shutdown=response.in_controlled_shutdown,
        should_shut_down=response.should_shut_down,
    )


def _configs_response(
    response: r.IncrementalAlterConfigsResponse, position: common_pb2.CommitPosition
) -> admin_pb2.IncrementalAlterConfigsResponse:
    message = admin_pb2.IncrementalAlterConfigsResponse(position=position)
    for result in response.results:
        row = message.results.add(resource=resource_to_pb(result.resource.type, result.resource.name))
        if result.error:
            detail = errors_pb2.ErrorDetail(code=result.error, name=result.error.name, message=result.message)
            row.error.CopyFrom(detail)
    return message


WRITES: Final = (
    GrpcWrite(
        "register_broker", node_pb2.RegisterBrokerRequest, _register_broker,
        lambda done, at: node_pb2.RegisterBrokerResponse(position=at, broker_epoch=done.broker_epoch),
    ),
    GrpcWrite("broker_heartbeat", node_pb2.BrokerHeartbeatRequest, _broker_heartbeat, _heartbeat_response),
    GrpcWrite(
        "register_controller", node_pb2.RegisterControllerRequest, _register_controller,
        lambda _, at: node_pb2.RegisterControllerResponse(position=at),
    ),
    GrpcWrite(
        "unregister_broker", admin_pb2.UnregisterBrokerRequest, _unregister_broker,
        lambda _, at: admin_pb2.UnregisterBrokerResponse(position=at),
    ),
    GrpcWrite(
        "unregister_controller", admin_pb2.UnregisterControllerRequest, _unregister_controller,
        lambda _, at: admin_pb2.UnregisterControllerResponse(position=at),
    ),
    GrpcWrite(
        "alter_broker_host", admin_pb2.AlterBrokerHostRequest, _alter_broker_host,
        lambda _, at: admin_pb2.AlterBrokerHostResponse(position=at),
    ),
    GrpcWrite(
        "update_features", admin_pb2.UpdateFeaturesRequest, _update_features,
        lambda _, at: admin_pb2.UpdateFeaturesResponse(position=at),
    ),
    GrpcWrite(
        "create_topics", admin_pb2.CreateTopicsRequest, topic_writes.create_topics, topic_writes.topics_created
    ),
    GrpcWrite(
        "delete_topics", admin_pb2.DeleteTopicsRequest, topic_writes.delete_topics, topic_writes.topics_deleted
    ),
    GrpcWrite(
        "create_partitions", admin_pb2.CreatePartitionsRequest, topic_writes.create_partitions,
        topic_writes.partitions_created,
    ),
    GrpcWrite(
        "elect_leaders", admin_pb2.ElectLeadersRequest, partition_writes.elect_leaders,
        partition_writes.leaders_elected,
    ),
    GrpcWrite(
        "alter_partition_reassignments", admin_pb2.AlterPartitionReassignmentsRequest,
        partition_writes.alter_partition_reassignments, partition_writes.reassignments_altered,
    ),
    GrpcWrite(
        "alter_client_quotas", admin_pb2.AlterClientQuotasRequest, account_writes.alter_client_quotas,
        account_writes.quotas_altered,
    ),
    GrpcWrite(
        "alter_user_scram_credentials", admin_pb2.AlterUserScramCredentialsRequest,
        account_writes.alter_user_scram_credentials, account_writes.scram_altered,
    ),
    GrpcWrite(
        "create_delegation_token", admin_pb2.CreateDelegationTokenRequest, token_writes.create_delegation_token,
        token_writes.token_created,
    ),
    GrpcWrite(
        "renew_delegation_token", admin_pb2.RenewDelegationTokenRequest, token_writes.renew_delegation_token,
        token_writes.token_renewed,
    ),
    GrpcWrite(
        "expire_delegation_token", admin_pb2.ExpireDelegationTokenRequest, token_writes.expire_delegation_token,
        token_writes.token_expired,
    ),
    GrpcWrite("create_acls", admin_pb2.CreateAclsRequest, acl_writes.create_acls, acl_writes.acls_created),
    GrpcWrite("delete_acls", admin_pb2.DeleteAclsRequest, acl_writes.delete_acls, acl_writes.acls_deleted),
    GrpcWrite("incremental_alter_configs", admin_pb2.IncrementalAlterConfigsRequest, _alter_configs, _configs_response),
    GrpcWrite(
        "alter_partition", node_pb2.AlterPartitionRequest, broker_writes.alter_partition,
        broker_writes.partitions_altered,
    ),
    GrpcWrite(
        "assign_replicas_to_dirs", node_pb2.AssignReplicasToDirsRequest, broker_writes.assign_replicas_to_dirs,
        broker_writes.replicas_assigned,
    ),
    GrpcWrite(
        "allocate_producer_ids", node_pb2.AllocateProducerIdsRequest, broker_writes.allocate_producer_ids,
        broker_writes.producer_ids_allocated,
    ),
    GrpcWrite(
        "assign_broker_id", node_pb2.AssignBrokerIdRequest, broker_writes.assign_broker_id,
        broker_writes.broker_id_assigned,
    ),
)  # fmt: skip
BY_NAME: Final = {write.name: write for write in WRITES}
"""By the name of the session's field."""
BY_REQUEST: Final = {write.request: write for write in WRITES}
"""By the class of the request's message."""
