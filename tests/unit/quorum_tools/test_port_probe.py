"""Looking at a port: what is found behind which sockets, and what is sent there."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from kraftpy.node.http import HttpServer
from kraftpy.quorum_tools import port_probe
from kraftpy.quorum_tools.port_kinds import FoundPort, PortKind, sentence
from kraftpy.quorum_tools.port_probe import look, look_at
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_request, encode_response
from kraftpy.transport.tls import TlsFiles, client_context, server_context
from tests.fakes.certificates import Authority, self_signed

HOST = "127.0.0.1"
FRAME_BYTES_MAX = 1 << 20
SETTINGS = bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def serving(talk: Talk, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await talk(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async with await asyncio.start_server(serve, HOST, 0, ssl=tls) as server:
        yield server.sockets[0].getsockname()[1]


def sending(*parts: bytes) -> Talk:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        for part in parts:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(0)

    return talk


def kafka(*api_keys: int, heard: list[bytes] | None = None) -> Talk:
    """A listener of Kafka's protocol: hangs up on what is no frame of it, and answers ApiVersions."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        size = await reader.readexactly(4)
        if int.from_bytes(size, "big") > FRAME_BYTES_MAX:
            return
        frame = await reader.readexactly(int.from_bytes(size, "big"))
        if heard is not None:
            heard.append(frame)
        header, _ = decode_request(frame)
        apis = [rpc.ApiVersionsResponseApiVersion(key, 0, 1) for key in api_keys]
        payload = encode_response(header.correlation_id, rpc.ApiVersionsResponse(api_keys=apis), 0)
        writer.write(len(payload).to_bytes(4, "big") + payload)

    return talk


@pytest.mark.parametrize(
    ("talk", "kind"),
    [
        (sending(SETTINGS), PortKind.GRPC),
        (sending(SETTINGS[:4], SETTINGS[4:]), PortKind.GRPC),
        (sending(b"SSH-2.0-OpenSSH_9.2p1\r\n"), PortKind.SSH),
        (sending(b"HTTP/1.1 400 Bad Request\r\n\r\n"), PortKind.HTTP),
        (sending(b"HTTP/1.1 405 No\r\n\r\n", b"GET only: /metrics, /livez or /readyz\n"), PortKind.METRICS),
        (sending(b"220 mail\r\n"), PortKind.OTHER),
        (sending(), PortKind.CLOSED),
        (kafka(1, 18, 59), PortKind.CONTROLLER),
        (kafka(0, 1, 18), PortKind.BROKER),
    ],
)
async def test_what_is_found(talk: Talk, kind: PortKind) -> None:
    """In plaintext."""
    async with serving(talk) as port:
        assert (await look(HOST, port, None)).kind is kind


async def test_a_listener_is_asked_for_its_versions_only() -> None:
    """What any client may ask; no credentials, and nothing that changes or reveals anything."""
    heard: list[bytes] = []
    async with serving(kafka(59, heard=heard)) as port:
        assert await look_at([f"{HOST}:{port}"], None) == [FoundPort(PortKind.CONTROLLER, detail="b''")]
    assert [decode_request(frame)[1] for frame in heard] == [rpc.ApiVersionsRequest()]


async def test_the_metrics_listener_of_a_node_is_recognized() -> None:
    """The real one: it names its paths to what it does not serve."""
    server = HttpServer(registry=CollectorRegistry(), live=tuple, ready=tuple)
    await server.start(HOST, 0)
    try:
        assert (await look(HOST, server.port, None)).kind is PortKind.METRICS
    finally:
        await server.close()


async def test_what_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A port without a listener, a name without an address, and a port that does not answer."""
    assert (await look(HOST, 1, None)).kind is PortKind.REFUSED
    assert (await look("localhost", 1, None)).kind is PortKind.REFUSED
    assert (await look("no-such-host.invalid", 1, None)).kind is PortKind.UNKNOWN_NAME
    monkeypatch.setattr(port_probe, "LOOK_S", 0.1)
    with socket.create_server((HOST, 0)) as silent:
        assert (await look(HOST, silent.getsockname()[1], None)).kind is PortKind.SILENT
        assert (await look(HOST, silent.getsockname()[1], trusting())).kind is PortKind.SILENT


def trusting() -> ssl.SSLContext:
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


async def test_a_port_that_sends_without_end_is_not_read_to_its_end() -> None:
    """The first bytes decide, as many as the limit."""

    async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            writer.write(b"HTTP/1.1 200 OK\r\n" * 100)
            await writer.drain()

    async with serving(endless) as port:
        found = await look(HOST, port, None)
    assert (found.kind, len(found.detail) < 100) == (PortKind.HTTP, True)


async def test_tls_and_plaintext_are_distinguished(tmp_path: Path) -> None:
    """Spoken to in plaintext, a port with TLS is named; and a port in plaintext by what it is without TLS."""
    made = self_signed(tmp_path)
    server = server_context(TlsFiles(certificate=str(made.both)))
    believing = client_context(TlsFiles(trust=str(made.certificate)), check_hostname=False)
    for talk, kind in ((sending(SETTINGS), PortKind.GRPC), (kafka(59), PortKind.CONTROLLER)):
        async with serving(talk, server) as port:
            assert (await look(HOST, port, None)).kind is PortKind.TLS
            found = await look(HOST, port, believing)
            assert (found.kind, found.is_tls) == (kind, True)
            assert (await look(HOST, port, trusting())).kind is PortKind.UNTRUSTED
        async with serving(talk) as port:
            found = await look(HOST, port, believing)
            assert (found.kind, found.is_tls) == (kind, False)


async def test_a_certificate_is_demanded(tmp_path: Path) -> None:
    """A listener that demands one ends connections that show none, or another's."""
    ours, others = Authority(tmp_path / "ours"), Authority(tmp_path / "others")
    node, client, stranger = ours.issue("node"), ours.issue("client"), others.issue("stranger")
    server = server_context(TlsFiles(certificate=str(node.both), trust=str(ours.certificate)))
    async with serving(sending(SETTINGS), server) as port:
        right = TlsFiles(certificate=str(client.both), trust=str(ours.certificate))
        assert (await look(HOST, port, client_context(right, check_hostname=False))).kind is PortKind.GRPC
        for certificate in (str(stranger.both), None):
            files = TlsFiles(certificate=certificate, trust=str(ours.certificate))
            found = await look(HOST, port, client_context(files, check_hostname=False))
            assert found.kind in {PortKind.CERTIFICATE_WANTED, PortKind.CLOSED}, "as the alert comes before the reset"
            assert "demands a certificate" in sentence(found, uses_tls=True)


async def test_the_end_of_tls_is_not_waited_for(tmp_path: Path) -> None:
    """The C library of gRPC does not answer it, and what was found would be lost when the time is over."""
    made = self_signed(tmp_path)
    server = server_context(TlsFiles(certificate=str(made.both)))
    is_over = threading.Event()

    def serve(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with server.wrap_socket(connection, server_side=True) as wrapped:
            wrapped.sendall(SETTINGS)
            is_over.wait()

    with socket.create_server((HOST, 0)) as listening:
        thread = threading.Thread(target=serve, args=(listening,), daemon=True)
        thread.start()
        files = TlsFiles(trust=str(made.certificate))
        found = await look(HOST, listening.getsockname()[1], client_context(files, check_hostname=False))
        is_over.set()
        thread.join()
    assert (found.kind, found.is_tls) == (PortKind.GRPC, True)
