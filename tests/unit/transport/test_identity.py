"""Requests in a node's name are taken from that node alone, over real TLS, on both wires."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import grpc
import pytest

from kraftpy.client import AsyncClient
from kraftpy.controller.broker_id_requests import AssignBrokerId
from kraftpy.controller.requests import (
    BrokerHeartbeat,
    RegisterBroker,
    RegisterController,
    UnregisterBroker,
)
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.identity import ANONYMOUS, principal_of
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.model.voters import Endpoint, ReplicaKey
from kraftpy.pb.v1 import node_pb2
from kraftpy.raft.messages import (
    AddRaftVoterRequest,
    BeginQuorumEpochRequest,
    DescribeQuorumRequest,
    EndQuorumEpochRequest,
    FetchRequest,
    FetchSnapshotRequest,
    RemoveRaftVoterRequest,
    UpdateRaftVoterRequest,
    VoteRequest,
)
from kraftpy.raft.ready import Failure, RequestFailed, ResponseReceived
from kraftpy.records.generated import rpc
from kraftpy.transport.identity import NodeIdentity
from kraftpy.transport.kafka.channel import PeerNetwork
from kraftpy.transport.kafka.identity import PeerIdentity
from kraftpy.transport.kafka.listener import KafkaListener
from kraftpy.transport.tls import TlsFiles, client_context, server_context
from tests.fakes.certificates import Authority
from tests.unit.transport.conftest import Inbox, fetch, fetched, requests, send_to
from tests.unit.transport.fake_backend import FakeBackend, serving
from tests.unit.transport.kafka_node import CLUSTER, INCARNATION, FakeNode
from tests.unit.transport.test_api import call

REFUSED = ErrorCode.CLUSTER_AUTHORIZATION_FAILED
END = OffsetAndEpoch(epoch=3, offset=9)
TWO = ReplicaKey(2, bytes(range(16)))
HERE = (Endpoint("CONTROLLER", "h", 1),)

CONTROLLER_2 = principal_of("CN=c2", ["kraft:///controller/2"])
CONTROLLER_4 = principal_of("CN=c4", ["kraft:///controller/4"])
BROKER_2 = principal_of("CN=b2", ["kraft:///broker/2"])
FOREIGN_2 = principal_of("CN=c2", ["kraft://another/controller/2"])
OPERATOR = principal_of("CN=admin", [])
STRANGERS = (CONTROLLER_4, BROKER_2, FOREIGN_2, OPERATOR, ANONYMOUS)

FETCH = FetchRequest(cluster_id=None, replica=TWO, epoch=3, fetch_offset=9, last_fetched_epoch=3, max_wait_ms=0,
                     max_bytes=1)  # fmt: skip
SNAPSHOT = FetchSnapshotRequest(cluster_id=None, replica=TWO, epoch=3, snapshot_id=END, position=0, max_bytes=1)
CONTROLLERS_ONLY = (
    VoteRequest(cluster_id=None, voter=None, candidate=TWO, epoch=4, last=END),
    VoteRequest(cluster_id=None, voter=None, candidate=TWO, epoch=4, last=END, pre_vote=True),
    BeginQuorumEpochRequest(cluster_id=None, voter=None, leader_id=2, epoch=4, leader_endpoints=HERE),
    EndQuorumEpochRequest(cluster_id=None, leader_id=2, epoch=3),
    UpdateRaftVoterRequest(cluster_id=None, epoch=3, voter=TWO, endpoints=HERE, kraft_version_min=0,
                           kraft_version_max=1),
)  # fmt: skip
MEMBERSHIP = (
    AddRaftVoterRequest(cluster_id=None, voter=TWO, endpoints=HERE, timeout_ms=1),
    RemoveRaftVoterRequest(cluster_id=None, voter=TWO),
)
REPLICAS_ONLY = (FETCH, replace(FETCH, replica=None, on_probation=TWO), SNAPSHOT)


def identity(counted=None):
    return PeerIdentity(lambda: CLUSTER, (lambda: None) if counted is None else lambda: counted.append(1))


@pytest.mark.parametrize("request_", CONTROLLERS_ONLY, ids=lambda one: type(one).__name__)
def test_the_quorum_is_asked_by_controllers_in_their_own_name(request_):
    counted = []
    judge = identity(counted).judge
    assert judge(request_, CONTROLLER_2) is None
    for stranger in STRANGERS:
        answer = judge(request_, stranger)
        assert answer is not None
        assert answer.error is REFUSED
    assert len(counted) == len(STRANGERS)


@pytest.mark.parametrize("request_", REPLICAS_ONLY, ids=lambda one: type(one).__name__)
def test_a_replica_fetches_in_its_own_name(request_):
    judge = identity().judge
    assert judge(request_, CONTROLLER_2) is None
    assert judge(request_, BROKER_2) is None
    for stranger in (CONTROLLER_4, FOREIGN_2, OPERATOR, ANONYMOUS):
        answer = judge(request_, stranger)
        assert answer is not None
        assert answer.error is REFUSED


def test_a_fetch_with_two_names_needs_both():
    twice = replace(FETCH, replica=ReplicaKey(4), on_probation=TWO)
    assert identity().judge(twice, CONTROLLER_4) is not None
    assert identity().judge(twice, CONTROLLER_2) is not None


@pytest.mark.parametrize("request_", MEMBERSHIP, ids=lambda one: type(one).__name__)
def test_membership_is_changed_by_operators_and_by_a_node_for_itself(request_):
    judge = identity().judge
    assert judge(request_, CONTROLLER_2) is None
    assert judge(request_, OPERATOR) is None
    for stranger in (CONTROLLER_4, BROKER_2, FOREIGN_2, ANONYMOUS):
        answer = judge(request_, stranger)
        assert answer is not None
        assert answer.error is REFUSED
        assert "is not controller 2" in (answer.message or "")


@pytest.mark.parametrize("request_", MEMBERSHIP, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("uri", ["kraft:///controler/2", "KRAFT:///controller/2", "kraft:/controller/2"])
def test_a_misspelt_name_of_a_node_makes_no_operator(request_, uri):
    """A client that cannot be distinguished from another node must not have more rights than a node."""
    answer = identity().judge(request_, principal_of("CN=c2", [uri]))
    assert answer is not None
    assert answer.error is REFUSED
    assert identity().judge(request_, principal_of("CN=admin", ["spiffe://x/y"])) is None


@pytest.mark.parametrize(
    "request_", [replace(FETCH, replica=None), replace(SNAPSHOT, replica=None), DescribeQuorumRequest()],
    ids=lambda one: type(one).__name__,
)  # fmt: skip
def test_a_request_without_a_principal_is_answered(request_):
    assert all(identity().judge(request_, one) is None for one in (*STRANGERS, CONTROLLER_2))


REGISTRATIONS = (
    RegisterBroker(broker_id=2, cluster_id=CLUSTER, incarnation_id=INCARNATION, listeners=(), features=(), rack=None,
                   log_dirs=()),
    BrokerHeartbeat(broker_id=2, broker_epoch=1, metadata_offset=1),
)  # fmt: skip


def test_registrations_are_for_one_s_own_id():
    check = NodeIdentity(lambda: CLUSTER).check
    for request in REGISTRATIONS:
        check(request, BROKER_2)
        for stranger in (CONTROLLER_2, CONTROLLER_4, OPERATOR, ANONYMOUS):
            with pytest.raises(ApiError) as caught:
                check(request, stranger)
            assert caught.value.code is REFUSED
    registers = RegisterController(controller_id=2, incarnation_id=INCARNATION, listeners=(), features=())
    check(registers, CONTROLLER_2)
    with pytest.raises(ApiError):
        check(registers, BROKER_2)
    check(UnregisterBroker(broker_id=2), ANONYMOUS)


@pytest.mark.parametrize("principal", [BROKER_2, CONTROLLER_4, OPERATOR, ANONYMOUS])
def test_no_id_is_assigned_where_certificates_name_brokers(principal):
    """A reserved id could keep its own broker from registering."""
    with pytest.raises(ApiError, match=r"certificates name the brokers here .* set node\.id") as caught:
        NodeIdentity(lambda: CLUSTER).check(AssignBrokerId(host="h", incarnation_id=INCARNATION), principal)
    assert caught.value.code is REFUSED


def test_control_calls_over_kafka_s_protocol_answer_the_refusal():
    node = FakeNode(identity())
    node.principal = BROKER_2
    assert node.ask(rpc.BrokerHeartbeatRequest(broker_id=3)).error_code == REFUSED
    assert node.ask(rpc.BrokerRegistrationRequest(broker_id=3)).error_code == REFUSED
    answer = node.ask(rpc.ControllerRegistrationRequest(controller_id=2))
    assert answer.error_code == REFUSED
    assert "is not controller 2" in answer.error_message
    assert not node.submitted
    assert node.ask(rpc.BrokerHeartbeatRequest(broker_id=2)) is None
    assert len(node.submitted) == 1


# Over TLS.


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("tls"))


@pytest.fixture(scope="module")
def issue(authority):
    """Files with a certificate that has these URIs."""
    made = {}

    def files(*uris):
        if uris not in made:
            made[uris] = authority.issue(f"node-{len(made)}", *uris)
        one = made[uris]
        return TlsFiles(certificate=str(one.certificate), key=str(one.key), trust=str(authority.certificate))

    return files


async def ask(issue, client_uris, asked, *, server_uris=("kraft:///controller/1",), node_id=1, checks_server=True):
    """Ask a controller one thing; return its fate, which is an answer of the core if it came so far."""
    inbox, answers, refused = Inbox(), Inbox(), []
    listener = KafkaListener(
        "127.0.0.1", 0, inbox, ssl_context=server_context(issue(*server_uris)), identity=identity(refused)
    )
    await listener.start()
    context = client_context(issue(*client_uris))
    checks = identity(refused) if checks_server else None
    async with PeerNetwork(answers, "t", ssl_context=context, identity=checks) as network:
        network.send(replace(send_to(listener.port, asked, 1), node_id=node_id))
        fate = asyncio.ensure_future(answers.next())
        request = asyncio.ensure_future(requests(inbox, 1))
        await asyncio.wait({fate, request}, return_when=asyncio.FIRST_COMPLETED)
        if request.done():
            listener.reply(request.result()[0].token, fetched(3))
        request.cancel()
        fate = await fate
    await listener.close()
    return fate, len(refused)


async def test_a_certificate_is_read_at_the_listener(issue):
    own = replace(fetch(), replica=TWO)
    assert await ask(issue, ("kraft:///controller/2",), own) == (ResponseReceived(1, fetched(3)), 0)
    assert await ask(issue, (f"kraft://{CLUSTER}/broker/2", "https://x.y/z"), own) == (
        ResponseReceived(1, fetched(3)), 0,
    )  # fmt: skip
    for uris in (("kraft:///controller/4",), ("kraft://another/controller/2",), ()):
        fate, refused = await ask(issue, uris, own)
        assert isinstance(fate, ResponseReceived)
        assert (fate.response.error, refused) == (REFUSED, 1)


async def test_a_request_goes_to_the_node_that_it_is_meant_for(issue):
    """A server with a good certificate of another node, or of none, is not spoken to."""
    own, client = replace(fetch(), replica=TWO), ("kraft:///controller/2",)
    failed = RequestFailed(1, Failure.DISCONNECTED), 1
    assert await ask(issue, client, own, server_uris=("kraft:///controller/3",)) == failed
    assert await ask(issue, client, own, server_uris=("kraft:///broker/1",)) == failed
    assert await ask(issue, client, own, server_uris=()) == failed
    unchecked = await ask(issue, client, own, server_uris=(), checks_server=False)
    assert unchecked == (ResponseReceived(1, fetched(3)), 0)


async def test_a_bootstrap_server_is_any_controller(issue):
    own, client = replace(fetch(), replica=TWO), ("kraft:///controller/2",)
    fate = await ask(issue, client, own, server_uris=("kraft:///controller/3",), node_id=-2)
    assert fate == (ResponseReceived(1, fetched(3)), 0)
    fate = await ask(issue, client, own, server_uris=("kraft:///broker/3",), node_id=-2)
    assert fate == (RequestFailed(1, Failure.DISCONNECTED), 1)


def pem_of(files):
    return [Path(name).read_bytes() for name in (files.trust, files.key, files.certificate)]


@pytest.fixture
async def api(issue):
    """A node's public API that asks for certificates, and what it was asked to write."""
    trust, key, chain = pem_of(issue("kraft:///controller/1"))
    asks = grpc.ssl_server_credentials([(key, chain)], root_certificates=trust, require_client_auth=True)
    backend = FakeBackend()
    async with serving(backend, credentials=asks, identity=NodeIdentity(lambda: CLUSTER)) as server:
        yield server, backend


