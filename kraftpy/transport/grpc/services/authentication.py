"""Authenticate callers of the public API by SASL: one call is one exchange, and ends with a session.

A call that is not over holds one of few places, and has a time. When all places are taken, the oldest is ended for
another one, as a listener of Kafka's protocol does with connections that are not authenticated. So it is when what all
of them may receive would be too many bytes, and, where strangers are concerned, when one address has half of the
places: then the oldest of that address ends. A call that renews a session has a place of that session, which strangers
cannot take. A failure is answered after a pause, in which it holds its place and receives nothing.

Source: Kafka ``SaslServerAuthenticator``, ``ConnectionQuotas``; KIP-152, KIP-306, KIP-368; etcd ``Auth.Authenticate``
(a token as metadata).
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

import grpc

from kraftpy.authenticator.exchange import (
    REAUTHENTICATION_INTERVAL_MS,
    SASL_AUTHENTICATE_KEY,
    SASL_HANDSHAKE_KEY,
    ExchangeAnswer,
    ExchangeState,
    ServerExchange,
)
from kraftpy.authenticator.mechanism import SCRAM_HASHES
from kraftpy.model.errors import ApiError, BusyError, ErrorCode
from kraftpy.pb.v1 import authentication_pb2 as pb
from kraftpy.transport.grpc.elements import BytesLimit
from kraftpy.transport.grpc.errors import abort, detail_of
from kraftpy.transport.grpc.identity import host_at
from kraftpy.transport.grpc.sasl_sessions import SaslSession, SaslSessions
from kraftpy.transport.grpc.services.calls import LOG, STOPPING, Context, no_voter_left, note_if_unexpected, run_until
from kraftpy.transport.limits import LimitUse
from kraftpy.transport.node_api import NodeApi
from kraftpy.transport.sasl import AUTHENTICATION_MAX_MS, Authentication

EXCHANGES_MAX: Final = 64
"""How many calls without a session may authenticate their callers at a time; for another one, the oldest ends."""

EXCHANGES_PER_ADDRESS_MAX: Final = EXCHANGES_MAX // 2
"""How many of them may come from one address; for another one, the oldest of that address ends."""

RENEWALS_MAX: Final = 256
"""How many sessions may be renewed at a time, each by one call; for another one, the oldest ends."""

RECEIVING_BYTES_MAX: Final = 256 * 1024 * 1024
"""How many bytes the calls of either kind may receive at a time. gRPC receives a message whole before it can be
refused, and does not say before how long it is: each call that may send one counts ``grpc.max.message.bytes``."""

RECEIVING_BYTES_PER_ADDRESS_MAX: Final = RECEIVING_BYTES_MAX // 2
"""How many of them the calls without a session of one address may receive."""

NO_SASL: Final = ApiError(
    ErrorCode.SECURITY_DISABLED,
    "the public API of this node does not speak SASL: call without authenticating, or set grpc.security.protocol to "
    "SASL_SSL",
)
EXPIRED: Final = ApiError(ErrorCode.SASL_AUTHENTICATION_FAILED, "the credentials have expired")
"""A mechanism may accept a token that expired within the difference of clocks: it would open a session of no time."""

NOT_LOADED: Final = ApiError(
    ErrorCode.OFFSET_NOT_AVAILABLE, "this node has not loaded the users of SCRAM yet; ask another node, or later"
)


def authentication_bytes(config: Authentication) -> BytesLimit:
    """Return how long a message of an exchange may be."""
    return BytesLimit(config.receive_bytes_max, "sasl.server.max.receive.size")


class AuthenticationService:
    """Opens and renews sessions.

    Args:
        backend: the node.
        stopping: set when the node stops.
        sessions: where sessions are.
        config: how callers authenticate themselves; ``None`` where they need not.
        message_bytes_max: how much gRPC receives of a message, however long the exchange lets it be.
    """

    def __init__(
        self,
        backend: NodeApi,
        stopping: asyncio.Event,
        sessions: SaslSessions,
        config: Authentication | None,
        message_bytes_max: int,
    ) -> None:
        self._backend = backend
        self._stopping = stopping
        self._sessions = sessions
        self._config = config
        of_all, of_address = (
            max(1, most // message_bytes_max) for most in (RECEIVING_BYTES_MAX, RECEIVING_BYTES_PER_ADDRESS_MAX)
        )
        self._places = ExchangePlaces(
            "unfinished authentications",
            PlacesLimit(EXCHANGES_MAX, of_all),
            PlacesLimit(EXCHANGES_PER_ADDRESS_MAX, of_address),
        )
        self._renewals = ExchangePlaces("unfinished renewals", PlacesLimit(RENEWALS_MAX, of_all))

    def limit_uses(self) -> tuple[LimitUse, ...]:
        """Say how many exchanges and sessions there are."""
        return (self._places.limit_use(), self._renewals.limit_use(), self._sessions.limit_use())

    async def authenticate(self, requests: AsyncIterator[pb.AuthenticateRequest | ApiError], context: Context) -> None:
        """Serve one exchange to its end."""
        if self._config is None:
            await abort(context, detail_of(NO_SASL, None))
        found = self._sessions.find(context.invocation_metadata())
        renewed = None if isinstance(found, ApiError) else found
        # Before it takes a place, for which another session's renewal might end.
        if renewed is not None and self._config.now_ms() - renewed.authenticated_ms < REAUTHENTICATION_INTERVAL_MS:
            text = f"a session may be renewed once in {REAUTHENTICATION_INTERVAL_MS} ms"
            await abort(context, detail_of(ApiError(ErrorCode.ILLEGAL_SASL_STATE, text), None))
        exchange = CallExchange(self._config, self._sessions, renewed)
        refusal: Exception | None
        try:
            if renewed is None:
                refusal = await self._refusal(exchange, requests, context, self._places, context)
            else:
                refusal = await self._refusal(exchange, requests, context, self._renewals, renewed)
        except grpc.aio.InternalError as error:
            raise no_voter_left(error) from error
        if refusal is not None:
            await abort(context, detail_of(refusal, None))

    async def _refusal(
        self,
        exchange: CallExchange,
        requests: AsyncIterator[pb.AuthenticateRequest | ApiError],
        context: Context,
        places: ExchangePlaces,
        owner: object,
    ) -> Exception | None:
        """Serve an exchange in a place of its owner, and return why it fails, after the pause that a failure is due."""
        try:
            with places.one(owner, host_at(context)) as place:
                try:
                    async with asyncio.timeout(AUTHENTICATION_MAX_MS / 1_000):
                        if not await run_until((self._stopping, place.evicted), exchange.run(requests, context)):
                            return None
                        if self._stopping.is_set():
                            return STOPPING
                        exchange.log_ended(context.peer(), f"another one needs its place: {place.ended_because}")
                        return places.refusal(place.ended_because)
                except FailedExchangeError as failed:
                    await run_until((self._stopping,), exchange.pause(context.peer(), failed, place))
                    return failed.refusal
        except TimeoutError:
            places.count_refused()
            late = f"the caller was not authenticated in {AUTHENTICATION_MAX_MS} ms"
            exchange.log_ended(context.peer(), late)
            return ApiError(ErrorCode.REQUEST_TIMED_OUT, late)
        except grpc.aio.InternalError:
            raise
        except Exception as error:  # noqa: BLE001 - the client gets all of it, as a status
            note_if_unexpected(self._backend, pb.AuthenticateRequest.__name__, error)
            return error


class FailedExchangeError(Exception):
    """The caller is not who it says, or its messages are none of an exchange.

    Attributes:
        refusal: for the caller.
    """

    def __init__(self, reason: str, refusal: ApiError) -> None:
        super().__init__(reason)
        self.refusal = refusal


class CallExchange:
    """The exchange of one call.

    Args:
        config: how callers authenticate themselves.
        sessions: where the session is opened.
        renewed: the session that the call renews, if it names one.
    """

    def __init__(self, config: Authentication, sessions: SaslSessions, renewed: SaslSession | None) -> None:
        self._config = config
        self._sessions = sessions
        self._renewed = renewed
        renews = None if renewed is None else (renewed.mechanism, renewed.verdict)
        self._exchange = ServerExchange(config.exchange, renews)

    async def run(self, requests: AsyncIterator[pb.AuthenticateRequest | ApiError], context: Context) -> None:
        """Take the client's messages and answer them, until there is a session.

        Raises:
            FailedExchangeError: the caller is not authenticated.
            ApiError: the client ended the call.
            BusyError: there is no place for a session.
        """
        async for request in requests:
            response = self.answer(request)
            await context.write(response)
            if response.HasField("session"):
                return
        raise ApiError(ErrorCode.ILLEGAL_SASL_STATE, "the client ended the call before it was authenticated")

    def answer(self, request: pb.AuthenticateRequest | ApiError) -> pb.AuthenticateResponse:
        """Answer one message.

        Raises:
            FailedExchangeError: the caller is not authenticated.
            BusyError: there is no place for a session.
        """
        if isinstance(request, ApiError):
            raise FailedExchangeError(request.message, request)
        is_first = self._exchange.state is ExchangeState.INITIAL
        malformed = self._malformed(request, is_first=is_first)
        if malformed is not None:
            raise FailedExchangeError(malformed, ApiError(ErrorCode.INVALID_REQUEST, malformed))
        now_ms = self._config.now_ms()
        late = self._exchange.refusal(SASL_HANDSHAKE_KEY if is_first else SASL_AUTHENTICATE_KEY, now_ms)
        if late is not None:
            raise FailedExchangeError(late, ApiError(ErrorCode.ILLEGAL_SASL_STATE, late))
        if is_first:
            answer = self._exchange.handshake(request.mechanism, 1, now_ms)
        else:
            answer = self._exchange.token(request.data, now_ms)
        if answer.failure is not None:
            raise FailedExchangeError(answer.failure, self._refusal(answer))
        response = pb.AuthenticateResponse(data=answer.data)
        if self._exchange.state is ExchangeState.OPEN:
            if self._exchange.expires_ms is not None and self._exchange.expires_ms <= now_ms:
                raise FailedExchangeError(EXPIRED.message, EXPIRED)
            response.session.CopyFrom(self._session())
        return response

    @staticmethod
    def _malformed(request: pb.AuthenticateRequest, *, is_first: bool) -> str | None:
        """Say why a message is none of an exchange; ``None`` when it is one."""
        if is_first and (not request.mechanism or request.data):
            return "the first message names a mechanism, and has no data; the mechanism's bytes come next"
        if not is_first and request.mechanism:
            return "a message that is not the first names a mechanism: begin another call for another mechanism"
        return None

    def _refusal(self, answer: ExchangeAnswer) -> ApiError:
        """Say what the caller may hear; a user that is not found on a node without its state may exist."""
        if self._exchange.mechanism in SCRAM_HASHES and not self._config.has_users():
            return NOT_LOADED
        if answer.error is ErrorCode.UNSUPPORTED_SASL_MECHANISM:
            offered = ", ".join(self._config.exchange.mechanisms)
            return ApiError(answer.error, f"{answer.failure}; this node offers {offered}")
        return ApiError(answer.error, answer.message or answer.failure or answer.error.name)

    def _session(self) -> pb.AuthenticatedSession:
        """Open the session, or renew it: then its token stays, and is not sent again."""
        exchange, renewed = self._exchange, self._renewed
        verdict = exchange.verdict
        assert verdict is not None, "an exchange that is open has a verdict"
        if renewed is not None and not renewed.over.is_set():
            self._sessions.renew(renewed, verdict, exchange.expires_ms)
            token, session = "", renewed
        else:
            token, session = self._sessions.open(exchange.mechanism, verdict, exchange.expires_ms)
        lifetime_ms = max(0, session.expires_ms - session.authenticated_ms)
        return pb.AuthenticatedSession(token=token, lifetime_ms=lifetime_ms, principal=verdict.principal)

    def log_ended(self, peer: str, reason: str) -> None:
        """Log that the node ended the exchange before there was a verdict. Logs bound how many lines there are."""
        LOG.warning(
            "authentication_ended peer=%s mechanism=%s reason=%s", peer, self._exchange.mechanism or "-", reason
        )

    async def pause(self, peer: str, failed: FailedExchangeError, place: ExchangePlace) -> None:
        """Count and log a failure, and wait as long as its answer has to; its place stays taken for as long."""
        if failed.refusal is not NOT_LOADED:
            self._config.on_failure()
        mechanism = self._exchange.mechanism or "-"
        LOG.warning("authentication_failed peer=%s mechanism=%s reason=%s", peer, mechanism, failed)
        delay_s = self._config.failure_delay_ms / 1_000
        place.keep(delay_s)
        await asyncio.sleep(delay_s)


class ExchangePlace:
    """The place of one exchange.

    Attributes:
        address: from where the caller calls.
        evicted: set when another exchange needs it.
        ended_because: why it does.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.evicted = asyncio.Event()
        self.ended_because = ""
        self._kept_until_s = 0.0

    def keep(self, delay_s: float) -> None:
        """Keep it for the pause of a failure: it is not evicted, and stays taken when the caller leaves."""
        self._kept_until_s = asyncio.get_running_loop().time() + delay_s

    def kept_s(self) -> float:
        """Return for how long it is kept yet."""
        return max(0.0, self._kept_until_s - asyncio.get_running_loop().time())


