"""Asking a host what it is: every way in which it is no controller is a sentence of its own."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable

import pytest

from kraftpy.authenticator.login import PlainLogin, ScramLogin
from kraftpy.model.voters import Endpoint
from kraftpy.quorum_tools.access import PLAINTEXT, ProbeError, UselessRetryError
from kraftpy.quorum_tools.observer import NoControllerError, QuorumAccess, find_controllers
from kraftpy.quorum_tools.probe import ProbeResult, cluster_id_at, probe
from kraftpy.quorum_tools.quorum_admin import NoLeaderError, QuorumAdmin
from kraftpy.quorum_tools.streams import _with_scope
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_request, encode_response

HOST = "127.0.0.1"
CLUSTER = "MkU3OEVBNTcwNTJENDM2Qg"
API_VERSIONS, FETCH_SNAPSHOT, DESCRIBE_CLUSTER = 18, 59, 60
PATIENCE_S = 60.0
FRAME_BYTES_MAX = 1 << 20


async def serve(answer: Callable[[bytes], bytes]) -> tuple[asyncio.Server, Endpoint]:
    """Serve whatever ``answer`` makes of a frame; no answer closes the connection."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (size := int.from_bytes(await reader.readexactly(4), "big")) < FRAME_BYTES_MAX:
                data = answer(await reader.readexactly(size))
                if not data:
                    return
                writer.write(data)
        except asyncio.IncompleteReadError:
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(talk, HOST, 0)
    return server, Endpoint("CONTROLLER", HOST, server.sockets[0].getsockname()[1])


def kafka(apis: dict[int, int], cluster_id: str = CLUSTER) -> Callable[[bytes], bytes]:
    def answer(frame: bytes) -> bytes:
        header, message = decode_request(frame)
        if isinstance(message, rpc.ApiVersionsRequest):
            keys = [rpc.ApiVersionsResponseApiVersion(key, 0, high) for key, high in apis.items()]
            response = rpc.ApiVersionsResponse(api_keys=keys)
        else:
            assert isinstance(message, rpc.DescribeClusterRequest)
            endpoint_type = 2 if FETCH_SNAPSHOT in apis else 1
            assert message.endpoint_type == endpoint_type
            response = rpc.DescribeClusterResponse(cluster_id=cluster_id, endpoint_type=endpoint_type)
        payload = encode_response(header.correlation_id, response, header.request_api_version)
        return len(payload).to_bytes(4, "big") + payload

    return answer


async def test_a_controller_names_its_cluster() -> None:
    """A controller is found, with the cluster it belongs to."""
    server, endpoint = await serve(kafka({FETCH_SNAPSHOT: 1, DESCRIBE_CLUSTER: 2}))
    async with server:
        assert await probe(endpoint, access=PLAINTEXT, timeout_s=5) == ProbeResult(endpoint, CLUSTER)


async def test_a_controller_that_does_not_know_its_cluster() -> None:
    """An older controller is followed without knowing its cluster's id."""
    server, endpoint = await serve(kafka({FETCH_SNAPSHOT: 1, DESCRIBE_CLUSTER: 0}))
    async with server:
        assert await probe(endpoint, access=PLAINTEXT, timeout_s=5) == ProbeResult(endpoint, None)


@pytest.mark.parametrize(
    ("apis", "cluster_id", "expected"),
    [
        ({FETCH_SNAPSHOT: 1, DESCRIBE_CLUSTER: 2}, CLUSTER, CLUSTER),
        ({FETCH_SNAPSHOT: 1, DESCRIBE_CLUSTER: 1}, "", None),
        ({FETCH_SNAPSHOT: 1, DESCRIBE_CLUSTER: 0}, CLUSTER, None),
        ({DESCRIBE_CLUSTER: 0}, CLUSTER, CLUSTER),
        ({1: 17}, CLUSTER, None),
    ],
)
async def test_of_which_cluster_a_listener_is(apis: dict[int, int], cluster_id: str, expected: str | None) -> None:
    """A controller's or a broker's; an older one, or one that refuses the caller, does not say."""
    server, endpoint = await serve(kafka(apis, cluster_id))
    async with server:
        assert await cluster_id_at(endpoint, access=PLAINTEXT, timeout_s=5) == expected


