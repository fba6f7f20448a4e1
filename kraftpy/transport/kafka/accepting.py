"""Accepts connections: bounded per turn of the loop, known from the first moment, handshakes with a time limit.

``asyncio``'s own server passes a connection to its protocol after the TLS handshake; until then it is neither counted
nor closable. Here the protocol exists from the moment of ``accept``.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import ssl
from collections.abc import Callable
from typing import Any, Final

LOG: Final = logging.getLogger("kraftpy.transport.kafka")

BACKLOG: Final = 128
"""How many connections the kernel keeps for us that we have not accepted."""

ACCEPTS_PER_TURN_MAX: Final = 16
"""How many connections one turn of the loop accepts."""

HANDSHAKE_MAX_MS: Final = 5_000
"""A TLS handshake that takes longer ends its connection."""

RETRY_S: Final = 1.0
"""How long nothing is accepted when the process has no files left."""

_NO_FILES_LEFT: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


class Accepted(asyncio.Protocol):
    """What is made of an accepted connection."""

    def accepted(self, address: str, give_up: Callable[[], object]) -> bool:
        """Hear of the address, and how to end it while it has no transport; false closes it."""
        raise NotImplementedError(address, give_up)

    def never_made(self, reason: str) -> None:
        """Hear that no transport will come."""
        raise NotImplementedError(reason)


class Acceptor:
    """Listens on one address, or on all.

    Args:
        host: the address to bind; ``""`` binds all.
        port: 0 lets the system choose.
        make: makes what an accepted connection is handed to.
        context: returns the TLS context for the next connection; ``None`` is plaintext.
    """

    def __init__(
        self, host: str, port: int, make: Callable[[], Accepted], context: Callable[[], ssl.SSLContext | None]
    ) -> None:
        self._host = host
        self._port = port
        self._make = make
        self._context = context
        self._sockets: list[socket.socket] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._untaken: dict[asyncio.Task[None], socket.socket] = {}
        self._retries: dict[socket.socket, asyncio.TimerHandle] = {}

    @property
    def port(self) -> int:
        """The port it listens on; of several addresses, the first one's."""
        return int(self._sockets[0].getsockname()[1]) if self._sockets else self._port

    async def start(self) -> None:
        """Bind and accept.

        Raises:
            OSError: when the address cannot be bound.
        """
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(self._host or None, self._port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        try:
            for family, _, protocol, _, address in dict.fromkeys(found):
                self._bind(family, protocol, address)
        except OSError:
            self.close()
            raise
        if not self._sockets:
            raise OSError(errno.EADDRNOTAVAIL, f"no family of addresses to listen on {self._host!r}")
        for sock in self._sockets:
            sock.listen(BACKLOG)
            loop.add_reader(sock, self._accept, sock)

    def _bind(self, family: int, protocol: int, address: Any) -> None:
        try:
            sock = socket.socket(family, socket.SOCK_STREAM, protocol)
        except OSError:
            # The machine was built without this family.
            return
        self._sockets.append(sock)
        sock.setblocking(False)  # noqa: FBT003 - the standard library's own
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        try:
            sock.bind(address)
        except OSError as error:
            raise OSError(error.errno, f"cannot bind {address!r}: {error.strerror}") from error

    def close(self) -> None:
        """Accept no more, free the port, and give up what is not made yet."""
        loop = asyncio.get_running_loop()
        for sock in self._sockets:
            loop.remove_reader(sock)
            sock.close()
        for timer in self._retries.values():
            timer.cancel()
        self._sockets, self._retries = [], {}
        for task in self._tasks:
            task.cancel()

    async def wait_closed(self) -> None:
        """Return when what was not made is closed."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _accept(self, sock: socket.socket) -> None:
        for _ in range(ACCEPTS_PER_TURN_MAX):
            try:
                connection, address = sock.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                self._pause(sock, error)
                return
            connection.setblocking(False)  # noqa: FBT003 - the standard library's own
            task = asyncio.get_running_loop().create_task(self._take(connection, str(address[0])))
            self._tasks.add(task)
            self._untaken[task] = connection
            task.add_done_callback(self._end)

    def _end(self, task: asyncio.Task[None]) -> None:
        """Forget a task; one that was cancelled before it began has not closed its connection."""
        self._tasks.discard(task)
        connection = self._untaken.pop(task, None)
        if connection is not None:
            connection.close()

    def _pause(self, sock: socket.socket, error: OSError) -> None:
        """Try again later: the connection stays in the kernel's queue, and would wake the loop without end."""
        if error.errno not in _NO_FILES_LEFT:
            LOG.warning("accept_failed error=%s", error)
            return
        LOG.error("accept_paused seconds=%s error=%s: raise the limit of open files", RETRY_S, error)
        loop = asyncio.get_running_loop()
        loop.remove_reader(sock)
        self._retries[sock] = loop.call_later(RETRY_S, loop.add_reader, sock, self._accept, sock)

    async def _take(self, connection: socket.socket, address: str) -> None:
        protocol, task = self._make(), asyncio.current_task()
        assert task is not None

        def made() -> Accepted:
            # From here on the transport closes the socket; until then it stays listed, whatever is raised.
            del self._untaken[task]
            return protocol

        try:
            if not protocol.accepted(address, task.cancel):
                connection.close()
                return
            context = self._context()
            await asyncio.get_running_loop().connect_accepted_socket(
                made,
                connection,
                ssl=context,
                ssl_handshake_timeout=None if context is None else HANDSHAKE_MAX_MS / 1_000,
            )
        except OSError as error:
            reason = f"the TLS handshake failed: {error}"
            LOG.warning("connection_closed peer=%s reason=%s", address, reason)
            protocol.never_made(reason)
        except asyncio.CancelledError:
            protocol.never_made("given up before its handshake was over")
            raise
        except Exception as error:
            protocol.never_made(f"an unexpected error: {error}")
            raise
