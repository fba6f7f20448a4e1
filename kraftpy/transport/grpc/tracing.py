"""The spans of the public API's calls: one for each unary call, and for each request of a session.

Where the context comes from: the metadata of a unary call; in a session, which is one call, the fields of the request.
Streams have no span: they last.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import grpc

from kraftpy.pb.v1 import errors_pb2
from kraftpy.tracing.messages import api_name, note_answer, note_request
from kraftpy.tracing.spans import CANCELLED, CURRENT_SPAN, Span, SpanKind, Tracing
from kraftpy.tracing.trace_context import context_in, read_context


def traced(name: str, behavior: Callable[..., Awaitable[Any]], tracing: Tracing) -> Callable[..., Awaitable[Any]]:
    """Return what does a unary call in a span; how it is refused is noted where that is decided (``errors``)."""

    async def do(request: Any, context: Any) -> Any:
        span = tracing.start(name, SpanKind.SERVER, context_in(context.invocation_metadata()))
        note_request(span, request)
        outer = CURRENT_SPAN.set(span)
        try:
            answer = await behavior(request, context)
            note_answer(span, answer)
        except (asyncio.CancelledError, grpc.aio.InternalError):
            span.fail(CANCELLED)
            raise
        else:
            return answer
        finally:
            CURRENT_SPAN.reset(outer)
            span.end()

    return do


class RequestSpans:
    """The spans of a session's requests that are not answered yet.

    Args:
        tracing: makes them.
    """

    def __init__(self, tracing: Tracing) -> None:
        self._tracing = tracing
        self._spans: dict[int, Span] = {}

    def start(self, request: Any) -> Span | None:
        """Begin the span of a request; ``None`` for one that contains no call, which is refused."""
        field = request.WhichOneof("call")
        if field is None:
            return None
        self._end(request.id, CANCELLED)  # a client may choose an id twice
        parent = read_context(request.traceparent, request.tracestate)
        self._spans[request.id] = span = self._tracing.start(api_name(field), SpanKind.SERVER, parent)
        note_request(span, getattr(request, field))
        return span

    def answered(self, request_id: int, message: Any) -> None:
        """End the span of a request."""
        span = self._spans.pop(request_id, None)
        if span is None:
            return
        if isinstance(message, errors_pb2.ErrorDetail):
            span.fail(message.name, message.code)
        else:
            note_answer(span, message)
        span.end()

    def close(self) -> None:
        """End the spans that are left: their session is over."""
        for request_id in tuple(self._spans):
            self._end(request_id, CANCELLED)

    def _end(self, request_id: int, error: str) -> None:
        span = self._spans.pop(request_id, None)
        if span is not None:
            span.fail(error)
            span.end()
