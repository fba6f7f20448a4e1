"""A node's own calls to the active controller: what goes out, what comes back, and how each call ends.

Sources: KIP-631, KIP-919; Kafka ``BrokerRegistrationRequest`` (KAFKA-17492).
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import pytest

from kraftpy.controller.requests import RegisterControllerResponse
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.registrations import (
    BrokerHeartbeat,
    BrokerHeartbeatResponse,
    Listener,
    RegisterBroker,
    RegisterBrokerResponse,
    RegisterController,
    SupportedFeature,
)
from kraftpy.model.voters import Endpoint
from kraftpy.transport.kafka.control import ControlCalls
from kraftpy.transport.kafka.controller_calls import APIS, REASONS, ControllerCalls
from kraftpy.transport.kafka.listener import KafkaListener
from kraftpy.transport.node_api import Committed
from kraftpy.transport.tls import TlsFiles, client_context, server_context
from tests.fakes.certificates import Authority
from tests.unit.transport.conftest import PATIENCE
from tests.unit.transport.kafka_node import CLUSTER, DIRECTORY, INCARNATION
from tests.unit.transport.test_identity import identity

LISTENERS = (Listener("PLAINTEXT", "h", 9092, 0), Listener("SSL", "h2", 9093, 1))
FEATURES = (SupportedFeature("metadata.version", 7, 30), SupportedFeature("kraft.version", 0, 1))
BROKER = RegisterBroker(
    broker_id=7,
    cluster_id=CLUSTER,
    incarnation_id=INCARNATION,
    listeners=LISTENERS,
    features=FEATURES,
    rack="r1",
    log_dirs=(DIRECTORY,),
    saturated_log_dirs=(),
    previous_broker_epoch=3,
)
HEARTBEAT = BrokerHeartbeat(
    broker_id=7, broker_epoch=9, metadata_offset=40, want_fence=True, want_shutdown=True, offline_log_dirs=(DIRECTORY,),
    cordoned_log_dirs=(), saturated_log_dirs=(DIRECTORY,),
)  # fmt: skip
CONTROLLER = RegisterController(controller_id=1, incarnation_id=INCARNATION, listeners=LISTENERS, features=FEATURES)
CASES = [
    (BROKER, RegisterBrokerResponse(broker_epoch=55)),
    (
        HEARTBEAT,
        BrokerHeartbeatResponse(
            is_caught_up=True, is_fenced=False, in_controlled_shutdown=False, should_shut_down=True
        ),
    ),
    (CONTROLLER, RegisterControllerResponse()),
]
IDS = [type(request).__name__ for request, _ in CASES]


class Controller:
    """A controller's listener on a socket; writes wait until the test completes them."""

    def __init__(self, listener):
        self.listener = listener
        self.writes = asyncio.Queue()
        ControlCalls(
            listener,
            listener_name="CONTROLLER",
            node_id=1,
            submit=lambda write, settle: self.writes.put_nowait((write, settle)),
            view=lambda: None,
            leader_id=lambda: 1,
        )

    @property
    def endpoint(self):
        return Endpoint("CONTROLLER", "127.0.0.1", self.listener.port)

    async def next(self):
        """Wait for the next write; return its request and what completes it."""
        async with asyncio.timeout(PATIENCE):
            write, settle = await self.writes.get()
        return write.request, settle


@asynccontextmanager
async def controller(**options):
    listener = KafkaListener("127.0.0.1", 0, lambda _: None, **options)
    await listener.start()
    yield Controller(listener)
    await listener.close()


def files_of(authority, uri):
    made = authority.issue(uri.replace("/", "-"), uri)
    return TlsFiles(certificate=str(made.certificate), key=str(made.key), trust=str(authority.certificate))


def begin(calls, at, request, *, timeout_ms=PATIENCE * 1_000):
    return asyncio.ensure_future(calls.call(1, at.endpoint, request, timeout_ms))


@pytest.mark.parametrize(("request_", "response"), CASES, ids=IDS)
async def test_a_call_and_its_response(request_, response):
    """The controller's side reads the request that was sent, and the caller the response that was given."""
    async with controller() as at, ControllerCalls("node") as calls:
        call = begin(calls, at, request_)
        asked, settle = await at.next()
        assert asked == request_
        assert not call.done()
        settle(Committed(response, offset=9, epoch=1))
        assert await call == response


@pytest.mark.parametrize("request_", [request for request, _ in CASES], ids=IDS)
@pytest.mark.parametrize(
    "code", [ErrorCode.NOT_CONTROLLER, ErrorCode.STALE_BROKER_EPOCH, ErrorCode.UNKNOWN_SERVER_ERROR]
)
async def test_a_refusal_keeps_its_code(request_, code):
    """The machines act on the code; its text is the controller's where the wire has one."""
    async with controller() as at, ControllerCalls("node") as calls:
        call = begin(calls, at, request_)
        _, settle = await at.next()
        settle(ApiError(code, "the reason"))
        with pytest.raises(ApiError) as refused:
            await call
        assert refused.value.code is code
        shown = (
            "the reason" if request_ is CONTROLLER else REASONS.get(code, "the active controller's log has the reason")
        )
        assert refused.value.message.endswith(shown)


