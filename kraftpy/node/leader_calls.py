"""The connection over which a node forwards calls of the public API to the leader.

There is one at a time, to the leader that was called last, and it shows the node's own credentials: the certificate of
its own public API, and where that speaks SASL, the node's login for the quorum. A node of another version, a listener
that takes other credentials, or one that cannot be reached is no error: the call is not forwarded then.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final

import grpc

from kraftpy.client.connection import Access, NodeConnection, open_connection
from kraftpy.client.errors import refusal_of, target
from kraftpy.client.nodes import Nodes
from kraftpy.client.session import SessionLostError
from kraftpy.config.listeners import is_encrypted
from kraftpy.config.node_config import NodeConfig
from kraftpy.model.errors import KraftError
from kraftpy.model.voters import Endpoint
from kraftpy.node.authentication import make_login
from kraftpy.transport.grpc.credentials import channel_credentials
from kraftpy.transport.grpc.forwarding import LostAnswerError, Metadata, NotForwardedError
from kraftpy.transport.tls import TlsFiles

LOG: Final = logging.getLogger("kraftpy.node.leader_calls")

FORWARD_PATH: Final = "/kraftpy.v1.ForwardingService/Forward"

CONNECT_MAX_S: Final = 5.0
"""How long a connection to the leader may take, and its authentication; the client's deadline may be earlier."""

RECONNECT_PAUSE_S: Final = 1.0
"""How long a leader is not asked again after it could not be reached, or refused to be asked; calls are answered with
its address meanwhile."""

_REFUSED: Final = frozenset(
    {grpc.StatusCode.UNIMPLEMENTED, grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED}
)
"""How a node refuses all calls of another one; what it refuses otherwise is this call alone, or it is busy."""


class _Shared:
    """A connection that calls share; once it is retired, the last of them closes it."""

    def __init__(self, connection: NodeConnection, address: str) -> None:
        self.connection = connection
        self.address = address
        self.is_retired = False
        self._users = 0

    async def __aenter__(self) -> NodeConnection:
        self._users += 1
        return self.connection

    async def __aexit__(self, *error: object) -> None:
        self._users -= 1
        await self._close_if_idle()

    def serves(self, address: str) -> bool:
        """Return whether it leads to an address, and was not lost meanwhile."""
        return self.address == address and self.connection.channel.get_state() is grpc.ChannelConnectivity.READY

    async def retire(self) -> None:
        """Take no more calls."""
        self.is_retired = True
        await self._close_if_idle()

    async def _close_if_idle(self) -> None:
        if self.is_retired and not self._users:
            await self.connection.close()


class LeaderConnection:
    """Calls the leader.

    Args:
        access: reads the credentials, for each connection.
    """

    def __init__(self, access: Callable[[], Access]) -> None:
        self._access = access
        self._opening: asyncio.Task[_Shared | None] | None = None
        self._shared: _Shared | None = None
        self._failed: tuple[str, float, str] | None = None

    async def call(self, endpoint: Endpoint, request: bytes, timeout_s: float, metadata: Metadata) -> bytes:
        """Make one call; errors as in ``transport.grpc.forwarding.LeaderCalls``."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_s
        shared = await self._connected(endpoint, min(timeout_s, CONNECT_MAX_S))
        async with shared as connection:
            method: Any = connection.channel.unary_unary(FORWARD_PATH)
            try:
                response: bytes = await method(
                    request, timeout=max(0.0, deadline - loop.time()), metadata=(*connection.metadata, *metadata)
                )
            except grpc.aio.AioRpcError as error:
                failure = _failure(error)
                refuses_all = error.code() in _REFUSED
                if self._shared is shared and (refuses_all or isinstance(failure, LostAnswerError)):
                    # Its session may be over, or the node has another version after its restart.
                    await self._retire()
                    if refuses_all:
                        self._failed = (shared.address, loop.time(), str(failure))
                raise failure from error
        return response

    async def _connected(self, endpoint: Endpoint, timeout_s: float) -> _Shared:
        """Return a connection to the leader.

        Raises:
            NotForwardedError: there is none.
        """
        address = target(endpoint.host, endpoint.port)
        if address is None:
            raise NotForwardedError(f"{endpoint.host}:{endpoint.port} is no address")
        try:
            async with asyncio.timeout(timeout_s):
                while (shared := self._shared) is None or not shared.serves(address):
                    self._check_pause(address)
                    if self._opening is None:
                        self._opening = asyncio.ensure_future(self._open(address))
                    opened = await asyncio.shield(self._opening)
                    if opened is not None and opened.address == address and not opened.is_retired:
                        return opened
                return shared
        except TimeoutError as error:
            raise NotForwardedError(f"no connection to {address} in {timeout_s:g} s") from error

    async def _open(self, address: str) -> _Shared | None:
        """Open a connection; ``None`` where that fails, which is noted.

        It goes on when the calls that wait for it end: their deadlines may be shorter than what it takes.
        """
        try:
            async with asyncio.timeout(CONNECT_MAX_S):
                await self._retire()
                connection = await open_connection(Nodes((address,), lambda: 0.0), self._access())
            self._shared, self._failed = _Shared(connection, address), None
        except (KraftError, SessionLostError, TimeoutError) as error:
            reason = str(error) or f"no connection in {CONNECT_MAX_S:g} s"
            self._failed = (address, asyncio.get_running_loop().time(), reason)
            return None
        else:
            return self._shared
        finally:
            self._opening = None

    def _check_pause(self, address: str) -> None:
        if self._failed is None:
            return
        failed, at_s, reason = self._failed
        if failed == address and asyncio.get_running_loop().time() - at_s < RECONNECT_PAUSE_S:
            raise NotForwardedError(f"{address}: {reason}")

    async def _retire(self) -> None:
        shared, self._shared = self._shared, None
        if shared is not None:
            await shared.retire()

    async def close(self) -> None:
        """Close the connection; calls in flight fail."""
        if (opening := self._opening) is not None:
            opening.cancel()
            await asyncio.wait((opening,))
        shared, self._shared = self._shared, None
        if shared is not None:
            await shared.connection.close()


def _failure(error: grpc.aio.AioRpcError) -> Exception:
    """Return what a failed call leaves open."""
    code, text = error.code(), f"{error.code().name}: {error.details()}"
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return TimeoutError(text)
    refusal = refusal_of(error)
    was_not_done = code in _REFUSED if refusal is None else not refusal.outcome_unknown
    return NotForwardedError(text) if was_not_done else LostAnswerError(text)


def leader_access(config: NodeConfig) -> Access:
    """Return what a node shows the public API of another one.

    Its login is not shown in plain text where the quorum never sees it so.

    Raises:
        ConfigError: a file of the certificate cannot be used.
    """
    api = config.api
    credentials = None
    if api.grpc_tls:
        tls = config.api_tls
        trust = tls.truststore_location
        if trust is None and is_encrypted(config.controller_protocol):
            trust = config.quorum_tls.truststore_location
        files = TlsFiles(certificate=tls.keystore_location, key_password=tls.key_password, trust=trust)
        credentials = channel_credentials(files)
    shows_login = api.grpc_sasl and (api.grpc_tls or not is_encrypted(config.controller_protocol))
    return Access(credentials, make_login(config) if shows_login else None)
