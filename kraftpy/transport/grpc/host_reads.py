"""DescribeBrokerHosts; a part of ``reads``."""

from __future__ import annotations

from typing import Final

from kraftpy.image.image import MetadataImage
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.ids import NodeId
from kraftpy.pb.v1 import cluster_pb2
from kraftpy.transport.grpc.reads import CONFIGS_BYTES_MAX, FIELD_BYTES, in_slices, position, too_large
from kraftpy.transport.node_api import MetadataView

HOSTS_NAMED_MAX: Final = 10_000
"""How many hosts a request may name; without names it lists all."""


async def describe_broker_hosts(
    request: cluster_pb2.DescribeBrokerHostsRequest, view: MetadataView, bytes_max: int = CONFIGS_BYTES_MAX
) -> cluster_pb2.DescribeBrokerHostsResponse:
    """List the broker ids of hosts.

    Raises:
        ApiError: INVALID_REQUEST for more than HOSTS_NAMED_MAX hosts; POLICY_VIOLATION when the answer takes more than
            ``bytes_max`` (or CONFIGS_BYTES_MAX).
    """
    if len(request.hosts) > HOSTS_NAMED_MAX:
        raise ApiError(
            ErrorCode.INVALID_REQUEST, f"{len(request.hosts)} hosts are named, at most {HOSTS_NAMED_MAX} may be"
        )
    ids = view.image.broker_hosts.ids
    left = bytes_max = min(bytes_max, CONFIGS_BYTES_MAX)
    response = cluster_pb2.DescribeBrokerHostsResponse(position=position(view))
    async for host in in_slices(sorted(set(request.hosts).intersection(ids) if request.hosts else ids)):
        left -= FIELD_BYTES + len(host.encode())
        if left < 0:
            raise too_large(f"more than {bytes_max}", bytes_max)
        response.hosts.add(host=host, broker_id=ids[host], state=_state(view.image, ids[host]))
    return response


def _state(image: MetadataImage, broker_id: NodeId) -> cluster_pb2.BrokerHost.BrokerState:
    broker = image.cluster.brokers.get(broker_id)
    if broker is None:
        return cluster_pb2.BrokerHost.UNREGISTERED
    return cluster_pb2.BrokerHost.FENCED if broker.fenced else cluster_pb2.BrokerHost.ACTIVE
