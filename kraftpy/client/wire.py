"""Between the client's values and the messages of the API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kraftpy.client import values as v
from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import ErrorCode
from kraftpy.model.offsets import Offset
from kraftpy.model.registrations import BrokerHeartbeat, Listener, RegisterBroker, RegisterController, SupportedFeature
from kraftpy.model.voters import Endpoint, ReplicaKey
from kraftpy.pb.v1 import admin_pb2, cluster_pb2, common_pb2, node_pb2, quorum_pb2

# Requests.


def register_broker(request: RegisterBroker, options: common_pb2.WriteOptions) -> node_pb2.RegisterBrokerRequest:
    """Write a broker's registration."""
    message = node_pb2.RegisterBrokerRequest(
        options=options,
        broker_id=request.broker_id,
        cluster_id=request.cluster_id,
        incarnation_id=request.incarnation_id,
        listeners=_listeners_out(request.listeners),
        features=_features_out(request.features),
        rack=request.rack,
        log_dirs=request.log_dirs,
    )
    if request.previous_broker_epoch >= 0:
        message.previous_broker_epoch = request.previous_broker_epoch
    return message


def broker_heartbeat(request: BrokerHeartbeat, options: common_pb2.WriteOptions) -> node_pb2.BrokerHeartbeatRequest:
    """Write a heartbeat."""
    return node_pb2.BrokerHeartbeatRequest(
        options=options,
        broker_id=request.broker_id,
        broker_epoch=request.broker_epoch,
        metadata_offset=request.metadata_offset,
        want_fence=request.want_fence,
        want_shutdown=request.want_shutdown,
        offline_log_dirs=request.offline_log_dirs,
    )


def register_controller(
    request: RegisterController, options: common_pb2.WriteOptions
) -> node_pb2.RegisterControllerRequest:
    """Write a controller's registration."""
    return node_pb2.RegisterControllerRequest(
        options=options,
        controller_id=request.controller_id,
        incarnation_id=request.incarnation_id,
        listeners=_listeners_out(request.listeners),
        features=_features_out(request.features),
    )


def update_features(
    changes: Iterable[v.FeatureChange], options: common_pb2.WriteOptions
) -> admin_pb2.UpdateFeaturesRequest:
    """Write feature changes."""
    message = admin_pb2.UpdateFeaturesRequest(options=options)
    for change in changes:
        message.updates.add(name=change.name, level=change.level, kind=int(change.kind))
    return message


def alter_configs(
    changes: Mapping[v.Resource, Sequence[v.ConfigChange]], options: common_pb2.WriteOptions
) -> admin_pb2.IncrementalAlterConfigsRequest:
    """Write config changes."""
    message = admin_pb2.IncrementalAlterConfigsRequest(options=options)
    for resource, alterations in changes.items():
        row = message.resources.add(resource=resource_out(resource))
        for change in alterations:
            row.alterations.add(name=change.name, op=int(change.op), value=change.value)
    return message


def resource_out(resource: v.Resource) -> common_pb2.ConfigResource:
    """Write a resource."""
    return common_pb2.ConfigResource(type=int(resource.type), name=resource.name)  # type: ignore[arg-type] # proto3 enums are open


def _listeners_out(listeners: Iterable[Listener]) -> list[common_pb2.Listener]:
    return [
        common_pb2.Listener(name=each.name, host=each.host, port=each.port, security_protocol=each.security_protocol)
        for each in listeners
    ]


def _features_out(features: Iterable[SupportedFeature]) -> list[common_pb2.SupportedFeature]:
    return [
        common_pb2.SupportedFeature(name=each.name, min_level=each.min_level, max_level=each.max_level)
        for each in features
    ]


# Responses.


def position(message: common_pb2.CommitPosition) -> v.Position:
    """Read where a write was committed."""
    return v.Position(message.offset, message.epoch)


def freshness(message: common_pb2.ReadPosition) -> v.Freshness:
    """Read what a read is as of."""
    return v.Freshness(message.offset, message.epoch, message.age_ms, consistency(message.consistency))


def consistency(number: int) -> Consistency:
    """Read what an answer may be relied on for; what is not known here promises nothing."""
    is_linearizable = number == common_pb2.ReadOptions.LINEARIZABLE
    return Consistency.LINEARIZABLE if is_linearizable else Consistency.COMMITTED


def read_options(wanted: Consistency, min_offset: Offset | None, wait_ms: int) -> common_pb2.ReadOptions | None:
    """Say what a read asks of the state that it is answered from; ``None`` when that is nothing in particular."""
    if wanted is Consistency.COMMITTED and min_offset is None:
        return None
    number = common_pb2.ReadOptions.LINEARIZABLE
    is_linearizable = wanted is Consistency.LINEARIZABLE
    return common_pb2.ReadOptions(
        consistency=number if is_linearizable else common_pb2.ReadOptions.COMMITTED,
        min_offset=min_offset,
        max_wait_ms=wait_ms,
    )


def heartbeat_answered(message: node_pb2.BrokerHeartbeatResponse) -> v.HeartbeatAnswered:
    """Read the answer to a heartbeat."""
    return v.HeartbeatAnswered(
        position(message.position),
        message.is_caught_up,
        message.is_fenced,
        message.in_controlled_shutdown,
        message.should_shut_down,
    )