async def test_a_call_has_a_time():
    """A controller that does not answer costs the call its time and no more; the next call is answered."""
    async with controller() as at, ControllerCalls("node") as calls:
        call = begin(calls, at, HEARTBEAT, timeout_ms=50)
        with pytest.raises(TimeoutError):
            await call
        _, late = await at.next()
        call = begin(calls, at, BROKER)
        late(Committed(CASES[1][1], offset=9, epoch=1))
        _, settle = await at.next()
        settle(Committed(CASES[0][1], offset=9, epoch=1))
        assert await call == CASES[0][1]


async def test_no_listener():
    """A refused connection is a failure at once."""
    async with ControllerCalls("node") as calls:
        async with controller() as at:
            gone = at
        with pytest.raises(ApiError) as refused:
            await begin(calls, gone, HEARTBEAT)
        assert refused.value.code is ErrorCode.NETWORK_EXCEPTION
        assert "connection refused" in refused.value.message


async def test_another_leader_ends_the_calls_to_the_one_before():
    """A call to a node that leads no more fails at once, and one to the leader goes on."""
    async with controller() as old, controller() as new, ControllerCalls("node") as calls:
        lost = asyncio.ensure_future(calls.call(1, old.endpoint, HEARTBEAT, PATIENCE * 1_000))
        kept = asyncio.ensure_future(calls.call(2, new.endpoint, HEARTBEAT, PATIENCE * 1_000))
        _, late = await old.next()
        _, settle = await new.next()
        calls.leader_changed(2)
        with pytest.raises(ApiError) as refused:
            await asyncio.wait_for(lost, PATIENCE)
        assert refused.value.code is ErrorCode.NOT_CONTROLLER
        late(Committed(CASES[1][1], offset=9, epoch=1))
        settle(Committed(CASES[1][1], offset=9, epoch=1))
        assert await kept == CASES[1][1]


async def test_a_caller_that_leaves_leaves_nothing(caplog):
    """A cancelled call is forgotten, and its late response goes nowhere."""
    async with controller() as at, ControllerCalls("node") as calls:
        call = begin(calls, at, HEARTBEAT)
        _, settle = await at.next()
        call.cancel()
        await asyncio.wait({call})
        settle(Committed(CASES[1][1], offset=9, epoch=1))
        call = begin(calls, at, HEARTBEAT)
        _, settle = await at.next()
        settle(Committed(CASES[1][1], offset=9, epoch=1))
        assert await call == CASES[1][1]
    assert caplog.records == []


async def test_a_registration_is_for_the_certificate_s_own_id(tmp_path):
    """A broker with a good certificate of another id is refused, and the controller decides nothing."""
    authority = Authority(tmp_path)
    refused = []
    listens = {
        "ssl_context": server_context(files_of(authority, "kraft:///controller/1")),
        "identity": identity(refused),
    }
    async with controller(**listens) as at:
        for uri in ("kraft:///broker/7", "kraft:///broker/8", "kraft:///controller/7"):
            shows = client_context(files_of(authority, uri), check_hostname=False)
            async with ControllerCalls("node", ssl_context=shows, identity=identity(refused)) as calls:
                for request, response in CASES[:2]:
                    call = begin(calls, at, request)
                    if uri == "kraft:///broker/7":
                        _, settle = await at.next()
                        settle(Committed(response, offset=9, epoch=1))
                        assert await call == response
                        continue
                    with pytest.raises(ApiError) as error:
                        await call
                    assert error.value.code is ErrorCode.CLUSTER_AUTHORIZATION_FAILED
    assert at.writes.empty()
    assert len(refused) == 4


async def test_a_server_that_is_not_the_leader_is_not_called(tmp_path):
    """The certificate of the server has to name the node that the call is for."""
    authority, refused = Authority(tmp_path), []
    listens = {"ssl_context": server_context(files_of(authority, "kraft:///controller/2"))}
    shows = client_context(files_of(authority, "kraft:///broker/7"), check_hostname=False)
    async with (
        controller(**listens) as at,
        ControllerCalls("b", ssl_context=shows, identity=identity(refused)) as calls,
    ):
        with pytest.raises(ApiError) as error:
            await begin(calls, at, BROKER)
        assert error.value.code is ErrorCode.NETWORK_EXCEPTION
        assert at.writes.empty()
        assert len(refused) == 1


def test_features_from_level_0_are_left_out_of_old_registrations():
    """Before version 4 a controller cannot read a range that begins at 0."""
    api = APIS[RegisterBroker]
    assert [one.name for one in api.request_to_wire(BROKER, 3).features] == ["metadata.version"]
    assert [one.name for one in api.request_to_wire(BROKER, 4).features] == ["metadata.version", "kraft.version"]
