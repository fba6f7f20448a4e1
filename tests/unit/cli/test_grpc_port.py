"""A port that was given as gRPC and is none is distinguished from one that is down, or slow."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.grpc_port import wrong_endpoints
from kraftpy.quorum_tools.access import HTTP2_FRAME_HEADER_BYTES, speaks_http2
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import encode_response
from kraftpy.transport.tls import TlsFiles, server_context
from tests.fakes.certificates import Authority

PATIENCE_S = 10
HTTP2_SETTINGS = bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))


@contextmanager
def listening(answer: bytes | None) -> Iterator[int]:
    """A port that answers every connection and closes it; ``None`` sends nothing, and keeps it open."""
    held = []

    def serve() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            held.append(connection)
            if answer is not None:
                connection.recv(100)
                connection.sendall(answer)
                connection.shutdown(socket.SHUT_RDWR)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        thread.join(PATIENCE_S)
    for connection in held:
        connection.close()


@pytest.mark.parametrize(
    ("answer", "uses_tls", "stated"),
    [
        (b"", False, "hangs up on gRPC"),
        (b"HTTP/1.1 400 Bad Request\r\n", False, "does not speak gRPC; it speaks HTTP"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", False, "does not speak gRPC; it speaks SSH"),
        (b"220 mail.example.com ESMTP\r\n", False, "does not speak gRPC; its first words are b'220 mail."),
        (b"\x15\x03\x01\x00\x02\x02\x46", False, "speaks TLS; give --tls-ca"),
        (HTTP2_SETTINGS, False, None),
        (b"HTTP/1.1 400 Bad Request\r\n", True, "does not speak TLS"),
    ],
)
def test_what_a_port_is(answer: bytes, uses_tls: bool, stated: str | None) -> None:
    """By its first words; HTTP/2 begins with SETTINGS."""
    assert len(HTTP2_SETTINGS) == HTTP2_FRAME_HEADER_BYTES
    with listening(answer) as port:
        address = f"127.0.0.1:{port}"
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if uses_tls else None
        found = asyncio.run(wrong_endpoints([address], tls))
    assert (found[0].startswith(f"{address} {stated}") if found else None) == (None if stated is None else True)


def test_who_is_silent_may_still_be_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """A node that is suspended is waited for; one that is down is not."""
    monkeypatch.setattr("kraftpy.cli.grpc_port.LOOK_S", 0.2)
    with listening(None) as port:
        found = asyncio.run(wrong_endpoints(["127.0.0.1:1", f"127.0.0.1:{port}"], None))
    assert found == ["127.0.0.1:1 refuses connections: no process listens there"]


def test_a_name_with_several_addresses_refuses_when_all_do() -> None:
    """Asyncio's error for that does not show it."""
    assert asyncio.run(wrong_endpoints(["localhost:1"], None)) == [
        "localhost:1 refuses connections: no process listens there"
    ]


def test_a_cluster_that_is_down_is_not_waited_for(run) -> None:
    """At once, and with the word that a person looks for."""
    result = run("quorum", "describe", "--status", "-C", "127.0.0.1:1,localhost:1")
    assert result.exit_code == ExitCode.UNREACHABLE
    assert result.stderr == (
        "error: 127.0.0.1:1 refuses connections: no process listens there; "
        "localhost:1 refuses connections: no process listens there\n"
    )


def test_a_cluster_that_starts_is_waited_for_on_request(run) -> None:
    """Scripts start nodes and ask them at once; the reason is stated all the same. Another port is not waited for."""
    result = run("quorum", "describe", "--status", "-C", "127.0.0.1:1", "--timeout", 0.5)
    assert result.exit_code == ExitCode.UNREACHABLE
    assert result.stderr == ("error: 127.0.0.1:1 refuses connections: no process listens there (waited 0.5 s)\n")
    with listening(b"SSH-2.0-OpenSSH_9.6") as port:
        result = run("quorum", "describe", "--status", "-C", f"127.0.0.1:{port}", "--timeout", 600)
        assert result.stderr == f"error: 127.0.0.1:{port} does not speak gRPC; it speaks SSH\n"


def api_versions(*keys: int) -> bytes:
    """The answer of a port of Kafka's protocol that serves these apis."""
    apis = [rpc.ApiVersionsResponseApiVersion(key, 0, 1) for key in keys]
    payload = encode_response(0, rpc.ApiVersionsResponse(api_keys=apis), 0)
    return len(payload).to_bytes(4, "big") + payload


@contextmanager
def kafka_port(*keys: int) -> Iterator[int]:
    """A port that answers ApiVersions, and hangs up on what is no frame of Kafka's protocol."""

    def serve() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            with connection:
                if connection.recv(1000).startswith(b"\0\0"):
                    connection.sendall(api_versions(*keys))

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        thread.join(PATIENCE_S)


