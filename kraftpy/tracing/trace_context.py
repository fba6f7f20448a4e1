"""The context of a trace, as it comes over the wire: which trace a call belongs to, and which span of it made the call.

It is hostile input. What does not have the form, or is too long, is ignored, as the standard asks: the call is done,
and is the beginning of a trace of its own.

Source: W3C Trace Context, level 1, §3.2, §3.3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

TRACEPARENT: Final = "traceparent"
"""The metadata key of trace id, span id and flags."""

TRACESTATE: Final = "tracestate"
"""The metadata key of what systems of other vendors add."""

TRACEPARENT_CHARACTERS_MAX: Final = 128
"""How long a traceparent may be; that of version 00 has 55 characters, later versions may append to it."""

TRACESTATE_CHARACTERS_MAX: Final = 512
"""How long a tracestate may be: as much as the standard asks to hand on. A longer one is dropped."""

_SAMPLED: Final = 1
_FORM: Final = re.compile(
    r"(?P<version>[0-9a-f]{2})-(?P<trace>[0-9a-f]{32})-(?P<span>[0-9a-f]{16})-(?P<flags>[0-9a-f]{2})(?P<rest>-.*)?"
)
_PRINTABLE: Final = re.compile(r"[ -~]*")


@dataclass(frozen=True, slots=True)
class TraceContext:
    """A span of a trace.

    Attributes:
        trace_id: 16 bytes, not 0.
        span_id: 8 bytes, not 0.
        is_sampled: whether who made the span records it.
        state: the tracestate, handed on as it is.
    """

    trace_id: int
    span_id: int
    is_sampled: bool
    state: str = ""

    @property
    def traceparent(self) -> str:
        """Return it as it is sent."""
        return f"00-{self.trace_id:032x}-{self.span_id:016x}-{int(self.is_sampled):02x}"

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """Return the metadata of a call that this span makes."""
        return ((TRACEPARENT, self.traceparent), *(((TRACESTATE, self.state),) if self.state else ()))


def read_context(traceparent: str, tracestate: str = "") -> TraceContext | None:
    """Read a context; ``None`` when it is none."""
    if len(traceparent) > TRACEPARENT_CHARACTERS_MAX:
        return None
    match = _FORM.fullmatch(traceparent)
    if match is None or match["version"] == "ff" or (match["version"] == "00" and match["rest"] is not None):
        return None
    trace_id, span_id = int(match["trace"], 16), int(match["span"], 16)
    if not trace_id or not span_id:
        return None
    may_keep = len(tracestate) <= TRACESTATE_CHARACTERS_MAX and _PRINTABLE.fullmatch(tracestate)
    is_sampled = bool(int(match["flags"], 16) & _SAMPLED)
    return TraceContext(trace_id, span_id, is_sampled, tracestate if may_keep else "")


def context_in(metadata: Iterable[tuple[str, str | bytes]] | None) -> TraceContext | None:
    """Return the context in a call's metadata; ``None`` when there is none, or more than one."""
    found = [(key, value) for key, value in metadata or () if key in {TRACEPARENT, TRACESTATE}]
    parents = [value for key, value in found if key == TRACEPARENT]
    if len(parents) != 1 or not isinstance(parents[0], str):
        return None
    return read_context(parents[0], ",".join(str(value) for key, value in found if key == TRACESTATE))
