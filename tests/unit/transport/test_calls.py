"""Calls whose client has left, or whose time is over, as a stub of grpc's context sees them.

A client's grpc ends its call at the deadline whatever the node does, and which of a message and a departure a node
hears of first is a race: over real connections neither shows what this node does.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine

import grpc
import pytest

from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.pb.v1 import cluster_pb2, errors_pb2, session_pb2
from kraftpy.transport.grpc.errors import DETAILS_KEY
from kraftpy.transport.grpc.orders import Orders
from kraftpy.transport.grpc.services.calls import answer
from kraftpy.transport.grpc.services.session import SessionService
from kraftpy.transport.grpc.services.unary import ClusterService
from tests.unit.transport.fake_backend import FakeBackend

ANSWER_BYTES_MAX = 1 << 20


class NobodysContext:
    """Sends nothing, and says so."""

    def __init__(self, error: Exception | None = None, remaining_s: float | None = None) -> None:
        self.error = error or RuntimeError("nothing is to be sent")
        self.remaining_s = remaining_s
        self.aborted: list[tuple[grpc.StatusCode, errors_pb2.ErrorDetail]] = []

    async def write(self, message: object) -> None:
        del message
        raise self.error

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return ()

    def auth_context(self) -> dict[str, list[bytes]]:
        return {}

    def peer(self) -> str:
        return "ipv4:127.0.0.1:1"

    async def send_initial_metadata(self, pairs: object) -> None:
        del pairs

    def time_remaining(self) -> float | None:
        return self.remaining_s

    async def abort(self, code: grpc.StatusCode, text: str, trailers: tuple[tuple[str, bytes], ...]) -> None:
        del text
        detail = errors_pb2.ErrorDetail()
        assert errors_pb2.Status.FromString(dict(trailers)[DETAILS_KEY]).details[0].Unpack(detail)
        self.aborted.append((code, detail))
        raise grpc.aio.AbortError


async def _no_requests() -> AsyncIterator[session_pb2.RequestBatch | ApiError]:
    await asyncio.Event().wait()
    yield session_pb2.RequestBatch()


def calls(context: NobodysContext) -> dict[str, Coroutine[object, object, None]]:
    backend = FakeBackend()
    backend.append()
    cluster = ClusterService(backend, asyncio.Event(), ANSWER_BYTES_MAX, Orders())
    return {
        "session": SessionService(backend, asyncio.Event(), ANSWER_BYTES_MAX).session(_no_requests(), context),
        "watch": cluster.watch(cluster_pb2.WatchRequest(), context),
    }


async def outcome(call: str, error: Exception) -> tuple[BaseException, NobodysContext]:
    context = NobodysContext(error)
    made = calls(context)
    wanted = made.pop(call)
    for other in made.values():
        other.close()
    with pytest.raises(BaseException) as raised:
        await asyncio.wait_for(wanted, 10)
    return raised.value, context


@pytest.mark.parametrize("call", ["session", "watch"])
async def test_a_client_that_has_left_gets_nothing(call, caplog):
    """Neither a status, nor a line in the log: the call is as if grpc had cancelled it."""
    ended, context = await outcome(call, grpc.aio.InternalError("Failed execute_batch"))
    assert isinstance(ended, asyncio.CancelledError)
    assert context.aborted == []
    assert caplog.records == []


@pytest.mark.parametrize("call", ["session", "watch"])
async def test_a_defect_is_no_client_that_left(call):
    """Any other error while writing is reported."""
    ended, context = await outcome(call, RuntimeError("a defect"))
    assert not isinstance(ended, asyncio.CancelledError)
    assert isinstance(ended, ExceptionGroup) or context.aborted != []


@pytest.mark.parametrize("is_write", [False, True])
async def test_the_work_of_a_call_ends_at_its_deadline(is_write):
    """The node lets go of it then, and says of a write that its outcome is unknown."""
    ended = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    context = NobodysContext(remaining_s=0.05)
    with pytest.raises(grpc.aio.AbortError):
        await asyncio.wait_for(answer(context, FakeBackend(), None, work, is_write=is_write), 10)
    assert ended.is_set()
    ((code, detail),) = context.aborted
    assert code is grpc.StatusCode.DEADLINE_EXCEEDED
    assert (detail.code, detail.outcome_unknown) == (ErrorCode.REQUEST_TIMED_OUT, is_write)


async def test_a_stream_ends_at_its_deadline():
    """A watch of a quiet log, too."""
    context = NobodysContext(remaining_s=0.05)
    cluster = ClusterService(FakeBackend(), asyncio.Event(), ANSWER_BYTES_MAX, Orders())
    with pytest.raises(grpc.aio.AbortError):
        await asyncio.wait_for(cluster.watch(cluster_pb2.WatchRequest(), context), 10)
    ((code, _),) = context.aborted
    assert code is grpc.StatusCode.DEADLINE_EXCEEDED
