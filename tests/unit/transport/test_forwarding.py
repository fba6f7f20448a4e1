"""Calls at a node that does not lead: forwarded to the leader as their client's, or answered with its address."""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager
from types import SimpleNamespace

import grpc
import pytest

from kraftpy.authorizer.actions import Caller
from kraftpy.client.connection import Access
from kraftpy.controller import requests as r
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.identity import NodeName, NodeRole, Principal
from kraftpy.model.voters import Endpoint
from kraftpy.node import leader_calls
from kraftpy.node.leader_calls import FORWARD_PATH, LeaderConnection
from kraftpy.pb.v1 import admin_pb2, cluster_pb2, common_pb2
from kraftpy.pb.v1 import forwarding_pb2 as pb
from kraftpy.transport.authorization import Authorization
from kraftpy.transport.grpc import errors, forwarding
from kraftpy.transport.grpc.errors import abort
from kraftpy.transport.identity import NodeIdentity
from kraftpy.transport.node_api import LeaderHint, OutcomeUnknownError
from kraftpy.transport.request_checks import RequestChecks
from tests.unit.transport.fake_backend import FakeBackend, serving
from tests.unit.transport.test_api import PATIENCE, READS, UNARY, WRITES, call, detail_of
from tests.unit.transport.test_authorized_calls import authorization

OF_NODES = {
    "RegisterBroker",
    "BrokerHeartbeat",
    "RegisterController",
    "AlterPartition",
    "AssignReplicasToDirs",
    "AllocateProducerIds",
    "AssignBrokerId",
}
OF_TOKENS = {"CreateDelegationToken", "RenewDelegationToken", "ExpireDelegationToken"}
"""They need an authenticated client."""
NOT_ACTIVE = ApiError(ErrorCode.NOT_CONTROLLER, "The active controller appears to be node 1.")


def linearizable(name):
    """The read as one that only the leader answers; ``None`` for a read that has no consistency."""
    asked = type(READS[name])()
    asked.CopyFrom(READS[name])
    if "read" not in asked.DESCRIPTOR.fields_by_name:
        return None
    asked.read.consistency = common_pb2.ReadOptions.LINEARIZABLE
    return asked


FORWARDED = {
    **{name: WRITES[name] for name in sorted(WRITES.keys() - OF_NODES - OF_TOKENS)},
    **{name: READS[name] for name in ("DescribeQuorum", "TransferLeadership")},
    **{name: asked for name in READS if (asked := linearizable(name)) is not None},
}


class Pair:
    """A leader and a node that follows it, each with its public API."""

    def __init__(self, leader, follower, channel, direct):
        self.leader = leader
        self.follower = follower
        self.channel = channel
        self.direct = direct

    async def refusal(self, name, asked=None, **options):
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await call(self.channel, name)(asked or FORWARDED[name], timeout=PATIENCE, **options)
        return raised.value


@asynccontextmanager
async def pair(*, leader_options=None, follower_options=None, connection=None):
    leader, follower = FakeBackend(), FakeBackend()
    leader.leader = LeaderHint(1, 3, None, 0)
    follower.error = NOT_ACTIVE
    async with serving(leader, **(leader_options or {})) as served:
        follower.leader = LeaderHint(1, 3, Endpoint("API", "127.0.0.1", served.port))
        calls = connection or LeaderConnection(Access)
        async with (
            serving(follower, leader_calls=calls, **(follower_options or {})) as api,
            grpc.aio.insecure_channel(f"127.0.0.1:{api.port}") as channel,
            grpc.aio.insecure_channel(f"127.0.0.1:{served.port}") as direct,
        ):
            made = Pair(leader, follower, channel, direct)
            made.limits = api.limit_uses
            made.leader_server = served
            made.forwarding_calls = calls
            yield made


@pytest.fixture
async def two():
    async with pair() as made:
        yield made


