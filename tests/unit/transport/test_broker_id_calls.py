"""Broker ids by host over both protocols: what is asked, answered and refused (KIP-426)."""

from __future__ import annotations

import pytest

from kraftpy.client import values as v
from kraftpy.client.async_client import AsyncClient
from kraftpy.controller.broker_id_requests import (
    AlterBrokerHost,
    AssignBrokerId,
    AssignBrokerIdResponse,
    BrokerIdSource,
)
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY
from kraftpy.image.provenance import Provenance
from kraftpy.model.errors import ApiError, ErrorCode, MalformedError
from kraftpy.pb.v1 import cluster_pb2
from kraftpy.records.generated import rpc
from kraftpy.records.metadata import (
    BrokerHostRecord,
    RegisterBrokerRecord,
    RegisterControllerRecord,
    RegisterControllerRecordControllerEndpoint,
)
from kraftpy.transport.grpc import host_reads
from kraftpy.transport.grpc.orders import Orders
from kraftpy.transport.kafka.controller_calls import APIS, LeaderElsewhereError
from kraftpy.transport.node_api import MetadataView
from tests.unit.transport.fake_backend import FakeBackend, serving
from tests.unit.transport.kafka_node import FakeNode

MIB = 1 << 20
UUID = bytes(range(16))
ASKED = rpc.AssignBrokerIdRequest(host="h1", incarnation_id=UUID)
RECORDS = (
    BrokerHostRecord("b", 1002),
    BrokerHostRecord("a", 1001),
    BrokerHostRecord("c", 1003),
    RegisterBrokerRecord(broker_id=1001, incarnation_id=UUID, broker_epoch=1, fenced=False),
    RegisterBrokerRecord(broker_id=1002, incarnation_id=UUID, broker_epoch=2, fenced=True),
)


def image(*records):
    delta = MetadataDelta(EMPTY)
    delta.replay_all(list(records))
    return delta.apply(Provenance(7, 1, 0, batch_aligned=True))


def view():
    return MetadataView(7, 1, 0, image(*RECORDS), "cluster")


def read(answer):
    """What a broker makes of an answer."""
    return APIS[AssignBrokerId].read_response(answer, "CONTROLLER")


def test_a_broker_is_answered_with_its_id():
    node = FakeNode()
    assert node.ask(ASKED) is None
    ((submission, _),) = node.submitted
    assert submission.request == AssignBrokerId(host="h1", incarnation_id=UUID)
    done = AssignBrokerIdResponse(broker_id=1001, source=BrokerIdSource.MISSING)
    node.commit(done)
    assert read(node.answer()) == done


def test_a_refusal_has_its_reason():
    node = FakeNode()
    node.ask(ASKED)
    node.settle(ApiError(ErrorCode.BROKER_NOT_AVAILABLE, "ask again"))
    refused = read(node.answer())
    assert (refused.code, refused.message) == (ErrorCode.BROKER_NOT_AVAILABLE, "ask again")


@pytest.mark.parametrize(
    ("listener", "leader"), [("CONTROLLER", ("leader.example", 9093)), ("OTHER", None)], ids=["known", "not known"]
)
def test_a_controller_that_does_not_lead_names_the_one_that_does(listener, leader):
    """By its listener of the same name; a broker without an id does not follow the quorum yet."""
    endpoint = RegisterControllerRecordControllerEndpoint(listener, "leader.example", 9093, 0)
    node = FakeNode()
    node.image = image(RegisterControllerRecord(controller_id=2, incarnation_id=UUID, end_points=[endpoint]))
    node.ask(ASKED)
    node.settle(ApiError(ErrorCode.NOT_CONTROLLER, "not me"))
    refused = read(node.answer())
    assert isinstance(refused, LeaderElsewhereError)
    assert (refused.message, refused.leader) == ("not me", leader)


def test_a_controller_without_a_state_names_no_leader():
    node = FakeNode()
    node.ask(ASKED)
    node.refusal = ApiError(ErrorCode.OFFSET_NOT_AVAILABLE, "not loaded")
    node.settle(ApiError(ErrorCode.NOT_CONTROLLER, "not me"))
    assert read(node.answer()).leader is None


@pytest.mark.parametrize(("broker_id", "source"), [(-1, 0), (5, 3), (5, -1)])
def test_an_answer_that_is_none_is_malformed(broker_id, source):
    answer = rpc.AssignBrokerIdResponse(
        error_message=None, broker_id=broker_id, source=source, leader_host=None, leader_port=-1
    )
    with pytest.raises(MalformedError, match=rf"the broker id {broker_id} from the source {source}"):
        read(answer)


async def test_hosts_are_read_and_altered_over_grpc():
    """Each host with the state of its broker; an absent id removes a mapping."""
    backend = FakeBackend()
    backend.image = image(*RECORDS)
    async with serving(backend) as server, AsyncClient([f"127.0.0.1:{server.port}"]) as client:
        found = await client.describe_broker_hosts()
        named = await client.describe_broker_hosts(["c", "unknown"])
        await client.alter_broker_host("h", 5)
        await client.alter_broker_host("h", None, validate_only=True)
    assert found.hosts == (
        v.BrokerHost("a", 1001, v.BrokerHostState.ACTIVE),
        v.BrokerHost("b", 1002, v.BrokerHostState.FENCED),
        v.BrokerHost("c", 1003, v.BrokerHostState.UNREGISTERED),
    )
    assert [one.host for one in named.hosts] == ["c"]
    assert [one.request for group in backend.groups for one in group] == [
        AlterBrokerHost(host="h", broker_id=5),
        AlterBrokerHost(host="h", broker_id=None, validate_only=True),
    ]
    assert v.BrokerHostState(9) is v.BrokerHostState.UNKNOWN


def test_a_read_is_bounded():
    """By the hosts that it names, and by the bytes of one host."""
    many = cluster_pb2.DescribeBrokerHostsRequest(hosts=["a"] * (host_reads.HOSTS_NAMED_MAX + 1))
    with pytest.raises(ApiError, match="10001 hosts are named, at most 10000 may be") as refused:
        host_reads.describe_broker_hosts(many, view(), Orders(), MIB)
    assert refused.value.code is ErrorCode.INVALID_REQUEST
    with pytest.raises(ApiError, match="an answer may take 8: ") as refused:
        host_reads.describe_broker_hosts(cluster_pb2.DescribeBrokerHostsRequest(), view(), Orders(), 8)
    assert refused.value.code is ErrorCode.POLICY_VIOLATION
