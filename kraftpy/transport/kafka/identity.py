"""Authenticate peers: check requests, and the servers we connect to, by the certificate of the connection.

With client authentication, a request in the name of a node is accepted from that node only:

* Vote, BeginQuorumEpoch, EndQuorumEpoch, UpdateRaftVoter: from a controller, in its own name.
* Fetch and FetchSnapshot with a replica id: from that controller or broker. A reader without an id is no replica.
* AddRaftVoter and RemoveRaftVoter: a node for itself only (it joins, or replaces its lost directory), and a client
  whose certificate names no node: an operator.
* Registrations and heartbeats: for the node's own id.

The server of a request must be the controller that the request is meant for; a bootstrap server must be any controller.

The response is CLUSTER_AUTHORIZATION_FAILED, as Kafka's for a peer without the ACL ``ClusterAction``.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Mapping
from typing import Final, cast

from kraftpy.authorizer.actions import Caller
from kraftpy.model.acls import AclOperation
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.identity import ANONYMOUS, NodeRole, Principal, principal_of
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.raft.messages import (
    AddRaftVoterRequest,
    AddRaftVoterResponse,
    BeginQuorumEpochRequest,
    BeginQuorumEpochResponse,
    DescribeQuorumRequest,
    DescribeQuorumResponse,
    EndQuorumEpochRequest,
    EndQuorumEpochResponse,
    FetchRequest,
    FetchResponse,
    FetchSnapshotRequest,
    FetchSnapshotResponse,
    RaftRequest,
    RaftResponse,
    RemoveRaftVoterRequest,
    RemoveRaftVoterResponse,
    UpdateRaftVoterRequest,
    UpdateRaftVoterResponse,
    VoteRequest,
    VoteResponse,
)
from kraftpy.transport.authorization import Authorization
from kraftpy.transport.identity import NodeIdentity

CONTROLLERS: Final = (NodeRole.CONTROLLER,)
REPLICAS: Final = (NodeRole.CONTROLLER, NodeRole.BROKER)

_UNSAID: Final = LeaderAndEpoch(None, 0)


class PeerIdentity(NodeIdentity):
    """Judges the requests that peers make, and the servers that requests go to."""

    def judge(self, request: RaftRequest, principal: Principal) -> RaftResponse | None:
        """Return the refusal of a request that its sender may not make, ``None`` when it may."""
        reasons = [self.why_not(principal, *claim) for claim in _claims(request, principal)]
        reason = next((one for one in reasons if one is not None), None)
        if reason is None:
            return None
        self.refused(f"{type(request).__name__}: {reason}")
        return refusal(request, reason)

    def is_server(self, principal: Principal, node_id: NodeId) -> bool:
        """Return whether a server is the controller that a request is for; a negative id means any controller."""
        reason = self.why_not(principal, None if node_id < 0 else node_id, CONTROLLERS)
        if reason is not None:
            self.refused(f"the server is not the one that was meant: {reason}")
        return reason is None


def principal_at(transport: asyncio.BaseTransport) -> Principal:
    """Read who is at the other end of a connection; a certificate that was not verified says nothing."""
    tls = transport.get_extra_info("ssl_object")
    return principal_in(None if tls is None else cast("ssl.SSLObject", tls).getpeercert())


def principal_in(certificate: Mapping[str, object] | None) -> Principal:
    """Return the principal of a verified certificate, in the form of ``getpeercert``; ``ANONYMOUS`` without one."""
    if not certificate:
        return ANONYMOUS
    subject = ",".join(f"{name}={value}" for rdn in _rows(certificate.get("subject")) for name, value in _rows(rdn))
    uris = [str(value) for kind, value in _rows(certificate.get("subjectAltName")) if kind == "URI"]
    return principal_of(subject, uris, distinguished_name(certificate.get("subject")))


SHORT_NAMES: Final = {
    "commonName": "CN",
    "countryName": "C",
    "localityName": "L",
    "stateOrProvinceName": "ST",
    "organizationName": "O",
    "organizationalUnitName": "OU",
    "streetAddress": "STREET",
    "domainComponent": "DC",
    "userId": "UID",
}
"""The attribute types that RFC 2253 abbreviates, by the names that OpenSSL gives them; others keep their names."""


def distinguished_name(subject: object) -> str:
    """Return a subject in the form of RFC 2253, the last part first, as Kafka names principals."""
    parts = [
        "+".join(f"{SHORT_NAMES.get(str(name), str(name))}={_escaped(str(value))}" for name, value in _rows(rdn))
        for rdn in _rows(subject)
    ]
    return ",".join(reversed(parts))


def _escaped(value: str) -> str:
    """Escape what separates the parts of a distinguished name. Source: RFC 2253, 2.4."""
    escaped = re.sub(r'([,+"\\<>;])', r"\\\1", value)
    if escaped[:1] in (" ", "#"):
        escaped = "\\" + escaped
    if len(value) > 1 and escaped.endswith(" "):
        escaped = escaped[:-1] + "\\ "
    return escaped


def _rows(value: object) -> tuple[tuple[object, object], ...]:
    """Name the shape that the standard library's types leave open."""
    return cast("tuple[tuple[object, object], ...]", value or ())


