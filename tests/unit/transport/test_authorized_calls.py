"""Every call of both ports asks the authorizer: whole calls, calls of a session, and items of calls."""

from __future__ import annotations

import asyncio
import contextlib

import grpc
import pytest

from kraftpy.authorizer.actions import Caller
from kraftpy.authorizer.standard import StandardAuthorizer
from kraftpy.client import AsyncClient
from kraftpy.controller.topic_requests import CreateTopicsResponse, TopicResult
from kraftpy.image.acls import AclsDelta, AclsImage
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY
from kraftpy.image.provenance import Provenance
from kraftpy.model.acls import AclOperation, AclResourceType, PatternType, PermissionType
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.pb.v1 import cluster_pb2, common_pb2, session_pb2
from kraftpy.records.generated import rpc
from kraftpy.records.metadata import AccessControlEntryRecord, PartitionRecord, TopicRecord
from kraftpy.transport.authorization import Authorization
from kraftpy.transport.grpc import topic_reads
from kraftpy.transport.grpc.permissions import check_call
from kraftpy.transport.kafka.control.topics import create_to_wire
from kraftpy.transport.node_api import Committed, MetadataView
from tests.unit.transport.fake_backend import serving
from tests.unit.transport.kafka_node import FakeNode
from tests.unit.transport.test_api import PATIENCE, READS, UNARY, call, detail_of

BY_ITEM = {"CreateTopics", "DeleteTopics", "CreatePartitions", "IncrementalAlterConfigs"}
BY_TOPIC = {"DescribeTopics"}
BY_TOKEN = {"CreateDelegationToken", "RenewDelegationToken", "ExpireDelegationToken"}
ANONYMOUS = "User:ANONYMOUS"


def authorization(*super_users, loaded=True):
    """Without entries: who is no super user may do nothing."""
    authorizer = StandardAuthorizer(super_users)
    if loaded:
        authorizer.load(AclsImage())
    return Authorization(authorizer, lambda: FakeNode().image)


@pytest.fixture
async def strict(backend):
    """A channel to a server at which no caller has a permission."""
    async with (
        serving(backend, authorization=authorization()) as server,
        grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel,
    ):
        yield channel


@pytest.mark.parametrize("name", sorted(UNARY.keys() - BY_ITEM - BY_TOKEN - BY_TOPIC))
async def test_a_unary_call_without_permission_is_denied(name, strict, backend):
    """And the node is not asked."""
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await call(strict, name)(UNARY[name], timeout=PATIENCE)
    assert raised.value.code() is grpc.StatusCode.PERMISSION_DENIED
    detail = detail_of(raised.value)
    assert detail.code == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
    assert f"{ANONYMOUS} from 127.0.0.1 is not allowed to do this: " in detail.message
    assert not detail.outcome_unknown
    assert backend.groups == []


@pytest.mark.parametrize("name", sorted(UNARY.keys() - BY_ITEM - BY_TOKEN - BY_TOPIC))
async def test_a_call_of_a_session_without_permission_is_denied(name, strict, backend):
    field = {"".join(part.title() for part in one.split("_")): one for one in session_fields()}[name]
    request = session_pb2.Request(id=7)
    getattr(request, field).CopyFrom(UNARY[name])
    session = strict.stream_stream(
        "/kraftpy.v1.SessionService/Session",
        request_serializer=session_pb2.RequestBatch.SerializeToString,
        response_deserializer=session_pb2.ResponseBatch.FromString,
    )()
    await session.write(session_pb2.RequestBatch(requests=[request]))
    async with asyncio.timeout(PATIENCE):
        (answer,) = [each async for each in first_answers(session)]
    assert (answer.id, answer.error.code) == (7, ErrorCode.CLUSTER_AUTHORIZATION_FAILED)
    assert backend.groups == []
    session.cancel()


def session_fields():
    (oneof,) = session_pb2.Request.DESCRIPTOR.oneofs
    return [field.name for field in oneof.fields]


async def first_answers(session):
    """Yield the answers of the first batch that has any."""
    while True:
        batch = await session.read()
        if batch.responses:
            for each in batch.responses:
                yield each
            return


