"""A command that speaks Kafka's protocol goes on from a port of gRPC to the listeners that it names."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from kraftpy.cli.errors import CommandError, UnreachableError
from kraftpy.cli.kafka_port import at_controllers, listeners_in
from kraftpy.client.values import ClusterInfo, ControllerInfo, Freshness, Listener
from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.voters import Endpoint
from kraftpy.quorum_tools.access import PLAINTEXT
from kraftpy.quorum_tools.public_api import REASON_CHARACTERS_MAX
from kraftpy.quorum_tools.quorum_admin import NoLeaderError

HOST = "127.0.0.1"
SETTINGS = bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
UUID = bytes(16)
GRPC = Listener("GRPC", "one", 9193, 0)
PLAIN = Listener("CONTROLLER", "one", 9093, 0)
TLS = Listener("SECURE", "::1", 9094, 1)
SASL_TLS = Listener("SASL", "one", 9095, 3)


def cluster(*listeners: Sequence[Listener]) -> ClusterInfo:
    controllers = tuple(
        ControllerInfo(controller_id=node_id, incarnation_id=UUID, listeners=tuple(each), features=())
        for node_id, each in enumerate(listeners, 1)
    )
    freshness = Freshness(0, 0, 0, Consistency.COMMITTED)
    return ClusterInfo(freshness=freshness, cluster_id="c", controller_id=1, brokers=(), controllers=controllers)


def test_one_listener_of_each_controller() -> None:
    """As protected as was asked for, and none of the public API."""
    info = cluster([GRPC, PLAIN, TLS], [SASL_TLS], [GRPC])
    plain = listeners_in(info, named_by="a:1", has_tls=False)
    assert plain == (Endpoint("CONTROLLER", "one", 9093),)
    tls = listeners_in(info, named_by="a:1", has_tls=True)
    assert tls == (Endpoint("CONTROLLER", "::1", 9094), Endpoint("CONTROLLER", "one", 9095))


@pytest.mark.parametrize(
    ("info", "has_tls", "sentence"),
    [
        (
            cluster([GRPC, PLAIN]),
            True,
            "a:1 says that the listeners of the controllers are at one:9093, in plaintext: give a port",
        ),
        (cluster([GRPC, TLS]), False, "a:1 says that the listeners of the controllers are at [::1]:9094, with TLS: "),
        (cluster(), False, "a:1 says that the listeners of the controllers are not registered yet; try again"),
        (cluster([Listener("C", "a b", 1, 0)]), False, "a:1 names a listener that is none: 'a b:1' is not host:port"),
    ],
)
def test_no_listener_for_the_caller(info: ClusterInfo, has_tls: bool, sentence: str) -> None:
    """The error has what there is."""
    with pytest.raises(CommandError) as raised:
        listeners_in(info, named_by="a:1", has_tls=has_tls)
    assert sentence in str(raised.value)


@pytest.mark.parametrize("has_tls", [False, True])
def test_what_is_named_is_shown_in_part(has_tls: bool) -> None:
    """A name has any length."""
    with pytest.raises(CommandError) as raised:
        listeners_in(cluster([Listener("C", "a " * 9_999, 1, 0)]), named_by="a:1", has_tls=has_tls)
    assert len(str(raised.value)) < 2 * REASON_CHARACTERS_MAX


class GrpcPort:
    """A port of gRPC, and a client that asks it; ``asked`` has the endpoints of each attempt."""

    def __init__(self, port: int) -> None:
        self.endpoint = Endpoint("CONTROLLER", HOST, port)
        self.asked: list[Sequence[Endpoint]] = []

    async def ask(self, endpoints: Sequence[Endpoint]) -> str:
        self.asked.append(endpoints)
        if any(endpoint.port == self.endpoint.port for endpoint in endpoints):
            raise NoLeaderError("no leader was found")
        return "answered"


@pytest.fixture
def grpc_port(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Any], GrpcPort]]:
    """A port that sends SETTINGS, and a client whose answer is given."""
    loop = asyncio.new_event_loop()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(SETTINGS)
        writer.close()

    server = loop.run_until_complete(asyncio.start_server(talk, HOST, 0))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    def made(answer: Any) -> GrpcPort:
        @contextmanager
        def connect(addresses: tuple[str, ...], timeout_s: float, *, moves: bool) -> Iterator[Any]:
            assert (addresses, timeout_s, moves) == ((f"{HOST}:{port.endpoint.port}",), 5, False)
            yield Client()

        class Client:
            def describe_cluster(self) -> ClusterInfo:
                if isinstance(answer, Exception):
                    raise answer
                assert isinstance(answer, ClusterInfo)
                return answer

        monkeypatch.setattr("kraftpy.cli.connection.connect", connect)
        port = GrpcPort(server.sockets[0].getsockname()[1])
        return port

    yield made
    loop.call_soon_threadsafe(server.close)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def test_a_port_of_grpc_is_asked_for_the_listeners(grpc_port: Callable[[Any], GrpcPort]) -> None:
    """Only after the first attempt failed, and once."""
    port = grpc_port(cluster([GRPC, PLAIN]))
    assert (
        at_controllers((port.endpoint,), port.ask, failure=NoLeaderError, access=PLAINTEXT, timeout_s=5) == "answered"
    )
    assert port.asked == [(port.endpoint,), (Endpoint("CONTROLLER", "one", 9093),)]


def test_a_port_of_grpc_that_refuses(grpc_port: Callable[[Any], GrpcPort]) -> None:
    """With the code of the API, and the way out."""
    port = grpc_port(ApiError(ErrorCode.CLUSTER_AUTHORIZATION_FAILED, "denied"))
    with pytest.raises(CommandError) as raised:
        at_controllers((port.endpoint,), port.ask, failure=NoLeaderError, access=PLAINTEXT, timeout_s=5)
    assert "is a port of gRPC, and does not name the controllers: denied (CLUSTER_AUTHORI" in str(raised.value)


def test_where_no_port_is_one_of_grpc_the_error_stays(grpc_port: Callable[[Any], GrpcPort]) -> None:
    """The first attempt's; nothing else is asked."""
    port = grpc_port(cluster())

    async def ask(_endpoints: Sequence[Endpoint]) -> None:
        raise NoLeaderError("no leader was found")

    refusing, unknown = (Endpoint("CONTROLLER", host, 1) for host in (HOST, "no-such-host.invalid"))
    with pytest.raises(NoLeaderError):
        at_controllers((refusing, unknown), ask, failure=NoLeaderError, access=PLAINTEXT, timeout_s=5)
    with pytest.raises(UnreachableError, match=r"no leader was found; start a controller there, or give .* \(-C\)"):
        at_controllers((refusing, refusing), ask, failure=NoLeaderError, access=PLAINTEXT, timeout_s=5)
    assert port.asked == []
