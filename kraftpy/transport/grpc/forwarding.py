"""Forward unary calls to the active controller, and do those that other nodes forward to this one.

On a node that does not lead, :class:`Forwarding` sends a call that only the active controller can answer to that
controller's public API, with the name and the address of the client. What it answers, or why it refuses, is the call's
answer here. Where the call cannot be forwarded, nothing was done, and this node answers it itself: with NOT_CONTROLLER
and the leader's address. So it does where the client asks for that, with the metadata :data:`NO_FORWARD`.

On the leader, :class:`ForwardingService` does the call as that client. A sender that may do that can act as any
client, so the rules are those of Kafka's Envelope: CLUSTER_ACTION where there is an authorizer, and the certificate of
a node where certificates name nodes. Where nothing distinguishes nodes from clients, only the calls of anonymous
clients are done.

A call takes one step at most: what is forwarded is done by the services themselves, which forward nothing. A node of a
version without ForwardingService answers UNIMPLEMENTED: it can never take a client's call for the node's own.

Source: Kafka ``ForwardingManager``, ``EnvelopeUtils``; KIP-590.
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple, NoReturn, Protocol, TypeAlias

import grpc

from kraftpy.authorizer.actions import Caller
from kraftpy.model.errors import ApiError, BusyError, ErrorCode
from kraftpy.model.escaping import shortened
from kraftpy.model.identity import ANONYMOUS_NAME, PRINCIPAL_BYTES_MAX, NodeRole, Principal
from kraftpy.model.voters import Endpoint
from kraftpy.pb.v1 import common_pb2, errors_pb2, quorum_pb2
from kraftpy.pb.v1 import forwarding_pb2 as pb
from kraftpy.records.codec import read_uvarint
from kraftpy.tracing.spans import CURRENT_SPAN
from kraftpy.transport.authorization import Authorization, host_of
from kraftpy.transport.grpc.errors import DETAILS_KEY, abort, detail_in, detail_of
from kraftpy.transport.grpc.identity import CLIENT_ID, ForwardedContext, caller_at, client_id_at, principal_at
from kraftpy.transport.grpc.writes import BY_REQUEST
from kraftpy.transport.identity import NodeIdentity
from kraftpy.transport.limits import LimitUse
from kraftpy.transport.node_api import LeaderHint, NodeApi, OutcomeUnknownError, ReadAt

LOG: Final = logging.getLogger("kraftpy.transport.grpc")

NO_FORWARD: Final = "kraftpy-no-forward"
"""The metadata key by which a client asks for the leader's address in place of a forwarded call; any value."""

THROTTLE_KEY: Final = "throttle-time-ms"
"""The key of a unary call's trailing metadata with the ThrottleTimeMs of its response, where there is one."""

FORWARDED_CALLS_MAX: Final = 256
"""How many calls a node forwards at a time; a further one is answered with the leader's address."""

FORWARD_MAX_S: Final = 30.0
"""How long a forwarded call may take whose client sets no earlier deadline."""

HOST_CHARACTERS_MAX: Final = 64
"""How long the client's address may be that a node names; that of an IPv6 address in full has 45 characters."""

LINEARIZABLE: Final = common_pb2.ReadOptions.LINEARIZABLE

_OF_LEADER: Final = frozenset({*BY_REQUEST, quorum_pb2.TransferLeadershipRequest, quorum_pb2.DescribeQuorumRequest})
"""The requests that only the active controller answers, however they are asked."""

_MAY_CHANGE: Final = frozenset({*BY_REQUEST, quorum_pb2.TransferLeadershipRequest})
"""The requests that may have been done when their answer is lost."""

Behavior: TypeAlias = Callable[[Any, Any], Awaitable[Any]]
Metadata: TypeAlias = tuple[tuple[str, str], ...]


class NotForwardedError(Exception):
    """The leader was not asked, or refused to be asked: nothing was done."""


