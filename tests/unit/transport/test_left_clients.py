"""A client that left while its node stood still: the call ends in silence, as where grpc hears of that first.

grpc's context is a stub here: which of the two it hears first is a race that a test cannot decide.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine

import grpc
import pytest

from kraftpy.model.errors import ApiError
from kraftpy.pb.v1 import cluster_pb2, session_pb2
from kraftpy.transport.grpc.services.session import SessionService
from kraftpy.transport.grpc.services.unary import ClusterService
from tests.unit.transport.fake_backend import FakeBackend

ANSWER_BYTES_MAX = 1 << 20


class NobodysContext:
    """Sends nothing, and says so."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.aborted: list[object] = []

    async def write(self, message: object) -> None:
        del message
        raise self.error

    async def send_initial_metadata(self, pairs: object) -> None:
        del pairs

    def time_remaining(self) -> float | None:
        return None

    async def abort(self, *status: object, **more: object) -> None:
        self.aborted.append((status, more))
        raise grpc.aio.AbortError


async def _no_requests() -> AsyncIterator[session_pb2.RequestBatch | ApiError]:
    await asyncio.Event().wait()
    yield session_pb2.RequestBatch()


def calls(context: NobodysContext) -> dict[str, Coroutine[object, object, None]]:
    backend = FakeBackend()
    backend.append()
    cluster = ClusterService(backend, asyncio.Event(), ANSWER_BYTES_MAX)
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
async def test_who_has_left_is_told_nothing(call, caplog):
    """Neither a status, nor a line in the log: the call is as if grpc had cancelled it."""
    ended, context = await outcome(call, grpc.aio.InternalError("Failed execute_batch"))
    assert isinstance(ended, asyncio.CancelledError)
    assert context.aborted == []
    assert caplog.records == []


@pytest.mark.parametrize("call", ["session", "watch"])
async def test_a_defect_is_no_client_that_left(call):
    """Whatever else goes wrong in writing is told."""
    ended, context = await outcome(call, RuntimeError("a defect"))
    assert not isinstance(ended, asyncio.CancelledError)
    assert isinstance(ended, ExceptionGroup) or context.aborted != []
