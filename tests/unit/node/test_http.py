"""The HTTP side door: metrics and two yes-or-no questions, and no way in for anything else."""

from __future__ import annotations

import asyncio
import contextlib
import json

import pytest
from prometheus_client import CollectorRegistry, Gauge

from kraftpy.model.errors import ConfigError
from kraftpy.node import http as module
from kraftpy.node.health_checks import HealthCheck
from kraftpy.node.http import REQUEST_BYTES_MAX, HttpServer
from kraftpy.node.status_page import feed, streams
from kraftpy.node.status_page.state import state_json
from kraftpy.transport.limits import LimitUse
from tests.fakes.page_states import NOW_MS, healthy

HOST = "127.0.0.1"


class World:
    def __init__(self):
        self.registry = CollectorRegistry()
        Gauge("answer", "to everything", registry=self.registry).set(42)
        self.trouble = {"live": None, "ready": None, "beside": None}
        self.asked_all = []
        self.server = HttpServer(
            registry=self.registry,
            live=lambda: self.checks("live"),
            ready=lambda: self.checks("ready"),
            trouble=lambda: self.trouble["beside"],
        )

    def checks(self, question):
        """Two checks, of which the second may fail; what they were asked is kept."""
        yield HealthCheck(f"{question}-first", None)
        yield HealthCheck(f"{question}-second", self.trouble[question])
        self.asked_all.append(question)
        yield HealthCheck(f"{question}-third", None)

    async def ask(self, request):
        """Send bytes and return (status, headers, body)."""
        reader, writer = await asyncio.open_connection(HOST, self.server.port)
        try:
            writer.write(request)
            answer = await asyncio.wait_for(reader.read(), 10)
        finally:
            writer.close()
        head, _, body = answer.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        return int(lines[0].split()[1]), dict(line.split(": ", 1) for line in lines[1:]), body.decode()

    async def get(self, path):
        return await self.ask(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())


async def accepted(world):
    """Wait until the server has taken a connection."""
    async with asyncio.timeout(10):
        while not world.server._writers:  # noqa: ASYNC110 - a condition of plain values
            await asyncio.sleep(0)


@pytest.fixture
async def world():
    made = World()
    await made.server.start(HOST, 0)
    yield made
    await made.server.close()


async def test_metrics(world):
    """/metrics answers in Prometheus' text format, and says how long the answer is."""
    status, headers, body = await world.get("/metrics?name=x")
    assert status == 200
    assert "answer 42.0" in body
    assert headers["Content-Type"].startswith("text/plain; version=")
    assert (int(headers["Content-Length"]), headers["Connection"]) == (len(body), "close")


@pytest.mark.parametrize("question", ["live", "ready"])
async def test_questions(world, question):
    """/livez and /readyz answer 200 ok, or 503 and what the matter is; each answers its own question."""
    assert (await world.get(f"/{question}z"))[::2] == (200, "ok\n")
    world.trouble[question] = "the log is being loaded"
    assert (await world.get(f"/{question}z"))[::2] == (503, "the log is being loaded\n")
    other = "ready" if question == "live" else "live"
    assert (await world.get(f"/{other}z"))[0] == 200


async def test_trouble_is_named_and_takes_no_node_out_of_service(world):
    """/readyz names what an operator has to look after on a second line, ready or not; /livez says nothing of it."""
    world.trouble["beside"] = "no snapshot can be made"
    assert (await world.get("/readyz"))[::2] == (200, "ok\ntrouble: no snapshot can be made\n")
    assert (await world.get("/livez"))[::2] == (200, "ok\n")
    world.trouble["ready"] = "the log is being loaded"
    assert (await world.get("/readyz"))[::2] == (503, "the log is being loaded\ntrouble: no snapshot can be made\n")