class PlacesLimit(NamedTuple):
    """How many exchanges there may be.

    Attributes:
        count_max: in all.
        receiving_max: of those that may be sent a message, which are not in the pause of a failure.
    """

    count_max: int
    receiving_max: int


class ExchangePlaces:
    """The exchanges that are under way, the oldest first.

    Args:
        name: of the limit.
        of_all: how many there may be.
        of_address: how many may come from one address; without it as many as of all.
    """

    def __init__(self, name: str, of_all: PlacesLimit, of_address: PlacesLimit | None = None) -> None:
        self._name = name
        self._of_all = of_all
        self._of_address = of_address
        self._taken: OrderedDict[object, ExchangePlace] = OrderedDict()
        self._refused = 0

    def limit_use(self) -> LimitUse:
        """Say how many there are."""
        return LimitUse(self._name, len(self._taken), self._of_all.count_max, self._refused)

    @contextmanager
    def one(self, owner: object, address: str) -> Iterator[ExchangePlace]:
        """Hold a place; the owner's earlier exchange ends for it, or when there are too many, the oldest of these.

        Raises:
            BusyError: those that could end wait for the pause of their failures.
        """
        self._make_room(owner, address)
        place = ExchangePlace(address)
        self._taken[owner] = place
        try:
            yield place
        finally:
            kept_s = place.kept_s()
            if kept_s:
                asyncio.get_running_loop().call_later(kept_s, self._free, owner, place)
            else:
                self._free(owner, place)

    def refusal(self, reason: str) -> BusyError:
        """Say why an exchange has no place."""
        return BusyError(f"{reason}: authenticate again later, or at another node")

    def count_refused(self) -> None:
        """Count an exchange that was ended for another reason, too."""
        self._refused += 1

    def _make_room(self, owner: object, address: str) -> None:
        own = self._taken.get(owner)
        if own is not None:
            self._end_oldest([owner], "a newer call renews the same session")
        if self._of_address is not None:
            same = [one for one, place in self._taken.items() if place.address == address]
            self._make_room_among(same, self._of_address, f"{address} has")
        self._make_room_among(list(self._taken), self._of_all, "this node has")

    def _make_room_among(self, owners: list[object], limit: PlacesLimit, who: str) -> None:
        receiving = sum(not self._taken[one].kept_s() for one in owners)
        if len(owners) >= limit.count_max:
            self._end_oldest(owners, f"{who} {len(owners)} {self._name} (limit {limit.count_max})")
        elif receiving >= limit.receiving_max:
            text = f"{who} {receiving} {self._name} that may send grpc.max.message.bytes (limit {limit.receiving_max})"
            self._end_oldest(owners, text)

    def _end_oldest(self, owners: list[object], reason: str) -> None:
        """End the oldest of these that is not in the pause of its failure."""
        self._refused += 1
        oldest = next((one for one in owners if not self._taken[one].kept_s()), None)
        if oldest is None:
            raise self.refusal(reason)
        place = self._taken.pop(oldest)
        place.ended_because = reason
        place.evicted.set()

    def _free(self, owner: object, place: ExchangePlace) -> None:
        if self._taken.get(owner) is place:
            del self._taken[owner]
