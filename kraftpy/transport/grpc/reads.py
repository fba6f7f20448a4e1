"""Reads: from a view of the committed state to messages.

Nothing waits here. What may be large comes in pages (:mod:`~kraftpy.transport.grpc.pages`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Protocol

from kraftpy.broker.log_dirs import LogDirStatus
from kraftpy.image.cluster import ClusterImage
from kraftpy.image.registrations import BrokerRegistration, ControllerRegistration
from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.features import KRAFT_VERSION
from kraftpy.model.ids import NO_NODE, NodeId
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.model.voters import Endpoint
from kraftpy.pb.v1 import cluster_pb2, common_pb2, quorum_pb2
from kraftpy.raft.messages import DescribeQuorumResponse, ReplicaProgress
from kraftpy.transport.grpc.pages import Page, fill, number
from kraftpy.transport.node_api import LeaderHint, MetadataView, ReadAt

HIDDEN: Final = "[hidden]"
"""Replaces the value of a sensitive key."""

CONSISTENCIES: Final = {
    Consistency.COMMITTED: common_pb2.ReadOptions.COMMITTED,
    Consistency.LINEARIZABLE: common_pb2.ReadOptions.LINEARIZABLE,
}

ANSWER_MARGIN_MS: Final = 200
"""How much of a client's deadline is left for the answer at most; of a short one, a quarter."""