@pytest.mark.parametrize(
    "query", ["verbose", "verbose=", "verbose=1", "x=y&verbose", "verbose&verbose", "exclude=a&verbose"]
)
@pytest.mark.parametrize("question", ["live", "ready"])
async def test_each_check_is_listed(world, question, query):
    """As by Kubernetes' API server: a line for each check, a reason on one line where it fails, and the verdict."""
    ok = f"[+]{question}-first ok\n[+]{question}-second ok\n[+]{question}-third ok\n{question}z check passed\n"
    assert (await world.get(f"/{question}z?{query}"))[::2] == (200, ok)
    world.trouble[question] = "the log is\nbeing loaded"
    listed = (
        ok.replace("[+]", "[-]", 2)
        .replace("[-]", "[+]", 1)
        .replace("second ok", "second failed: the log is being loaded")
    )
    assert (await world.get(f"/{question}z?{query}"))[::2] == (503, listed.replace("passed", "failed"))


@pytest.mark.parametrize(
    "query", ["", "x", "x=verbose", "Verbose", "verbos", "verbosely=1", "%76erbose", "&&=&", "\x7f=;"]
)
async def test_another_query_is_ignored(world, query):
    """As that of any path here: the short answer, for which no check is made after the first that fails."""
    world.trouble["ready"] = "the log is being loaded"
    assert (await world.get(f"/readyz?{query}"))[::2] == (503, "the log is being loaded\n")
    assert world.asked_all == []
    assert (await world.get(f"/metrics?{query}"))[0] == 200


async def test_a_trouble_is_listed_and_fails_nothing(world):
    world.trouble["beside"] = "no snapshot can be made"
    status, _, body = await world.get("/readyz?verbose")
    assert (status, body.splitlines()[-2:]) == (200, ["trouble: no snapshot can be made", "readyz check passed"])
    assert "trouble" not in (await world.get("/livez?verbose"))[2]


async def test_other_paths_and_methods(world):
    """Another path is not found and names those that are; another method is not allowed."""
    status, _, body = await world.get("/")
    assert (status, "/readyz" in body) == (404, True)
    status, headers, _ = await world.ask(b"POST /metrics HTTP/1.1\r\n\r\n")
    assert (status, headers["Allow"]) == (405, "GET")
    assert (await world.ask(b"GET /metrics\r\n\r\n"))[0] == 405


@pytest.mark.parametrize(
    "request_bytes", [b"\x16\x03\x01\x02\x00\x01\r\n\r\n", b"\r\n\r\n", b"\xff" * 100 + b"\r\n\r\n"]
)
async def test_garbage_is_answered_and_hurts_no_other_connection(world, request_bytes):
    """Bytes that are no request get an error, and the next request is served."""
    assert (await world.ask(request_bytes))[0] == 405
    assert (await world.get("/livez"))[0] == 200


async def test_a_request_that_ends_early_is_a_bad_one(world):
    """A connection that stops in the middle of its request gets 400."""
    reader, writer = await asyncio.open_connection(HOST, world.server.port)
    writer.write(b"GET /livez HT")
    writer.write_eof()
    assert (await asyncio.wait_for(reader.read(), 10)).startswith(b"HTTP/1.1 400 ")
    writer.close()


async def test_a_request_that_never_ends_is_cut_off(world):
    """A header without an end is refused at the limit of its size."""
    reader, writer = await asyncio.open_connection(HOST, world.server.port)
    writer.write(b"GET /livez HTTP/1.1\r\nX: " + b"x" * (2 * REQUEST_BYTES_MAX + 1))
    try:
        answer = await asyncio.wait_for(reader.read(), 10)
    except ConnectionError:
        answer = b""
    assert answer == b"" or answer.startswith(b"HTTP/1.1 400 ")
    writer.close()
    assert (await world.get("/livez"))[0] == 200