class LostAnswerError(Exception):
    """The leader was asked, and the connection broke before it answered."""


class LeaderCalls(Protocol):
    """The connection to the leader; ``node.leader_calls`` satisfies it."""

    async def call(self, endpoint: Endpoint, request: bytes, timeout_s: float, metadata: Metadata) -> bytes:
        """Call ForwardingService.Forward, with its messages as bytes.

        Raises:
            NotForwardedError: nothing was done.
            LostAnswerError: it may have been done.
            TimeoutError: there was no answer in time; it may have been done.
        """
        ...

    async def close(self) -> None:
        """Close the connection; calls in flight fail."""
        ...


class Forwarding:
    """Forwards the calls of one node.

    Args:
        backend: the node.
        calls: the connection to the leader.
        authorization: names callers, if given.
        message_bytes_max: the largest message that the leader takes: as large as here.
    """

    def __init__(
        self, backend: NodeApi, calls: LeaderCalls, authorization: Authorization | None, message_bytes_max: int
    ) -> None:
        self._message_bytes_max = message_bytes_max
        self._backend = backend
        self._calls = calls
        self._authorization = authorization
        self._under_way = 0
        self._refused = 0

    def limit_use(self) -> LimitUse:
        """Say how many calls are being forwarded."""
        return LimitUse("forwarded calls", self._under_way, FORWARDED_CALLS_MAX, self._refused)

    def wrap(self, method: str, behavior: Behavior) -> Behavior:
        """Return what forwards the calls of a method that the active controller has to answer, and does the others."""

        async def forward_or_do(request: Any, context: Any) -> Any:
            leader = self._leader_for(request, context)
            answer = None if leader is None else await self._forward(leader, method, request, context)
            return await behavior(request, context) if answer is None else answer

        return forward_or_do

    def _leader_for(self, request: Any, context: Any) -> LeaderHint | None:
        """Return the node that has to answer a call; ``None`` when it is this one, or unknown."""
        if not _is_for_leader(request) or any(key == NO_FORWARD for key, _ in context.invocation_metadata() or ()):
            return None
        leader = self._backend.leader_hint()
        # A leader says how many answers it has given.
        return None if leader is None or leader.sequence is not None or leader.endpoint is None else leader

    async def _forward(self, leader: LeaderHint, method: str, request: Any, context: Any) -> bytes | None:
        """Return the leader's answer, encoded; ``None`` when the call was not forwarded. A refusal ends the call."""
        wrapped = self._wrapped(method, request, context)
        if wrapped is None:
            return None
        if self._under_way >= FORWARDED_CALLS_MAX:
            self._refused += 1
            return None
        left_s = context.time_remaining()
        timeout_s = FORWARD_MAX_S if left_s is None else min(left_s, FORWARD_MAX_S)
        deadline_ms = self._backend.now_ms() + round(1_000 * timeout_s)
        assert leader.endpoint is not None, "chosen so"
        self._under_way += 1
        try:
            response = await self._calls.call(leader.endpoint, wrapped, timeout_s, _trace())
        except NotForwardedError as error:
            LOG.debug("call_not_forwarded method=%s leader=%d reason=%s", method, leader.node_id, error)
            return None
        except LostAnswerError as error:
            if type(request) not in _MAY_CHANGE:
                return None
            await self._abort_unknown(leader, f"node {leader.node_id} was asked, and did not answer: {error}", context)
        except TimeoutError as error:
            detail = detail_of(error, leader, is_write=type(request) in _MAY_CHANGE)
            await abort(context, detail)
        finally:
            self._under_way -= 1
        answer = await self._answered(leader, pb.ForwardResponse.FromString(response), context)
        if type(request) not in _OF_LEADER:
            await self._catch_up(leader, answer, deadline_ms - self._backend.now_ms(), context)
        return answer

    async def _catch_up(self, leader: LeaderHint, answer: bytes, wait_ms: int, context: Any) -> None:
        """Wait until this node has the state that the leader showed: what it shows later is never older."""
        at = ReadAt(min_offset=_offset_shown(answer), wait_ms=max(0, wait_ms))
        try:
            await self._backend.view_at(at)
        except (ApiError, BusyError) as error:
            await abort(context, detail_of(error, leader))

    async def _answered(self, leader: LeaderHint, response: pb.ForwardResponse, context: Any) -> bytes:
        outcome = response.WhichOneof("outcome")
        if outcome == "error":
            await abort(context, response.error)
        if outcome is None:
            await self._abort_unknown(leader, f"node {leader.node_id} answered neither yes nor no", context)
        if response.throttle_time_ms:
            context.set_trailing_metadata(((THROTTLE_KEY, str(response.throttle_time_ms)),))
        return response.response

    async def _abort_unknown(self, leader: LeaderHint, text: str, context: Any) -> NoReturn:
        await abort(context, detail_of(OutcomeUnknownError(text), leader))

    def _wrapped(self, method: str, request: Any, context: Any) -> bytes | None:
        """Return a call with the client that made it, encoded.

        ``None`` when no name of that client may be handed on, or it would be too large with it.
        """
        caller = caller_at(context)
        name = caller.principal if self._authorization is None else self._authorization.name_of(caller)
        client_id = client_id_at(context)
        if name is None or max(len(name.encode()), len(client_id.encode())) > PRINCIPAL_BYTES_MAX:
            return None
        wrapped = pb.ForwardRequest(
            method=method,
            request=request.SerializeToString(),
            principal=name,
            host=caller.host,
            is_by_sasl=caller.is_by_sasl,
            is_token_authenticated=caller.is_token_authenticated,
            client_id=client_id,
        ).SerializeToString()
        return wrapped if len(wrapped) <= self._message_bytes_max else None


