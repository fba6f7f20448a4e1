"""What each read of the public API needs, where there is an authorizer; writes are in ``transport.authorization``.

A description of the whole cluster needs DESCRIBE on the cluster. Configs are described to callers that may see those of
each resource that is named, delegation tokens to their owners. Topics are described to callers that may describe each
of them, as in Kafka, where a permission on the cluster shows no topic: a list leaves the others out, and a call that
names one is rejected. A copy of the log needs CLUSTER_ACTION, as a broker's Fetch does, because it holds everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from kraftpy.authorizer.actions import AclResource, Caller
from kraftpy.controller.requests import ConfigResource
from kraftpy.model.acls import AclOperation, AclResourceType
from kraftpy.model.identity import ANONYMOUS_NAME
from kraftpy.pb.v1 import cluster_pb2, forwarding_pb2, quorum_pb2
from kraftpy.transport.authorization import Authorization, configured

OPERATIONS: Final[Mapping[type, AclOperation]] = {
    cluster_pb2.DescribeClusterRequest: AclOperation.DESCRIBE,
    cluster_pb2.DescribeFeaturesRequest: AclOperation.DESCRIBE,
    cluster_pb2.DescribeConfigsRequest: AclOperation.DESCRIBE_CONFIGS,
    cluster_pb2.DescribeTopicsRequest: AclOperation.DESCRIBE,
    cluster_pb2.ListPartitionReassignmentsRequest: AclOperation.DESCRIBE,
    cluster_pb2.DescribeClientQuotasRequest: AclOperation.DESCRIBE_CONFIGS,
    cluster_pb2.DescribeUserScramCredentialsRequest: AclOperation.DESCRIBE,
    cluster_pb2.DescribeAclsRequest: AclOperation.DESCRIBE,
    cluster_pb2.DescribeBrokerHostsRequest: AclOperation.DESCRIBE,
    cluster_pb2.DescribeDelegationTokensRequest: AclOperation.DESCRIBE,
    cluster_pb2.DescribeLogDirsRequest: AclOperation.DESCRIBE,
    cluster_pb2.GetImageRequest: AclOperation.CLUSTER_ACTION,
    cluster_pb2.WatchRequest: AclOperation.CLUSTER_ACTION,
    quorum_pb2.DescribeQuorumRequest: AclOperation.DESCRIBE,
    quorum_pb2.TransferLeadershipRequest: AclOperation.ALTER,
    forwarding_pb2.ForwardRequest: AclOperation.CLUSTER_ACTION,
}
"""What a call needs on the cluster, or on each resource that it names."""


def check_call(authorization: Authorization, request: Any, caller: Caller) -> None:
    """Reject a call that is no write, and that its caller may not make.

    Raises:
        ApiError: CLUSTER_AUTHORIZATION_FAILED or that of another type of resource; OFFSET_NOT_AVAILABLE, when the
            entries are not loaded.
    """
    if isinstance(request, cluster_pb2.DescribeDelegationTokensRequest) and request.owners:
        _check_owners(authorization, request.owners, caller)
        return
    operation = OPERATIONS[type(request)]
    named = _named(request)
    for resource in named:
        authorization.require(caller, operation, resource)
    if not named and not isinstance(request, cluster_pb2.DescribeTopicsRequest):
        authorization.require(caller, operation)


def visible_topics(authorization: Authorization | None, caller: Caller) -> Callable[[str], bool]:
    """Return what decides whether a list of topics shows one to a caller. Source: Kafka ``filterByAuthorized``.

    Raises:
        ApiError: by what is returned: OFFSET_NOT_AVAILABLE, when the entries are not loaded.
    """
    if authorization is None:
        return lambda _: True
    return lambda name: authorization.allows(caller, AclOperation.DESCRIBE, AclResource(AclResourceType.TOPIC, name))


def _check_owners(authorization: Authorization, owners: Iterable[str], caller: Caller) -> None:
    """Reject a caller that may not see the tokens of each of these owners; its own it may. Source: KIP-373."""
    if authorization.allows(caller, AclOperation.DESCRIBE):
        return
    own = {authorization.name_of(caller)} - {ANONYMOUS_NAME}
    for owner in owners:
        if owner not in own:
            authorization.require(caller, AclOperation.DESCRIBE_TOKENS, AclResource(AclResourceType.USER, owner))


def _named(request: Any) -> list[AclResource]:
    """Return the resources that a request names; none when it is about the cluster."""
    if isinstance(request, cluster_pb2.DescribeConfigsRequest):
        return [configured(ConfigResource(each.type, each.name)) for each in request.resources]
    if isinstance(request, cluster_pb2.DescribeTopicsRequest):
        return [AclResource(AclResourceType.TOPIC, name) for name in request.names]
    return []