def configs_altered(message: admin_pb2.IncrementalAlterConfigsResponse) -> v.ConfigsAltered:
    """Read what became of each resource."""
    outcomes = tuple(
        v.ConfigOutcome(_resource(row.resource), ErrorCode(row.error.code), row.error.message)
        if row.HasField("error")
        else v.ConfigOutcome(_resource(row.resource))
        for row in message.results
    )
    return v.ConfigsAltered(position(message.position), outcomes)


def cluster(message: cluster_pb2.DescribeClusterResponse) -> v.ClusterInfo:
    """Read the members."""
    return v.ClusterInfo(
        freshness=freshness(message.position),
        cluster_id=message.cluster_id if message.HasField("cluster_id") else None,
        controller_id=message.controller_id if message.HasField("controller_id") else None,
        brokers=tuple(_broker(each) for each in message.brokers),
        controllers=tuple(
            v.ControllerInfo(
                controller_id=each.id,
                incarnation_id=each.incarnation_id,
                listeners=_listeners_in(each.listeners),
                features=_features_in(each.features),
            )
            for each in message.controllers
        ),
    )


def _broker(message: cluster_pb2.BrokerDescription) -> v.BrokerInfo:
    return v.BrokerInfo(
        broker_id=message.id,
        epoch=message.epoch,
        incarnation_id=message.incarnation_id,
        listeners=_listeners_in(message.listeners),
        features=_features_in(message.features),
        rack=message.rack if message.HasField("rack") else None,
        fenced=message.fenced,
        in_controlled_shutdown=message.in_controlled_shutdown,
        log_dirs=tuple(message.log_dirs),
    )


def features(message: cluster_pb2.DescribeFeaturesResponse) -> v.Features:
    """Read feature levels."""
    rows = tuple(
        v.FeatureDescription(
            each.name,
            each.finalized_level,
            each.min_supported_level if each.HasField("min_supported_level") else None,
            each.max_supported_level if each.HasField("max_supported_level") else None,
        )
        for each in message.features
    )
    return v.Features(freshness(message.position), rows)


def configs(message: cluster_pb2.DescribeConfigsResponse) -> v.Configs:
    """Read config values."""
    resources = {_resource(row.resource): {each.name: each.value for each in row.entries} for row in message.resources}
    return v.Configs(freshness(message.position), resources)


def quorum(message: quorum_pb2.DescribeQuorumResponse) -> v.QuorumInfo:
    """Read the replicas."""
    return v.QuorumInfo(
        freshness=freshness(message.position),
        leader_id=message.leader_id if message.HasField("leader_id") else None,
        leader_epoch=message.leader_epoch,
        high_watermark=message.high_watermark if message.HasField("high_watermark") else None,
        voters=tuple(_replica(each) for each in message.voters),
        observers=tuple(_replica(each) for each in message.observers),
    )


def _replica(message: quorum_pb2.ReplicaDescription) -> v.ReplicaInfo:
    return v.ReplicaInfo(
        key=ReplicaKey(message.id, message.directory_id or None),
        log_end_offset=message.log_end_offset if message.HasField("log_end_offset") else None,
        last_fetch_ms=message.last_fetch_ms if message.HasField("last_fetch_ms") else None,
        last_caught_up_ms=message.last_caught_up_ms if message.HasField("last_caught_up_ms") else None,
        endpoints=tuple(Endpoint(each.name, each.host, each.port) for each in message.endpoints),
    )


class WatchReader:
    """Reads the events of one stream; a batch whose JSON takes several messages is one event."""

    def __init__(self) -> None:
        self._records = b""
        self._json: list[str] = []

    def events(self, message: cluster_pb2.WatchResponse) -> Iterable[v.WatchEvent]:
        """Read the events that are complete with one more message, in order."""
        match message.WhichOneof("event"):
            case "snapshot_begin":
                yield v.SnapshotBegins(message.snapshot_begin.end_offset, message.snapshot_begin.epoch)
            case "snapshot_chunk":
                yield v.SnapshotPart(message.snapshot_chunk.records, tuple(message.snapshot_chunk.json))
            case "snapshot_end":
                yield v.SnapshotEnds(message.snapshot_end.end_offset)
            case _:
                yield from filter(None, map(self._batch, message.batches.batches))

    def _batch(self, message: cluster_pb2.WatchedBatch) -> v.WatchedBatch | None:
        self._records += message.records
        self._json += message.json
        if message.json_continues:
            return None
        records, texts = self._records, tuple(self._json)
        self._records, self._json = b"", []
        return v.WatchedBatch(
            base_offset=message.base_offset,
            last_offset=message.last_offset,
            epoch=message.epoch,
            is_control=message.control,
            records=records,
            json=texts,
        )


def _resource(message: common_pb2.ConfigResource) -> v.Resource:
    return v.Resource(int(message.type), message.name)


def _listeners_in(listeners: Iterable[common_pb2.Listener]) -> tuple[Listener, ...]:
    return tuple(Listener(each.name, each.host, each.port, each.security_protocol) for each in listeners)


def _features_in(listed: Iterable[common_pb2.SupportedFeature]) -> tuple[SupportedFeature, ...]:
    return tuple(SupportedFeature(each.name, each.min_level, each.max_level) for each in listed)