def names_leader(error, port):
    detail = detail_of(error)
    assert error.code() is grpc.StatusCode.UNAVAILABLE
    assert (detail.code, detail.outcome_unknown) == (ErrorCode.NOT_CONTROLLER, False)
    assert (detail.leader.node_id, detail.leader.endpoint.port) == (1, port)


@pytest.mark.parametrize("name", FORWARDED)
async def test_a_call_for_the_leader_is_answered_by_any_node(name, two):
    """With what the leader answers when it is asked itself; the other node decides nothing."""
    answer = await call(two.channel, name)(FORWARDED[name], timeout=PATIENCE)
    groups = list(two.leader.groups)
    again = await call(two.direct, name)(FORWARDED[name], timeout=PATIENCE)
    assert answer == again
    assert two.follower.groups == []
    if name in READS and name not in NO_STATE:
        # What this node shows later is never older.
        assert [at.min_offset for at in two.follower.asked_at] == [answer.position.offset]
    if name in WRITES:
        ((submission,),) = groups
        assert 0 < submission.timeout_ms <= PATIENCE * 1000 + 1000
        assert submission.request_id == WRITES[name].options.request_id


NO_STATE = {"DescribeQuorum", "TransferLeadership"}
"""Forwarded without being a read of the state."""


async def test_a_node_that_does_not_catch_up_shows_no_newer_state(two):
    """It would show an older one to the same client afterwards."""

    async def never(at):
        raise ApiError(ErrorCode.REQUEST_TIMED_OUT, f"offset {at.min_offset} was asked for")

    two.follower.view_at = never
    assert detail_of(await two.refusal("DescribeCluster")).code == ErrorCode.REQUEST_TIMED_OUT


@pytest.mark.parametrize("name", FORWARDED)
async def test_a_client_may_ask_for_the_leader_s_address(name, two):
    error = await two.refusal(name, metadata=((forwarding.NO_FORWARD, "1"),))
    names_leader(error, two.follower.leader.endpoint.port)
    assert two.leader.groups == []


@pytest.mark.parametrize("name", sorted(OF_NODES))
async def test_what_nodes_report_is_not_forwarded(name, two):
    """The certificate of the connection speaks for them."""
    names_leader(await two.refusal(name, WRITES[name]), two.follower.leader.endpoint.port)
    assert two.leader.groups == []


async def test_reads_of_the_committed_state_stay(two):
    two.follower.error = None
    await call(two.channel, "DescribeTopics")(READS["DescribeTopics"], timeout=PATIENCE)
    await call(two.channel, "DescribeLogDirs")(READS["DescribeLogDirs"], timeout=PATIENCE)
    assert two.leader.asked_at == []


@pytest.mark.parametrize("name", ["UnregisterBroker", "DescribeTopics"])
async def test_a_refusal_of_the_leader_arrives_as_it_is(name, two):
    two.leader.error = ApiError(ErrorCode.BROKER_ID_NOT_REGISTERED, "broker 3 is not registered")
    error = await two.refusal(name)
    assert error.code() is grpc.StatusCode.NOT_FOUND
    assert detail_of(error).message == "broker 3 is not registered"


async def test_a_call_takes_one_step(two):
    """A node that was taken for the leader names the leader that it knows, and forwards nothing."""
    two.leader.leader = LeaderHint(7, 4, Endpoint("API", "elsewhere", 7))
    two.leader.error = NOT_ACTIVE
    detail = detail_of(await two.refusal("CreateTopics"))
    assert (detail.code, detail.leader.node_id, detail.leader.endpoint.host) == (41, 7, "elsewhere")


async def test_malformed_calls_are_refused(two):
    """Here, where they are decoded first, and by the leader, if a node sends them."""
    send = two.channel.unary_unary("/kraftpy.v1.AdminService/CreateTopics")
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await send(b"\xff\xff", timeout=PATIENCE)
    assert detail_of(raised.value).code == ErrorCode.INVALID_REQUEST
    answer = await forward(two.direct, request=b"\xff\xff")
    assert answer.error.code == ErrorCode.INVALID_REQUEST
    for fields, text in (
        ({"method": "kraftpy.v1.NodeService/RegisterBroker"}, "no method that is forwarded"),
        ({"method": "kraftpy.v1.ClusterService/Watch"}, "no method that is forwarded"),
        ({"host": "somewhere"}, "is no IP address"),
        ({"client_id": "x" * 5_000}, "4096 bytes"),
    ):
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await forward(two.direct, **fields)
        assert raised.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert text in detail_of(raised.value).message


