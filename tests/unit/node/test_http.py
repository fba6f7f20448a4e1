"""The HTTP side door: metrics and two yes-or-no questions, and no way in for anything else."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from prometheus_client import CollectorRegistry, Gauge

from kraftpy.model.errors import ConfigError
from kraftpy.node import http as module
from kraftpy.node.http import REQUEST_BYTES_MAX, HttpServer

HOST = "127.0.0.1"


class World:
    def __init__(self):
        self.registry = CollectorRegistry()
        Gauge("answer", "to everything", registry=self.registry).set(42)
        self.trouble = {"live": None, "ready": None, "beside": None}
        self.server = HttpServer(
            registry=self.registry,
            live=lambda: self.trouble["live"],
            ready=lambda: self.trouble["ready"],
            trouble=lambda: self.trouble["beside"],
        )

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


async def test_other_paths_and_methods(world):
    """Another path is not found and names those that are; another method is not allowed."""
    status, _, body = await world.get("/")
    assert (status, "/readyz" in body) == (404, True)
    assert (await world.ask(b"POST /metrics HTTP/1.1\r\n\r\n"))[0] == 405
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