async def test_a_silent_client_is_hung_up_on(world, monkeypatch):
    """A connection on which nothing comes is closed when its time is over."""
    monkeypatch.setattr(module, "REQUEST_TIMEOUT_S", 0.01)
    reader, writer = await asyncio.open_connection(HOST, world.server.port)
    with contextlib.suppress(ConnectionError):
        assert await asyncio.wait_for(reader.read(), 10) == b""
    writer.close()
    assert world.server._writers == set()


async def test_connections_are_bounded(world, monkeypatch):
    """One connection more than the limit is closed at once; those within it go on."""
    monkeypatch.setattr(module, "CONNECTIONS_MAX", 1)
    reader, writer = await asyncio.open_connection(HOST, world.server.port)
    await accepted(world)
    other, other_writer = await asyncio.open_connection(HOST, world.server.port)
    with contextlib.suppress(ConnectionError):
        assert await asyncio.wait_for(other.read(), 10) == b""
    other_writer.close()
    writer.write(b"GET /livez HTTP/1.1\r\n\r\n")
    assert (await asyncio.wait_for(reader.read(), 10)).startswith(b"HTTP/1.1 200 ")
    writer.close()


async def test_closing_waits_for_no_caller():
    """A client that stays connected does not hold up the end."""
    world = World()
    await world.server.start(HOST, 0)
    reader, writer = await asyncio.open_connection(HOST, world.server.port)
    await accepted(world)
    await asyncio.wait_for(world.server.close(), 2)
    with contextlib.suppress(ConnectionError):
        assert await asyncio.wait_for(reader.read(), 10) == b""
    writer.close()


async def test_a_port_in_use_names_its_key(world):
    """A port that is taken is a configuration error that names key, address and way out."""
    with pytest.raises(ConfigError, match=r"metrics\.listener=127\.0\.0\.1:\d+: .*configure another one"):
        await World().server.start(HOST, world.server.port)


class PageWorld(World):
    """A server with a status page; its state can be replaced."""

    def __init__(self):
        super().__init__()
        self.state = healthy()
        self.server = HttpServer(registry=self.registry, live=tuple, ready=tuple, state=self.read)

    def read(self):
        yield
        return self.state

    async def follow(self):
        """Open a stream; the reader, past the head, and the writer."""
        reader, writer = await asyncio.open_connection(HOST, self.server.port)
        writer.write(b"GET /status/events HTTP/1.1\r\n\r\n")
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
        return head, reader, writer


async def event(reader):
    """The state in the next event of a stream."""
    async with asyncio.timeout(10):
        while not (line := await reader.readline()).startswith(b"data: "):
            assert line, "the stream has ended"
    return json.loads(line.removeprefix(b"data: "))


@pytest.fixture
async def page_world(monkeypatch):
    monkeypatch.setattr(feed, "PERIOD_S", 0.01)
    monkeypatch.setattr(streams, "INTERVAL_S", 0.02)
    made = PageWorld()
    await made.server.start(HOST, 0)
    yield made
    await made.server.close()


@pytest.mark.parametrize("path", ["/", "/status", "/status?x=1"])
async def test_the_page(page_world, path):
    """It is HTML, with a policy that lets nothing else in, and is kept nowhere."""
    status, headers, body = await page_world.get(path)
    assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert "CONTROLLER://c1:9093" in body
    assert headers["Content-Security-Policy"].startswith("default-src 'none'; ")
    assert (headers["Cache-Control"], headers["X-Content-Type-Options"]) == ("no-store", "nosniff")


async def test_the_state_as_json(page_world):
    status, headers, body = await page_world.get("/status.json")
    assert (status, headers["Content-Type"]) == (200, "application/json")
    assert json.loads(body) == state_json(page_world.state)


@pytest.mark.parametrize("method", ["HEAD", "POST", "PUT", "OPTIONS", "get"])
@pytest.mark.parametrize("path", ["/", "/status", "/status.json", "/status/events"])
async def test_the_page_is_only_read(page_world, method, path):
    assert (await page_world.ask(f"{method} {path} HTTP/1.1\r\n\r\n".encode()))[0] == 405


