"""A controller's answer names the addresses of gRPC: which are taken, and what is said about the others."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from kraftpy.model.errors import ErrorCode
from kraftpy.model.voters import Endpoint
from kraftpy.quorum_tools import public_api
from kraftpy.quorum_tools.access import PLAINTEXT, LoginRejectedError, ProbeError, UselessRetryError
from kraftpy.quorum_tools.public_api import (
    PUBLIC_API_ENDPOINTS_MAX,
    NoPublicApiError,
    addresses_in,
    find_public_api,
)
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_request, encode_response

HOST = "127.0.0.1"
ENDPOINT = rpc.DescribeClusterResponsePublicApiEndpoint
BROKERS = [rpc.DescribeClusterResponseDescribeClusterBroker(1, "one", 9093)]
NOT_LOADED = rpc.DescribeClusterResponse(error_code=ErrorCode.OFFSET_NOT_AVAILABLE, error_message="at offset 3")


def answer(*endpoints: rpc.DescribeClusterResponsePublicApiEndpoint) -> rpc.DescribeClusterResponse:
    return rpc.DescribeClusterResponse(
        endpoint_type=2, cluster_id="c", brokers=BROKERS, public_api_endpoints=list(endpoints)
    )


def test_the_addresses_that_are_as_protected_as_was_asked_for():
    """A caller with TLS is not sent to a port in plaintext, and the other way around; SASL is another matter."""
    mixed = answer(ENDPOINT(1, "one", 1, 0), ENDPOINT(2, "::1", 2, 1), ENDPOINT(3, "c", 3, 2), ENDPOINT(4, "d", 4, 3))
    assert addresses_in(mixed, has_tls=False) == ["one:1", "c:3"]
    assert addresses_in(mixed, has_tls=True) == ["[::1]:2", "d:4"]


def failed(code: ErrorCode, reason: str | None = None) -> rpc.DescribeClusterResponse:
    return rpc.DescribeClusterResponse(error_code=code, error_message=reason, endpoint_type=2)


@pytest.mark.parametrize(
    ("message", "has_tls", "sentence"),
    [
        (answer(ENDPOINT(1, "one", 9193, 1)), False, "says that gRPC is at one:9193, with TLS: give its authority"),
        (
            answer(ENDPOINT(1, "one", 9193, 2)),
            True,
            "says that gRPC is at one:9193, in plaintext: give a port with TLS",
        ),
        (answer(), False, "no controller of its cluster serves gRPC, which this command needs: set grpc.listener"),
        (failed(ErrorCode.CLUSTER_AUTHORIZATION_FAILED), False, "to a user with ALTER on the cluster only; give an"),
        (failed(ErrorCode.UNSUPPORTED_VERSION, "Direct-to-\x1b[2J"), False, r"refuses DescribeCluster: Direct-to-\x1b"),
        (failed(ErrorCode.UNSUPPORTED_VERSION), False, "refuses DescribeCluster: error code 35; give an address of"),
        (answer(ENDPOINT(1, "unix:/run/x", 9193, 0)), False, "names an address of gRPC that is none: '[unix:/run/x]"),
        (answer(ENDPOINT(1, "dns:///x", 9193, 0)), False, "names an address of gRPC that is none: '[dns:///x]:9193"),
        (answer(ENDPOINT(1, "a b", 9193, 0)), False, "names an address of gRPC that is none: 'a b:9193' is not host"),
        (answer(ENDPOINT(1, "", 9193, 0)), False, "names an address of gRPC that is none: '' is not host:port"),
        (answer(ENDPOINT(1, "one", 0, 0)), False, "names an address of gRPC that is none: '' is not host:port"),
        (
            answer(ENDPOINT(1, "0.0.0.0", 1, 0)),
            False,
            "names an address of gRPC that is none: '0.0.0.0:1' names the",
        ),
        (
            answer(*[ENDPOINT(1, "one", 9193, 0)] * (PUBLIC_API_ENDPOINTS_MAX + 1)),
            False,
            "names 101 addresses of gRPC; at most 100 are taken; give an address of grpc.listener",
        ),
    ],
)
def test_an_answer_without_an_address_for_the_caller(message, has_tls, sentence):
    """It is useless to ask again; the sentence has what was found, and the way out."""
    with pytest.raises(UselessRetryError) as raised:
        addresses_in(message, has_tls=has_tls)
    assert sentence in str(raised.value)


@pytest.mark.parametrize("message", [NOT_LOADED, rpc.DescribeClusterResponse(endpoint_type=2)])
def test_a_controller_that_starts_is_asked_again(message):
    """It has not loaded its state, or none is registered."""
    with pytest.raises(ProbeError) as raised:
        addresses_in(message, has_tls=False)
    assert not isinstance(raised.value, UselessRetryError)


async def serve(answers: Iterator[rpc.DescribeClusterResponse]) -> tuple[asyncio.Server, Endpoint]:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                size = int.from_bytes(await reader.readexactly(4), "big")
                header, message = decode_request(await reader.readexactly(size))
                versions = [rpc.ApiVersionsResponseApiVersion(key, 0, 2) for key in (18, 59, 60)]
                is_first = isinstance(message, rpc.ApiVersionsRequest)
                response = rpc.ApiVersionsResponse(api_keys=versions) if is_first else next(answers)
                payload = encode_response(header.correlation_id, response, header.request_api_version)
                writer.write(len(payload).to_bytes(4, "big") + payload)
        except asyncio.IncompleteReadError:
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(talk, HOST, 0)
    return server, Endpoint("", HOST, server.sockets[0].getsockname()[1])


async def test_the_first_controller_that_answers_is_believed():
    """One that refuses, and one that starts, are asked in turn, and again."""
    server, endpoint = await serve(iter([NOT_LOADED, answer(ENDPOINT(1, "one", 9193, 0))]))
    async with server:
        found = await find_public_api([Endpoint("", HOST, 1), endpoint], access=PLAINTEXT, timeout_s=30)
    assert found == ["one:9193"]


@asynccontextmanager
async def silent() -> AsyncIterator[Endpoint]:
    """A port that takes connections and sends nothing, as that of a node that is suspended."""
    with socket.create_server((HOST, 0)) as server:
        yield Endpoint("", *server.getsockname())


async def test_a_silent_controller_takes_no_time_from_another():
    """Although it is the first, and the other one still starts."""
    server, endpoint = await serve(iter([NOT_LOADED, answer(ENDPOINT(1, "one", 9193, 0))]))
    async with server, silent() as first, asyncio.timeout(30):
        found = await find_public_api([first, endpoint], access=PLAINTEXT, timeout_s=3600)
    assert found == ["one:9193"]


async def test_a_controller_that_rejects_a_password_is_not_asked_again(monkeypatch):
    """However long another one is silent: it would lock the user out."""
    asked = []

    async def rejected(controller: Endpoint, **_: object) -> rpc.DescribeClusterResponse:
        asked.append(controller)
        raise LoginRejectedError("SASL: no") if controller.port == 1 else ProbeError("has not loaded its state yet")

    monkeypatch.setattr(public_api, "described_controllers", rejected)
    monkeypatch.setattr(public_api, "ASK_AGAIN_S", 0.001)
    both = [Endpoint("", HOST, 1), Endpoint("", HOST, 2)]
    with pytest.raises(NoPublicApiError, match=r"127.0.0.1:1 SASL: no; 127.0.0.1:2 has not loaded"):
        await find_public_api(both, access=PLAINTEXT, timeout_s=0.1)
    assert asked.count(both[0]) == 1
    assert asked.count(both[1]) > 1


@pytest.mark.parametrize("port", [0, 1])
@pytest.mark.parametrize("has_tls", [False, True])
def test_a_long_name_is_shown_in_part(port, has_tls):
    """A controller's answer may have any."""
    message = answer(*[ENDPOINT(1, ("a " if port == 0 else "a.") * 9_999 + "a", 9193, int(not has_tls))])
    with pytest.raises(UselessRetryError) as raised:
        addresses_in(message, has_tls=has_tls)
    assert len(str(raised.value)) < 2 * public_api.REASON_CHARACTERS_MAX


async def test_no_controller_names_an_address():
    """Each has its sentence; it ends at once where that is useless, and else at the deadline."""
    server, endpoint = await serve(iter([answer(), NOT_LOADED]))
    async with server:
        with pytest.raises(NoPublicApiError) as raised:
            await find_public_api([Endpoint("", HOST, 1), endpoint], access=PLAINTEXT, timeout_s=3600)
        assert str(raised.value).startswith(f"{HOST}:1 refused the connection")
        assert f"; {HOST}:{endpoint.port} is a controller's listener of Kafka's protocol, and no" in str(raised.value)
        with pytest.raises(NoPublicApiError, match="has not loaded its state yet: at offset 3"):
            await find_public_api([endpoint], access=PLAINTEXT, timeout_s=0.1)