@pytest.mark.parametrize(
    ("keys", "whose"),
    [((1, 18, rpc.FetchSnapshotRequest.API_KEY), "controller"), ((0, 1, 3, 18), "broker")],
)
def test_a_port_of_kafka_s_protocol_is_named(run, keys: tuple[int, ...], whose: str) -> None:
    """It hangs up on gRPC, so it is asked in its own protocol; only a controller serves metadata snapshots."""
    with kafka_port(*keys) as port:
        result = run("cluster", "cluster-id", "-C", f"127.0.0.1:{port}", "--timeout", 600)
    assert result.exit_code == ExitCode.UNREACHABLE
    assert result.stderr == (
        f"error: 127.0.0.1:{port} speaks Kafka's protocol, as the listener of a {whose}; "
        "give an address of gRPC (grpc.listener)\n"
    )


def test_a_port_of_grpc_is_recognized() -> None:
    """By SETTINGS, and by nothing else."""
    for answer, is_grpc in ((HTTP2_SETTINGS, True), (b"", False), (b"HTTP/1.1 400 Bad Request", False)):
        with listening(answer) as port:
            assert asyncio.run(speaks_http2("127.0.0.1", port)) is is_grpc
    assert not asyncio.run(speaks_http2("127.0.0.1", 1))


def test_a_command_does_not_wait_for_a_port_that_is_none(run) -> None:
    """It ends at once, with the code for an unreachable cluster; one endpoint that may be right is waited for."""
    with listening(b"") as port, listening(None) as silent:
        result = run("cluster", "cluster-id", "-C", f"127.0.0.1:{port}", "--timeout", 600)
        assert result.exit_code == ExitCode.UNREACHABLE
        assert result.stderr.startswith(f"error: 127.0.0.1:{port} hangs up on gRPC; is it another listener")
        both = run("cluster", "cluster-id", "-C", f"127.0.0.1:{port},127.0.0.1:{silent}", "--timeout", 1)
        assert both.exit_code == ExitCode.UNREACHABLE
        assert "waited 1 s" in both.stderr


@contextmanager
def slow_tls(context: ssl.SSLContext) -> Iterator[int]:
    """A port that speaks HTTP/2 after a handshake, and answers no call; other connections are closed silently."""

    def serve() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            threading.Thread(target=speak, args=(connection,), daemon=True).start()

    def speak(connection: socket.socket) -> None:
        connection.settimeout(PATIENCE_S)
        with connection, suppress(OSError), context.wrap_socket(connection, server_side=True) as wrapped:
            wrapped.sendall(HTTP2_SETTINGS)
            while wrapped.recv(1000):
                pass

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        thread.join(PATIENCE_S)


def test_a_slow_listener_that_demands_certificates_is_waited_for(run, tmp_path: Path) -> None:
    """It hung up on a look that showed none, and each command that took longer than that look ended by it."""
    ours, others = Authority(tmp_path / "ours"), Authority(tmp_path / "others")
    node, client, stranger = ours.issue("node"), ours.issue("client"), others.issue("stranger")
    context = server_context(TlsFiles(certificate=str(node.both), trust=str(ours.certificate)))
    context.set_alpn_protocols(["h2"])
    with slow_tls(context) as port:
        ask = ("cluster", "cluster-id", "-C", f"127.0.0.1:{port}", "--timeout")
        right = run(*ask, 1, "--tls-ca", ours.certificate, "--tls-cert", client.both)
        assert (right.exit_code, "waited 1 s" in right.stderr) == (ExitCode.UNREACHABLE, True), right.stderr
        plain = run(*ask, 600)
        assert "or does it speak TLS (--tls-ca)?" in plain.stderr or "speaks TLS; give --tls-ca" in plain.stderr
        foreign = run(*ask, 600, "--tls-ca", others.certificate, "--tls-cert", client.both)
        assert "shows a certificate that is not believed" in foreign.stderr
        assert "give its authority (--tls-ca)" in foreign.stderr
        for no_one in ((), ("--tls-cert", stranger.both)):
            refused = run(*ask, 600, "--tls-ca", ours.certificate, *no_one)
            assert "or does it demand a certificate of an authority that it believes (--tls-cert)?" in refused.stderr


def test_an_unknown_name_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said at once; a resolver that is out of order is waited for."""
    address = "no-such-host.invalid:9193"
    (found,) = asyncio.run(wrong_endpoints([address], None))
    assert found.startswith(f"{address} is a name that cannot be resolved: ")

    async def out_of_order(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr("kraftpy.cli.grpc_port.open_stream", out_of_order)
    assert asyncio.run(wrong_endpoints([address], None)) == []
