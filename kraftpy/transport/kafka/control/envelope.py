"""Envelope: a broker forwards the request of a client, with the client's principal and address.

The request is handled as if that client had made it over this connection, and its response is sent back as bytes. The
sender of an Envelope can act as any client: with an authorizer that takes CLUSTER_ACTION, and where certificates name
nodes, the certificate of a broker.

The checks, in Kafka's order; their errors are the Envelope's own:

1. The sender's permission (CLUSTER_AUTHORIZATION_FAILED).
2. The principal can be read, and is not too long (PRINCIPAL_DESERIALIZATION_FAILURE).
3. The address has 4 or 16 bytes (INVALID_REQUEST).
4. The header of the request can be read (UNSUPPORTED_VERSION).
5. Its API may be forwarded (INVALID_REQUEST), and is offered in that version (UNSUPPORTED_VERSION).
6. Its body can be read (UNSUPPORTED_VERSION). Ours: it does not name more than the API's limit (INVALID_REQUEST).

A client of a broker has no certificate here. So where certificates name nodes and there is no authorizer, it cannot
change the voters; where there is one, it can with ALTER on the cluster, as any client.

Errors of the request itself are in its response. One is not: when this controller is not the active one, the Envelope
has NOT_CONTROLLER, so that the broker looks for another; the client could do nothing about it.

Source: Kafka ``EnvelopeUtils``, ``RequestChannel.buildResponseSend``; KIP-590.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from struct import Struct
from typing import Final

from kraftpy.authorizer.actions import Caller
from kraftpy.model.acls import AclOperation
from kraftpy.model.errors import ApiError, ErrorCode, MalformedError
from kraftpy.model.identity import PRINCIPAL_BYTES_MAX, NodeRole, Principal
from kraftpy.records.codec import Message, MessageStruct
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import body_start, client_id_of, encode_response
from kraftpy.transport.authorization import host_of
from kraftpy.transport.kafka.apis import ApiTable, WireRequest
from kraftpy.transport.kafka.items import COUNTED_BYTES_MIN, names_too_much
from kraftpy.transport.kafka.listener import KafkaListener
from kraftpy.transport.kafka.throttling import EXEMPT_KEYS, Throttling

FORWARDABLE: Final = frozenset({19, 20, 30, 31, 33, 37, 38, 39, 40, 43, 44, 45, 46, 49, 51, 55, 57, 64, 67, 80, 81})
"""The APIs that a broker may forward. Source: Kafka ``ApiKeys.forwardable``."""

DESCRIBE_QUORUM_KEY: Final = 55

PRINCIPAL_VERSION: Final = 0

_START: Final = Struct(">hhi")
_PRINCIPAL: Final = rpc.CODECS[rpc.DefaultPrincipalData, PRINCIPAL_VERSION]
_VERSION_BYTES: Final = 2


class Envelopes:
    """Handles the Envelopes of one listener."""

    def __init__(self, listener: KafkaListener) -> None:
        self._apis: ApiTable = listener.apis
        self._identity = listener.identity
        self._authorization = listener.authorization
        self._throttling = listener.throttling

    def handle(self, request: WireRequest) -> Message | None:
        """Handle the request inside; its response comes later."""
        message: rpc.EnvelopeRequest = request.message
        try:
            self._check_sender(request)
            caller = read_caller(message)
            forwarded, handle = self._open(request, message.request_data, caller)
            answer = handle(forwarded)
        except ApiError as refused:
            return rpc.EnvelopeResponse(error_code=refused.code)
        # What the core answers is abandoned with the connection, by the token.
        request.token = forwarded.token
        if answer is not None:
            forwarded.answer(answer)
        return None

    def _check_sender(self, request: WireRequest) -> None:
        """Reject the Envelope of a sender that may not speak for clients.

        Raises:
            ApiError: CLUSTER_AUTHORIZATION_FAILED, OFFSET_NOT_AVAILABLE.
        """
        if self._identity is not None:
            reason = self._identity.why_not(request.principal, None, (NodeRole.BROKER,))
            if reason is not None:
                self._identity.refused(f"Envelope: {reason}")
                raise ApiError(ErrorCode.CLUSTER_AUTHORIZATION_FAILED, reason)
        if self._authorization is not None:
            self._authorization.require(request.caller, AclOperation.CLUSTER_ACTION)

    def _open(
        self, request: WireRequest, data: bytes, caller: Caller
    ) -> tuple[WireRequest, Callable[[WireRequest], Message | None]]:
        """Return the request inside, and what handles it.

        Raises:
            ApiError: UNSUPPORTED_VERSION, INVALID_REQUEST.
        """
        if len(data) < _START.size:
            raise ApiError(ErrorCode.UNSUPPORTED_VERSION, f"The request in the Envelope has {len(data)} bytes.")
        api_key, version, correlation_id = _START.unpack_from(data)
        if api_key not in FORWARDABLE:
            raise ApiError(ErrorCode.INVALID_REQUEST, f"The API {api_key} is not eligible for forwarding.")
        route = self._apis.find(api_key, version)
        if route is None:
            raise ApiError(ErrorCode.UNSUPPORTED_VERSION, f"The API {api_key} is not offered in version {version}.")
        try:
            body = route.decode(data, body_start(data, is_flexible=route.is_flexible))
        except MalformedError as error:
            text = f"The request in the Envelope cannot be read: {error}"
            raise ApiError(ErrorCode.UNSUPPORTED_VERSION, text) from error
        if len(data) >= COUNTED_BYTES_MIN and names_too_much(body, route.items_max):
            raise ApiError(ErrorCode.INVALID_REQUEST, f"The request names more than {route.items_max} items.")
        # Without an authorizer only operators change the voters, by their certificates; a broker's client has none.
        row = ForwardedRow(
            request, caller, may_be_operator=self._authorization is not None, throttling=self._throttling
        )
        forwarded = WireRequest(
            row, api_key, version, correlation_id, body, len(data), caller, client_id_of(data), request.meter
        )
        return forwarded, route.handle


class ForwardedRow:
    """Where the response to a forwarded request goes: into the Envelope's own."""

    def __init__(
        self, envelope: WireRequest, caller: Caller, *, may_be_operator: bool, throttling: Throttling | None
    ) -> None:
        self._envelope = envelope
        self._throttling = throttling
        self.principal = Principal(caller.principal, is_meant_for_node=not may_be_operator, name=caller.principal)
        self.address = caller.host
        self.software = envelope.row.software

    def complete(self, request: WireRequest, message: Message) -> None:
        """Send the response, unless another controller has to answer.

        The client is charged for it, not the broker that forwarded its request.
        """
        if has_error(message, _elsewhere(request.api_key)):
            self._envelope.answer(rpc.EnvelopeResponse(error_code=ErrorCode.NOT_CONTROLLER))
            return
        self._envelope.answer_made(lambda: self._made(request, message))

    def _made(self, request: WireRequest, message: Message) -> rpc.EnvelopeResponse:
        if self._throttling is not None and request.api_key not in EXEMPT_KEYS:
            self._throttling.charge(request, message)
        return rpc.EnvelopeResponse(response_data=encode_response(request.correlation_id, message, request.version))

    def break_off(self, request: WireRequest, error: Exception) -> None:
        """Close the connection because handling the request raised an unexpected error, and record that."""
        del request
        self._envelope.break_off(error)

    def fail(self, reason: str) -> None:
        """End the connection."""
        self._envelope.drop(reason)


