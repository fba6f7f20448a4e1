"""A connection to one node, authenticated by SASL where the client has credentials.

Each connection has a session of its own at its node, whose token its calls send. The session is renewed before its
lifetime ends, so that the streams of the connection go on. When the node no longer knows the session, because it was
restarted or needed the place, the streams end as with a broken connection, and the next connection authenticates again.

Source: Kafka ``SaslClientAuthenticator``; KIP-368.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any, Final, NamedTuple

import grpc

from kraftpy.authenticator.exchange import REAUTHENTICATION_INTERVAL_MS
from kraftpy.authenticator.login import REASON_CHARACTERS_MAX, ClientExchange, Login
from kraftpy.authenticator.mechanism import AuthenticationError, NoCredentialsError
from kraftpy.client.errors import RejectedError, refusal_of
from kraftpy.client.nodes import Nodes
from kraftpy.client.session import SessionLostError, connect
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.escaping import shortened
from kraftpy.pb.v1 import authentication_pb2 as pb
from kraftpy.pb.v1 import errors_pb2

LOG: Final = logging.getLogger("kraftpy.client")

AUTHENTICATE_PATH: Final = "/kraftpy.v1.AuthenticationService/Authenticate"

AUTHENTICATION_MAX_S: Final = 10.0
"""How long an authentication may take: as long as a node lets it, and not the time that a node has to accept a
connection, because a node lets failures wait for their answer."""

RENEWAL_SHARE: Final = 0.85
"""After which share of its lifetime a session is renewed. Source: Kafka ``ReauthInfo``."""

RENEWAL_MIN_S: Final = REAUTHENTICATION_INTERVAL_MS / 1_000 + 0.05
"""How long a session is not renewed at least: as long as its node refuses it, and as much as two clocks may differ in
this time."""

RENEWAL_PAUSE_SHARE: Final = 0.125
"""For which share of the time that is left of a session a renewal that failed waits until it is tried again."""

RENEWAL_PAUSE_MIN_S: Final = 0.05
RENEWAL_PAUSE_MAX_S: Final = 10.0

REJECTIONS: Final = frozenset({ErrorCode.SASL_AUTHENTICATION_FAILED, ErrorCode.UNSUPPORTED_SASL_MECHANISM})
"""What no further attempt changes."""


class Access(NamedTuple):
    """How connections are protected.

    Attributes:
        credentials: TLS, if given.
        login: the credentials for SASL, if given.
    """

    credentials: grpc.ChannelCredentials | None = None
    login: Login | None = None

    def refusal_of(self, error: grpc.aio.AioRpcError, node: str) -> RejectedError | None:
        """Unpack the detail of a failed call of a node; ``None`` when another connection may do better.

        That the node asks for a session is final without credentials. With them, the session is over.
        """
        refusal = refusal_of(error, node)
        is_over = refusal is not None and refusal.code is ErrorCode.ILLEGAL_SASL_STATE and self.login is not None
        return None if is_over else refusal


class NodeConnection:
    """A connection to a node, and what its calls send as metadata. Close it.

    Attributes:
        channel: gRPC's.
        target: ``host:port`` of the node.
        metadata: for each call.
        access: how it is protected.
    """

    def __init__(self, channel: Any, target: str, access: Access) -> None:
        self.channel = channel
        self.access = access
        self.target = target
        self.metadata: tuple[tuple[str, str], ...] = ()
        self._renewing: asyncio.Task[None] | None = None

    async def log_in(self) -> None:
        """Authenticate, if there are credentials, and go on doing so until the connection is closed.

        Raises:
            ApiError: the node rejects the credentials, or does not prove that it knows them; or there are none now.
            SessionLostError: the connection broke.
            TimeoutError: the node takes too long.
        """
        if self.access.login is None:
            return
        try:
            lifetime_ms = await self._authenticate(self.access.login)
        except NoCredentialsError as error:
            raise ApiError(ErrorCode.SASL_AUTHENTICATION_FAILED, f"{self.target}: {error}") from error
        self._renewing = asyncio.ensure_future(self._renew(self.access.login, lifetime_ms))

    async def close(self) -> None:
        """Close; calls under way end."""
        if self._renewing is not None:
            self._renewing.cancel()
        await self.channel.close()

    async def _renew(self, login: Login, lifetime_ms: int) -> None:
        """Renew the session for as long as that may succeed. What else ends it ends its streams, too."""
        renewed: int | None = lifetime_ms
        while renewed is not None:
            ends_s = asyncio.get_running_loop().time() + renewed / 1_000
            await asyncio.sleep(renewal_delay_s(renewed))
            renewed = await self._renewed(login, ends_s)

    async def _renewed(self, login: Login, ends_s: float) -> int | None:
        """Renew the session until the loop's time when it ends; return how long it lasts, ``None`` when it does not."""
        loop, reason = asyncio.get_running_loop(), "no renewal was begun before its end"
        while (left_s := ends_s - loop.time()) > 0:
            try:
                return await self._authenticate(login)
            except (ApiError, NoCredentialsError, SessionLostError, TimeoutError) as error:
                reason = shortened(str(error), REASON_CHARACTERS_MAX) or f"no answer in {AUTHENTICATION_MAX_S:g} s"
                LOG.warning("renewal_failed peer=%s mechanism=%s reason=%s", self.target, login.mechanism, reason)
                if isinstance(error, ApiError) and error.code in REJECTIONS:
                    break
            await asyncio.sleep(min(max(left_s * RENEWAL_PAUSE_SHARE, RENEWAL_PAUSE_MIN_S), RENEWAL_PAUSE_MAX_S))
        LOG.error("session_not_renewed peer=%s mechanism=%s reason=%s", self.target, login.mechanism, reason)
        return None

    async def _authenticate(self, login: Login) -> int:
        """Open a session, or renew it; return how long it lasts, in milliseconds.

        Raises:
            ApiError: the node refuses, or does not prove that it knows the credentials.
            NoCredentialsError: there are none now.
            SessionLostError: the connection broke.
            TimeoutError: the node takes too long.
        """
        call = self.channel.stream_stream(
            AUTHENTICATE_PATH,
            request_serializer=pb.AuthenticateRequest.SerializeToString,
            response_deserializer=pb.AuthenticateResponse.FromString,
        )(metadata=self.metadata)
        try:
            async with asyncio.timeout(AUTHENTICATION_MAX_S):
                session = await _exchanged(call, login)
        except NoCredentialsError:
            raise
        except AuthenticationError as refused:
            raise ApiError(ErrorCode.SASL_AUTHENTICATION_FAILED, f"{self.target}: {refused}") from refused
        except grpc.aio.AioRpcError as error:
            if error.code() is grpc.StatusCode.UNIMPLEMENTED:
                text = f"{self.target} is of a version without SASL on its public API; take the credentials away"
                detail = errors_pb2.ErrorDetail(code=ErrorCode.UNSUPPORTED_VERSION, message=text)
                raise RejectedError(detail, self.target) from error
            reason = f"{self.target}: {error.code().name}: {error.details()}"
            raise self.access.refusal_of(error, self.target) or SessionLostError(reason, was_sent=False) from error
        finally:
            call.cancel()
        if session.token:
            self.metadata = (("authorization", f"Bearer {session.token}"),)
        return int(session.lifetime_ms)