@pytest.mark.parametrize("name", ["GetImage", "Watch"])
async def test_a_stream_of_the_log_without_permission_is_denied(name, strict):
    request = cluster_pb2.GetImageRequest() if name == "GetImage" else cluster_pb2.WatchRequest()
    stream = strict.unary_stream(
        f"/kraftpy.v1.ClusterService/{name}",
        request_serializer=type(request).SerializeToString,
        response_deserializer=lambda data: data,
    )(request)
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await anext(aiter(stream))
    assert raised.value.code() is grpc.StatusCode.PERMISSION_DENIED


@pytest.mark.parametrize("name", sorted(BY_ITEM))
async def test_items_without_permission_have_errors_of_their_own(name, strict, backend):
    """The call succeeds, and the node is asked for nothing of it."""
    answer = await call(strict, name)(UNARY[name], timeout=PATIENCE)
    errors = {row.error.code for row in answer.results}
    assert errors <= {
        ErrorCode.TOPIC_AUTHORIZATION_FAILED, ErrorCode.CLUSTER_AUTHORIZATION_FAILED, ErrorCode.UNKNOWN_TOPIC_ID,
        ErrorCode.NONE,
    }  # fmt: skip
    ((submission,),) = backend.groups
    items = submission.request.resources if hasattr(submission.request, "resources") else submission.request.topics
    assert items == ()


@pytest.mark.parametrize("name", sorted(READS))
async def test_a_super_user_is_served(name, backend):
    async with (
        serving(backend, authorization=authorization(ANONYMOUS, loaded=False)) as server,
        grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel,
    ):
        await call(channel, name)(READS[name], timeout=PATIENCE)


async def test_a_node_that_has_not_loaded_the_entries_is_not_available(backend):
    async with (
        serving(backend, authorization=authorization(loaded=False)) as server,
        grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel,
    ):
        for name in ("DescribeCluster", "UnregisterBroker"):
            with pytest.raises(grpc.aio.AioRpcError) as raised:
                await call(channel, name)(UNARY[name], timeout=PATIENCE)
            assert raised.value.code() is grpc.StatusCode.UNAVAILABLE


def errors_in(answer):
    """All error codes of an answer over Kafka's protocol, also those of its rows."""
    rows = getattr(answer, "results", None) or getattr(answer, "topics", None) or getattr(answer, "responses", None)
    return {answer.error_code} if hasattr(answer, "error_code") else {row.error_code for row in rows or ()}


KAFKA = [
    (rpc.UnregisterBrokerRequest(broker_id=1), 0),
    (rpc.UpdateFeaturesRequest(), 1),
    (rpc.BrokerRegistrationRequest(broker_id=1), 4),
    (rpc.ControllerRegistrationRequest(controller_id=1), 0),
    (rpc.BrokerHeartbeatRequest(broker_id=1), 1),
    (rpc.AlterPartitionRequest(broker_id=1), 3),
    (rpc.AllocateProducerIdsRequest(broker_id=1), 0),
    (rpc.AssignBrokerIdRequest(host="h"), 0),
    (rpc.AssignReplicasToDirsRequest(broker_id=1), 0),
    (rpc.CreateAclsRequest([rpc.CreateAclsRequestAclCreation(2, "t", 3, "User:a", "*", 3, 3)]), 3),
    (rpc.DescribeClusterRequest(), 1),
    (rpc.DescribeAclsRequest(1, None, 1, None, None, 1, 1), 3),
    (rpc.ListPartitionReassignmentsRequest(), 0),
]


@pytest.mark.parametrize(("message", "version"), KAFKA, ids=lambda one: getattr(one, "NAME", ""))
def test_a_request_over_kafkas_protocol_without_permission_is_denied(message, version):
    node = FakeNode(authorization=authorization())
    assert errors_in(node.ask(message, version)) == {ErrorCode.CLUSTER_AUTHORIZATION_FAILED}
    assert node.submitted == []


def test_items_over_kafkas_protocol():
    """Topics that are not allowed are refused in their rows; configs that may not be seen have an error each."""
    node = FakeNode(authorization=authorization())
    topic = rpc.CreateTopicsRequestCreatableTopic("t", 1, 1)
    node.ask(rpc.CreateTopicsRequest(topics=[topic]), 7)
    ((submission, _),) = node.submitted
    assert submission.request.topics == ()
    node.commit(CreateTopicsResponse(()))
    (row,) = node.answer().topics
    assert (row.name, row.error_code, row.error_message) == ("t", 29, "Authorization failed.")
    asked = [rpc.DescribeConfigsRequestDescribeConfigsResource(kind, name, None) for kind, name in ((2, "t"), (4, ""))]
    described = FakeNode(authorization=authorization()).ask(rpc.DescribeConfigsRequest(resources=asked), 4)
    assert [row.error_code for row in described.results] == [29, 31]


