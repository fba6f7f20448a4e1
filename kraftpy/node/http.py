"""The node's HTTP endpoints: metrics for Prometheus, two checks for its supervisor, and the status page for operators.

A minimal HTTP/1.1 server: GET only, one request per connection, a bounded header. Everything else belongs to gRPC.

=================  ================================================================
path               answer
=================  ================================================================
/metrics           the metrics, as Prometheus reads them
/livez             whether the process works
/readyz            whether the node is in service, or what it waits for
/, /status         the status page, which is HTML (``status_page``)
/status.json       the state that it shows
/status/events     that state whenever it changes, as server-sent events
=================  ================================================================

With ``?verbose``, ``/livez`` and ``/readyz`` list each check (``health_checks``). Any other query is ignored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from kraftpy.node.addresses import cannot_listen
from kraftpy.node.health_checks import HealthCheck, check_lines, first_failure
from kraftpy.node.status_page.feed import StateFeed
from kraftpy.node.status_page.page import content_security_policy
from kraftpy.node.status_page.state import PageState
from kraftpy.node.status_page.streams import STREAMS_MAX, EventStreams
from kraftpy.transport.limits import LimitUse
from kraftpy.transport.protocol_names import METRICS_PATHS

REQUEST_BYTES_MAX = 8 * 1024
REQUEST_TIMEOUT_S = 5.0
"""How long a connection may take from its beginning to the end of its answer."""

CONNECTIONS_MAX = 64
"""One more connection is closed as soon as it is accepted."""


PAGE_PATHS: Final = frozenset({b"/", b"/status"})
LIVE_PATH: Final = b"/livez"
READY_PATH: Final = b"/readyz"
VERBOSE: Final = b"verbose"
"""The key of the query that asks for each check, with any value or none, as in Kubernetes."""

STATE_PATH: Final = b"/status.json"
EVENTS_PATH: Final = b"/status/events"
TOO_MANY_STREAMS: Final = f"{STREAMS_MAX} viewers follow this node already; /status and /status.json have its state"
STATUS_PATHS: Final = "the status page: /status, /status.json or /status/events"

_PRIVATE: Final = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """A response: its body has an end."""

    status: HTTPStatus
    content_type: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)

    def encode(self) -> bytes:
        """Return the head and the body."""
        fields = {"Content-Type": self.content_type, "Content-Length": len(self.body), **self.headers}
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        head = f"HTTP/1.1 {self.status.value} {self.status.phrase}\r\n{lines}Connection: close\r\n\r\n"
        return head.encode("ascii") + self.body


class HttpServer:
    """Serve one metrics registry, two health checks, and the status page.

    Args:
        live: makes the checks of whether the process works.
        ready: makes those of whether the node is in service.
        trouble: a problem that needs the operator although the node serves; ``/readyz`` reports it on a separate line
            and keeps its status, because taking a voter out of service would not help.
        state: begins a reading of the state that the status page shows; ``None`` where there is no page.
    """

    def __init__(
        self,
        *,
        registry: CollectorRegistry,
        live: Callable[[], Iterable[HealthCheck]],
        ready: Callable[[], Iterable[HealthCheck]],
        trouble: Callable[[], str | None] = lambda: None,
        state: Callable[[], Generator[None, None, PageState]] | None = None,
    ) -> None:
        self._registry = registry
        self._live = live
        self._ready = ready
        self._trouble = trouble
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._refused = 0
        self._feed = None if state is None else StateFeed(state)
        self._streams = None if self._feed is None else EventStreams(self._feed)

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

    def limit_uses(self) -> tuple[LimitUse, ...]:
        """Say how many connections there are, and how many streams of the status page among them."""
        connections = LimitUse("connections", len(self._writers), CONNECTIONS_MAX, self._refused)
        return (connections,) if self._streams is None else (connections, self._streams.limit_use())

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._writers) >= CONNECTIONS_MAX:
            self._refused += 1
            writer.transport.abort()
            return
        self._writers.add(writer)
        try:
            streams = await self._answer_one(reader, writer)
            if streams is not None:
                await streams.serve(reader, writer)
        except (ConnectionError, TimeoutError):
            # A client that sends too slowly, or does not read the response, gets none.
            writer.transport.abort()
        finally:
            writer.close()
            self._writers.discard(writer)

    async def _answer_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> EventStreams | None:
        """Read a request and answer it; return what serves it from here on, if its answer has no end."""
        async with asyncio.timeout(REQUEST_TIMEOUT_S):
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                answer: HttpAnswer | None = _text(HTTPStatus.BAD_REQUEST, "not an HTTP request")
            else:
                answer = await self._answer(head)
            if answer is None:
                return self._streams
            writer.write(answer.encode())
            await writer.drain()
            writer.close()
            await writer.wait_closed()
        return None

    async def _answer(self, head: bytes) -> HttpAnswer | None:
        """Return the answer to a request; ``None`` for a stream."""
        words = head.split(b"\r\n", 1)[0].split(b" ")
        if len(words) != 3 or words[0] != b"GET":
            text = f"GET only: {self._paths}\n".encode()
            return HttpAnswer(HTTPStatus.METHOD_NOT_ALLOWED, "text/plain", text, {"Allow": "GET"})
        path, _, query = words[1].partition(b"?")
        if path == b"/metrics":
            return HttpAnswer(HTTPStatus.OK, CONTENT_TYPE_LATEST, generate_latest(self._registry))
        if path == LIVE_PATH:
            return _health("livez", self._live(), None, is_verbose=_is_verbose(query))
        if path == READY_PATH:
            return _health("readyz", self._ready(), self._trouble(), is_verbose=_is_verbose(query))
        if self._feed is not None and path in PAGE_PATHS:
            policy = {"Content-Security-Policy": content_security_policy()}
            body = (await self._feed.newest()).html
            return HttpAnswer(HTTPStatus.OK, "text/html; charset=utf-8", body, _PRIVATE | policy)
        if self._feed is not None and path == STATE_PATH:
            return HttpAnswer(HTTPStatus.OK, "application/json", (await self._feed.newest()).body, _PRIVATE)
        if self._streams is not None and path == EVENTS_PATH:
            return None if self._streams.admits() else _text(HTTPStatus.SERVICE_UNAVAILABLE, TOO_MANY_STREAMS)
        return _text(HTTPStatus.NOT_FOUND, self._paths)

    @property
    def _paths(self) -> str:
        return METRICS_PATHS if self._feed is None else f"{METRICS_PATHS}; {STATUS_PATHS}"


def _text(status: HTTPStatus, text: str) -> HttpAnswer:
    return HttpAnswer(status, "text/plain", f"{text}\n".encode())


def _is_verbose(query: bytes) -> bool:
    return any(each.partition(b"=")[0] == VERBOSE for each in query.split(b"&"))


def _health(endpoint: str, checks: Iterable[HealthCheck], trouble: str | None, *, is_verbose: bool) -> HttpAnswer:
    if is_verbose:
        made = tuple(checks)
        why_not, lines = first_failure(made), check_lines(endpoint, made, trouble)
    else:
        why_not = first_failure(checks)
        lines = [why_not or "ok", *([] if trouble is None else [f"trouble: {trouble}"])]
    return _text(HTTPStatus.OK if why_not is None else HTTPStatus.SERVICE_UNAVAILABLE, "\n".join(lines))
