"""One call: find the leader, keep one session to it, and retry what is safe to retry.

The path of one call: connect to the node that was last known to lead (or to a bootstrap server), send, wait. Then

======================================  ================================================================
the node refused and did nothing        repeat, at the leader that it named or at the next bootstrap server
it is busy and did nothing              repeat in the same session, after a pause
the session broke before it was sent    repeat elsewhere
the node knows of no leader             repeat elsewhere a write that is to be stamped
it broke afterwards                     repeat, with the same request id; a write that may change something when
                                        it is done twice as a retry, with the epoch of the first attempt
the controller was deposed meanwhile    a write that may be repeated: repeat; another: UnknownOutcomeError
it cannot know whether a retry was      :class:`UnknownOutcomeError` with the offset to read at: the epoch in which
done (another epoch, or forgotten)      the write was sent is over
a read that timed out at a node         repeat at the next bootstrap server
a read that any node may answer, and    repeat at the next bootstrap server; when all of them answered so:
the answer is UNSUPPORTED_VERSION       :class:`~kraftpy.model.errors.ApiError`, which names each node
the write's epoch is over, and it was   repeat in the same session, with the new epoch
not sent before
the deadline passed                     a write that was sent: :class:`UnknownOutcomeError`, else UnavailableError
refused for good                        :class:`~kraftpy.model.errors.ApiError`; of a write whose earlier attempt
                                        may have been done: :class:`UnknownOutcomeError`, which names the rejection
======================================  ================================================================

Repeating changes nothing for registrations, heartbeats and ``validate_only``; for the others the caller may permit it
with ``retry_unknown=True``. All others are stamped: a session reports the leader epoch, and the write is done in that
one or never (``WriteOptions`` of the API). None of these is sent without a stamp: an attempt that is delayed on its way
could be done after its caller had learnt the outcome.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from typing import Any, Final, Self, TypeAlias

import grpc

from kraftpy.authenticator.login import Login
from kraftpy.client.connection import Access, open_connection
from kraftpy.client.errors import RejectedError, UnavailableError, UnknownOutcomeError
from kraftpy.client.nodes import Nodes
from kraftpy.client.pages import all_pages
from kraftpy.client.read_outcome import ReadOutcome
from kraftpy.client.session import Attempt, ClientSession, Leadership, SessionLostError
from kraftpy.client.tracing import UNTRACED, CallTrace, call_trace
from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import UUID_BYTES
from kraftpy.model.offsets import Epoch, Offset
from kraftpy.pb.v1 import common_pb2
from kraftpy.tracing.spans import client_tracing

TIMEOUT_S: Final = 30.0
READ_ROUND_MS: Final = 5_000
"""How long a node is let wait for the state that a read asks for, before another node is asked."""

_Work: TypeAlias = Callable[[float, Attempt], Awaitable[Any]]
"""One attempt: how many seconds are left, and where to note how far it came."""


SERVER_TIMEOUT_S_MAX: Final = 2**32 // 1000
"""The longest timeout that a request can contain; a client with a longer one still waits that long."""


def _server_timeout_ms(left_s: float) -> int:
    """Say how long a node may take, in milliseconds; at least one, because 0 leaves it to the node."""
    return max(1, int(min(left_s, SERVER_TIMEOUT_S_MAX) * 1000))


def _draw() -> float:
    return secrets.randbelow(1_000_000) / 1_000_000


class ClusterCalls:
    """Makes calls; what they are is in the classes that derive from it. See :class:`AsyncClient` for the arguments."""

    def __init__(
        self,
        bootstrap: Sequence[str],
        *,
        timeout_s: float = TIMEOUT_S,
        credentials: grpc.ChannelCredentials | None = None,
        login: Login | None = None,
        draw: Callable[[], float] = _draw,
        tracer_provider: Any | None = None,
    ) -> None:
        self._tracing = client_tracing(tracer_provider)
        self._bootstrap = tuple(bootstrap)
        self._timeout_s = timeout_s
        self._access = Access(credentials, login)
        self._draw = draw
        self._nodes = Nodes(bootstrap, draw)
        self._session: ClientSession | None = None
        self._running: set[asyncio.Task[None]] = set()
        self._opening = asyncio.Lock()
        self._has_connected = False
        self._stack = AsyncExitStack()
        self._tasks: asyncio.TaskGroup | None = None

    async def __aenter__(self) -> Self:
        """Get ready; the first call connects."""
        self._tasks = await self._stack.enter_async_context(asyncio.TaskGroup())
        return self

    async def __aexit__(self, *error: object) -> None:
        """Close; see :meth:`close`."""
        await self.close()

    async def close(self) -> None:
        """Close the session; calls in flight fail as after a lost connection."""
        self._tasks = None
        for task in tuple(self._running):
            task.cancel()
        await self._stack.aclose()

    @property
    def has_connected(self) -> bool:
        """Whether a node was reached at least once; before that, nothing was sent."""
        return self._has_connected

    # How.

    @staticmethod
    def _options(*, validate_only: bool, request_id: bytes | None = None) -> common_pb2.WriteOptions:
        return common_pb2.WriteOptions(
            validate_only=validate_only, request_id=request_id or secrets.token_bytes(UUID_BYTES)
        )

    async def _read(self, name: str, message: Any, timeout_s: float | None) -> Any:
        async def attempt(left_s: float, state: Attempt) -> Any:
            state.session = session = await self._connected()
            return await session.call(name, message, _server_timeout_ms(left_s), state)

        with call_trace(self._tracing, name, message) as trace:
            return await self._repeat(attempt, timeout_s, ReadOutcome(self._nodes, message), trace)

    async def _list(self, name: str, request: Any, timeout_s: float | None, convert: Callable[[Any], Any]) -> Any:
        return await all_pages(request, lambda asked: self._read(name, asked, timeout_s), convert)

    async def _write(
        self,
        name: str,
        message: Any,
        timeout_s: float | None,
        *,
        may_repeat: bool,
        first_sent_epoch: Epoch | None = None,
    ) -> Any:
        fate = _WriteOutcome(self._nodes, message.options, may_repeat=may_repeat)
        if first_sent_epoch is not None:
            fate.resume(first_sent_epoch)

        async def attempt(left_s: float, state: Attempt) -> Any:
            state.session = session = await self._connected()
            if fate.is_restamped:
                leadership = await session.leadership()
                if leadership is None:
                    raise SessionLostError(f"{session.target} knows of no leader", was_sent=False)
                fate.stamp(leadership)
            return await session.call(name, message, _server_timeout_ms(left_s), state)

        with call_trace(self._tracing, name, message) as trace:
            return await self._repeat(attempt, timeout_s, fate, trace)

    async def _repeat(
        self,
        work: _Work,
        timeout_s: float | None,
        fate: _WriteOutcome | ReadOutcome,
        trace: CallTrace = UNTRACED,
    ) -> Any:
        """Attempt until there is an answer or repeating is not safe, at most until the deadline.

        Args:
            work: one attempt.
            timeout_s: how long all of them may take.
            fate: what nodes answered so far, and which one is next.
            trace: the call's span.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + (self._timeout_s if timeout_s is None else timeout_s)
        failures = 0
        failed: RejectedError | SessionLostError | None = None
        state = Attempt(trace=trace.context)
        while True:
            trace.count_attempt()
            try:
                async with asyncio.timeout_at(deadline):
                    if failed is not None:
                        before, state = state, Attempt(trace=trace.context)
                        await self._move_on(fate.nodes, before.session, failures, failed)
                    answer = await work(deadline - loop.time(), state)
                    trace.answered(answer)
                    return answer
            except (RejectedError, SessionLostError) as error:
                failures, failed = failures + 1, error
                fate.judge(error)
            except UnavailableError as error:
                if isinstance(fate, _WriteOutcome) and fate.is_unsure:
                    raise fate.unknown(f"an earlier attempt may have been done: {error}") from error
                raise
            except TimeoutError as error:
                self._leave(state.session)
                why = failed or "it neither answered nor refused"
                last = f"no answer before the deadline, last from {fate.nodes.current} ({why})"
                if isinstance(fate, ReadOutcome):
                    raise UnavailableError(fate.explained(last)) from error
                if fate.is_unsure or state.was_sent:
                    raise fate.unknown(last) from error
                raise UnavailableError(last) from error

    async def _move_on(
        self, nodes: Nodes, session: ClientSession | None, failures: int, why: RejectedError | SessionLostError
    ) -> None:
        """Choose the node for the next attempt, unless another call has done so already, and pause."""
        is_named = False
        is_fenced = isinstance(why, RejectedError) and why.is_fenced
        is_new = isinstance(why, RejectedError) and nodes.learn(why.leader_epoch)
        stays = isinstance(why, RejectedError) and (why.is_busy or is_fenced)
        is_shared = nodes is self._nodes
        if (session is self._session or not is_shared) and not stays:
            is_named = isinstance(why, RejectedError) and nodes.follow(why.leader)
            if isinstance(why, SessionLostError):
                nodes.rotate()
            if is_shared:
                self._retire()
        if not ((is_named or is_fenced) and (is_new or failures == 1)):
            await asyncio.sleep(nodes.pause_s(failures))

    def _leave(self, session: ClientSession | None) -> None:
        """Try another node next time: this one did not answer in time."""
        if session is self._session:
            self._nodes.rotate()
            self._retire()

    def _retire(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.retire()

    async def _connected(self) -> ClientSession:
        """Return the session, opening one if there is none."""
        async with self._opening:
            session = self._session
            if session is not None and session.is_open:
                return session
            # A session that broke while unused is not the cause of later failures.
            self._session = None
            if self._tasks is None:
                raise UnavailableError("the client is closed, or was not entered with `async with`")
            target = self._nodes.current
            connection = await open_connection(self._nodes, self._access)
            self._has_connected = True
            self._session = session = ClientSession(connection, target)
            task = self._tasks.create_task(session.run(), name=f"session to {target}")
            self._running.add(task)
            task.add_done_callback(self._running.discard)
            return session


class _WriteOutcome:
    """What may have become of one write, over its attempts.

    Attributes:
        nodes: chooses the node for each attempt.
        is_unsure: whether an attempt that failed may have been done.
    """

    def __init__(self, nodes: Nodes, options: common_pb2.WriteOptions, *, may_repeat: bool) -> None:
        self._options = options
        self._may_repeat = may_repeat
        self.nodes = nodes
        self.is_unsure = False

    @property
    def is_restamped(self) -> bool:
        """Whether the next attempt is a first one, to be stamped with the epoch of its session."""
        return not self._may_repeat and not self._options.is_retry

    def stamp(self, leadership: Leadership) -> None:
        """Bind the write to a leader epoch, and to its responses that are known."""
        self._options.ClearField("first_sent_sequence")
        self._options.first_sent_epoch = leadership.epoch
        if leadership.sequence is not None:
            self._options.first_sent_sequence = leadership.sequence

    def resume(self, first_sent_epoch: Epoch) -> None:
        """Go on with a write of which an earlier call does not know what became; epoch 0 for one that had no stamp.

        How many responses that call knew of is not known here, and none is never too many: the controller refuses then
        what it may have forgotten. Its attempts cannot be executed later, since they had a number.
        """
        if first_sent_epoch:
            self.stamp(Leadership(first_sent_epoch, 0))
        self._options.is_retry = self.is_unsure = True

    def judge(self, error: RejectedError | SessionLostError) -> None:
        """Note what a failed attempt leaves open.

        Raises:
            ApiError: it was refused for good, and nothing was done.
            UnknownOutcomeError: to repeat it is useless, or not safe.
        """
        if isinstance(error, RejectedError) and error.code is ErrorCode.REQUEST_OUTCOME_UNKNOWN:
            raise self.unknown(error.message, error.settled_offset) from error
        if isinstance(error, RejectedError) and error.is_final:
            if self.is_unsure:
                text = f"an earlier attempt may have been done; repeated, it was refused: {error}"
                raise self.unknown(text) from error
            raise error
        is_lost = isinstance(error, SessionLostError)
        was_taken = error.was_sent if isinstance(error, SessionLostError) else not error.was_not_taken
        if not was_taken:
            return
        self.is_unsure = True
        if self._may_repeat:
            return
        # A deposed leader has dropped the write, and no later epoch has it; a leader that is only unreachable may still
        # lead.
        if not is_lost:
            raise self.unknown(f"sent to {self.nodes.current}: {error}") from error
        self._options.is_retry = True

    def unknown(self, message: str, settled_offset: Offset | None = None) -> UnknownOutcomeError:
        """Make the error for a write that may or may not have been done."""
        options = self._options
        return UnknownOutcomeError(message, options.request_id, options.first_sent_epoch, settled_offset)
