"""What every call needs: its deadline, its refusal, and its end when the node stops."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from typing import Any, Final, TypeAlias, TypeVar, cast

import grpc

from kraftpy.model.errors import ApiError, BusyError, ErrorCode, StorageError
from kraftpy.transport.grpc.errors import abort, detail_of
from kraftpy.transport.grpc.sasl_sessions import SESSION, SESSION_OVER
from kraftpy.transport.limits import ByteBudget, LimitUse
from kraftpy.transport.node_api import NodeApi

LOG: Final = logging.getLogger("kraftpy.transport.grpc")

Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]
ResultT = TypeVar("ResultT")

STOPPING: Final = ApiError(ErrorCode.BROKER_NOT_AVAILABLE, "this node is stopping; go on at another one")


def note_if_unexpected(backend: NodeApi, request: str, error: Exception) -> None:
    """Note what is a defect and not an answer, under the name of the request's message."""
    if isinstance(error, StorageError):
        LOG.error("disk_failed_in_call error=%s", error)
    elif not isinstance(error, ApiError | BusyError | TimeoutError):
        backend.request_errors.note(request, error)


def no_voter_left(error: Exception) -> asyncio.CancelledError:
    """Return grpc's cancellation for a client that disconnected, which a failed send detected first.

    grpc cancels the call of a client that disconnects, but a node that was blocked may continue before it receives
    that. The send then fails, and neither a status nor a log line would be of use.
    """
    return asyncio.CancelledError(f"the client has left: {error}")


async def answer(
    context: Context,
    backend: NodeApi,
    request: object,
    work: Callable[[], Awaitable[ResultT]],
    *,
    is_write: bool = False,
) -> ResultT:
    """Do the work of a unary call within the client's deadline; what goes wrong becomes the call's status."""
    try:
        async with asyncio.timeout(context.time_remaining()):
            return await work()
    except Exception as error:  # noqa: BLE001 - the client gets all of it, as a status
        note_if_unexpected(backend, type(request).__name__, error)
        await abort(context, detail_of(error, backend.leader_hint(), is_write=is_write))


async def stream(
    context: Context, backend: NodeApi, request: object, stopping: asyncio.Event, work: Coroutine[Any, Any, None]
) -> None:
    """Do the work of a streaming call until it, the client's deadline or its SASL session ends, or the node stops."""
    try:
        async with asyncio.timeout(context.time_remaining()):
            if await run_until(ends_of_stream(stopping), work):
                raise STOPPING if stopping.is_set() else SESSION_OVER
    except grpc.aio.InternalError as error:
        raise no_voter_left(error) from error
    except Exception as error:  # noqa: BLE001 - the client gets all of it, as a status
        note_if_unexpected(backend, type(request).__name__, error)
        await abort(context, detail_of(error, backend.leader_hint()))


def ends_of_stream(stopping: asyncio.Event) -> tuple[asyncio.Event, ...]:
    """Return what ends a stream of the call that the current task handles: the node stops, its SASL session is over."""
    session = SESSION.get()
    return (stopping,) if session is None else (stopping, session.over)


async def run_until(ends: Iterable[asyncio.Event], work: Coroutine[Any, Any, None]) -> bool:
    """Do the work, and cancel it when one of the events is set; return whether that happened."""
    async with asyncio.TaskGroup() as tasks:
        working = tasks.create_task(_caught(work))
        ended = [tasks.create_task(one.wait()) for one in ends]
        await asyncio.wait({working, *ended}, return_when=asyncio.FIRST_COMPLETED)
        working.cancel()
        for one in ended:
            one.cancel()
    if working.cancelled():
        return True
    error = working.result()
    try:
        if error is not None:
            raise error
    finally:
        # A frame that keeps what it raised is a cycle, and keeps the messages of the call until that is collected.
        del error
    return False


async def _caught(work: Coroutine[Any, Any, None]) -> Exception | None:
    """Hand an exception over as a value, so that it does not come wrapped in a group."""
    try:
        await work
    except Exception as error:  # noqa: BLE001 - raised again by the waiter
        return error
    return None


class ConcurrencyLimit:
    """Places for calls that stay, each of which costs what its own limits say; a call beyond them is refused."""

    def __init__(self, name: str, count_max: int) -> None:
        self._name = name
        self._count_max = count_max
        self._taken = 0
        self._refused = 0

    def limit_use(self) -> LimitUse:
        """Say how many places are taken."""
        return LimitUse(self._name, self._taken, self._count_max, self._refused)

    @asynccontextmanager
    async def one(self, context: Context) -> AsyncIterator[None]:
        """Hold a place, or end the call with RESOURCE_EXHAUSTED: nothing was done, another node may do it."""
        if self._taken >= self._count_max:
            self._refused += 1
            await abort(context, detail_of(BusyError(f"this node has {self._taken} {self._name} open already"), None))
        self._taken += 1
        try:
            yield
        finally:
            self._taken -= 1


class StreamBytes:
    """The messages of streams that wait until their clients take them.

    gRPC holds a message until its client takes it or leaves, whatever becomes of the call. So nothing is taken back
    from those who hold: the stream that comes with too much is ended, before its message is handed to gRPC.
    """

    def __init__(self, name: str, bytes_max: int) -> None:
        self._name = name
        self._held = ByteBudget(bytes_max)

    def limit_use(self) -> LimitUse:
        """Say how many bytes wait."""
        return LimitUse(self._name, self._held.used, self._held.bytes_max, self._held.refused)

    def writer(self, context: Context) -> Callable[[Any], Awaitable[None]]:
        """Return what writes a message, encoded or not, to a stream; it raises BusyError when there is no room."""

        async def write(message: Any) -> None:
            size = len(message) if isinstance(message, bytes) else message.ByteSize()
            if not self._held.take(size):
                raise BusyError(f"{self._held.used} bytes of streams wait to be read (limit {self._held.bytes_max})")
            try:
                await context.write(message)
            finally:
                self._held.give_back(size)

        return write


def remaining_ms(context: Context) -> int | None:
    """Return how much of the client's deadline is left, ``None`` when it set none."""
    remaining = cast("float | None", context.time_remaining())  # the stubs forget the None
    return None if remaining is None else max(0, int(remaining * 1000))