_Claim = tuple[NodeId, tuple[NodeRole, ...]]


def _claims(request: RaftRequest, principal: Principal) -> list[_Claim]:
    """Return the nodes in whose name a request is made, and as what; none for one that anybody may make."""
    match request:
        case VoteRequest():
            return [(request.candidate.node_id, CONTROLLERS)]
        case BeginQuorumEpochRequest() | EndQuorumEpochRequest():
            return [(request.leader_id, CONTROLLERS)]
        case UpdateRaftVoterRequest():
            return [(request.voter.node_id, CONTROLLERS)]
        case AddRaftVoterRequest() | RemoveRaftVoterRequest():
            is_operator = principal is not ANONYMOUS and not principal.is_meant_for_node
            return [] if is_operator else [(request.voter.node_id, CONTROLLERS)]
        case FetchRequest():
            replicas = (request.replica, request.on_probation)
            return [(replica.node_id, REPLICAS) for replica in replicas if replica is not None]
        case FetchSnapshotRequest():
            return [] if request.replica is None else [(request.replica.node_id, REPLICAS)]
        case _:
            return []


OPERATIONS: Final[Mapping[type, AclOperation]] = {
    VoteRequest: AclOperation.CLUSTER_ACTION,
    BeginQuorumEpochRequest: AclOperation.CLUSTER_ACTION,
    EndQuorumEpochRequest: AclOperation.CLUSTER_ACTION,
    FetchRequest: AclOperation.CLUSTER_ACTION,
    FetchSnapshotRequest: AclOperation.CLUSTER_ACTION,
    UpdateRaftVoterRequest: AclOperation.CLUSTER_ACTION,
    AddRaftVoterRequest: AclOperation.ALTER,
    RemoveRaftVoterRequest: AclOperation.ALTER,
    DescribeQuorumRequest: AclOperation.DESCRIBE,
}
"""What each request of Raft's needs on the cluster, where there is an authorizer."""


def denied(request: RaftRequest, caller: Caller, authorization: Authorization) -> RaftResponse | None:
    """Return the refusal of a request that its sender has no permission for, ``None`` when it has."""
    try:
        error = authorization.denial(caller, OPERATIONS[type(request)])
    except ApiError as not_loaded:
        error = not_loaded
    return None if error is None else refusal(request, error.message)


def refusal(request: RaftRequest, reason: str) -> RaftResponse:
    """Return the response that rejects a request with CLUSTER_AUTHORIZATION_FAILED."""
    error = ErrorCode.CLUSTER_AUTHORIZATION_FAILED
    match request:
        case AddRaftVoterRequest():
            return AddRaftVoterResponse(error=error, message=reason)
        case RemoveRaftVoterRequest():
            return RemoveRaftVoterResponse(error=error, message=reason)
        case VoteRequest():
            return VoteResponse(error=error, leader=_UNSAID)
        case BeginQuorumEpochRequest():
            return BeginQuorumEpochResponse(error=error, leader=_UNSAID)
        case EndQuorumEpochRequest():
            return EndQuorumEpochResponse(error=error, leader=_UNSAID)
        case FetchRequest():
            return FetchResponse(error=error, leader=_UNSAID)
        case FetchSnapshotRequest():
            return FetchSnapshotResponse(error=error, leader=_UNSAID)
        case UpdateRaftVoterRequest():
            return UpdateRaftVoterResponse(error=error, leader=_UNSAID)
        case DescribeQuorumRequest():
            return DescribeQuorumResponse(error=error, leader=_UNSAID)
        case _:
            raise AssertionError(request)  # no peer sends it