async def test_a_host_that_is_too_long_is_not_parsed(two, monkeypatch):
    """Parsing millions of colons takes ten times their memory, and longer than the loop may be blocked."""
    parsed = []
    parse = forwarding.ipaddress.ip_address
    monkeypatch.setattr(forwarding.ipaddress, "ip_address", lambda text: parsed.append(text) or parse(text))
    longest = "0000:" * 5 + "ffff:255.255.255.255"
    await forward(two.direct, host=longest)
    for host in (":" * 1_000_000, "::1%" + "x" * 61):
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await forward(two.direct, host=host)
        assert "is no IP address" in detail_of(raised.value).message
    assert max(map(len, parsed)) == len(longest)


async def test_the_answer_of_a_forwarded_read_is_refused_where_answers_hold_too_much(two, monkeypatch):
    """As without a detour; that of a write is not: it is done."""
    monkeypatch.setattr(two.leader_server._calls.bytes, "bytes_max", 0)
    assert (await forward(two.direct)).WhichOneof("outcome") == "response"
    asked = FORWARDED["DescribeTopics"].SerializeToString()
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await forward(two.direct, method="kraftpy.v1.ClusterService/DescribeTopics", request=asked)
    assert raised.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


def forward_request(**fields):
    asked = {
        "method": "kraftpy.v1.AdminService/CreateTopics",
        "request": WRITES["CreateTopics"].SerializeToString(),
        "principal": "User:ANONYMOUS",
        "host": "10.0.0.7",
    } | fields
    return pb.ForwardRequest(**asked)


async def forward(channel, **fields):
    method = channel.unary_unary(
        FORWARD_PATH,
        request_serializer=pb.ForwardRequest.SerializeToString,
        response_deserializer=pb.ForwardResponse.FromString,
    )
    return await method(forward_request(**fields), timeout=PATIENCE)


# ---------------------------------------------------------------- who is asked for, and by whom


async def test_a_claimed_client_needs_what_distinguishes_nodes_from_clients(two):
    """Where there is neither an authorizer nor a certificate, anybody could claim to be anyone."""
    for claim in ({"principal": "User:admin"}, {"is_by_sasl": True}):
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await forward(two.direct, **claim)
        assert raised.value.code() is grpc.StatusCode.PERMISSION_DENIED
    assert two.leader.groups == []


async def test_forwarding_needs_cluster_action(caplog):
    """The sender's permission first, then the client's; the client's name is that of this call."""
    async with pair(leader_options={"authorization": authorization()}) as two:
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await forward(two.direct, principal="User:admin")
        assert raised.value.code() is grpc.StatusCode.PERMISSION_DENIED
        assert "CLUSTER_ACTION" in detail_of(raised.value).message
        # To a client it looks as if nothing had been forwarded, and the leader is not asked again for a moment.
        caplog.clear()
        for _ in range(2):
            names_leader(await two.refusal("UnregisterBroker"), two.follower.leader.endpoint.port)
        assert sum("authorization_denied" in line.getMessage() for line in caplog.records) == 1
    async with pair(leader_options={"authorization": authorization("User:ANONYMOUS")}) as two:
        answer = await forward(
            two.direct,
            method="kraftpy.v1.AdminService/UnregisterBroker",
            request=WRITES["UnregisterBroker"].SerializeToString(),
            principal="User:alice",
        )
        assert answer.error.code == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
        assert "User:alice from 10.0.0.7" in answer.error.message
        assert two.leader.groups == []


