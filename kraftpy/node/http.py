"""The node's HTTP endpoints: ``/metrics`` for Prometheus, ``/livez`` and ``/readyz`` for its supervisor.

A minimal HTTP/1.1 server: GET only, one request per connection, a bounded header. Everything else belongs to gRPC.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from kraftpy.node.addresses import cannot_listen
from kraftpy.transport.limits import LimitUse
from kraftpy.transport.protocol_names import METRICS_PATHS

REQUEST_BYTES_MAX = 8 * 1024
REQUEST_TIMEOUT_S = 5.0
"""How long a connection may take from its beginning to the end of its answer."""

CONNECTIONS_MAX = 64
"""One more connection is closed as soon as it is accepted."""


class HttpServer:
    """Serve one metrics registry and two health checks.

    Args:
        live: ``None`` while the process works, else why not.
        ready: ``None`` when the node is in service, else what it waits for.
        trouble: a problem that needs the operator although the node serves; ``/readyz`` reports it on a separate line
            and keeps its status, because taking a voter out of service would not help.
    """

    def __init__(
        self,
        *,
        registry: CollectorRegistry,
        live: Callable[[], str | None],
        ready: Callable[[], str | None],
        trouble: Callable[[], str | None] = lambda: None,
    ) -> None:
        self._registry = registry
        self._live = live
        self._ready = ready
        self._trouble = trouble
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._refused = 0

    async def start(self, host: str, port: int) -> None:
        """Listen.

        Raises:
            ConfigError: the port is taken or the address is not ours.
        """
        try:
            self._server = await asyncio.start_server(self._serve, host, port, limit=REQUEST_BYTES_MAX)
        except OSError as error:
            raise cannot_listen("metrics.listener", f"{host}:{port}", error) from error

    @property
    def port(self) -> int:
        """The port it listens on."""
        assert self._server is not None, "it was started"
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def close(self) -> None:
        """Stop listening, and close every connection."""
        if self._server is not None:
            self._server.close()
            for writer in tuple(self._writers):
                writer.transport.abort()
            await self._server.wait_closed()

    def limit_use(self) -> LimitUse:
        """Say how many connections there are."""
        return LimitUse("connections", len(self._writers), CONNECTIONS_MAX, self._refused)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._writers) >= CONNECTIONS_MAX:
            self._refused += 1
            writer.transport.abort()
            return
        self._writers.add(writer)
        try:
            async with asyncio.timeout(REQUEST_TIMEOUT_S):
                await self._answer_one(reader, writer)
                writer.close()
                await writer.wait_closed()
        except (ConnectionError, TimeoutError):
            # A client that sends too slowly, or does not read the response, gets none.
            writer.transport.abort()
        finally:
            writer.close()
            self._writers.discard(writer)

    async def _answer_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            status, content_type, body = HTTPStatus.BAD_REQUEST, "text/plain", b"not an HTTP request\n"
        else:
            status, content_type, body = self._answer(head)
        writer.write(
            f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: {content_type}\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode("ascii")
        )
        writer.write(body)
        await writer.drain()

    def _answer(self, head: bytes) -> tuple[HTTPStatus, str, bytes]:
        words = head.split(b"\r\n", 1)[0].split(b" ")
        if len(words) != 3 or words[0] != b"GET":
            return HTTPStatus.METHOD_NOT_ALLOWED, "text/plain", f"GET only: {METRICS_PATHS}\n".encode()
        path = words[1].split(b"?", 1)[0]
        if path == b"/metrics":
            return HTTPStatus.OK, CONTENT_TYPE_LATEST, generate_latest(self._registry)
        if path == b"/livez":
            return _yes_or_why_not(self._live(), None)
        if path == b"/readyz":
            return _yes_or_why_not(self._ready(), self._trouble())
        return HTTPStatus.NOT_FOUND, "text/plain", f"{METRICS_PATHS}\n".encode()


def _yes_or_why_not(why_not: str | None, trouble: str | None) -> tuple[HTTPStatus, str, bytes]:
    status = HTTPStatus.OK if why_not is None else HTTPStatus.SERVICE_UNAVAILABLE
    lines = [why_not or "ok", *([] if trouble is None else [f"trouble: {trouble}"])]
    return status, "text/plain", "".join(f"{line}\n" for line in lines).encode()