async def test_a_very_long_request_line_is_refused(page_world):
    """As before it had a page; the next request is served."""
    reader, writer = await asyncio.open_connection(HOST, page_world.server.port)
    writer.write(b"GET /status?" + b"x" * (2 * REQUEST_BYTES_MAX) + b" HTTP/1.1\r\n\r\n")
    answer = b""
    with contextlib.suppress(ConnectionError):
        answer = await asyncio.wait_for(reader.read(), 10)
    assert answer == b"" or answer.startswith(b"HTTP/1.1 400 ")
    writer.close()
    assert (await page_world.get("/status"))[0] == 200


async def test_a_node_without_the_page_has_none_of_its_paths(world):
    for path in ("/", "/status", "/status.json", "/status/events"):
        status, _, body = await world.get(path)
        assert (status, "status" in body) == (404, False)


async def test_a_stream_has_the_state_when_it_changes(page_world):
    """The first at once; then only what is new. Between them, comments show that the node is there."""
    head, reader, writer = await page_world.follow()
    assert b"Content-Type: text/event-stream\r\n" in head
    assert (await event(reader))["quorum"]["leaderId"] == 1
    page_world.state = healthy(read_timestamp=NOW_MS + 60_000)
    await page_world.get("/status.json")
    page_world.state = healthy(warnings=("new",))
    assert (await event(reader))["warnings"] == ["new"], "that of another time was no change"
    writer.close()


async def test_a_silent_stream_has_comments(page_world, monkeypatch):
    monkeypatch.setattr(streams, "HEARTBEAT_S", 0.01)
    _, reader, writer = await page_world.follow()
    await event(reader)
    async with asyncio.timeout(10):
        while not (await reader.readline()).startswith(b":"):
            pass
    writer.close()


async def test_streams_are_bounded_and_leave_when_their_viewers_do(page_world, monkeypatch):
    """One more is refused by 503 and counted; metrics and the page are served meanwhile."""
    monkeypatch.setattr(streams, "STREAMS_MAX", 1)
    _, reader, writer = await page_world.follow()
    await event(reader)
    assert (await page_world.get("/status/events"))[0] == 503
    assert (await page_world.get("/metrics"))[0] == (await page_world.get("/"))[0] == 200
    assert page_world.server.limit_uses()[1] == LimitUse("status streams", 1, 1, 1)
    writer.close()
    async with asyncio.timeout(10):
        while page_world.server.limit_uses()[1].used:  # noqa: ASYNC110 - a condition of plain values
            await asyncio.sleep(0)
    _, reader, writer = await page_world.follow()
    await event(reader)
    writer.close()


async def test_a_viewer_that_sends_more_is_disconnected(page_world):
    _, reader, writer = await page_world.follow()
    writer.write(b"x")
    with contextlib.suppress(ConnectionError):
        await asyncio.wait_for(reader.read(), 10)
    writer.close()


async def test_a_slow_reader_is_disconnected(page_world, monkeypatch):
    """It takes nothing while the state changes: what waits for it is one state, and then its connection ends."""
    monkeypatch.setattr(streams, "SLOW_READER_S", 0.2)
    page_world.state = healthy(warnings=("x" * 50_000_000,))
    _, _, writer = await page_world.follow()
    async with asyncio.timeout(30):
        while page_world.server._writers:  # noqa: ASYNC110 - a condition of plain values
            await asyncio.sleep(0.01)
    assert page_world.server.limit_uses()[1].used == 0
    writer.transport.abort()


async def test_streams_end_with_the_server():
    world = PageWorld()
    await world.server.start(HOST, 0)
    _, reader, writer = await world.follow()
    await event(reader)
    await asyncio.wait_for(world.server.close(), 5)
    with contextlib.suppress(ConnectionError):
        await asyncio.wait_for(reader.read(), 5)
    writer.close()