def test_a_resource_that_is_named_again_is_authorized_once(caplog):
    """Without that, one request writes thousands of lines about the same denial."""
    asked = [
        rpc.DescribeConfigsRequestDescribeConfigsResource(kind, name, None)
        for kind, name in [(2, "t"), (4, ""), (4, "1"), (16, "m")] * 50
    ]
    described = FakeNode(authorization=authorization()).ask(rpc.DescribeConfigsRequest(resources=asked), 4)
    assert [row.error_code for row in described.results] == [29, 31, 31, 31] * 50
    assert caplog.text.count("authorization_denied") == 2


def test_what_is_created_without_a_permission_to_see_its_configs_has_none():
    result = TopicResult("t", partitions=3, replication_factor=2, configs={"retention.ms": "5"}, hides_configs=True)
    message = rpc.CreateTopicsRequest(topics=[rpc.CreateTopicsRequestCreatableTopic("t", 3, 2)])
    (row,) = create_to_wire(Committed(CreateTopicsResponse((result,)), 1, 1), message).topics
    assert (row.topic_config_error_code, row.num_partitions, row.replication_factor, row.configs) == (29, -1, -1, [])


def named(*names):
    return cluster_pb2.DescribeTopicsRequest(names=names)


def configs(*names):
    rows = [common_pb2.ConfigResource(type=2, name=name) for name in names]
    return cluster_pb2.DescribeConfigsRequest(resources=rows)


def tokens_of(*owners):
    return cluster_pb2.DescribeDelegationTokensRequest(owners=owners)


PERMITTED = [
    # What alice has a permission for; what she asks; whether she may.
    (("DESCRIBE", "TOPIC", "a"), named("a"), True),
    (("DESCRIBE", "TOPIC", "a"), named("a", "b"), False),
    (("DESCRIBE", "TOPIC", "a"), named(), True),
    (("DESCRIBE", "CLUSTER", "kafka-cluster"), named("a"), False),
    (("DESCRIBE_CONFIGS", "TOPIC", "a"), configs("a"), True),
    (("DESCRIBE_CONFIGS", "TOPIC", "a"), configs("a", "b"), False),
    (("DESCRIBE_CONFIGS", "CLUSTER", "kafka-cluster"), configs("a"), False),
    (("DESCRIBE_CONFIGS", "CLUSTER", "kafka-cluster"), configs(), True),
    (("DESCRIBE", "CLUSTER", "kafka-cluster"), tokens_of(), True),
    (("DESCRIBE", "CLUSTER", "kafka-cluster"), tokens_of("User:bob"), True),
    (("DESCRIBE_TOKENS", "USER", "User:bob"), tokens_of(), False),
    (("DESCRIBE_TOKENS", "USER", "User:bob"), tokens_of("User:bob", "User:alice"), True),
    (("DESCRIBE_TOKENS", "USER", "User:bob"), tokens_of("User:bob", "User:carol"), False),
    (("DESCRIBE", "CLUSTER", "kafka-cluster"), cluster_pb2.WatchRequest(), False),
    (("CLUSTER_ACTION", "CLUSTER", "kafka-cluster"), cluster_pb2.WatchRequest(), True),
]


@pytest.mark.parametrize(("permission", "request_", "is_allowed"), PERMITTED)
def test_reads_of_topics_and_configs_are_decided_by_what_they_name(permission, request_, is_allowed):
    operation, kind, name = permission
    delta = AclsDelta(AclsImage())
    delta.replay_entry(
        AccessControlEntryRecord(
            bytes(16), AclResourceType[kind], name, PatternType.LITERAL, "User:alice", "*", AclOperation[operation], 3
        )
    )
    authorizer = StandardAuthorizer()
    authorizer.load(delta.apply())
    asked = Authorization(authorizer, lambda: FakeNode().image)
    with contextlib.nullcontext() if is_allowed else pytest.raises(ApiError, match="is not allowed to do this"):
        check_call(asked, request_, Caller("User:alice", "10.0.0.1"))