def _offset_shown(answer: bytes) -> int:
    """Return the offset of the state that a read was answered from: ``position``, field 1 of every response."""
    if not answer.startswith(b"\x0a"):
        return 0
    size, at = read_uvarint(answer, 1)
    return common_pb2.ReadPosition.FromString(answer[at : at + size]).offset


def _trace() -> Metadata:
    """Return the metadata by which the leader's span belongs to the one of this call."""
    span = CURRENT_SPAN.get()
    context = None if span is None else span.context
    return () if context is None else context.metadata


def _is_for_leader(request: Any) -> bool:
    """Return whether only the active controller can answer a request."""
    if type(request) in _OF_LEADER:
        return True
    return "read" in request.DESCRIPTOR.fields_by_name and request.read.consistency == LINEARIZABLE


class ForwardedMethod(NamedTuple):
    """How a method is done for a client of another node.

    Attributes:
        decode: makes its request of bytes, or a refusal.
        behavior: does it; never forwards.
        encode: makes bytes of its answer.
    """

    decode: Callable[[bytes], Any]
    behavior: Behavior
    encode: Callable[[Any], bytes]


class ForwardingService:
    """Does calls that other nodes forward.

    Args:
        methods: those that may be forwarded, by full name.
        identity: compares nodes with their certificates, if given.
        has_authorizer: whether the sender's permission was checked.
    """

    def __init__(
        self, methods: Mapping[str, ForwardedMethod], identity: NodeIdentity | None, *, has_authorizer: bool
    ) -> None:
        self._methods = methods
        self._identity = identity
        self._has_authorizer = has_authorizer

    async def forward(self, request: pb.ForwardRequest, context: Any) -> pb.ForwardResponse:
        """Do one call as the client that made it."""
        try:
            caller = self._caller(request, context)
            method = self._methods.get(request.method)
            if method is None:
                text = f"{shortened(request.method, 200)!r} is no method that is forwarded"
                raise ApiError(ErrorCode.INVALID_REQUEST, text)
        except ApiError as refused:
            await abort(context, detail_of(refused, None))
        forwarded = CallOfClient(context, caller, request.client_id)
        try:
            answer = method.encode(await method.behavior(method.decode(request.request), forwarded))
        except _RefusedError as refused:
            return pb.ForwardResponse(error=refused.detail)
        return pb.ForwardResponse(response=answer, throttle_time_ms=forwarded.throttle_time_ms)

    def _caller(self, request: pb.ForwardRequest, context: Any) -> Caller:
        """Return the client, if the sender may speak for it.

        Raises:
            ApiError: CLUSTER_AUTHORIZATION_FAILED, INVALID_REQUEST.
        """
        if self._identity is not None:
            reason = self._identity.why_not(principal_at(context), None, (NodeRole.CONTROLLER, NodeRole.BROKER))
            if reason is not None:
                self._identity.refused(f"Forward: {reason}")
                raise ApiError(ErrorCode.CLUSTER_AUTHORIZATION_FAILED, reason)
        elif not self._has_authorizer and (request.principal != ANONYMOUS_NAME or request.is_by_sasl):
            text = (
                "nothing here distinguishes a node from a client, so none speaks for another: set "
                "authorizer.class.name, or demand certificates that name nodes (ssl.client.auth=required)"
            )
            raise ApiError(ErrorCode.CLUSTER_AUTHORIZATION_FAILED, text)
        if max(len(request.principal.encode()), len(request.client_id.encode())) > PRINCIPAL_BYTES_MAX:
            text = f"principal and client_id may have {PRINCIPAL_BYTES_MAX} bytes each"
            raise ApiError(ErrorCode.INVALID_REQUEST, text)
        return Caller(
            request.principal,
            _host_in(request),
            is_forwarded=True,
            is_token_authenticated=request.is_token_authenticated,
            is_by_sasl=request.is_by_sasl,
            is_by_node=True,
        )