CALLERS = [
    (("kraft:///broker/2",), True),
    (("kraft:///broker/3",), False),
    (("kraft:///controller/2",), False),
    ((), False),
]


@pytest.mark.parametrize(("uris", "is_allowed"), CALLERS)
async def test_callers_of_the_public_api_register_themselves(api, issue, uris, is_allowed):
    """In a session, as nodes and the client library call."""
    server, backend = api
    async with AsyncClient([f"localhost:{server.port}"], credentials=credentials(issue, uris)) as client:
        if is_allowed:
            await client.broker_heartbeat(REGISTRATIONS[1])
        else:
            with pytest.raises(ApiError) as caught:
                await client.broker_heartbeat(REGISTRATIONS[1])
            assert caught.value.code is REFUSED
        await client.unregister_broker(2)
    assert len(backend.groups) == 1 + is_allowed


@pytest.mark.parametrize(("uris", "is_allowed"), CALLERS)
async def test_unary_callers_register_themselves(api, issue, uris, is_allowed):
    """By single calls, as any language makes them."""
    server, backend = api
    async with grpc.aio.secure_channel(f"localhost:{server.port}", credentials(issue, uris)) as channel:
        heartbeat = call(channel, "BrokerHeartbeat")(node_pb2.BrokerHeartbeatRequest(broker_id=2, broker_epoch=1))
        if is_allowed:
            await heartbeat
        else:
            with pytest.raises(grpc.aio.AioRpcError, match="is not broker 2"):
                await heartbeat
    assert len(backend.groups) == is_allowed


def credentials(issue, uris):
    trust, key, chain = pem_of(issue(*uris))
    return grpc.ssl_channel_credentials(trust, key, chain)