@pytest.mark.parametrize("answer", [b"\xff\0\0\0", b"\0\0\0\x02ab", b""])
async def test_a_listener_that_answers_nothing_has_no_cluster(answer: bytes) -> None:
    server, endpoint = await serve(lambda _: answer)
    async with server:
        with pytest.raises(ProbeError):
            await cluster_id_at(endpoint, access=PLAINTEXT, timeout_s=5)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (kafka({1: 17, 3: 12}), "is not a controller's listener"),
        (lambda _: b"HTTP/1.1 400 Bad Request\r\n\r\n", "does not speak Kafka's protocol: it speaks HTTP"),
        (
            lambda _: b"",
            "closes the connection: it does not speak Kafka's protocol, or expects TLS",
        ),
        (lambda _: b"\xff\0\0\0", "does not speak Kafka's protocol: its answer claims -16777216 bytes"),
        (lambda _: b"SSH-2.0-OpenSSH_9.6\r\n", "does not speak Kafka's protocol: it speaks SSH"),
        (lambda _: b"\x15\x03\x03\0\x02\x02\x46", "does not speak Kafka's protocol: it speaks TLS"),
        (lambda _: b"\0\0\0\x02ab", "does not speak Kafka's protocol"),
    ],
)
async def test_what_is_no_controller(answer: Callable[[bytes], bytes], words: str) -> None:
    """A broker, a web server, a port that closes silently and one that sends garbage are distinguished."""
    server, endpoint = await serve(answer)
    async with server:
        with pytest.raises(ProbeError, match=words):
            await probe(endpoint, access=PLAINTEXT, timeout_s=5)


async def test_a_port_of_grpc_is_named() -> None:
    """It closes connections that are not of HTTP/2, and answers those that are with SETTINGS."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if (await reader.read(100)).startswith(b"PRI "):
            writer.write(bytes((0, 0, 0, 4, 0, 0, 0, 0, 0)))
        writer.close()

    async with await asyncio.start_server(talk, HOST, 0) as server:
        endpoint = Endpoint("CONTROLLER", HOST, server.sockets[0].getsockname()[1])
        with pytest.raises(UselessRetryError, match=r"is a port of gRPC; give the address of a controller"):
            await probe(endpoint, access=PLAINTEXT, timeout_s=5)


async def test_a_listener_in_plaintext_is_named_to_who_speaks_tls() -> None:
    """And one that closes the connection on what needs SASL, to who has no credentials."""
    server, endpoint = await serve(kafka({FETCH_SNAPSHOT: 1, DESCRIBE_CLUSTER: 2}))
    async with server:
        with pytest.raises(UselessRetryError, match=r"is a controller's listener of .*, and does not speak"):
            await probe(endpoint, access=QuorumAccess(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)), timeout_s=5)

    offers = kafka({FETCH_SNAPSHOT: 1, DESCRIBE_CLUSTER: 2})
    strict, endpoint = await serve(lambda frame: offers(frame) if frame[1] == API_VERSIONS else b"")
    async with strict:
        with pytest.raises(UselessRetryError, match=r"it demands SASL; give credentials \(--command-config\)"):
            await probe(endpoint, access=PLAINTEXT, timeout_s=5)


async def test_a_silent_port_of_another_kind_is_not_waited_for() -> None:
    """An HTTP server waits for the end of a line; so it is looked at while the answer is waited for."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n")
            writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        except asyncio.IncompleteReadError:
            pass
        finally:
            writer.close()

    async with await asyncio.start_server(talk, HOST, 0) as server:
        endpoint = Endpoint("CONTROLLER", HOST, server.sockets[0].getsockname()[1])
        with pytest.raises(UselessRetryError, match="is an HTTP/1 server; give the address of a controller"):
            await probe(endpoint, access=PLAINTEXT, timeout_s=3600)


async def test_hosts_that_cannot_become_controllers_are_not_asked_again() -> None:
    """A port that refuses, of another protocol, or of a broker ends a command at once; a silent one is waited for."""
    web, web_endpoint = await serve(lambda _: b"HTTP/1.1 400 Bad Request\r\n\r\n")
    broker, broker_endpoint = await serve(kafka({1: 17, 3: 12}))
    hosts = [Endpoint("CONTROLLER", HOST, 1), web_endpoint, broker_endpoint]
    async with web, broker:
        with pytest.raises(NoControllerError, match=r"refused .* speaks HTTP; .* is not a controller"):
            await find_controllers(hosts, access=PLAINTEXT, timeout_s=3600)
        with pytest.raises(NoControllerError, match="refused the connection"):
            await find_controllers(hosts[:1], access=PLAINTEXT, timeout_s=0.2, may_start=True)
        with socket.create_server((HOST, 0)) as silent:
            hosts.append(Endpoint("CONTROLLER", HOST, silent.getsockname()[1]))
            with pytest.raises(NoControllerError, match="does not answer within"):
                await find_controllers(hosts, access=PLAINTEXT, timeout_s=0.2)