class _Listener(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def host(self) -> str: ...
    @property
    def port(self) -> int: ...
    @property
    def security_protocol(self) -> int: ...


class _FeatureView(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def min_level(self) -> int: ...
    @property
    def max_level(self) -> int: ...


def position(view: MetadataView) -> common_pb2.ReadPosition:
    """Say which state a read is answered from."""
    return common_pb2.ReadPosition(
        offset=view.offset, epoch=view.epoch, age_ms=view.age_ms, consistency=CONSISTENCIES[view.consistency]
    )


def read_at(options: common_pb2.ReadOptions, left_ms: int | None) -> ReadAt:
    """Read what a call asks of the state that it is answered from.

    Args:
        options: of the call.
        left_ms: how long its client waits, ``None`` for ever. A part of it is kept for the answer, so that who waited
            in vain hears where this node is.

    Raises:
        ApiError: INVALID_REQUEST: a consistency that is not known here, or a negative offset.
    """
    consistency = next((one for one, number in CONSISTENCIES.items() if number == options.consistency), None)
    if consistency is None:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"consistency {options.consistency} is not known here")
    min_offset = options.min_offset if options.HasField("min_offset") else None
    if min_offset is not None and min_offset < 0:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"min_offset is {min_offset}; the log begins at 0")
    waits_ms = [options.max_wait_ms] if options.max_wait_ms else []
    if left_ms is not None:
        waits_ms.append(left_ms - min(left_ms // 4, ANSWER_MARGIN_MS))
    return ReadAt(consistency, min_offset, min(waits_ms, default=None))


def describe_cluster(
    request: cluster_pb2.DescribeClusterRequest, view: MetadataView, leader: LeaderHint | None, answer_bytes_max: int
) -> cluster_pb2.DescribeClusterResponse:
    """List the members: brokers ascending by id, then controllers likewise.

    Raises:
        ApiError: INVALID_REQUEST for a wrong token, POLICY_VIOLATION for a member larger than an answer may be.
    """
    response = cluster_pb2.DescribeClusterResponse(position=position(view))
    if view.cluster_id is not None:
        response.cluster_id = view.cluster_id
    if leader is not None:
        response.controller_id = leader.node_id
    page = Page(request, 2, answer_bytes_max)
    after = None if page.after is None else (number(page.after[0], 1), number(page.after[1]))

    def take(row: cluster_pb2.BrokerDescription | cluster_pb2.ControllerDescription) -> None:
        if isinstance(row, cluster_pb2.BrokerDescription):
            response.brokers.append(row)
        else:
            response.controllers.append(row)

    found = _members(view.image.cluster, after, include_fenced=request.include_fenced_brokers)
    fill(page, response, found, take, lambda member: (str(member[0]), str(member[1])))
    return response


_Member = tuple[int, NodeId]
"""0 for a broker and 1 for a controller, and its id."""


def _members(
    cluster: ClusterImage, after: _Member | None, *, include_fenced: bool
) -> Iterator[tuple[_Member, cluster_pb2.BrokerDescription | cluster_pb2.ControllerDescription | None]]:
    # There are some thousand at most: to sort their ids takes less than to describe ten.
    for broker_id in sorted(cluster.brokers):
        if after is None or after < (0, broker_id):
            broker = cluster.brokers[broker_id]
            yield (0, broker_id), _broker(broker_id, broker) if include_fenced or not broker.fenced else None
    for controller_id in sorted(cluster.controllers):
        if after is None or after < (1, controller_id):
            yield (1, controller_id), _controller(controller_id, cluster.controllers[controller_id])


def _broker(broker_id: NodeId, broker: BrokerRegistration) -> cluster_pb2.BrokerDescription:
    return cluster_pb2.BrokerDescription(
        id=broker_id,
        epoch=broker.broker_epoch,
        incarnation_id=broker.incarnation_id,
        listeners=_listeners(broker.listeners),
        features=_features(broker.features),
        rack=broker.rack,
        fenced=broker.fenced,
        in_controlled_shutdown=broker.in_controlled_shutdown,
        log_dirs=broker.log_dirs,
        cordoned_log_dirs=broker.cordoned_log_dirs,
        saturated_log_dirs=broker.saturated_log_dirs,
    )


def _controller(controller_id: NodeId, controller: ControllerRegistration) -> cluster_pb2.ControllerDescription:
    return cluster_pb2.ControllerDescription(
        id=controller_id,
        incarnation_id=controller.incarnation_id,
        listeners=_listeners(controller.listeners),
        features=_features(controller.features),
    )


def _listeners(listeners: Iterable[_Listener]) -> list[common_pb2.Listener]:
    return [
        common_pb2.Listener(
            name=listener.name, host=listener.host, port=listener.port, security_protocol=listener.security_protocol
        )
        for listener in listeners
    ]


def _features(features: Iterable[_FeatureView]) -> list[common_pb2.SupportedFeature]:
    return [
        common_pb2.SupportedFeature(name=feature.name, min_level=feature.min_level, max_level=feature.max_level)
        for feature in features
    ]


def describe_log_dirs(node_id: NodeId, statuses: Sequence[LogDirStatus]) -> cluster_pb2.DescribeLogDirsResponse:
    """List the log directories of a broker."""
    return cluster_pb2.DescribeLogDirsResponse(
        node_id=node_id,
        log_dirs=[
            cluster_pb2.LogDirDescription(
                path=one.path,
                directory_id=one.directory_id,
                state=one.state.value,
                reason=one.reason,
                total_bytes=one.total_bytes,
                usable_bytes=one.usable_bytes,
                reserve_bytes=one.reserve_bytes,
                cordoned=one.is_cordoned,
            )
            for one in statuses
        ],
    )


def describe_features(view: MetadataView) -> cluster_pb2.DescribeFeaturesResponse:
    """List every feature that is finalized or supported, ascending by name."""
    supported = {name: (low, high) for name, low, high in view.supported_features}
    levels = dict(view.image.features.levels)
    if view.kraft_version > 0:
        levels[KRAFT_VERSION] = view.kraft_version
    response = cluster_pb2.DescribeFeaturesResponse(position=position(view))
    for name in sorted({*levels.keys(), *supported}):
        feature = response.features.add(name=name, finalized_level=levels.get(name, 0))
        if name in supported:
            feature.min_supported_level, feature.max_supported_level = supported[name]
    return response


def resource_to_pb(type_: int, name: str) -> common_pb2.ConfigResource:
    """Name a resource; types that are not known here keep their number."""
    resource = common_pb2.ConfigResource(name=name)
    resource.type = type_  # type: ignore[assignment] # proto3 enums are open
    return resource


def leadership(leader: LeaderAndEpoch) -> quorum_pb2.TransferLeadershipResponse:
    """Say who leads now."""
    return quorum_pb2.TransferLeadershipResponse(
        leader_id=NO_NODE if leader.leader_id is None else leader.leader_id, leader_epoch=leader.epoch
    )


def describe_quorum(view: MetadataView, answer: DescribeQuorumResponse) -> quorum_pb2.DescribeQuorumResponse:
    """List the replicas.

    Raises:
        ApiError: when the replica refused; by a node that does not lead, as NOT_CONTROLLER.
    """
    refused = answer.error or answer.partition_error
    if refused:
        code = ErrorCode.NOT_CONTROLLER if refused == ErrorCode.NOT_LEADER_OR_FOLLOWER else ErrorCode(refused)
        raise ApiError(code, "this node does not lead the quorum, and only the leader knows how far each replica is")
    return quorum_pb2.DescribeQuorumResponse(
        position=position(view),
        leader_id=answer.leader.leader_id,
        leader_epoch=answer.leader.epoch,
        high_watermark=answer.high_watermark,
        voters=[_replica(replica) for replica in answer.voters],
        observers=[_replica(replica) for replica in answer.observers],
    )


def _replica(replica: ReplicaProgress) -> quorum_pb2.ReplicaDescription:
    return quorum_pb2.ReplicaDescription(
        id=replica.key.node_id,
        directory_id=replica.key.directory_id or b"",
        log_end_offset=replica.log_end_offset,
        last_fetch_ms=replica.last_fetch_ms,
        last_caught_up_ms=replica.last_caught_up_ms,
        endpoints=[_endpoint(endpoint) for endpoint in replica.endpoints],
    )


def _endpoint(endpoint: Endpoint) -> common_pb2.Endpoint:
    return common_pb2.Endpoint(name=endpoint.name, host=endpoint.host, port=endpoint.port)