def read_caller(message: rpc.EnvelopeRequest) -> Caller:
    """Read who made the request that a broker forwards.

    Raises:
        ApiError: PRINCIPAL_DESERIALIZATION_FAILURE, INVALID_REQUEST.
    """
    data = message.request_principal
    try:
        if data is None or int.from_bytes(data[:_VERSION_BYTES], "big", signed=True) != PRINCIPAL_VERSION:
            raise MalformedError("it has no version, or an unknown one")
        if len(data) > PRINCIPAL_BYTES_MAX:
            raise MalformedError(f"it has {len(data)} bytes, at most {PRINCIPAL_BYTES_MAX} are allowed")
        principal: rpc.DefaultPrincipalData = _PRINCIPAL[0](data, _VERSION_BYTES)
    except MalformedError as error:
        text = f"The principal in the Envelope cannot be read: {error}"
        raise ApiError(ErrorCode.PRINCIPAL_DESERIALIZATION_FAILURE, text) from error
    try:
        address = str(ipaddress.ip_address(message.client_host_address))
    except ValueError as error:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"The client's address in the Envelope is wrong: {error}") from error
    return Caller(
        f"{principal.type}:{principal.name}",
        host_of(address),
        is_forwarded=True,
        is_token_authenticated=principal.token_authenticated,
    )


def has_error(message: object, code: int) -> bool:
    """Return whether a response has an error code anywhere in it."""
    for name in getattr(message, "__slots__", ()):
        value = getattr(message, name)
        if name == "error_code":
            if value == code:
                return True
        elif _holds_structs(value) and any(has_error(item, code) for item in value):
            return True
    return False


def _holds_structs(value: object) -> bool:
    """Return whether a field is a list of structs; numbers and texts, such as replicas, hold no errors."""
    return isinstance(value, list) and bool(value) and isinstance(value[0], MessageStruct)


def _elsewhere(api_key: int) -> ErrorCode:
    """Return the error by which a response says that another controller has to answer."""
    return ErrorCode.NOT_LEADER_OR_FOLLOWER if api_key == DESCRIBE_QUORUM_KEY else ErrorCode.NOT_CONTROLLER
