"""From service descriptors to gRPC handlers, so that no stubs have to be generated and kept.

A servicer is any object with a coroutine per method, named in snake_case; a method whose answer is a stream takes the
context and writes to it. Unary calls are counted (:mod:`~kraftpy.transport.grpc.unary_calls`) from before their bytes
are decoded until their answer has left. Bytes that are no message of the method are refused here; in a stream of
messages the servicer finds the refusal in place of the message. An answer may be encoded already. What is missing fails
when the server is built, not when it is called.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

import grpc
from google.protobuf import message_factory
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor

from kraftpy.model.acls import AclOperation
from kraftpy.model.errors import ApiError
from kraftpy.pb.v1 import admin_pb2, forwarding_pb2, node_pb2
from kraftpy.tracing.spans import Tracing
from kraftpy.transport.authorization import Authorization
from kraftpy.transport.grpc.elements import BytesLimit, decoder
from kraftpy.transport.grpc.errors import abort, detail_of
from kraftpy.transport.grpc.forwarding import ForwardedMethod, Forwarding
from kraftpy.transport.grpc.identity import caller_at
from kraftpy.transport.grpc.permissions import OPERATIONS, check_call
from kraftpy.transport.grpc.sasl_sessions import SESSION, SaslSession, SaslSessions
from kraftpy.transport.grpc.tracing import traced
from kraftpy.transport.grpc.unary_calls import UnaryCalls
from kraftpy.transport.grpc.writes import BY_REQUEST

OnEnded: TypeAlias = Callable[[str, str, float | None], None]
"""Takes a method, the name of the status with which a call of it ended, and the time to its answer (s) if measured."""

_STATUSES: Final = {known: status for status in grpc.StatusCode for known in (status.value[0], status)}
"""A context has the number of what it was ended with, or the status."""

_WRITE_METHODS: Final = frozenset(
    f"{service.full_name}/{method.name}"
    for module in (admin_pb2, node_pb2)
    for service in module.DESCRIPTOR.services_by_name.values()
    for method in service.methods
    if message_factory.GetMessageClass(method.input_type) in BY_REQUEST
)
"""The full names of the methods that write."""


def handlers(
    service: ServiceDescriptor,
    servicer: object,
    calls: UnaryCalls,
    authorization: Authorization | None = None,
    sessions: SaslSessions | None = None,
    bytes_limit: BytesLimit | None = None,
    on_ended: OnEnded = lambda _method, _status, _took_s: None,
    forwarding: Forwarding | None = None,
    tracing: Tracing | None = None,
) -> grpc.GenericRpcHandler[Any, Any]:
    """Make the handlers of one service.

    Args:
        service: its descriptor.
        servicer: what handles its calls.
        calls: counts unary calls.
        authorization: decides which calls a caller may make, if given.
        sessions: of callers that SASL authenticated, if they have to be; a call without one is refused unread.
        bytes_limit: of a message of the client, where less than the port's is enough.
        on_ended: called for each call that ended.
        forwarding: forwards calls that the active controller has to answer, if given.
        tracing: makes a span for each unary call, if given.

    Raises:
        AttributeError: when the servicer lacks a method.
        KeyError: when a method is no write, and has no row in ``permissions.OPERATIONS``.
    """
    rows = {
        method.name: _handler(
            method,
            getattr(servicer, _snake_case(method.name)),
            calls,
            authorization,
            bytes_limit,
            on_ended,
            forwarding,
            tracing,
        )
        for method in service.methods
    }
    made = grpc.method_handlers_generic_handler(service.full_name, rows)
    return made if sessions is None else _SessionHandlers(made, sessions)


class _SessionHandlers(grpc.GenericRpcHandler):  # type: ignore[type-arg] # it takes none at run time
    """The handlers of a service whose callers SASL has to authenticate.

    They are asked when a call's metadata is there, before gRPC reads its message: a stranger's are never read.
    """

    def __init__(self, handlers_: grpc.GenericRpcHandler[Any, Any], sessions: SaslSessions) -> None:
        self._handlers = handlers_
        self._sessions = sessions

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any] | None:
        """Return the handler of a call, bound to its session, or what refuses it."""
        handler = self._handlers.service(handler_call_details)
        if handler is None:
            return None
        session = self._sessions.find(handler_call_details.invocation_metadata)
        if isinstance(session, ApiError):
            return grpc.stream_stream_rpc_method_handler(_ending_with(session))
        return _in_session(handler, session)


def _ending_with(refusal: ApiError) -> Callable[..., Any]:
    async def refuse(_: object, context: Any) -> None:
        await abort(context, detail_of(refusal, None))

    return refuse


def _in_session(handler: grpc.RpcMethodHandler[Any, Any], session: SaslSession) -> grpc.RpcMethodHandler[Any, Any]:
    """Bind a handler to the session of its call."""
    if not handler.response_streaming:
        behavior: Any = handler.unary_unary

        async def do(request: Any, context: Any) -> Any:
            SESSION.set(session)
            doing = behavior(request, context)
            del request
            return await doing

        return grpc.unary_unary_rpc_method_handler(do)
    streaming: Any = handler.stream_stream if handler.request_streaming else handler.unary_stream

    async def do_stream(request: Any, context: Any) -> None:
        SESSION.set(session)
        doing = streaming(request, context)
        del request
        with session.streaming():
            await doing

    make: Any = (
        grpc.stream_stream_rpc_method_handler if handler.request_streaming else grpc.unary_stream_rpc_method_handler
    )
    bound: grpc.RpcMethodHandler[Any, Any] = make(
        do_stream,
        request_deserializer=handler.request_deserializer,
        response_serializer=handler.response_serializer,
    )
    return bound


def _handler(
    method: MethodDescriptor,
    behavior: Callable[..., Any],
    calls: UnaryCalls,
    authorization: Authorization | None,
    bytes_limit: BytesLimit | None,
    on_ended: OnEnded,
    forwarding: Forwarding | None,
    tracing: Tracing | None,
) -> grpc.RpcMethodHandler[Any, Any]:
    name = f"{method.containing_service.name}.{method.name}"
    request_class: Any = message_factory.GetMessageClass(method.input_type)
    decode = decoder(method.input_type, request_class.FromString, bytes_limit)
    encode = _encoder(method)
    if not method.client_streaming and request_class not in BY_REQUEST:
        behavior = _authorized(behavior, OPERATIONS[request_class], authorization)
    if not method.server_streaming:
        if forwarding is not None:
            behavior = forwarding.wrap(_full_name(method), behavior)
        behavior = _refusing(behavior)
        if tracing is not None:
            behavior = traced(method.name, behavior, tracing)
        counted = _counted(behavior, decode, encode, calls)
        return grpc.unary_unary_rpc_method_handler(_measured(name, _keeping_nothing(counted), on_ended, is_timed=True))
    make: Any = (
        grpc.stream_stream_rpc_method_handler if method.client_streaming else grpc.unary_stream_rpc_method_handler
    )
    stream = _keeping_nothing(behavior if method.client_streaming else _refusing(behavior))
    handler: grpc.RpcMethodHandler[Any, Any] = make(
        _measured(name, stream, on_ended, is_timed=False),
        request_deserializer=decode,
        response_serializer=encode,
    )
    return handler


def forwarded_methods(
    service: ServiceDescriptor, servicer: object, authorization: Authorization | None
) -> Iterator[tuple[str, ForwardedMethod]]:
    """Yield each unary method of a service with its full name, as it is done for a client of another node."""
    for method in service.methods:
        if method.server_streaming:
            continue
        request_class: Any = message_factory.GetMessageClass(method.input_type)
        behavior = getattr(servicer, _snake_case(method.name))
        if request_class not in BY_REQUEST:
            behavior = _authorized(behavior, OPERATIONS[request_class], authorization)
        decode = decoder(method.input_type, request_class.FromString, None)
        yield _full_name(method), ForwardedMethod(decode, _refusing(behavior), _encoder(method))


def _full_name(method: MethodDescriptor) -> str:
    return f"{method.containing_service.full_name}/{method.name}"


def _encoder(method: MethodDescriptor) -> Callable[[Any], bytes]:
    response_class: Any = message_factory.GetMessageClass(method.output_type)

    def encode(answer: Any) -> bytes:
        encoded: bytes = answer if isinstance(answer, bytes) else response_class.SerializeToString(answer)
        return encoded

    return encode


def _counted(
    behavior: Callable[..., Any],
    decode: Callable[[bytes], Any],
    encode: Callable[[Any], bytes],
    calls: UnaryCalls,
) -> Callable[..., Any]:
    """Let a unary call in before its bytes are decoded, and count the bytes of its answer until they have left."""

    async def count_and_do(data: bytes, context: Any) -> bytes:
        call = await calls.enter(len(data), context)
        request = decode(data)
        may_refuse = not _is_write(request)
        doing = behavior(request, context)
        del request
        answer = encode(await doing)
        await call.answered(len(answer), may_refuse=may_refuse)
        return answer

    return count_and_do


def _is_write(request: Any) -> bool:
    """Return whether a request is a write, its client's or one that another node forwards."""
    if isinstance(request, forwarding_pb2.ForwardRequest):
        return request.method in _WRITE_METHODS
    return type(request) in BY_REQUEST