def seeing(*entries):
    """Entries about topics: a name, its pattern, and whether it is allowed to describe it."""
    delta = AclsDelta(AclsImage())
    for number, (name, pattern, is_allowed) in enumerate(entries):
        delta.replay_entry(
            AccessControlEntryRecord(
                bytes([number]) * 16, AclResourceType.TOPIC, name, pattern, ANONYMOUS, "*", AclOperation.DESCRIBE,
                PermissionType.ALLOW if is_allowed else PermissionType.DENY,
            )
        )  # fmt: skip
    authorizer = StandardAuthorizer()
    authorizer.load(delta.apply())
    return Authorization(authorizer, lambda: FakeNode().image)


def with_topics(backend, *names):
    delta = MetadataDelta(EMPTY)
    for number, name in enumerate(names):
        topic_id = (1_000 + number).to_bytes(16, "big")
        delta.replay(TopicRecord(name, topic_id))
        delta.replay(
            PartitionRecord(0, topic_id, replicas=[1], isr=[1], leader=1, leader_epoch=0, partition_epoch=0,
                            directories=[bytes(16)])
        )  # fmt: skip
    backend.image = delta.apply(Provenance(7, 1, 0, batch_aligned=True))


async def test_a_denied_topic_is_hidden_from_lists_and_rejected_by_name(backend):
    """Over unary calls and sessions, as Kafka decides; whether the topic exists or not makes no difference."""
    with_topics(backend, "a-1", "a-2", "a-3", "b-1")
    entries = seeing(("a-", PatternType.PREFIXED, True), ("a-2", PatternType.LITERAL, False))
    async with (
        serving(backend, authorization=entries) as server,
        AsyncClient([f"127.0.0.1:{server.port}"], timeout_s=PATIENCE) as client,
        grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel,
    ):
        assert [topic.name for topic in (await client.describe_topics()).topics] == ["a-1", "a-3"]
        listed = await call(channel, "DescribeTopics")(cluster_pb2.DescribeTopicsRequest(), timeout=PATIENCE)
        assert [topic.name for topic in listed.topics] == ["a-1", "a-3"]
        found = await client.describe_topics(["a-3", "a-9"])
        assert ([topic.name for topic in found.topics], found.unknown) == (["a-3"], ("a-9",))
        for name in ("a-2", "b-1", "b-9"):
            with pytest.raises(ApiError, match=f"DESCRIBE on TOPIC {name}") as refused:
                await client.describe_topics(["a-1", name])
            assert refused.value.code is ErrorCode.TOPIC_AUTHORIZATION_FAILED
            with pytest.raises(grpc.aio.AioRpcError) as raised:
                await call(channel, "DescribeTopics")(named(name), timeout=PATIENCE)
            assert detail_of(raised.value).code == ErrorCode.TOPIC_AUTHORIZATION_FAILED


async def test_hidden_topics_cost_a_bounded_page(backend, monkeypatch):
    """A page examines a bounded number of topics, and may be empty; the client goes on behind them."""
    monkeypatch.setattr(topic_reads, "TOPIC_LOOKS_MAX", 2)
    with_topics(backend, *(f"b-{number}" for number in range(9)), "c")
    view = MetadataView(7, 1, 0, backend.image)
    page = topic_reads.TopicPages().page(cluster_pb2.DescribeTopicsRequest(), view, lambda name: name == "c")
    assert (len(page.topics), page.next.topic) == (0, "b-2")
    async with (
        serving(backend, authorization=seeing(("c", PatternType.LITERAL, True))) as server,
        AsyncClient([f"127.0.0.1:{server.port}"], timeout_s=PATIENCE) as client,
    ):
        assert [topic.name for topic in (await client.describe_topics()).topics] == ["c"]


def test_without_a_certificate_no_tokens_are_seen_as_own():
    """All callers without a certificate share one name, which owns nothing."""
    with pytest.raises(ApiError, match="DESCRIBE_TOKENS on USER User:ANONYMOUS"):
        check_call(authorization(), tokens_of(ANONYMOUS), Caller(ANONYMOUS, "10.0.0.1"))


@pytest.mark.parametrize("name", sorted(BY_TOKEN))
async def test_a_caller_without_a_certificate_gets_no_token(name, strict, backend):
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await call(strict, name)(UNARY[name], timeout=PATIENCE)
    assert raised.value.code() is grpc.StatusCode.PERMISSION_DENIED
    assert detail_of(raised.value).code == ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED
    assert backend.groups == []
