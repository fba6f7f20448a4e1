"""The spans of a client's calls: one for each call, whatever number of attempts it takes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from kraftpy.client.errors import UnavailableError, UnknownOutcomeError
from kraftpy.model.errors import ApiError
from kraftpy.tracing.messages import api_name, note_answer, note_request
from kraftpy.tracing.spans import ATTEMPTS, CANCELLED, Span, SpanKind, Tracing
from kraftpy.tracing.trace_context import TraceContext

UNAVAILABLE: Final = "UNAVAILABLE"
OUTCOME_UNKNOWN: Final = "OUTCOME_UNKNOWN"


class CallTrace:
    """The span of one call; without tracing it is none, and costs next to nothing.

    Attributes:
        context: what each attempt sends.
    """

    def __init__(self, span: Span | None = None) -> None:
        self._span = span
        self._attempts = 0
        self.context: TraceContext | None = None if span is None else span.context

    def count_attempt(self) -> None:
        """Count an attempt that begins."""
        self._attempts += 1

    def answered(self, message: Any) -> None:
        """Say at which offset and epoch the call was answered."""
        if self._span is not None:
            note_answer(self._span, message)

    def end(self, error: BaseException | None) -> None:
        """End the span, with how the call failed if it did."""
        if self._span is None:
            return
        if error is not None:
            self._span.fail(*_named(error))
        self._span.set(ATTEMPTS, self._attempts)
        self._span.end()


UNTRACED: Final = CallTrace()


@contextmanager
def call_trace(tracing: Tracing | None, name: str, message: Any) -> Iterator[CallTrace]:
    """Make a span for a call.

    Args:
        tracing: makes it, if given.
        name: of the call's field in a session's request.
        message: what is asked.
    """
    if tracing is None:
        yield UNTRACED
        return
    span = tracing.start(api_name(name), SpanKind.CLIENT)
    note_request(span, message)
    trace, failed = CallTrace(span), None
    try:
        yield trace
    except BaseException as error:
        failed = error
        raise
    finally:
        trace.end(failed)


def _named(error: BaseException) -> tuple[str, int | None]:
    """Return the name of an error, and its code if it has one; never its text, which may quote what was asked."""
    match error:
        case ApiError():
            return error.code.name, int(error.code)
        case UnknownOutcomeError():
            return OUTCOME_UNKNOWN, None
        case UnavailableError():
            return UNAVAILABLE, None
        case asyncio.CancelledError():
            return CANCELLED, None
        case _:
            return type(error).__name__, None
