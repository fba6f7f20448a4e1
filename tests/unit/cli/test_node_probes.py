"""What listeners show: certificates and metrics, and a reason for each port of another kind."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import Mock

import pytest

from kraftpy.cli import node_probes
from kraftpy.cli.node_probes import read_certificates, read_metrics, resolved, series_in
from kraftpy.node.certificate_expiry import expiry_of
from tests.fakes.certificates import self_signed

PAGE = b'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n# HELP a b\na 1.0\nb{c="d e"} 2.5\nx y\n'


@asynccontextmanager
async def serving(answer: bytes, context: ssl.SSLContext | None = None) -> AsyncIterator[str]:
    """A listener that answers the first bytes of each connection, and closes it."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if answer:
            await reader.read(1)
            writer.write(answer)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    async with server:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"


def trusting() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def test_only_finite_values_are_read():
    """A clock that is not a number would be ahead of none."""
    assert dict(series_in("a NaN\nb +Inf\nc 1\nd\n")) == {"c": 1.0}


async def test_metrics_are_read():
    """Also of several addresses, each by itself."""
    async with serving(PAGE) as address:
        found = await read_metrics([address, "127.0.0.1:1"])
    assert found["127.0.0.1:1"].reason == "refused the connection: no process listens there"
    answer = found[address].known
    assert dict(series_in(answer.text)) == {"a": 1.0, 'b{c="d e"}': 2.5}


async def test_the_time_of_an_answer_is_between_two_times_of_this_machine(monkeypatch: pytest.MonkeyPatch):
    """The second is taken when all of it is there: what a node measured is not later."""
    times = iter((5, 9))
    monkeypatch.setattr(node_probes, "wall_ms", lambda: next(times))
    async with serving(PAGE) as address:
        found = await read_metrics([address])
    assert found[address].known.read_ms == (5, 9)


@pytest.mark.parametrize(
    ("address", "header"),
    [("[::1]:9", b"[::1]"), ("127.0.0.1:9", b"127.0.0.1"), ("bücher.example:9", b"xn--bcher-kva.example")],
)
async def test_the_host_is_named_as_in_http(monkeypatch: pytest.MonkeyPatch, address: str, header: bytes):
    asked = []

    async def open_stream(*_: object) -> tuple[asyncio.StreamReader, Mock]:
        reader = asyncio.StreamReader()
        reader.feed_data(PAGE)
        reader.feed_eof()
        return reader, Mock(write=asked.append)

    monkeypatch.setattr(node_probes, "open_stream", open_stream)
    assert (await read_metrics([address]))[address].known
    assert asked == [b"GET /metrics HTTP/1.1\r\nHost: " + header + b"\r\nConnection: close\r\n\r\n"]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b"", "closes the connection"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "it speaks SSH"),
        (b"\x00\x00\x12\x04\x00\x00\x00\x00\x00", "its first bytes are b'\\x00\\x00\\x12"),
        (b"HTTP/1.1 404 Not Found\r\n\r\n", "has no /metrics: 'HTTP/1.1 404 Not Found'"),
    ],
)
async def test_a_port_of_another_kind_is_named(answer, reason):
    async with serving(answer) as address:
        found = await read_metrics([address])
    assert reason in found[address].reason


@pytest.mark.parametrize("missing", [0, 1])
async def test_an_endless_answer_is_not_used(monkeypatch: pytest.MonkeyPatch, missing: int):
    """What was cut may lack the series that a check is about."""
    limit = len(PAGE) - missing
    monkeypatch.setattr(node_probes, "METRICS_BYTES_MAX", limit)
    async with serving(PAGE) as address:
        found = (await read_metrics([address]))[address]
    assert (found.value is None) is bool(missing)
    assert found.reason == (f"sends more than {limit} bytes: no kraftpy node's metrics" if missing else "")


async def test_a_silent_port_is_given_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(node_probes, "PROBE_TIMEOUT_S", 0.05)
    hanging = asyncio.Event()

    async def hang(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await hanging.wait()
        writer.close()

    async with await asyncio.start_server(hang, "127.0.0.1", 0) as server:
        address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        found = await read_metrics([address])
        hanging.set()
    assert found[address].reason == "does not answer within 0.05 s"


async def test_a_certificate_s_end_is_read(tmp_path: Path):
    """No authority is needed for it; a port without TLS has a reason."""
    made = self_signed(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made.both)
    async with serving(b"x", context) as tls, serving(b"SSH-2.0-x\r\n") as plain:
        found = await read_certificates([tls, plain, "127.0.0.1:1"], trusting())
    assert found[tls].known == expiry_of(made.certificate.read_text())
    assert found[plain].reason.startswith("TLS: ")
    assert found["127.0.0.1:1"].reason == "refused the connection: no process listens there"


async def test_addresses_are_compared_by_what_is_behind_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name, and its IP addresses; one that cannot be resolved is only itself."""

    async def getaddrinfo(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        if host == "gone":
            raise socket.gaierror(socket.EAI_NONAME, "not known")
        places = {"c1": [("10.0.0.1", port)], "all": [("10.0.0.1", port), ("fd00::1", port, 0, 0)]}
        return [(0, 0, 0, "", place) for place in places.get(host, [(host, port)])]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", getaddrinfo)
    found = await resolved(["c1:1", "all:1", "gone:1", "[fd00::1]:1", "c1:1", "c1:0", ":1", "a b:1"])
    assert found == {
        "c1:1": {"10.0.0.1:1"},
        "all:1": {"10.0.0.1:1", "fd00::1:1"},
        "gone:1": {"gone:1"},
        "[fd00::1]:1": {"fd00::1:1"},
        # What a node registered, but no address.
        "c1:0": {"c1:0"},
        ":1": {":1"},
        "a b:1": {"a b:1"},
    }
