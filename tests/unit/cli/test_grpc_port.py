"""A port that is no controller's is distinguished from one that is down, or slow; the others are gone on from."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_request, encode_response
from kraftpy.transport.tls import TlsFiles, server_context
from tests.fakes.certificates import Authority, self_signed

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


REFUSED = "refused the connection: no process listens there"
WAY_OUT = "start a controller there, or give the address of one that runs (-C)"
WHERE = "give the address of a controller, of its listeners or its grpc.listener"


@pytest.mark.parametrize(
    ("answer", "stated"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n", f"is an HTTP/1 server; {WHERE}"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", f"is an SSH server; {WHERE}"),
        (
            b"220 mail.example.com ESMTP\r\n",
            "speaks neither gRPC nor Kafka's protocol; its first bytes are b'220 ",
        ),
        (b"\x15\x03\x01\x00\x02\x02\x46", "speaks TLS; give its authority (--tls-ca)"),
        (b"", "closes the connection: it speaks neither gRPC nor Kafka's protocol, or takes no more connections"),
    ],
)
def test_a_command_does_not_wait_for_a_port_of_another_kind(run, answer: bytes, stated: str) -> None:
    """It ends at once, with the code for an unreachable cluster, and names what is there."""
    with listening(answer) as port:
        result = run("cluster", "cluster-id", "-C", f"127.0.0.1:{port}", "--timeout", 600)
    assert result.exit_code == ExitCode.UNREACHABLE
    assert result.stderr.startswith(f"error: 127.0.0.1:{port} {stated}"), result.stderr


def test_a_port_in_plaintext_is_named_to_a_command_with_tls(run, tmp_path: Path) -> None:
    """Also the right one, and one of another protocol."""
    certificate = self_signed(tmp_path).certificate
    for answer, stated in (
        (HTTP2_SETTINGS, "is a port of gRPC, and does not speak TLS; give a port with TLS"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", f"is an SSH server, and does not speak TLS; {WHERE}"),
    ):
        with listening(answer) as port:
            result = run("cluster", "cluster-id", "-C", f"127.0.0.1:{port}", "--timeout", 600, "--tls-ca", certificate)
        assert result.exit_code == ExitCode.UNREACHABLE
        assert result.stderr.startswith(f"error: 127.0.0.1:{port} {stated}"), result.stderr


def test_a_cluster_that_is_down_is_not_waited_for(run) -> None:
    """At once, and with the word that a person looks for; a name with several addresses refuses when all do."""
    result = run("quorum", "describe", "--status", "-C", "127.0.0.1:1,localhost:1")
    assert result.exit_code == ExitCode.UNREACHABLE
    assert result.stderr == f"error: 127.0.0.1:1 {REFUSED}; localhost:1 {REFUSED}; {WAY_OUT}\n"


def test_a_cluster_that_starts_is_waited_for_on_request(run) -> None:
    """Scripts start nodes and ask them at once; the reason is stated all the same. Another port is not waited for."""
    result = run("quorum", "describe", "--status", "-C", "127.0.0.1:1", "--timeout", 0.5)
    assert result.exit_code == ExitCode.UNREACHABLE
    assert result.stderr == f"error: 127.0.0.1:1 {REFUSED} (waited 0.5 s)\n"


def test_a_port_that_does_not_answer_is_waited_for(run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A node that is suspended accepts connections: one of those is enough to wait, and the error says so."""
    monkeypatch.setattr("kraftpy.quorum_tools.port_probe.LOOK_S", 0.2)
    with listening(b"") as port, listening(None) as silent:
        both = run("cluster", "cluster-id", "-C", f"127.0.0.1:{port},127.0.0.1:{silent}", "--timeout", 1)
    assert both.exit_code == ExitCode.UNREACHABLE
    assert f"127.0.0.1:{silent} accepts connections and does not answer (waited 1 s)" in both.stderr


