"""The parts of a write on the active controller, for its trace.

``decide`` goes from the submission until the write is decided and its records are appended, the wait in the queue
included; ``commit`` until a majority has them on disk and this node loads them; ``publish`` until its client may hear
of it, because all publishers of this node have it. A write without records has ``confirm`` in place of the last two:
until a majority has confirmed the leadership. A part in which the write ends otherwise is its last one.

The turns of the controller are synchronous, and cost nothing more for a write without a trace. So a write carries this
value, which notes the time, and the spans are made when its outcome is known.
"""

from __future__ import annotations

import time
from typing import Final

from kraftpy.tracing.spans import EPOCH, OFFSET, Span

DECIDE: Final = "decide"
COMMIT: Final = "commit"
CONFIRM: Final = "confirm"
PUBLISH: Final = "publish"


class WriteTrace:
    """Notes when a write passed what it has to pass."""

    __slots__ = ("_attributes", "_committed_ns", "_decided_ns", "_span", "_submitted_ns", "_wait")

    def __init__(self, span: Span) -> None:
        self._span = span
        self._submitted_ns = time.time_ns()
        self._decided_ns = 0
        self._committed_ns = 0
        self._wait = CONFIRM
        self._attributes: dict[str, int] = {}

    def decided(self, offset: int, epoch: int, *, appends: bool) -> None:
        """Note that it is decided, and appended at an offset if it has records."""
        self._decided_ns = time.time_ns()
        self._wait = COMMIT if appends else CONFIRM
        self._attributes = {OFFSET: offset, EPOCH: epoch}

    def committed(self) -> None:
        """Note that it is committed, and being published."""
        self._committed_ns = time.time_ns()

    def end(self) -> None:
        """Record its parts: it has an outcome, or its client no longer waits for one."""
        now_ns = time.time_ns()
        span, decided_ns, committed_ns = self._span, self._decided_ns, self._committed_ns
        span.record_part(DECIDE, self._submitted_ns, decided_ns or now_ns, {})
        if not decided_ns:
            return
        span.record_part(self._wait, decided_ns, committed_ns or now_ns, self._attributes)
        if committed_ns:
            span.record_part(PUBLISH, committed_ns, now_ns, self._attributes)


def write_trace(span: Span | None) -> WriteTrace | None:
    """Return what notes the parts of a write; ``None`` when the span is not recorded."""
    return WriteTrace(span) if span is not None and span.is_recorded else None
