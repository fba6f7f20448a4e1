"""The session: many calls in one message, in both directions.

Two tasks, and one for each batch in progress::

    read    takes a RequestBatch, starts its task; waits while too many requests are unanswered
    serve   one batch: writes go to the backend as one group, reads are answered from the view
    write   a greeting; then, whenever something is answered: everything that gathered meanwhile, as one ResponseBatch

A client that does not read its responses blocks the session: above a limit of pending bytes, nothing more is read and
no read is answered. Nor is anything read while the requests in progress take too much. So a session costs its limits
plus one message and one response, whatever its client does.

A message has a fixed cost, so the busier the session, the fewer messages per call (D3). A session that is to end,
because the client ended its side, its SASL session is over, or the node stops, accepts no more batches, answers those
it has, and ends; what is not read in time is dropped.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import grpc

from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.pb.v1 import common_pb2, errors_pb2, session_pb2
from kraftpy.tracing.spans import Tracing
from kraftpy.tracing.write_trace import write_trace
from kraftpy.transport.administrative_changes import AdministrativeChanges, RequestIds
from kraftpy.transport.authorization import Admitted, Authorization
from kraftpy.transport.client_quotas import charged_to, client_of
from kraftpy.transport.grpc import reads
from kraftpy.transport.grpc.errors import abort, detail_of
from kraftpy.transport.grpc.identity import caller_at, client_id_at, principal_at
from kraftpy.transport.grpc.listed_reads import LISTED, list_page
from kraftpy.transport.grpc.orders import Orders
from kraftpy.transport.grpc.pages import too_large
from kraftpy.transport.grpc.permissions import check_call, visible_topics
from kraftpy.transport.grpc.reassignment_reads import list_reassignments
from kraftpy.transport.grpc.sasl_sessions import SESSION_OVER
from kraftpy.transport.grpc.services.calls import (
    STOPPING,
    ConcurrencyLimit,
    Context,
    ends_of_stream,
    no_voter_left,
    note_if_unexpected,
)
from kraftpy.transport.grpc.services.transfers import LeadershipTransfers
from kraftpy.transport.grpc.topic_reads import TopicPages
from kraftpy.transport.grpc.tracing import RequestSpans
from kraftpy.transport.grpc.writes import BY_NAME, GrpcWrite
from kraftpy.transport.identity import NodeIdentity
from kraftpy.transport.limits import HeldBytes
from kraftpy.transport.node_api import MetadataView, NodeApi, WriteRequest
from kraftpy.transport.request_checks import RequestChecks

SESSION_REQUESTS_MAX: Final = 16_384
"""How many requests of one session may be unanswered; beyond, no further batch is read."""

SESSIONS_MAX: Final = 1_024
"""How many sessions a node has open; one more is refused."""

SESSION_REQUEST_BYTES_MAX: Final = 16 * 1024 * 1024
"""How many bytes the unanswered requests of one session may take; beyond, no further batch is read."""

SESSIONS_BYTES_MAX: Final = 128 * 1024 * 1024
"""How many bytes the unanswered requests and the waiting answers of all sessions may take; beyond, the session that
holds most of them is ended."""

ELEMENT_BYTES: Final = 256
"""What a request or an answer takes in memory besides its bytes, about."""

RESPONSE_BATCH_BYTES_MAX: Final = 4 * 1024 * 1024
"""Answers beyond this go into another message (an answer is never cut)."""

RESPONSE_FRAME_BYTES: Final = 6
"""What an answer takes in its message besides itself, at most."""

SESSION_ANSWER_BYTES_MAX: Final = 4 * 1024 * 1024
"""How many bytes answers may take that wait for the client, and one answer more."""

ENDING_MS: Final = 10_000
"""How long a session whose SASL session is over, or whose node stops, may take to answer what it has read; its client
may not read the answers."""

REQUEST_TIMEOUT_MS: Final = 30_000
"""How long a request waits that does not say so itself."""


class _Write(NamedTuple):
    """One write of a batch; ``admitted`` completes its response."""

    request_id: int
    write: GrpcWrite
    submission: WriteRequest
    admitted: Admitted


class SessionService:
    """Opens sessions."""

    def __init__(
        self,
        backend: NodeApi,
        stopping: asyncio.Event,
        answer_bytes_max: int,
        identity: NodeIdentity | None = None,
        authorization: Authorization | None = None,
        orders: Orders | None = None,
        changes: AdministrativeChanges | None = None,
        tracing: Tracing | None = None,
    ) -> None:
        self._tracing = tracing
        self._orders = orders or Orders()
        self._changes = changes
        self._backend = backend
        self._stopping = stopping
        self._identity = identity
        self._authorization = authorization
        self._answer_bytes_max = answer_bytes_max
        self.places = ConcurrencyLimit("sessions", SESSIONS_MAX)
        self.held = HeldBytes(SESSIONS_BYTES_MAX, "sessions")

    async def session(self, batches: AsyncIterator[session_pb2.RequestBatch | ApiError], context: Context) -> None:
        """Serve one session to its end."""
        session = ServerSession(
            self._backend,
            context,
            self._answer_bytes_max,
            self._identity,
            self.held,
            self._authorization,
            self._orders,
            self._changes,
            None if self._tracing is None else RequestSpans(self._tracing),
        )
        ends = ends_of_stream(self._stopping)
        async with self.places.one(context):
            try:
                await session.run(batches, *ends)
            except ExceptionGroup as group:
                if group.split(EvictedError)[0] is not None:
                    # It keeps its place until its client has heard, or has gone.
                    await session.finish_write()
                    await self._refuse(context, session, ends)
                if group.split(grpc.aio.InternalError)[1] is not None:
                    raise
                raise no_voter_left(group) from group
            finally:
                self.held.forget(session)
                session.close_spans()
        await self._refuse(context, session, ends)

    async def _refuse(self, context: Context, session: ServerSession, ends: Sequence[asyncio.Event]) -> None:
        """Say why a session ends, unless its client ended it."""
        if session.refusal is not None:
            await abort(context, detail_of(session.refusal, None))
        if self._stopping.is_set():
            await abort(context, detail_of(STOPPING, self._backend.leader_hint()))
        if any(one.is_set() for one in ends):
            await abort(context, detail_of(SESSION_OVER, None))


class EvictedError(Exception):
    """A session is ended because others need what it holds; its refusal says so."""


class ServerSession:
    """One session's requests under way, and its answers that have not left.

    Attributes:
        refusal: why the session ends, when its client sent what is no batch, or too large a one.
    """

    def __init__(
        self,
        backend: NodeApi,
        context: Context,
        answer_bytes_max: int,
        identity: NodeIdentity | None = None,
        held: HeldBytes | None = None,
        authorization: Authorization | None = None,
        orders: Orders | None = None,
        changes: AdministrativeChanges | None = None,
        spans: RequestSpans | None = None,
    ) -> None:
        self._spans = spans
        self._authorization = authorization
        changes = changes or AdministrativeChanges(backend.now_ms, backend.request_errors)
        self._checks = RequestChecks(identity, authorization, changes)
        self._transfers = LeadershipTransfers(backend, changes, authorization)
        self._principal = principal_at(context)
        self._caller = caller_at(context)
        self._client_id = client_id_at(context)
        self._client = client_of(self._caller, self._client_id, authorization)
        self._held = held or HeldBytes(SESSIONS_BYTES_MAX, "sessions")
        self._evicted = asyncio.Event()
        self._backend = backend
        self._context = context
        self._answer_bytes_max = answer_bytes_max
        self._answers: list[_Answer] = []
        self._answer_bytes = 0
        self._orders = orders or Orders()
        self._topics = TopicPages()
        self._has_answers = asyncio.Event()
        self._has_room = asyncio.Event()
        self._unanswered = 0
        self._request_bytes = 0
        self._is_ending = False
        self._writing: asyncio.Future[None] | None = None
        self.refusal: ApiError | None = None

    async def run(self, batches: AsyncIterator[session_pb2.RequestBatch | ApiError], *ends: asyncio.Event) -> None:
        """Serve until the client ends its side, sends nonsense, or an event is set; then answer what is under way."""
        async with asyncio.TaskGroup() as tasks:
            writing = tasks.create_task(self._write())
            until_evicted = tasks.create_task(self._raise_when_evicted())
            ended = [tasks.create_task(one.wait()) for one in ends]
            until_late = tasks.create_task(self._end_when_late(ended))
            async with asyncio.TaskGroup() as serving:
                reading = serving.create_task(self._read(batches, serving))
                await asyncio.wait({reading, *ended}, return_when=asyncio.FIRST_COMPLETED)
                reading.cancel()
            self._is_ending = True
            self._has_answers.set()
            # What is left to write may be large, and its client may not read it.
            await asyncio.wait({writing, until_evicted}, return_when=asyncio.FIRST_COMPLETED)
            for one in (until_evicted, until_late, *ended):
                one.cancel()

    def evict(self, reason: str) -> None:
        """End the session now: nothing is written any more."""
        self.refusal = ApiError(ErrorCode.THROTTLING_QUOTA_EXCEEDED, f"this session is ended: {reason}")
        self._answers = []
        self._evicted.set()

    def close_spans(self) -> None:
        """End the spans of requests that have no answer."""
        if self._spans is not None:
            self._spans.close()

    async def _end_when_late(self, ended: Sequence[asyncio.Task[Any]]) -> None:
        """End the session when an event was set, and what is under way is not answered and read in time."""
        if ended:
            await asyncio.wait(ended, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.sleep(ENDING_MS / 1_000)
            self._held.forget(self)
            self._answers = []
            self._evicted.set()

    async def _raise_when_evicted(self) -> None:
        await self._evicted.wait()
        raise EvictedError

    def _count(self) -> None:
        """Report how many bytes are held; the session that holds most may be closed because of it."""
        if not self._evicted.is_set():
            self._held.hold(self, self._request_bytes + self._answer_bytes)

    async def _read(
        self, batches: AsyncIterator[session_pb2.RequestBatch | ApiError], serving: asyncio.TaskGroup
    ) -> None:
        async for batch in batches:
            if isinstance(batch, ApiError):
                self.refusal = batch
                return
            self.refusal = _too_many(len(batch.requests))
            if self.refusal is not None:
                return
            count = len(batch.requests)
            await self._room()
            size = batch.ByteSize() + count * ELEMENT_BYTES
            while self._unanswered and self._is_full_with(count, size):
                self._has_room.clear()
                await self._has_room.wait()
            self._unanswered += count
            self._request_bytes += size
            self._count()
            serving.create_task(self._serve_batch(batch.requests, size))

    def _is_full_with(self, count: int, size: int) -> bool:
        return self._unanswered + count > SESSION_REQUESTS_MAX or self._request_bytes + size > SESSION_REQUEST_BYTES_MAX

    async def _serve_batch(self, requests: Sequence[session_pb2.Request], size: int) -> None:
        try:
            await self._serve(requests)
        finally:
            self._request_bytes -= size
            self._count()
            self._has_room.set()

    @property
    def _has_space(self) -> bool:
        return self._answer_bytes <= SESSION_ANSWER_BYTES_MAX

    async def _room(self) -> None:
        """Wait until the client has taken enough of its answers."""
        while not self._has_space:
            self._has_room.clear()
            await self._has_room.wait()

    async def finish_write(self) -> None:
        """Wait for the write that was under way when the session was ended: gRPC takes no status before."""
        if self._writing is not None:
            await asyncio.wait({self._writing})

    async def _send(self, responses: Sequence[session_pb2.Response]) -> None:
        self._writing = asyncio.ensure_future(self._context.write(self._batch(responses)))
        await asyncio.shield(self._writing)

    async def _write(self) -> None:
        await self._send(())
        while True:
            await self._has_answers.wait()
            self._has_answers.clear()
            answers, self._answers = self._answers, []
            for responses, size in _cut(answers, min(RESPONSE_BATCH_BYTES_MAX, self._answer_bytes_max)):
                await self._send(responses)
                self._answer_bytes -= size + len(responses) * ELEMENT_BYTES
                self._count()
                self._has_room.set()
            if self._is_ending and not self._answers:
                return

    def _batch(self, responses: Sequence[session_pb2.Response]) -> session_pb2.ResponseBatch:
        hint = self._backend.leader_hint()
        if hint is None:
            return session_pb2.ResponseBatch(responses=responses)
        return session_pb2.ResponseBatch(responses=responses, leader_epoch=hint.epoch, leader_sequence=hint.sequence)

    async def _serve(self, requests: Sequence[session_pb2.Request]) -> None:
        writes: list[_Write] = []
        others: list[session_pb2.Request] = []
        for request in requests:
            span = None if self._spans is None else self._spans.start(request)
            write = BY_NAME.get(request.WhichOneof("call") or "")
            if write is None:
                others.append(request)
                continue
            try:
                timeout_ms = request.timeout_ms or REQUEST_TIMEOUT_MS
                submission = write.submission(getattr(request, write.name), timeout_ms)
                ids = RequestIds(submission.request_id, request.id, self._client_id)
                admitted = self._checks.admit(submission.request, self._principal, self._caller, ids)
                charged = charged_to(admitted.request, self._client)
                submission = submission._replace(
                    request=charged, noted=admitted.noted, trace=write_trace(span), author=admitted.author
                )
                writes.append(_Write(request.id, write, submission, admitted))
            except Exception as error:  # noqa: BLE001 - the client gets all of it, as details; the session goes on
                note_if_unexpected(self._backend, write.request.__name__, error)
                self._refuse(request.id, error)
        if writes:
            await self._submit(writes)
        waiting = [request for request in others if _waits(request)]
        for request in others:
            if not _waits(request):
                await self._look_up(request)
        if waiting:
            # They wait together: for one confirmation of the leadership, each for its own offset.
            async with asyncio.TaskGroup() as lookups:
                for request in waiting:
                    lookups.create_task(self._look_up(request))

    async def _submit(self, writes: Sequence[_Write]) -> None:
        """Have the writes of a batch decided and committed together."""
        timeout_ms = max(each.submission.timeout_ms or REQUEST_TIMEOUT_MS for each in writes)
        try:
            async with asyncio.timeout(timeout_ms / 1000):
                outcomes = await self._backend.submit_many([each.submission for each in writes])
        except Exception as error:  # noqa: BLE001 - the client gets all of it, as details
            note_if_unexpected(self._backend, "RequestBatch", error)
            for each in writes:
                self._refuse(each.request_id, error, is_write=True)
            return
        finally:
            for each in writes:
                if each.submission.trace is not None:
                    each.submission.trace.end()
        for (request_id, write, _, admitted), decided in zip(writes, outcomes, strict=True):
            outcome = admitted.outcome(decided)
            if isinstance(outcome, ApiError):
                self._refuse(request_id, outcome)
                continue
            try:
                answer = write.answer(outcome, self._backend.now_ms())
            except Exception as error:  # noqa: BLE001 - as above
                note_if_unexpected(self._backend, write.request.__name__, error)
                self._refuse(request_id, error, is_write=True)
            else:
                self._answer(request_id, write.name, answer)

    async def _look_up(self, request: session_pb2.Request) -> None:
        """Answer a read."""
        backend = self._backend
        name = request.WhichOneof("call")
        await self._room()
        try:
            if self._authorization is not None and name is not None:
                check_call(self._authorization, getattr(request, name), self._caller)
            match name:
                case "describe_cluster":
                    view = await self._view(request, request.describe_cluster.read)
                    answer: Any = reads.describe_cluster(
                        request.describe_cluster, view, backend.leader_hint(), self._answer_bytes_max
                    )
                case "describe_features":
                    answer = reads.describe_features(await self._view(request, request.describe_features.read))
                case "describe_topics":
                    view = await self._view(request, request.describe_topics.read)
                    shows = visible_topics(self._authorization, self._caller)
                    answer = self._topics.page(request.describe_topics, view, shows)
                case "list_partition_reassignments":
                    asked_list = request.list_partition_reassignments
                    answer = list_reassignments(asked_list, await self._view(request, asked_list.read), self._topics)
                case _ if name in LISTED:
                    answer = await self._page(request, name)
                case "describe_log_dirs":
                    async with asyncio.timeout((request.timeout_ms or REQUEST_TIMEOUT_MS) / 1000):
                        answer = reads.describe_log_dirs(*await backend.describe_log_dirs())
                case "describe_quorum":
                    async with asyncio.timeout((request.timeout_ms or REQUEST_TIMEOUT_MS) / 1000):
                        answer = reads.describe_quorum(backend.newest_view(), await backend.describe_quorum())
                case "transfer_leadership":
                    async with asyncio.timeout((request.timeout_ms or REQUEST_TIMEOUT_MS) / 1000):
                        ids = RequestIds(b"", request.id, self._client_id)
                        leader = await self._transfers.transfer(request.transfer_leadership, self._caller, ids)
                        answer = reads.leadership(leader)
                case _:
                    answer = errors_pb2.ErrorDetail(
                        code=42, name="INVALID_REQUEST", message=f"request {request.id} holds no call known here"
                    )
                    name = "error"
        except Exception as error:  # noqa: BLE001 - the client gets all of it, as details
            note_if_unexpected(self._backend, name or "Request", error)
            self._refuse(request.id, error)
            return
        self._answer(request.id, name, answer)

    async def _view(self, request: session_pb2.Request, options: common_pb2.ReadOptions) -> MetadataView:
        return await self._backend.view_at(reads.read_at(options, request.timeout_ms or REQUEST_TIMEOUT_MS))

    async def _page(self, request: session_pb2.Request, name: str) -> Any:
        """Make one page of a list, when there is room for it."""
        asked = getattr(request, name)

        async def take_view() -> MetadataView:
            view = await self._view(request, asked.read)
            while not self._has_space:
                # Others that waited for the same state have been answered first.
                await self._room()
                view = await self._view(request, asked.read)
            return view

        return await list_page(name, asked, take_view, self._orders, self._answer_bytes_max)

    def _refuse(self, request_id: int, error: Exception, *, is_write: bool = False) -> None:
        self._answer(request_id, "error", detail_of(error, self._backend.leader_hint(), is_write=is_write))

    def _answer(self, request_id: int, name: str, message: Any) -> None:
        response = session_pb2.Response(id=request_id, **{name: message})
        size = response.ByteSize() + RESPONSE_FRAME_BYTES
        if size > self._answer_bytes_max and name != "error":
            self._refuse(request_id, too_large(str(size), self._answer_bytes_max))
            return
        if self._spans is not None:
            self._spans.answered(request_id, message)
        self._answers.append((response, size))
        self._answer_bytes += size + ELEMENT_BYTES
        self._count()
        self._has_answers.set()
        self._unanswered -= 1
        self._has_room.set()


def _waits(request: session_pb2.Request) -> bool:
    """Return whether a read may have to wait, so that others are not to wait behind it."""
    match request.WhichOneof("call"):
        case "describe_cluster":
            return request.describe_cluster.HasField("read")
        case "describe_features":
            return request.describe_features.HasField("read")
        case "describe_topics":
            return request.describe_topics.HasField("read")
        case name if name in LISTED:
            return bool(getattr(request, name).HasField("read"))
        case "list_partition_reassignments":
            return request.list_partition_reassignments.HasField("read")
        case "describe_quorum" | "transfer_leadership" | "describe_log_dirs":
            return True
        case _:
            return False


def _too_many(count: int) -> ApiError | None:
    if count <= SESSION_REQUESTS_MAX:
        return None
    text = f"{count} requests in one batch, at most {SESSION_REQUESTS_MAX} are allowed: send several"
    return ApiError(ErrorCode.INVALID_REQUEST, text)


_Answer: TypeAlias = tuple[session_pb2.Response, int]
"""An answer, and how many bytes it takes."""


def _cut(answers: list[_Answer], bytes_max: int) -> Iterator[tuple[list[session_pb2.Response], int]]:
    """Cut answers into messages of bounded size; say each one's size, too."""
    group: list[session_pb2.Response] = []
    size = 0
    for answer, answer_bytes in answers:
        if group and size + answer_bytes > bytes_max:
            yield group, size
            group, size = [], 0
        group.append(answer)
        size += answer_bytes
    if group:
        yield group, size
