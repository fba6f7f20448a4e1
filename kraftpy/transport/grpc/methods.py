"""From service descriptors to gRPC handlers, so that no stubs have to be generated and kept.

A servicer is any object with a coroutine per method, named in snake_case; a method whose answer is a stream takes the
context and writes to it. What is missing fails when the server is built, not when it is called.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import grpc
from google.protobuf import message_factory
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor


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
        behavior,
        request_deserializer=request_class.FromString,
        response_serializer=response_class.SerializeToString,
    )
    return handler


def _snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
