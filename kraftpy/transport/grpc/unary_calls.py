"""How many unary calls of the public API are under way, and how many bytes they hold: of all connections together.

A call counts from the moment its request is there, undecoded, until its answer has left or its client has gone. It
holds the request's bytes, and then the answer's besides: gRPC keeps both until a client takes the answer (and a copy of
that), and nothing but the end of its connection makes it let go. So nothing is taken back here, and what would be too
much is refused with RESOURCE_EXHAUSTED: a call before anything is done for it, a read when its answer is made. The
answer of a write is never refused: the write is done.
"""

from __future__ import annotations

from typing import Any, Final

import grpc

from kraftpy.model.errors import BusyError
from kraftpy.transport.grpc.errors import abort, detail_of
from kraftpy.transport.limits import ByteBudget, LimitUse

UNARY_CALLS_MAX: Final = 1_024
"""How many unary calls may be under way, or have answers that wait to be read."""

UNARY_BYTES_MAX: Final = 128 * 1024 * 1024
"""How many bytes their requests, and their answers that wait to be read, may take. A call alone may take any number."""


class UnaryCalls:
    """The unary calls of one node."""

    def __init__(self) -> None:
        self._under_way = 0
        self._calls_max = UNARY_CALLS_MAX
        self._refused = 0
        self.bytes = ByteBudget(UNARY_BYTES_MAX)

    def limit_uses(self) -> tuple[LimitUse, ...]:
        """Say how many calls there are, and how many bytes they hold."""
        held = self.bytes
        return (
            LimitUse("unary calls", self._under_way, self._calls_max, self._refused),
            LimitUse("unary call bytes", held.used, held.bytes_max, held.refused),
        )

    async def enter(self, size: int, context: grpc.aio.ServicerContext[Any, Any]) -> UnaryCall:
        """Admit a call with a request of this size, until grpc is done with it; or end it as busy."""
        if self._under_way >= self._calls_max:
            self._refused += 1
            await abort(context, detail_of(BusyError(f"this node has {self._under_way} unary calls already"), None))
        if not self.bytes.take(size):
            await abort(context, detail_of(self.too_many_bytes(), None))
        self._under_way += 1
        call = UnaryCall(self, size, context)
        context.add_done_callback(call.ended)  # type: ignore[arg-type] # the stubs want a class of their own
        return call

    def too_many_bytes(self) -> BusyError:
        """Describe the refusal."""
        used = self.bytes.used
        return BusyError(f"unary calls hold {used} bytes already (limit {self.bytes.bytes_max}); try again later")

    def leave(self) -> None:
        """Count a call out."""
        self._under_way -= 1


class UnaryCall:
    """One call, and the bytes that it holds."""

    def __init__(self, calls: UnaryCalls, size: int, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        self._calls = calls
        self._size = size
        self._context = context

    async def answered(self, size: int, *, may_refuse: bool) -> None:
        """Hold an answer besides the request, or end the call as busy."""
        held = self._calls.bytes
        if not may_refuse:
            held.used += size
        elif not held.take(size):
            await abort(self._context, detail_of(self._calls.too_many_bytes(), None))
        self._size += size

    def ended(self, _: object) -> None:
        """Let go: the answer has left, or its client has."""
        self._calls.bytes.give_back(self._size)
        self._calls.leave()