@pytest.mark.parametrize(("role", "may"), [(NodeRole.CONTROLLER, True), (NodeRole.BROKER, True), (None, False)])
async def test_forwarding_needs_the_certificate_of_a_node(role, may, monkeypatch):
    """Of this cluster, where certificates name nodes."""
    names = () if role is None else (NodeName(role, 2),)
    monkeypatch.setattr(forwarding, "principal_at", lambda _context: Principal("CN=n", names))
    async with pair(leader_options={"identity": NodeIdentity(lambda: "cluster")}) as two:
        if may:
            answer = await forward(two.direct, principal="User:CN=alice")
            assert answer.WhichOneof("outcome") == "response"
        else:
            with pytest.raises(grpc.aio.AioRpcError) as raised:
                await forward(two.direct, principal="User:CN=alice")
            assert raised.value.code() is grpc.StatusCode.PERMISSION_DENIED
        assert len(two.leader.groups) == may


async def test_the_change_is_logged_by_the_leader_as_the_client_s(two, caplog):
    """With the client's principal, address and client id, and that it was forwarded."""
    caplog.set_level(logging.INFO)
    await call(two.channel, "CreateTopics")(
        WRITES["CreateTopics"], timeout=PATIENCE, metadata=(("client-id", "tool"), ("other", "x"))
    )
    (line,) = [each for each in caplog.records if each.message == "administrative_change_requested"]
    shown = {name: line.facts.get(name) for name in ("client", "principal", "client_id", "forwarded")}
    assert shown == {"client": "127.0.0.1", "principal": "User:ANONYMOUS", "client_id": "tool", "forwarded": True}


@pytest.mark.parametrize(("by_node", "judged"), [(True, False), (False, True)])
def test_a_forwarded_alteration_was_judged_only_by_a_broker(by_node, judged):
    caller = Caller("User:alice", "10.0.0.7", is_forwarded=True, is_by_node=by_node)
    asked = r.IncrementalAlterConfigs(resources=())
    admitted = RequestChecks().admit(asked, Principal("alice"), caller)
    assert admitted.request.judged_by_broker is judged


async def test_a_stranger_gets_no_token_by_a_detour(two):
    error = await two.refusal("CreateDelegationToken", WRITES["CreateDelegationToken"])
    assert detail_of(error).code == ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED


async def test_a_call_that_would_be_too_large_for_the_leader_is_not_sent():
    """It fits here, and with its client's name it is longer."""
    limit = {"message_bytes_max": 20_000}
    async with pair(leader_options=limit, follower_options=limit) as two:
        fits, too_large = (
            admin_pb2.CreateTopicsRequest(topics=[admin_pb2.NewTopic(name="n" * count)]) for count in (19_700, 19_980)
        )
        await call(two.channel, "CreateTopics")(fits, timeout=PATIENCE)
        names_leader(await two.refusal("CreateTopics", too_large), two.follower.leader.endpoint.port)
        assert len(two.leader.groups) == 1


async def test_a_client_without_a_name_is_not_forwarded(monkeypatch):
    """No rule maps its certificate's name, so no entry names it, and the leader must not see the name as it is."""
    monkeypatch.setattr(Authorization, "name_of", lambda _self, _caller: None)
    async with pair(follower_options={"authorization": authorization()}) as two:
        error = await two.refusal("UnregisterBroker")
        assert error.code() is grpc.StatusCode.PERMISSION_DENIED
        assert two.leader.groups == []


# ---------------------------------------------------------------- when it fails


async def test_a_leader_that_cannot_be_reached_is_named(two):
    two.follower.leader = LeaderHint(1, 3, Endpoint("API", "127.0.0.1", 1))
    for _ in range(2):  # The second one within the pause.
        names_leader(await two.refusal("CreateTopics"), 1)


@pytest.fixture
def opening(monkeypatch):
    """Connections to a leader are opened once ``may`` is set; ``begun`` counts them."""
    made = SimpleNamespace(may=asyncio.Event(), begun=0)
    open_connection = leader_calls.open_connection

    async def open_later(*args):
        made.begun += 1
        await made.may.wait()
        return await open_connection(*args)

    monkeypatch.setattr(leader_calls, "open_connection", open_later)
    return made