def renewal_delay_s(lifetime_ms: int) -> float:
    """Return after which time a session is renewed; one that is too short for it ends before."""
    return max(lifetime_ms / 1_000 * RENEWAL_SHARE, RENEWAL_MIN_S)


async def _exchanged(call: Any, login: Login) -> pb.AuthenticatedSession:
    """Make one exchange.

    Raises:
        AuthenticationError: the node did not prove that it knows the credentials.
        NoCredentialsError: there are none now.
        grpc.aio.AioRpcError: the node refuses, or the connection broke.
    """
    exchange = ClientExchange(login)
    await _asked(call, pb.AuthenticateRequest(mechanism=exchange.mechanism))
    data: bytes | None = exchange.handshaken(0, ())
    while data is not None:
        answer = await _asked(call, pb.AuthenticateRequest(data=data))
        data = exchange.answered(0, None, answer.data)
    if not answer.HasField("session"):
        raise AuthenticationError("the node opens no session although the mechanism is over")
    return answer.session


async def _asked(call: Any, request: pb.AuthenticateRequest) -> pb.AuthenticateResponse:
    # When the call is over, reading says why.
    with suppress(asyncio.InvalidStateError):
        await call.write(request)
    answer = await call.read()
    if answer is grpc.aio.EOF:  # type: ignore[attr-defined] # the stubs lack it
        raise AuthenticationError("the node ends the authentication without a session")
    assert isinstance(answer, pb.AuthenticateResponse)
    return answer


async def open_connection(nodes: Nodes, access: Access) -> NodeConnection:
    """Connect to the node whose turn it is, and authenticate.

    Raises:
        ApiError: the node rejects the credentials, or does not prove that it knows them; or it asks to come back.
        SessionLostError: the node cannot be reached, or takes too long.
    """
    target = nodes.current
    connection = NodeConnection(await connect(nodes, access.credentials), target, access)
    try:
        await connection.log_in()
    except TimeoutError as error:
        nodes.record_timeout(target)
        await connection.close()
        raise SessionLostError(f"{target} does not answer", was_sent=False) from error
    except BaseException:
        await connection.close()
        raise
    return connection