def _keeping_nothing(behavior: Callable[..., Any]) -> Callable[..., Any]:
    """End a call without what it had made: gRPC keeps the exception of a refusal until the client has left.

    With its traceback it would keep every frame that it went through, and all the messages in them.
    """

    async def do(request: Any, context: Any) -> Any:
        doing = behavior(request, context)
        del request
        try:
            return await doing
        except grpc.aio.AbortError as error:
            error.__context__ = error.__cause__ = None
            raise error.with_traceback(None)  # noqa: B904 - it is the one that is handled

    return do


def _measured(name: str, behavior: Callable[..., Any], on_ended: OnEnded, *, is_timed: bool) -> Callable[..., Any]:
    """Report how each call ended, and when it was answered if that is timed."""

    async def do(request: Any, context: Any) -> Any:
        began = time.perf_counter()
        status = grpc.StatusCode.UNKNOWN
        doing = behavior(request, context)
        del request
        try:
            answer = await doing
        except grpc.aio.AbortError:
            status = _STATUSES.get(context.code(), status)
            raise
        except (asyncio.CancelledError, grpc.aio.InternalError):
            # The second is raised where an answer or a status can't be sent any more, because the client has gone.
            status = grpc.StatusCode.CANCELLED
            raise
        else:
            status = grpc.StatusCode.OK
            return answer
        finally:
            on_ended(name, status.name, time.perf_counter() - began if is_timed else None)

    return do


def _refusing(behavior: Callable[..., Any]) -> Callable[..., Any]:
    """Refuse what the decoder did not make a message of."""

    async def refuse_or_do(request: Any, context: Any) -> Any:
        if isinstance(request, ApiError):
            await abort(context, detail_of(request, None))
        return await behavior(request, context)

    return refuse_or_do


def _authorized(
    behavior: Callable[..., Any], operation: AclOperation, authorization: Authorization | None
) -> Callable[..., Any]:
    """Reject a call that its caller may not make; which ``operation`` it needs is known when the server is built."""
    if authorization is None:
        return behavior
    assert operation is not AclOperation.UNKNOWN

    async def authorize_and_do(request: Any, context: Any) -> Any:
        try:
            check_call(authorization, request, caller_at(context))
        except ApiError as error:
            await abort(context, detail_of(error, None))
        return await behavior(request, context)

    return authorize_and_do


def _snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
