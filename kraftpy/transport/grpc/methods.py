"""From service descriptors to gRPC handlers, so that no stubs have to be generated and kept.

A servicer is any object with a coroutine per method, named in snake_case; a method whose answer is a stream takes the
context and writes to it. Bytes that are no message of the method are refused here; in a stream of messages the servicer
finds the refusal in place of the message. An answer may be encoded already. What is missing fails when the server is
built, not when it is called.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import grpc
from google.protobuf import message_factory
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor

from kraftpy.model.errors import ApiError
from kraftpy.transport.grpc.elements import decoder
from kraftpy.transport.grpc.errors import abort, detail_of


def handlers(service: ServiceDescriptor, servicer: object) -> grpc.GenericRpcHandler[Any, Any]:
    """Make the handlers of one service.

    Raises:
        AttributeError: when the servicer lacks a method.
    """
    rows = {method.name: _handler(method, getattr(servicer, _snake_case(method.name))) for method in service.methods}
    return grpc.method_handlers_generic_handler(service.full_name, rows)


def _handler(method: MethodDescriptor, behavior: Callable[..., Any]) -> grpc.RpcMethodHandler[Any, Any]:
    kinds = {
        (False, False): grpc.unary_unary_rpc_method_handler,
        (False, True): grpc.unary_stream_rpc_method_handler,
        (True, True): grpc.stream_stream_rpc_method_handler,
    }
    make: Any = kinds[method.client_streaming, method.server_streaming]
    request_class: Any = message_factory.GetMessageClass(method.input_type)
    response_class: Any = message_factory.GetMessageClass(method.output_type)
    handler: grpc.RpcMethodHandler[Any, Any] = make(
        behavior if method.client_streaming else _refusing(behavior),
        request_deserializer=decoder(method.input_type, request_class.FromString),
        response_serializer=lambda answer: (
            answer if isinstance(answer, bytes) else response_class.SerializeToString(answer)
        ),
    )
    return handler


def _refusing(behavior: Callable[..., Any]) -> Callable[..., Any]:
    """Refuse what the decoder did not make a message of."""

    async def refuse_or_do(request: Any, context: Any) -> Any:
        if isinstance(request, ApiError):
            await abort(context, detail_of(request, None))
        return await behavior(request, context)

    return refuse_or_do


def _snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