def _host_in(request: pb.ForwardRequest) -> str:
    """Return the client's address, as an authorizer is asked.

    Raises:
        ApiError: INVALID_REQUEST.
    """
    try:
        if len(request.host) > HOST_CHARACTERS_MAX:
            raise ValueError("too long")
        return host_of(str(ipaddress.ip_address(request.host)))
    except ValueError as error:
        text = f"host {shortened(request.host, HOST_CHARACTERS_MAX)!r} is no IP address"
        raise ApiError(ErrorCode.INVALID_REQUEST, text) from error


class _RefusedError(Exception):
    """A forwarded call was refused."""

    def __init__(self, detail: errors_pb2.ErrorDetail) -> None:
        super().__init__(detail.message)
        self.detail = detail


class CallOfClient(ForwardedContext):
    """The context of a call that another node forwards: its client is that node's, its deadline the Forward's.

    Attributes:
        throttle_time_ms: how long the client is to wait.
    """

    def __init__(self, context: Any, caller: Caller, client_id: str) -> None:
        # It shows no certificate: what nodes report about themselves is not forwarded.
        super().__init__(caller, Principal(caller.principal, name=caller.principal))
        self._context = context
        self._client_id = client_id
        self.throttle_time_ms = 0

    def time_remaining(self) -> float | None:
        """Return how much of the deadline is left (s)."""
        left_s: float | None = self._context.time_remaining()
        return left_s

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        """Return the client's metadata that services read."""
        return ((CLIENT_ID, self._client_id),)

    def set_trailing_metadata(self, metadata: tuple[tuple[str, str], ...]) -> None:
        """Take what is sent beside an answer."""
        self.throttle_time_ms = int(dict(metadata).get(THROTTLE_KEY, 0))

    async def abort(self, code: grpc.StatusCode, text: str, metadata: tuple[tuple[str, bytes], ...]) -> NoReturn:
        """End the call, by its detail alone: the node that forwarded it makes the status of that again."""
        del code, text
        raise _RefusedError(detail_in(dict(metadata)[DETAILS_KEY]))