def test_an_unknown_name_is_not_waited_for(run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said at once; a resolver that is out of order is waited for."""
    unknown = run("cluster", "cluster-id", "-C", "no-such-host.invalid:9193", "--timeout", 600)
    assert unknown.exit_code == ExitCode.UNREACHABLE
    assert unknown.stderr.startswith("error: no-such-host.invalid:9193 is a name that cannot be resolved: ")

    async def out_of_order(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr("kraftpy.quorum_tools.port_probe.open_stream", out_of_order)
    waited = run("cluster", "cluster-id", "-C", "no-such-host.invalid:9193", "--timeout", 0.5)
    assert "cannot be reached: Temporary failure in name resolution (waited 0.5 s)" in waited.stderr


def answered(request: bytes, described: rpc.DescribeClusterResponse, keys: tuple[int, ...]) -> bytes:
    """The answer of a port of Kafka's protocol that serves these apis."""
    header, message = decode_request(request[4:])
    apis = rpc.ApiVersionsResponse(api_keys=[rpc.ApiVersionsResponseApiVersion(key, 0, 1) for key in keys])
    response = apis if isinstance(message, rpc.ApiVersionsRequest) else described
    payload = encode_response(header.correlation_id, response, header.request_api_version)
    return len(payload).to_bytes(4, "big") + payload


@contextmanager
def kafka_port(*keys: int, described: rpc.DescribeClusterResponse | None = None) -> Iterator[int]:
    """A port that answers ApiVersions and DescribeCluster, and hangs up on what is no frame of Kafka's protocol."""

    def serve() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            with connection, suppress(OSError):
                while (request := connection.recv(1000)).startswith(b"\0\0"):
                    connection.sendall(answered(request, described or rpc.DescribeClusterResponse(), keys))

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        thread.join(PATIENCE_S)


OF_CONTROLLER = (1, 18, rpc.FetchSnapshotRequest.API_KEY, rpc.DescribeClusterRequest.API_KEY)


def test_a_broker_of_kafka_is_named(run) -> None:
    """It hangs up on gRPC, so it is asked in its own protocol; only a controller serves metadata snapshots."""
    with kafka_port(0, 1, 3, 18) as port:
        result = run("cluster", "cluster-id", "-C", f"127.0.0.1:{port}", "--timeout", 600)
    assert result.exit_code == ExitCode.UNREACHABLE
    assert result.stderr == f"error: 127.0.0.1:{port} is a broker's listener of Kafka's protocol; {WHERE}\n"


def test_a_controller_without_grpc_is_named(run) -> None:
    """Kafka's own controllers have none; the commands of gRPC cannot go on."""
    brokers = [rpc.DescribeClusterResponseDescribeClusterBroker(1, "one", 9093)]
    described = rpc.DescribeClusterResponse(endpoint_type=2, brokers=brokers)
    with kafka_port(*OF_CONTROLLER, described=described) as port:
        result = run("cluster", "cluster-id", "-C", f"127.0.0.1:{port}", "--timeout", 600)
    assert result.exit_code == ExitCode.UNREACHABLE
    assert result.stderr.startswith(f"error: 127.0.0.1:{port} is a controller's listener of Kafka's protocol, and no ")


def test_a_command_goes_on_at_the_address_that_a_controller_names(run) -> None:
    """Nothing listens there, which is said about that address, and who named it."""
    endpoints = [rpc.DescribeClusterResponsePublicApiEndpoint(1, "localhost", 1, 0)]
    described = rpc.DescribeClusterResponse(endpoint_type=2, public_api_endpoints=endpoints)
    with kafka_port(*OF_CONTROLLER, described=described) as port:
        result = run("cluster", "cluster-id", "-C", f"127.0.0.1:{port}")
    assert result.exit_code == ExitCode.UNREACHABLE
    assert result.stderr == f"error: localhost:1 {REFUSED} (127.0.0.1:{port} named it); {WAY_OUT}\n"


def test_the_command_about_brokers_directories_goes_nowhere_else(run) -> None:
    """Each broker describes its own, so another node's answer would be wrong."""
    with kafka_port(*OF_CONTROLLER) as port:
        result = run("log-dirs", "--describe", "-C", f"127.0.0.1:{port}", "--timeout", 600)
    assert result.exit_code == ExitCode.UNREACHABLE
    listener = "a controller's listener of Kafka's protocol"
    assert result.stderr == f"error: 127.0.0.1:{port} is {listener}; give an address of gRPC (grpc.listener)\n"


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
        assert "speaks TLS; give its authority (--tls-ca)" in plain.stderr
        foreign = run(*ask, 600, "--tls-ca", others.certificate, "--tls-cert", client.both)
        assert "shows a certificate that is not believed" in foreign.stderr
        assert "give its authority (--tls-ca)" in foreign.stderr
        for no_one in ((), ("--tls-cert", stranger.both)):
            refused = run(*ask, 600, "--tls-ca", ours.certificate, *no_one)
            assert "demands a certificate of an authority that it believes (--tls-cert)" in refused.stderr