async def test_a_connection_is_opened_whatever_becomes_of_the_call_that_asked_for_it(opening, two):
    """Where all deadlines are shorter than what a connection takes, there would never be one."""
    calls, request = two.forwarding_calls, forward_request().SerializeToString()
    for _ in range(2):
        with pytest.raises(forwarding.NotForwardedError, match="no connection to"):
            await calls.call(two.follower.leader.endpoint, request, 0.01, ())
    opening.may.set()
    await call(two.channel, "CreateTopics")(FORWARDED["CreateTopics"], timeout=PATIENCE)
    assert opening.begun == 1


async def test_a_leader_that_does_not_let_a_node_in_is_not_asked_again_at_once(opening, two, monkeypatch):
    """It accepts connections and answers nothing more: only the first call waits for it."""
    monkeypatch.setattr(leader_calls, "CONNECT_MAX_S", 0.01)
    monkeypatch.setattr(leader_calls, "RECONNECT_PAUSE_S", PATIENCE)
    for _ in range(2):
        names_leader(await two.refusal("CreateTopics"), two.follower.leader.endpoint.port)
    assert opening.begun == 1


async def test_a_leader_that_is_busy_is_asked_again_over_the_same_connection(two, opening, monkeypatch):
    """What it refuses one call says nothing of the next one."""
    opening.may.set()
    with monkeypatch.context() as busy:
        busy.setattr(two.leader_server._calls, "_calls_max", 0)
        names_leader(await two.refusal("CreateTopics"), two.follower.leader.endpoint.port)
    await call(two.channel, "CreateTopics")(FORWARDED["CreateTopics"], timeout=PATIENCE)
    assert opening.begun == 1


async def test_a_leader_whose_address_is_unknown_is_named_without(two):
    two.follower.leader = LeaderHint(1, 3)
    detail = detail_of(await two.refusal("CreateTopics"))
    assert (detail.leader.node_id, detail.leader.HasField("endpoint")) == (1, False)


async def test_a_leader_of_a_version_without_forwarding_is_named():
    """It answers UNIMPLEMENTED, whatever it would do for the node that asks."""
    old = grpc.aio.server()
    port = old.add_insecure_port("127.0.0.1:0")
    await old.start()
    try:
        async with pair() as two:
            two.follower.leader = LeaderHint(1, 3, Endpoint("API", "127.0.0.1", port))
            names_leader(await two.refusal("CreateTopics"), port)
    finally:
        await old.stop(0)


async def test_a_refusal_with_an_unknown_outcome_leaves_a_write_unknown():
    """A node takes it for a refusal to be asked, and its client asks the leader again."""

    async def refuse(request, context):
        await abort(context, errors.detail_of(OutcomeUnknownError("the answer was lost"), None))

    leader = grpc.aio.server()
    handler = grpc.unary_unary_rpc_method_handler(refuse)
    service, method = FORWARD_PATH.strip("/").split("/")
    leader.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, {method: handler}),))
    port = leader.add_insecure_port("127.0.0.1:0")
    await leader.start()
    try:
        async with pair() as two:
            two.follower.leader = LeaderHint(1, 3, Endpoint("API", "127.0.0.1", port))
            assert detail_of(await two.refusal("CreateTopics")).outcome_unknown
    finally:
        await leader.stop(0)


@pytest.mark.parametrize("name", ["CreateTopics", "TransferLeadership", "DescribeTopics"])
async def test_a_lost_answer_leaves_a_write_unknown(name, two):
    """A read did nothing: it ends as one that was not forwarded."""
    for gate in (two.leader.gate, two.leader.read_gate):
        gate.clear()

    class Breaks:
        async def call(self, endpoint, request, timeout_s, metadata):
            raise forwarding.LostAnswerError("UNAVAILABLE: Socket closed")

        async def close(self):
            pass

    async with pair(connection=Breaks()) as broken:
        error = await broken.refusal(name)
        if name == "DescribeTopics":
            names_leader(error, broken.follower.leader.endpoint.port)
        else:
            assert error.code() is grpc.StatusCode.UNKNOWN
            assert detail_of(error).outcome_unknown
            assert "Socket closed" in detail_of(error).message


