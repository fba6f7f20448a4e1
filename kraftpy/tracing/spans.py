"""Spans, as clients and nodes make them: the port to OpenTelemetry.

A span has numbers and names of ours alone: which API, how many items, offset, epoch, error code. It never has a value,
a name that a client chose, or the text of an error.
"""

from __future__ import annotations

import enum
import sys
from contextvars import ContextVar
from typing import Any, Final, Protocol

from kraftpy.tracing.trace_context import TraceContext

METHOD: Final = "rpc.method"
"""The API's name, as in the descriptors of the public API."""

SYSTEM: Final = "rpc.system"
ITEMS: Final = "kraftpy.items"
"""How many items the request names: topics, resources, entries, updates ..."""

OFFSET: Final = "kraftpy.offset"
"""Of the last record of a write, or of the state that a read was answered from."""

EPOCH: Final = "kraftpy.leader_epoch"
ERROR: Final = "error.type"
"""The name of the error code, such as NOT_CONTROLLER."""

ERROR_CODE: Final = "kraftpy.error_code"
ATTEMPTS: Final = "kraftpy.attempts"
"""How often a client sent a call."""

CANCELLED: Final = "CANCELLED"
"""The error of a call whose caller no longer waits."""


class SpanKind(enum.Enum):
    """The side of a call."""

    CLIENT = "client"
    SERVER = "server"


class Span(Protocol):
    """An operation that has begun. End it once; what is set later is lost."""

    @property
    def context(self) -> TraceContext | None:
        """What is sent with the calls that it makes; ``None`` when it belongs to no trace."""
        ...

    @property
    def is_recorded(self) -> bool:
        """Whether it is recorded, and exported."""
        ...

    def set(self, name: str, value: str | int) -> None:
        """Set an attribute."""
        ...

    def fail(self, error: str, code: int | None = None) -> None:
        """Say how it failed: by the name of an error, and its code."""
        ...

    def record_part(self, name: str, start_ns: int, end_ns: int, attributes: dict[str, int]) -> None:
        """Record a part of it that is over, with the wall clock's times (ns)."""
        ...

    def end(self) -> None:
        """End it now."""
        ...


class Tracing(Protocol):
    """Makes spans."""

    def start(self, name: str, kind: SpanKind, parent: TraceContext | None = None) -> Span:
        """Begin a span.

        Args:
            name: of the API.
            kind: that of a client without a parent belongs to the program's current span, if there is one.
            parent: the span that makes the call, elsewhere.
        """
        ...


CURRENT_SPAN: Final[ContextVar[Span | None]] = ContextVar("CURRENT_SPAN", default=None)
"""The span of the unary call that the current task handles, if calls are traced."""


def client_tracing(provider: Any | None) -> Tracing | None:
    """Return what makes a client's spans; ``None`` where nothing could see them.

    Args:
        provider: OpenTelemetry's ``TracerProvider``; by default the global one, if the program has imported
            OpenTelemetry.
    """
    if provider is None and "opentelemetry.trace" not in sys.modules:
        return None
    from kraftpy.tracing.opentelemetry_spans import OpenTelemetryTracing

    return OpenTelemetryTracing(provider)