async def test_who_does_not_answer() -> None:
    """A port that is shut and a host that does not answer are distinguished."""
    server, endpoint = await serve(kafka({}))
    server.close()
    await server.wait_closed()
    with pytest.raises(ProbeError, match="refused the connection"):
        await probe(endpoint, access=PLAINTEXT, timeout_s=5)

    late = pytest.raises(ProbeError, match=r"does not answer within 0\.1 s")
    with socket.create_server((HOST, 0)) as silent, late:
        await probe(Endpoint("CONTROLLER", HOST, silent.getsockname()[1]), access=PLAINTEXT, timeout_s=0.1)


async def test_an_unknown_name() -> None:
    """It is said to be that."""
    with pytest.raises(ProbeError, match=r"is a name that cannot be resolved: "):
        await probe(Endpoint("CONTROLLER", "no-such-host.invalid", 9), access=PLAINTEXT, timeout_s=5)


async def test_a_question_for_the_leader_at_a_broker_s_port() -> None:
    """It is reported as a broker's port, though a broker closes the connection on requests that it does not serve."""
    offers = kafka({1: 17, 3: 12})
    server, endpoint = await serve(
        lambda frame: offers(frame) if decode_request(frame)[0].request_api_key == 18 else b""
    )
    async with server:
        with pytest.raises(
            NoLeaderError, match=rf"{HOST}:{endpoint.port} is not a controller's listener.*broker's port"
        ):
            await QuorumAdmin([endpoint], timeout_s=5).describe()


async def test_one_controller_among_others_is_enough() -> None:
    """One controller among the hosts is enough; what is wrong with the others is handed back."""
    good, controller = await serve(kafka({FETCH_SNAPSHOT: 1, DESCRIBE_CLUSTER: 2}))
    bad, broker = await serve(kafka({1: 17}))
    async with good, bad:
        cluster_id, complaints = await find_controllers([broker, controller], access=PLAINTEXT, timeout_s=5)
    assert cluster_id == CLUSTER
    assert len(complaints) == 1
    assert f"{HOST}:{broker.port} is not a controller's listener" in complaints[0]


async def test_hosts_of_two_clusters_are_refused() -> None:
    """Hosts of two clusters are a mistake that must not be guessed around."""
    apis = {FETCH_SNAPSHOT: 1, DESCRIBE_CLUSTER: 2}
    first, one = await serve(kafka(apis))
    second, other = await serve(kafka(apis, "another"))
    async with first, second:
        with pytest.raises(NoControllerError, match="belong to different clusters"):
            await find_controllers([one, other], access=PLAINTEXT, timeout_s=5)


async def test_rejected_credentials_are_shown_once() -> None:
    """Asking again would not help, and may lock a user out."""
    logins = []

    def answer(frame: bytes) -> bytes:
        header, message = decode_request(frame)
        response = rpc.SaslHandshakeResponse(0, ["PLAIN"])
        if isinstance(message, rpc.SaslAuthenticateRequest):
            logins.append(message.auth_bytes)
            response = rpc.SaslAuthenticateResponse(58, "no such user\x1b[2J", b"", 0)
        payload = encode_response(header.correlation_id, response, header.request_api_version)
        return len(payload).to_bytes(4, "big") + payload

    server, controller = await serve(answer)
    async with server:
        with pytest.raises(NoControllerError, match="SASL: the server answers SASL_AUTHENTICATION_FAILED"):
            await find_controllers([controller], access=QuorumAccess(login=PlainLogin("u", "p")), timeout_s=PATIENCE_S)
    assert logins == [b"\0u\0p"]


async def test_no_controller_at_all() -> None:
    """When no host is a controller, the error gives the reason for each."""
    server, broker = await serve(kafka({1: 17}))
    async with server:
        with pytest.raises(NoControllerError, match=f"no controller found: {HOST}:{broker.port} is not a controller"):
            await find_controllers([broker], access=PLAINTEXT, timeout_s=0.2)


def test_only_plain_without_tls_shows_the_password() -> None:
    plain, scram = PlainLogin("u", "p"), ScramLogin("SCRAM-SHA-256", "u", "p", lambda: "n")
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    assert QuorumAccess(login=plain).shows_password
    assert not any(
        access.shows_password
        for access in (PLAINTEXT, QuorumAccess(tls), QuorumAccess(tls, plain), QuorumAccess(login=scram))
    )


@pytest.mark.parametrize(
    ("address", "host"),
    [(("::1", 9, 0, 0), "::1"), (("fe80::1", 9, 0, 3), "fe80::1%3"), (("127.0.0.1", 9), "127.0.0.1")],
)
def test_a_link_local_address_keeps_its_interface(address, host):
    """Without it the kernel does not know which network is meant."""
    assert _with_scope(address) == host