async def test_a_leader_that_stops_ends_its_calls_with_an_unknown_outcome(two):
    """The connection itself says that the leader was asked."""
    two.leader.gate.clear()
    asking = asyncio.ensure_future(two.refusal("CreateTopics"))
    await two.leader.arrived.wait()
    await two.leader_server._server.stop(0)
    error = await asking
    assert (error.code(), detail_of(error).outcome_unknown) == (grpc.StatusCode.UNKNOWN, True)


@pytest.mark.parametrize("name", ["CreateTopics", "DescribeTopics"])
async def test_the_client_s_deadline_is_the_leader_s(name, two):
    for gate in (two.leader.gate, two.leader.read_gate):
        gate.clear()
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await call(two.channel, name)(FORWARDED[name], timeout=0.3)
    assert raised.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED


async def test_a_call_without_a_deadline_has_one(two, monkeypatch):
    monkeypatch.setattr(forwarding, "FORWARD_MAX_S", 0.2)
    two.leader.gate.clear()
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await call(two.channel, "CreateTopics")(WRITES["CreateTopics"])
    assert raised.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    assert detail_of(raised.value).outcome_unknown


async def test_calls_beyond_the_limit_are_answered_with_the_leader(two, monkeypatch):
    monkeypatch.setattr(forwarding, "FORWARDED_CALLS_MAX", 1)
    two.leader.gate.clear()
    first = asyncio.ensure_future(call(two.channel, "CreateTopics")(WRITES["CreateTopics"], timeout=PATIENCE))
    await two.leader.arrived.wait()
    names_leader(await two.refusal("DeleteTopics"), two.follower.leader.endpoint.port)
    (use,) = [use for use in two.limits() if use.limit == "forwarded calls"]
    assert (use.used, use.refused) == (1, 1)
    two.leader.gate.set()
    await first


async def test_a_new_leader_is_followed(two):
    """The connection before it ends with the calls that are on it."""
    two.leader.gate.clear()
    first = asyncio.ensure_future(call(two.channel, "CreateTopics")(WRITES["CreateTopics"], timeout=PATIENCE))
    await two.leader.arrived.wait()
    other = FakeBackend()
    other.leader = LeaderHint(2, 4, None, 0)
    async with serving(other) as served:
        two.follower.leader = LeaderHint(2, 4, Endpoint("API", "127.0.0.1", served.port))
        await call(two.channel, "DeleteTopics")(WRITES["DeleteTopics"], timeout=PATIENCE)
        assert [len(group) for group in other.groups] == [1]
        two.leader.gate.set()
        assert (await first).position.epoch == 3


async def test_throttling_reaches_the_client(two, monkeypatch):
    monkeypatch.setattr("kraftpy.transport.grpc.writes.throttle_ms", lambda _committed, _now_ms: 250)
    asking = call(two.channel, "CreateTopics")(WRITES["CreateTopics"], timeout=PATIENCE)
    answer = await asking
    assert isinstance(answer, admin_pb2.CreateTopicsResponse)
    assert dict(await asking.trailing_metadata())[forwarding.THROTTLE_KEY] == "250"


def test_every_unary_call_is_forwarded_or_has_a_reason():
    """A method that is added to a service is looked at here."""
    stays = {name for name in READS if linearizable(name) is None} - {"DescribeQuorum", "TransferLeadership"}
    assert stays == {"DescribeLogDirs"}  # of this broker
    assert UNARY.keys() == FORWARDED.keys() | OF_NODES | OF_TOKENS | stays
    streams = {method.name for method in cluster_pb2.DESCRIPTOR.services_by_name["ClusterService"].methods
               if method.server_streaming}  # fmt: skip
    assert streams == {"GetImage", "Watch"}
