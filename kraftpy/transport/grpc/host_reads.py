"""DescribeBrokerHosts, a page at a time; a part of ``reads``."""

from __future__ import annotations

from typing import Final

from kraftpy.image.image import MetadataImage
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.ids import NodeId
from kraftpy.pb.v1 import cluster_pb2
from kraftpy.transport.grpc.orders import KeyList, Orders, hosts_of
from kraftpy.transport.grpc.pages import Page, fill
from kraftpy.transport.grpc.reads import position
from kraftpy.transport.node_api import MetadataView

HOSTS_NAMED_MAX: Final = 10_000
"""How many hosts a request may name; without names it lists all."""


def lists_of_hosts(_: cluster_pb2.DescribeBrokerHostsRequest, view: MetadataView) -> list[KeyList]:
    """Return which lists a request needs in order."""
    return [hosts_of(view.image)]


def describe_broker_hosts(
    request: cluster_pb2.DescribeBrokerHostsRequest, view: MetadataView, orders: Orders, answer_bytes_max: int
) -> cluster_pb2.DescribeBrokerHostsResponse:
    """List the broker ids of hosts.

    Raises:
        ApiError: INVALID_REQUEST for more than HOSTS_NAMED_MAX hosts and for a wrong token.
    """
    if len(request.hosts) > HOSTS_NAMED_MAX:
        raise ApiError(
            ErrorCode.INVALID_REQUEST, f"{len(request.hosts)} hosts are named, at most {HOSTS_NAMED_MAX} may be"
        )
    page = Page(request, 1, answer_bytes_max)
    response = cluster_pb2.DescribeBrokerHostsResponse(position=position(view))
    after = None if page.after is None else page.after[0]
    ids = view.image.broker_hosts.ids
    if request.hosts:
        hosts = iter(sorted(host for host in set(request.hosts) if host in ids and (after is None or host > after)))
    else:
        hosts = orders.of(hosts_of(view.image)).above(after)
    found = ((host, _host(view.image, host, ids[host])) for host in hosts)
    fill(page, response, found, response.hosts.append, lambda host: (host,))
    return response


def _host(image: MetadataImage, host: str, broker_id: NodeId) -> cluster_pb2.BrokerHost:
    return cluster_pb2.BrokerHost(host=host, broker_id=broker_id, state=_state(image, broker_id))


def _state(image: MetadataImage, broker_id: NodeId) -> cluster_pb2.BrokerHost.BrokerState:
    broker = image.cluster.brokers.get(broker_id)
    if broker is None:
        return cluster_pb2.BrokerHost.UNREGISTERED
    return cluster_pb2.BrokerHost.FENCED if broker.fenced else cluster_pb2.BrokerHost.ACTIVE
