"""The public API over real gRPC, with a fake node behind it."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import suppress
from dataclasses import replace

import grpc
import pytest
from google.protobuf import message_factory
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from kraftpy.authorizer.actions import Caller
from kraftpy.controller import requests as r
from kraftpy.controller.dedupe import OutcomeForgottenError, Stamp
from kraftpy.image.cluster import ClusterImage
from kraftpy.image.features import FeaturesImage
from kraftpy.image.image import MetadataImage
from kraftpy.image.registrations import BrokerRegistration, ControllerRegistration, Listener
from kraftpy.model.errors import ApiError, BusyError, ConfigError, ErrorCode
from kraftpy.pb.v1 import admin_pb2, cluster_pb2, common_pb2, errors_pb2, node_pb2, quorum_pb2, session_pb2
from kraftpy.records.batch import split_batches
from kraftpy.records.metadata import ConfigRecord, encode_for_level
from kraftpy.tracing.messages import api_name
from kraftpy.transport.grpc.errors import DETAILS_KEY
from kraftpy.transport.grpc.server import ApiServer, HealthFacts, numeric
from kraftpy.transport.grpc.services import session as session_module
from kraftpy.transport.node_api import LeaderHint, OutcomeUnknownError
from tests.unit.image.support import configs_of
from tests.unit.transport.fake_backend import RESPONSES, serving
from tests.unit.transport.sasl_api import until

PATIENCE = 10
MODULES = (cluster_pb2, quorum_pb2, admin_pb2, node_pb2, session_pb2)
UUID = bytes(range(16))


def call(channel, name, streams=False):
    """Return the callable of one method, found by its name."""
    method = next(
        method
        for module in MODULES
        for service in module.DESCRIPTOR.services_by_name.values()
        for method in service.methods
        if method.name == name
    )
    kind = {
        (False, False): channel.unary_unary,
        (False, True): channel.unary_stream,
        (True, True): channel.stream_stream,
    }
    return kind[method.client_streaming, method.server_streaming](
        f"/{method.containing_service.full_name}/{method.name}",
        request_serializer=lambda message: message.SerializeToString(),
        response_deserializer=message_factory.GetMessageClass(method.output_type).FromString,
    )


def detail_of(error):
    """Unpack the ErrorDetail of a failed call."""
    status = errors_pb2.Status.FromString(dict(error.trailing_metadata())[DETAILS_KEY])
    detail = errors_pb2.ErrorDetail()
    assert status.details[0].Unpack(detail)
    assert status.code == error.code().value[0]
    return detail


OPTIONS = common_pb2.WriteOptions(request_id=UUID)
WRITES = {
    "UpdateFeatures": admin_pb2.UpdateFeaturesRequest(
        options=OPTIONS, updates=[admin_pb2.FeatureUpdate(name="metadata.version", level=41)]
    ),
    "IncrementalAlterConfigs": admin_pb2.IncrementalAlterConfigsRequest(
        options=OPTIONS,
        resources=[
            admin_pb2.ResourceAlterations(
                resource=common_pb2.ConfigResource(type=2, name=name),
                alterations=[
                    admin_pb2.ConfigAlteration(name="k", op=0, value="v"),
                    admin_pb2.ConfigAlteration(name="d", op=1),
                ],
            )
            for name in ("good", "bad")
        ],
    ),
    "CreateTopics": admin_pb2.CreateTopicsRequest(options=OPTIONS, topics=[admin_pb2.NewTopic(name="t", partitions=2)]),
    "DeleteTopics": admin_pb2.DeleteTopicsRequest(options=OPTIONS, topics=[admin_pb2.TopicRef(topic_id=UUID)]),
    "CreatePartitions": admin_pb2.CreatePartitionsRequest(
        options=OPTIONS, topics=[admin_pb2.PartitionIncrease(name="t", total=4)]
    ),
    "ElectLeaders": admin_pb2.ElectLeadersRequest(
        options=OPTIONS, topics=[common_pb2.TopicPartitions(topic="t", partitions=[0, 1])]
    ),
    "AlterPartitionReassignments": admin_pb2.AlterPartitionReassignmentsRequest(
        options=OPTIONS,
        topics=[
            admin_pb2.TopicReassignments(
                topic="t", partitions=[admin_pb2.PartitionReassignment(partition=0, replicas=[1, 2])]
            )
        ],
    ),
    "AlterClientQuotas": admin_pb2.AlterClientQuotasRequest(
        options=OPTIONS,
        entries=[
            admin_pb2.QuotaAlteration(
                entity=[common_pb2.QuotaEntityPart(type="user", name="u")],
                changes=[admin_pb2.QuotaChange(key="producer_byte_rate", value=1)],
            )
        ],
    ),
    "CreateAcls": admin_pb2.CreateAclsRequest(
        options=OPTIONS,
        entries=[
            common_pb2.AclEntry(
                resource_type=2,
                resource_name="t",
                pattern_type=3,
                principal="User:u",
                host="*",
                operation=3,
                permission_type=3,
            )
        ],
    ),
    "DeleteAcls": admin_pb2.DeleteAclsRequest(options=OPTIONS, filters=[common_pb2.AclFilter(principal="User:u")]),
    "AlterUserScramCredentials": admin_pb2.AlterUserScramCredentialsRequest(
        options=OPTIONS, deletions=[admin_pb2.ScramDeletion(user="u", mechanism=1)]
    ),
    "CreateDelegationToken": admin_pb2.CreateDelegationTokenRequest(options=OPTIONS, renewers=["User:r"]),
    "RenewDelegationToken": admin_pb2.RenewDelegationTokenRequest(options=OPTIONS, hmac=b"h", period_ms=5),
    "ExpireDelegationToken": admin_pb2.ExpireDelegationTokenRequest(options=OPTIONS, hmac=b"h"),
    "AlterBrokerHost": admin_pb2.AlterBrokerHostRequest(options=OPTIONS, host="h", broker_id=3),
    "UnregisterController": admin_pb2.UnregisterControllerRequest(options=OPTIONS, controller_id=3),
    "UnregisterBroker": admin_pb2.UnregisterBrokerRequest(options=OPTIONS, broker_id=3),
    "RegisterBroker": node_pb2.RegisterBrokerRequest(
        options=OPTIONS, broker_id=3, incarnation_id=UUID, cluster_id="c", log_dirs=[UUID],
        listeners=[common_pb2.Listener(name="PLAINTEXT", host="h", port=9092)],
        features=[common_pb2.SupportedFeature(name="metadata.version", min_level=7, max_level=42)],
    ),
    "BrokerHeartbeat": node_pb2.BrokerHeartbeatRequest(
        options=OPTIONS, broker_id=3, broker_epoch=11, metadata_offset=5, offline_log_dirs=[UUID],
        cordoned_log_dirs=node_pb2.LogDirectories(), saturated_log_dirs=node_pb2.LogDirectories(ids=[UUID]),
    ),
    "RegisterController": node_pb2.RegisterControllerRequest(options=OPTIONS, controller_id=1, incarnation_id=UUID),
    "AlterPartition": node_pb2.AlterPartitionRequest(
        options=OPTIONS, broker_id=3, broker_epoch=11,
        topics=[
            node_pb2.TopicInSyncReplicas(
                topic_id=UUID,
                partitions=[
                    node_pb2.PartitionInSyncReplicas(
                        partition=1, leader_epoch=5, partition_epoch=7, recovering=True,
                        isr=[
                            node_pb2.InSyncReplica(broker_id=3, broker_epoch=11), node_pb2.InSyncReplica(broker_id=4),
                        ],
                    )
                ],
            )
        ],
    ),
    "AssignReplicasToDirs": node_pb2.AssignReplicasToDirsRequest(
        options=OPTIONS, broker_id=3, broker_epoch=11,
        directories=[
            node_pb2.DirectoryReplicas(
                directory_id=b"d" * 16, topics=[node_pb2.TopicReplicas(topic_id=UUID, partitions=[0, 1])]
            )
        ],
    ),
    "AllocateProducerIds": node_pb2.AllocateProducerIdsRequest(options=OPTIONS, broker_id=3, broker_epoch=11),
    "AssignBrokerId": node_pb2.AssignBrokerIdRequest(options=OPTIONS, host="h", incarnation_id=UUID),
}  # fmt: skip
READS = {
    "DescribeCluster": cluster_pb2.DescribeClusterRequest(),
    "DescribeFeatures": cluster_pb2.DescribeFeaturesRequest(),
    "DescribeConfigs": cluster_pb2.DescribeConfigsRequest(),
    "DescribeTopics": cluster_pb2.DescribeTopicsRequest(),
    "ListPartitionReassignments": cluster_pb2.ListPartitionReassignmentsRequest(),
    "DescribeClientQuotas": cluster_pb2.DescribeClientQuotasRequest(),
    "DescribeUserScramCredentials": cluster_pb2.DescribeUserScramCredentialsRequest(),
    "DescribeAcls": cluster_pb2.DescribeAclsRequest(),
    "DescribeBrokerHosts": cluster_pb2.DescribeBrokerHostsRequest(),
    "DescribeDelegationTokens": cluster_pb2.DescribeDelegationTokensRequest(),
    "DescribeLogDirs": cluster_pb2.DescribeLogDirsRequest(),
    "DescribeQuorum": quorum_pb2.DescribeQuorumRequest(),
    "TransferLeadership": quorum_pb2.TransferLeadershipRequest(node_id=2),
}
UNARY = WRITES | READS


@pytest.fixture(autouse=True)
def authenticated(monkeypatch):
    """The caller has a certificate: without one, requests about delegation tokens are refused."""
    for service in ("unary", "session"):
        name = f"kraftpy.transport.grpc.services.{service}.caller_at"
        monkeypatch.setattr(name, lambda _context: Caller("User:alice", "127.0.0.1"))


@pytest.mark.parametrize("name", WRITES)
async def test_every_write_answers_with_its_position(name, channel, backend):
    """A write reaches the backend as one value with its request id, and answers with offset and epoch."""
    response = await call(channel, name)(WRITES[name], timeout=PATIENCE)
    assert (response.position.offset, response.position.epoch) == (0, 3)
    ((submission,),) = backend.groups
    assert submission.request_id == UUID
    assert 0 < submission.timeout_ms <= PATIENCE * 1000 + 1000  # both clocks are rounded
    assert type(submission.request).__name__ == name


@pytest.mark.parametrize("name", WRITES)
async def test_every_write_can_be_tried(name, channel, backend):
    """``validate_only`` reaches the decision, by every call that changes anything, and is never meant by silence."""
    asked = type(WRITES[name])()
    asked.CopyFrom(WRITES[name])
    asked.options.validate_only = True
    await call(channel, name)(asked, timeout=PATIENCE)
    await call(channel, name)(WRITES[name], timeout=PATIENCE)
    assert [submission.request.validate_only for (submission,) in backend.groups] == [True, False]


def test_every_call_that_is_no_read_can_be_tried():
    """A call that is added to the API is here a read or has ``validate_only``."""
    files = (admin_pb2, cluster_pb2, node_pb2, quorum_pb2)
    calls = [
        each for file in files for service in file.DESCRIPTOR.services_by_name.values() for each in service.methods
    ]
    asks = {one.name: {field.name for field in one.input_type.fields} for one in calls}
    assert set(WRITES) == {name for name, fields in asks.items() if "options" in fields}
    assert "validate_only" in common_pb2.WriteOptions.DESCRIPTOR.fields_by_name
    rest = {name: fields for name, fields in asks.items() if "options" not in fields}
    assert {name for name, fields in rest.items() if "validate_only" in fields} == {"TransferLeadership"}
    assert rest.keys() - {"TransferLeadership"} == READS.keys() - {"TransferLeadership"} | {"GetImage", "Watch"}


async def test_write_values_arrive_whole(channel, backend):
    """Nothing of a registration gets lost on the way, and absent fields are None."""
    response = await call(channel, "RegisterBroker")(WRITES["RegisterBroker"])
    assert response.broker_epoch == 11
    ((submission,),) = backend.groups
    request = submission.request
    assert (request.broker_id, request.cluster_id, request.rack, request.previous_broker_epoch) == (3, "c", None, -1)
    assert [(each.name, each.port) for each in request.listeners] == [("PLAINTEXT", 9092)]
    assert (request.features[0].max_level, request.log_dirs, submission.timeout_ms) == (42, (UUID,), None)


async def test_config_results_are_one_per_resource(channel, backend):
    """A resource that fails has its error beside it, the other has none."""
    response = await call(channel, "IncrementalAlterConfigs")(WRITES["IncrementalAlterConfigs"])
    good, bad = response.results
    assert not good.HasField("error")
    assert (bad.resource.name, bad.error.name, bad.error.message) == ("bad", "INVALID_CONFIG", "bad")
    ((submission,),) = backend.groups
    (_, alterations), _ = submission.request.resources
    assert [(each.name, each.op, each.value) for each in alterations] == [("k", 0, "v"), ("d", 1, None)]


@pytest.mark.parametrize("name", UNARY)
async def test_every_call_states_where_the_leader_is(name, channel, backend):
    """A refusal with NOT_CONTROLLER is UNAVAILABLE and carries the leader's endpoint."""
    backend.error = ApiError(ErrorCode.NOT_CONTROLLER, "ask the other one")
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await call(channel, name)(UNARY[name], timeout=PATIENCE)
    assert raised.value.code() is grpc.StatusCode.UNAVAILABLE
    detail = detail_of(raised.value)
    assert (detail.code, detail.name, detail.message) == (41, "NOT_CONTROLLER", "ask the other one")
    assert (detail.leader.node_id, detail.leader.endpoint.host, detail.leader.endpoint.port) == (1, "localhost", 1)
    assert not detail.outcome_unknown


async def test_every_request_of_a_session_hears_where_the_leader_is(channel, backend):
    """By its own answer, so that a client may go there; the session goes on."""
    backend.error = ApiError(ErrorCode.NOT_CONTROLLER, "ask the other one")
    fields = {
        api_name(field.name): field.name for field in session_pb2.Request.DESCRIPTOR.oneofs_by_name["call"].fields
    }
    assert fields.keys() == UNARY.keys()
    requests = [session_pb2.Request(id=i, **{fields[name]: UNARY[name]}) for i, name in enumerate(UNARY)]
    session = call(channel, "Session", streams=True)()
    await session.write(session_pb2.RequestBatch(requests=requests))
    answers = []
    async with asyncio.timeout(PATIENCE):
        while len(answers) < len(requests):
            answers += (await session.read()).responses
    session.cancel()
    for answer in answers:
        detail = answer.error
        assert (detail.code, detail.leader.node_id, detail.leader.endpoint.port) == (41, 1, 1), answer


@pytest.mark.parametrize("name", UNARY)
async def test_defects_are_internal_and_logged(name, channel, backend, caplog):
    """An unexpected exception is INTERNAL, says nothing of the inside, and is logged with its traceback."""
    backend.error = RuntimeError("secret")
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await call(channel, name)(UNARY[name], timeout=PATIENCE)
    expected = grpc.StatusCode.UNKNOWN if name in WRITES else grpc.StatusCode.INTERNAL
    assert raised.value.code() is expected
    assert detail_of(raised.value).outcome_unknown == (name in WRITES)
    assert "secret" not in raised.value.details()
    assert "secret" in caplog.text


@pytest.mark.parametrize("name", [*WRITES, "DescribeQuorum"])
async def test_deadlines_are_obeyed(name, channel, backend):
    """A call that is not answered within the client's deadline ends as DEADLINE_EXCEEDED."""
    backend.gate.clear()
    backend.quorum_gate.clear()
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await call(channel, name)(UNARY[name], timeout=0.15)
    assert raised.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED


ERRORS = {
    "busy": (BusyError("queue full"), grpc.StatusCode.RESOURCE_EXHAUSTED, 89),
    "unknown outcome": (OutcomeUnknownError("leadership lost"), grpc.StatusCode.UNKNOWN, 41),
    "forgotten": (OutcomeForgottenError(bytes(16), Stamp(4, is_retry=True), 5, 77), grpc.StatusCode.UNKNOWN, 1000),
    "forgotten, no epoch": (
        OutcomeForgottenError(bytes(16), Stamp(is_retry=True), 5, 77), grpc.StatusCode.UNKNOWN, 1000,
    ),
    "fenced": (ApiError(ErrorCode.FENCED_LEADER_EPOCH, "epoch 4"), grpc.StatusCode.ABORTED, 74),
    "stale epoch": (ApiError(ErrorCode.STALE_BROKER_EPOCH, "old"), grpc.StatusCode.FAILED_PRECONDITION, 77),
    "duplicate": (
        ApiError(ErrorCode.DUPLICATE_BROKER_REGISTRATION, "two"), grpc.StatusCode.ALREADY_EXISTS, 101,
    ),
    "timed out": (ApiError(ErrorCode.REQUEST_TIMED_OUT, "late"), grpc.StatusCode.DEADLINE_EXCEEDED, 7),
}  # fmt: skip


@pytest.mark.parametrize(("error", "status", "code"), ERRORS.values(), ids=ERRORS)
async def test_statuses(error, status, code, channel, backend):
    """Every kind of refusal has the status that errors.proto promises."""
    backend.error = error
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await call(channel, "UnregisterBroker")(WRITES["UnregisterBroker"])
    assert (raised.value.code(), detail_of(raised.value).code) == (status, code)
    detail = detail_of(raised.value)
    assert detail.outcome_unknown == isinstance(error, OutcomeUnknownError | OutcomeForgottenError)
    settled = getattr(error, "settled_offset", None)
    assert (detail.settled_offset if detail.HasField("settled_offset") else None) == settled
    assert detail.leader.epoch == (3 if code == ErrorCode.FENCED_LEADER_EPOCH else detail.leader.epoch)


async def test_a_write_s_stamp_reaches_the_backend(channel, backend):
    """Absent is none; zero is the epoch before any other."""
    options = (
        (common_pb2.WriteOptions(request_id=UUID), Stamp()),
        (common_pb2.WriteOptions(request_id=UUID, first_sent_epoch=3), Stamp(3)),
        (common_pb2.WriteOptions(request_id=UUID, first_sent_epoch=0, is_retry=True), Stamp(0, is_retry=True)),
        (common_pb2.WriteOptions(request_id=UUID, is_retry=True), Stamp(None, is_retry=True)),
    )
    for sent, stamp in options:
        await call(channel, "UnregisterBroker")(admin_pb2.UnregisterBrokerRequest(options=sent, broker_id=1))
        assert backend.groups[-1][0].stamp == stamp


async def test_a_session_greets_with_the_leader_epoch(channel, backend):
    """Before any request, so that the first write can be stamped; without it while no leader is known."""
    for leader, epoch in ((LeaderHint(1, 5), 5), (None, None)):
        backend.leader = leader
        stream = call(channel, "Session")()
        async with asyncio.timeout(PATIENCE):
            greeting = await stream.read()
        assert not greeting.responses
        assert (greeting.leader_epoch if greeting.HasField("leader_epoch") else None) == epoch
        stream.cancel()


INVALID = {
    "incarnation id": ("RegisterBroker", node_pb2.RegisterBrokerRequest(incarnation_id=b"short")),
    "log dir": ("RegisterBroker", node_pb2.RegisterBrokerRequest(incarnation_id=UUID, log_dirs=[b"x"])),
    "port": (
        "RegisterController",
        node_pb2.RegisterControllerRequest(incarnation_id=UUID, listeners=[common_pb2.Listener(port=70000)]),
    ),
    "request id": (
        "UnregisterBroker", admin_pb2.UnregisterBrokerRequest(options=common_pb2.WriteOptions(request_id=b"x")),
    ),
    "epoch": (
        "UnregisterBroker",
        admin_pb2.UnregisterBrokerRequest(options=common_pb2.WriteOptions(request_id=UUID, first_sent_epoch=-1)),
    ),
    "retry without id": (
        "UnregisterBroker",
        admin_pb2.UnregisterBrokerRequest(options=common_pb2.WriteOptions(first_sent_epoch=1, is_retry=True)),
    ),
    "kind": ("UpdateFeatures", admin_pb2.UpdateFeaturesRequest(updates=[admin_pb2.FeatureUpdate(name="f", kind=9)])),
    "op": (
        "IncrementalAlterConfigs",
        admin_pb2.IncrementalAlterConfigsRequest(
            resources=[admin_pb2.ResourceAlterations(alterations=[admin_pb2.ConfigAlteration(name="k", op=9)])]
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("name", "request_"), INVALID.values(), ids=INVALID)
async def test_the_gateway_checks_values(name, request_, channel, backend):
    """A value that cannot be is INVALID_ARGUMENT before anybody decides about it."""
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await call(channel, name)(request_)
    assert raised.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert backend.groups == []


async def test_reads_come_from_the_image(channel, backend):
    """Cluster, features and configs are what the image holds, with the position they are as of."""
    from immutables import Map

    broker = BrokerRegistration(
        broker_id=2, broker_epoch=9, incarnation_id=UUID, listeners=(Listener("P", "h", 1),), rack="r", fenced=False
    )
    backend.image = MetadataImage(
        features=FeaturesImage(levels=Map({"metadata.version": 40, "other": 2})),
        cluster=ClusterImage(
            brokers=Map({2: broker, 1: BrokerRegistration(broker_id=1, broker_epoch=8, incarnation_id=UUID)}),
            controllers=Map({5: ControllerRegistration(controller_id=5, incarnation_id=UUID)}),
        ),
        configs=configs_of({(2, "t"): {"b": "2", "a": "1"}}),
    )
    cluster = await call(channel, "DescribeCluster")(cluster_pb2.DescribeClusterRequest())
    assert (cluster.position.offset, cluster.position.epoch, cluster.position.age_ms) == (99, 3, 5)
    assert (cluster.cluster_id, cluster.controller_id) == ("cluster", 1)
    assert [(each.id, each.rack, each.epoch) for each in cluster.brokers] == [(2, "r", 9)]
    assert [each.id for each in cluster.controllers] == [5]
    everyone = await call(channel, "DescribeCluster")(cluster_pb2.DescribeClusterRequest(include_fenced_brokers=True))
    assert [(each.id, each.fenced) for each in everyone.brokers] == [(1, True), (2, False)]
    features = await call(channel, "DescribeFeatures")(cluster_pb2.DescribeFeaturesRequest())
    version, other = features.features
    assert (version.finalized_level, version.min_supported_level, version.max_supported_level) == (40, 7, 42)
    assert (other.name, other.finalized_level, other.HasField("max_supported_level")) == ("other", 2, False)
    backend.kraft_version = 1
    kraft_version = (await call(channel, "DescribeFeatures")(cluster_pb2.DescribeFeaturesRequest())).features[0]
    assert (kraft_version.name, kraft_version.finalized_level) == ("kraft.version", 1), "from the quorum's own records"
    configs = await call(channel, "DescribeConfigs")(cluster_pb2.DescribeConfigsRequest())
    assert [(e.name, e.value) for e in configs.resources[0].entries] == [("a", "1"), ("b", "2")]
    asked = cluster_pb2.DescribeConfigsRequest(resources=[common_pb2.ConfigResource(type=4, name="7")])
    configs = await call(channel, "DescribeConfigs")(asked)
    assert (configs.resources[0].resource.name, len(configs.resources[0].entries)) == ("7", 0)


async def test_quorum(channel):
    """DescribeQuorum returns what the replica knows, and leaves out what it does not."""
    quorum = await call(channel, "DescribeQuorum")(quorum_pb2.DescribeQuorumRequest())
    (voter,) = quorum.voters
    assert (quorum.leader_id, quorum.high_watermark, voter.log_end_offset) == (1, 7, 7)
    assert (voter.HasField("last_fetch_ms"), voter.last_caught_up_ms, voter.endpoints[0].port) == (False, 8, 9)


# Session.


def unregister(number, broker_id=3, **options):
    write = admin_pb2.UnregisterBrokerRequest(broker_id=broker_id, options=common_pb2.WriteOptions(**options))
    return session_pb2.Request(id=number, unregister_broker=write)


async def exchange(stream, requests):
    """Send one batch and gather its answers; return them by id, and how many messages they came in."""
    await stream.write(session_pb2.RequestBatch(requests=requests))
    answers, messages = {}, 0
    async with asyncio.timeout(PATIENCE):
        while len(answers) < len(requests):
            batch = await stream.read()
            assert batch.leader_epoch == 3
            messages += bool(batch.responses)  # the greeting has none
            answers |= {response.id: response for response in batch.responses}
    return answers, messages


async def test_session_decides_a_batch_together_and_answers_in_one_message(channel, backend):
    """A thousand writes in one message are one group for the backend and one message back."""
    stream = call(channel, "Session")()
    answers, messages = await exchange(stream, [unregister(n) for n in range(1000)])
    assert len(backend.groups) == 1
    assert len(backend.groups[0]) == 1000
    assert messages == 1
    assert [answers[n].unregister_broker.position.offset for n in range(1000)] == list(range(1000))
    await stream.done_writing()
    assert await stream.read() is grpc.aio.EOF
    assert await stream.code() is grpc.StatusCode.OK


async def test_session_carries_every_call(channel):
    """Every unary call can be made in a session, writes and reads mixed."""
    stream = call(channel, "Session")()
    fields = list(session_pb2.Request.DESCRIPTOR.oneofs_by_name["call"].fields)
    by_type = {}
    for number, message in enumerate(UNARY.values()):
        by_type[message.DESCRIPTOR.name] = copy = type(message).FromString(message.SerializeToString())
        if "options" in copy.DESCRIPTOR.fields_by_name:
            copy.options.request_id = bytes([number]) * 16
    requests = [
        session_pb2.Request(id=n, **{field.name: by_type[field.message_type.name]}) for n, field in enumerate(fields)
    ]
    answers, _ = await exchange(stream, requests)
    assert [answers[n].WhichOneof("outcome") for n in range(len(fields))] == [field.name for field in fields]
    stream.cancel()


async def test_session_errors_are_beside_their_request(channel, backend):
    """In a batch, a refused write, an invalid one and an empty request fail alone."""
    stream = call(channel, "Session")()
    requests = [unregister(1), unregister(2, 404), unregister(3, request_id=b"x"), session_pb2.Request(id=4)]
    answers, _ = await exchange(stream, requests)
    assert answers[1].WhichOneof("outcome") == "unregister_broker"
    names = [answers[n].error.name for n in (2, 3, 4)]
    assert names == ["BROKER_ID_NOT_REGISTERED", "INVALID_REQUEST", "INVALID_REQUEST"]
    backend.error = ApiError(ErrorCode.NOT_CONTROLLER, "not me")
    answers, _ = await exchange(
        stream, [unregister(5), session_pb2.Request(id=6, describe_quorum=READS["DescribeQuorum"])]
    )
    assert [answers[n].error.leader.endpoint.port for n in (5, 6)] == [1, 1]
    stream.cancel()


async def test_a_defect_is_of_one_request_of_a_session(channel, backend, monkeypatch):
    """What raises while a request is read, or its answer made, fails that request; the session goes on."""

    def fail(_):
        raise RecursionError("secret")

    write = session_module.BY_NAME["register_broker"]
    monkeypatch.setitem(session_module.BY_NAME, "register_broker", replace(write, decode=fail))
    monkeypatch.setitem(RESPONSES, r.BrokerHeartbeat, None)
    stream = call(channel, "Session")()
    register = session_pb2.Request(id=1, register_broker=node_pb2.RegisterBrokerRequest())
    beat = session_pb2.Request(id=2, broker_heartbeat=node_pb2.BrokerHeartbeatRequest())
    answers, _ = await exchange(stream, [register, beat, unregister(3)])
    assert [(answers[n].error.name, answers[n].error.outcome_unknown) for n in (1, 2)] == [
        ("UNKNOWN_SERVER_ERROR", False),
        ("UNKNOWN_SERVER_ERROR", True),
    ]
    assert answers[3].WhichOneof("outcome") == "unregister_broker"
    assert backend.request_errors.counts == {"RegisterBrokerRequest": 1, "BrokerHeartbeatRequest": 1}
    stream.cancel()


async def test_session_timeouts(channel, backend):
    """A request that is not answered in its time fails with REQUEST_TIMED_OUT, a write with an unknown outcome."""
    backend.gate.clear()
    stream = call(channel, "Session")()
    request = unregister(1)
    request.timeout_ms = 50
    answers, _ = await exchange(stream, [request])
    assert (answers[1].error.name, answers[1].error.outcome_unknown) == ("REQUEST_TIMED_OUT", True)
    backend.gate.set()
    answers, _ = await exchange(stream, [unregister(2)])
    assert answers[2].WhichOneof("outcome") == "unregister_broker"
    stream.cancel()


async def test_session_batches_neither_overtake_nor_wait(channel, backend):
    """While a batch waits for its commit, the next one is taken; answers to both gather into one message."""
    backend.gate.clear()
    stream = call(channel, "Session")()
    for n in range(5):
        await stream.write(session_pb2.RequestBatch(requests=[unregister(n, broker_id=n)]))
    async with asyncio.timeout(PATIENCE):
        while len(backend.groups) < 5:
            backend.arrived.clear()
            await backend.arrived.wait()
    assert [group[0].request.broker_id for group in backend.groups] == list(range(5))
    backend.gate.set()
    assert not (await stream.read()).responses, "the greeting"
    batch = await stream.read()
    assert sorted(response.id for response in batch.responses) == list(range(5))
    stream.cancel()


async def test_session_requests_are_bounded(channel, backend, monkeypatch):
    """A session with too many unanswered requests is not read on until some are answered."""
    monkeypatch.setattr("kraftpy.transport.grpc.services.session.SESSION_REQUESTS_MAX", 3)
    backend.gate.clear()
    stream = call(channel, "Session")()
    for n in range(5):
        await stream.write(session_pb2.RequestBatch(requests=[unregister(2 * n), unregister(2 * n + 1)]))
    async with asyncio.timeout(PATIENCE):
        await backend.arrived.wait()
        for _ in range(5):  # calls on the same connection, sent after the batches
            await call(channel, "DescribeCluster")(READS["DescribeCluster"])
        assert backend.under_way == 2
        backend.gate.set()
        answered = 0
        while answered < 10:
            answered += len((await stream.read()).responses)
    stream.cancel()


async def test_stopping_ends_sessions_after_their_answers(backend):
    """A node that stops answers what a session has under way, then ends it with UNAVAILABLE."""
    async with serving(backend) as server, grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        backend.gate.clear()
        stream = call(channel, "Session")()
        await stream.write(session_pb2.RequestBatch(requests=[unregister(1)]))
        async with asyncio.timeout(PATIENCE):
            await backend.arrived.wait()
            stopping = asyncio.ensure_future(server.stop(PATIENCE))
            await server._stopping.wait()
            backend.gate.set()
            assert not (await stream.read()).responses, "the greeting"
            batch = await stream.read()
            assert batch.responses[0].id == 1
            with pytest.raises(grpc.aio.AioRpcError):
                await stream.read()
            assert await stream.code() is grpc.StatusCode.UNAVAILABLE
            await stopping


# Streams.


async def watch(channel, from_offset, **fields):
    return call(channel, "Watch")(cluster_pb2.WatchRequest(from_offset=from_offset, **fields))


async def read_batches(stream, upto):
    """Read batches until one ends below ``upto``."""
    batches = []
    async with asyncio.timeout(PATIENCE):
        while not batches or batches[-1].last_offset < upto - 1:
            batches += (await stream.read()).batches.batches
    return batches


async def test_watch_follows_the_log(channel, backend):
    """What is there comes first, what is appended later follows; each offset once and in order."""
    backend.append(3)
    backend.append(2)
    stream = await watch(channel, 0)
    batches = await read_batches(stream, 5)
    backend.append(4)
    batches += await read_batches(stream, 9)
    assert [(each.base_offset, each.last_offset) for each in batches] == [(0, 2), (3, 4), (5, 8)]
    assert [each.records for each in batches] == backend.log
    stream.cancel()


async def test_watch_resumes_anywhere(channel, backend):
    """A watcher that comes back at the offset after its last gets the rest and nothing twice."""
    for _ in range(6):
        backend.append(2)
    seen = []
    offset = 0
    while offset < 12:
        stream = await watch(channel, offset)
        async with asyncio.timeout(PATIENCE):
            event = await stream.read()
        first = event.batches.batches[0]
        seen += range(first.base_offset, first.last_offset + 1)
        offset = first.last_offset + 1
        stream.cancel()
    assert seen == list(range(12))


async def test_watch_from_a_gone_offset_begins_with_a_snapshot(channel, backend):
    """When the log was cut, the stream begins with a whole snapshot and goes on at its end."""
    for _ in range(4):
        backend.append(5)
    backend.log_start = 10
    stream = await watch(channel, 3)
    kinds = []
    async with asyncio.timeout(PATIENCE):
        for _ in range(6):
            event = await stream.read()
            kinds.append(event.WhichOneof("event"))
    assert kinds == ["snapshot_begin", "snapshot_chunk", "snapshot_chunk", "snapshot_chunk", "snapshot_end", "batches"]
    assert event.batches.batches[0].base_offset == 10
    stream.cancel()


async def test_watch_decodes_on_request(channel, backend):
    """With include_json every record is shown decoded beside its bytes."""
    backend.append(2, value=encode_for_level(ConfigRecord(2, "t", "k", "v"), 40))
    stream = await watch(channel, 0, include_json=True)
    (batch,) = await read_batches(stream, 2)
    assert [json.loads(text)["type"] for text in batch.json] == ["CONFIG_RECORD"] * 2
    assert json.loads(batch.json[0])["data"]["resourceName"] == "t"
    stream.cancel()


async def test_slow_watchers_cost_no_memory(channel, backend):
    """A watcher that does not read makes the server stop reading the log for it."""
    for _ in range(200):
        backend.append(1, value=b"\x01\x00\x00" + b"x" * 500_000)
    stream = await watch(channel, 0)
    async with asyncio.timeout(PATIENCE):
        first = await stream.read()
        last = -1
        while backend.reads != last:  # the server goes on until flow control stops it
            last = backend.reads
            for _ in range(50):
                await asyncio.sleep(0.001)
    assert backend.reads < 60
    assert first.batches.batches[0].base_offset == 0
    batches = await read_batches(stream, 200)
    assert batches[-1].last_offset == 199
    stream.cancel()


@pytest.mark.parametrize(
    ("offset", "status"), [(-1, grpc.StatusCode.INVALID_ARGUMENT), (5, grpc.StatusCode.OUT_OF_RANGE)]
)
async def test_watch_of_impossible_offsets(channel, offset, status):
    """A negative offset is INVALID_ARGUMENT, one beyond the high watermark OUT_OF_RANGE."""
    stream = await watch(channel, offset)
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await stream.read()
    assert raised.value.code() is status


async def test_watch_ends_with_the_node_and_the_deadline(backend):
    """A watch ends as DEADLINE_EXCEEDED at its deadline and as UNAVAILABLE when the node stops."""
    async with serving(backend) as server, grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        brief = call(channel, "Watch")(cluster_pb2.WatchRequest(), timeout=0.1)
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await brief.read()
        assert raised.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        stream = await watch(channel, 0)
        backend.append()
        await read_batches(stream, 1)
        await server.stop(PATIENCE)
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await stream.read()
        assert raised.value.code() is grpc.StatusCode.UNAVAILABLE


async def test_image_is_a_snapshot(channel):
    """GetImage streams begin, chunks of whole batches, end."""
    parts = [part async for part in call(channel, "GetImage")(cluster_pb2.GetImageRequest())]
    assert [part.WhichOneof("part") for part in parts] == ["begin", "chunk", "chunk", "chunk", "end"]
    assert (parts[0].begin.end_offset, parts[0].begin.epoch, parts[-1].end.end_offset) == (100, 3, 100)
    assert len(split_batches(b"".join(part.chunk.records for part in parts))) == 3


async def test_image_refused(channel, backend):
    """GetImage passes a refusal on."""
    backend.error = ApiError(ErrorCode.NOT_CONTROLLER, "no")
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        _ = [part async for part in call(channel, "GetImage")(cluster_pb2.GetImageRequest())]
    assert detail_of(raised.value).leader.node_id == 1


# The server.


async def test_health_is_per_service(server, channel):
    """Reading services serve when caught up, writing services when this node leads besides."""
    stub = health_pb2_grpc.HealthStub(channel)

    async def status(name):
        return (await stub.Check(health_pb2.HealthCheckRequest(service=name))).status

    names = ("", "kraftpy.v1.ClusterService", "kraftpy.v1.AdminService")
    serving_, not_serving = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING
    assert [await status(name) for name in names] == [not_serving] * 3
    await server.report(HealthFacts(is_caught_up=True))
    assert [await status(name) for name in names] == [serving_, serving_, not_serving]
    await server.report(HealthFacts(is_caught_up=True, is_leader=True))
    assert [await status(name) for name in names] == [serving_] * 3


async def test_reflection_lists_the_services(channel):
    """Tools such as grpcurl find every service and its messages."""
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)

    async def ask():
        yield reflection_pb2.ServerReflectionRequest(list_services="")
        yield reflection_pb2.ServerReflectionRequest(file_containing_symbol="kraftpy.v1.SessionService")

    answers = [answer async for answer in stub.ServerReflectionInfo(ask())]
    names = {service.name for service in answers[0].list_services_response.service}
    assert {f"kraftpy.v1.{name}Service" for name in ("Cluster", "Quorum", "Admin", "Node", "Session")} <= names
    assert answers[1].file_descriptor_response.file_descriptor_proto


async def test_garbage_on_the_port_harms_no_other_connection(server, channel):
    """Bytes that are no HTTP/2 end their connection; calls go on."""
    for garbage in (b"\0\0\0\x20" + bytes(32), b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 4096):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(garbage)
        async with asyncio.timeout(PATIENCE):
            with suppress(ConnectionError):
                await reader.read()
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
    assert (await call(channel, "DescribeCluster")(cluster_pb2.DescribeClusterRequest())).cluster_id == "cluster"


async def test_messages_have_a_limit(backend):
    """A request over the limit is RESOURCE_EXHAUSTED and reaches no handler."""
    async with (
        serving(backend, message_bytes_max=10_000) as server,
        grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel,
    ):
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await call(channel, "RegisterBroker")(node_pb2.RegisterBrokerRequest(rack="x" * 20_000))
    assert raised.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert backend.groups == []


async def test_a_port_in_use_is_a_config_error(server, backend):
    """A second server on the same port fails with that reason, and does not share it."""
    with pytest.raises(ConfigError, match=f"cannot listen on 127.0.0.1:{server.port}"):
        await ApiServer(backend, "127.0.0.1", server.port).start()


async def test_names_are_resolved_before_grpc_gets_them(backend, monkeypatch):
    """Its own resolver holds the loop, and asks DNS for what /etc/hosts has. All addresses are bound."""
    found = [(socket.AF_INET, 1, 6, "", ("127.0.0.1", 0)), (socket.AF_INET, 1, 6, "", ("127.0.0.2", 0))]
    asked, bound, add_port = [], [], ApiServer._add_port

    async def resolve(host, port, **_options):
        asked.append((host, port))
        return found

    def note(self, server, target):
        bound.append(target)
        return add_port(self, server, target)

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolve)
    monkeypatch.setattr(ApiServer, "_add_port", note)
    server = ApiServer(backend, "no-such-name.invalid", 0)
    await server.start()
    try:
        assert asked == [("no-such-name.invalid", 0)]
        assert bound == ["127.0.0.1:0", f"127.0.0.2:{server.port}"]
        for host in ("127.0.0.1", "127.0.0.2"):
            async with grpc.aio.insecure_channel(f"{host}:{server.port}") as channel:
                assert (await call(channel, "DescribeCluster")(cluster_pb2.DescribeClusterRequest())).cluster_id
    finally:
        await server.stop()


async def test_one_address_of_a_name_is_enough(backend, monkeypatch):
    """The other one is of a machine that this is not, or in use; none at all is an error, as is a name without any."""
    elsewhere, here = ((socket.AF_INET, 1, 6, "", (host, 0)) for host in ("192.0.2.1", "127.0.0.1"))
    answers = iter(([elsewhere, here], [elsewhere], socket.gaierror(socket.EAI_NONAME, "no such name")))

    async def resolve(_host, _port, **_options):
        answer = next(answers)
        if isinstance(answer, OSError):
            raise answer
        return answer

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolve)
    server = ApiServer(backend, "n", 0)
    await server.start()
    await server.stop()
    for reason in (r"n:0: .*192\.0\.2\.1", "n:0: .*no such name"):
        with pytest.raises(ConfigError, match=reason):
            await ApiServer(backend, "n", 0).start()


def test_the_interface_of_a_link_local_address_is_kept():
    assert numeric(("fe80::1", 9193, 0, 3)) == "fe80::1%3"
    assert numeric(("::1", 9193, 0, 0)) == "::1"


@pytest.mark.parametrize(
    ("wanted", "text"),
    [({"consistency": 7}, "consistency 7 is not known here"), ({"min_offset": -1}, "min_offset is -1")],
)
async def test_a_read_that_asks_for_what_there_is_not_is_refused(channel, wanted, text):
    """It is not taken for one that asks for less."""
    request = cluster_pb2.DescribeFeaturesRequest(read=common_pb2.ReadOptions(**wanted))
    with pytest.raises(grpc.aio.AioRpcError, match=text) as raised:
        await call(channel, "DescribeFeatures")(request)
    assert raised.value.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_a_read_waits_for_no_longer_than_its_client(channel, backend):
    """A part of the deadline is left for saying where the node is; a shorter wait may be named."""
    named = common_pb2.ReadOptions(min_offset=3, max_wait_ms=40)
    await call(channel, "DescribeCluster")(cluster_pb2.DescribeClusterRequest(read=named), timeout=10)
    short = common_pb2.ReadOptions(min_offset=3)
    await call(channel, "DescribeConfigs")(cluster_pb2.DescribeConfigsRequest(read=short), timeout=10)
    await call(channel, "DescribeConfigs")(cluster_pb2.DescribeConfigsRequest(read=short))
    assert backend.asked_at[0].wait_ms == 40
    assert 8_000 < backend.asked_at[1].wait_ms < 10_000
    assert backend.asked_at[2].wait_ms is None


async def test_each_call_that_ended_is_reported(backend):
    """By method and status: one that succeeds, one that is refused, one of bytes that are no message, and streams."""
    ended = []
    async with (
        serving(backend, on_ended=lambda *call_: ended.append(call_)) as server,
        grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel,
    ):
        await call(channel, "DescribeCluster")(cluster_pb2.DescribeClusterRequest())
        with pytest.raises(grpc.aio.AioRpcError):
            await channel.unary_unary("/kraftpy.v1.ClusterService/DescribeCluster")(b"\xff")
        backend.error = ApiError(ErrorCode.NOT_CONTROLLER, "ask the other one")
        with pytest.raises(grpc.aio.AioRpcError):
            await call(channel, "UnregisterBroker")(admin_pb2.UnregisterBrokerRequest(broker_id=1))
        stream = call(channel, "Session")()
        await exchange(stream, [unregister(1)])
        stream.cancel()
        # Before the server stops: it ends sessions, too.
        async with asyncio.timeout(PATIENCE):
            await until(lambda: len(ended) == 4)
    *unary, session = [(method, status, took_s is not None) for method, status, took_s in ended]
    assert unary == [
        ("ClusterService.DescribeCluster", "OK", True),
        ("ClusterService.DescribeCluster", "INVALID_ARGUMENT", True),
        ("AdminService.UnregisterBroker", "UNAVAILABLE", True),
    ]
    # A client that cancels may be read as one that has ended its side.
    assert session in {("SessionService.Session", status, False) for status in ("CANCELLED", "OK")}


async def test_a_session_whose_client_leaves_while_the_server_stops_ends_as_one_of_both(backend):
    """Its status can't be sent then; it is no unknown error of the server."""
    ended = []
    async with (
        serving(backend, on_ended=lambda *call_: ended.append(call_)) as server,
        grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel,
    ):
        streams = [call(channel, "Session")() for _ in range(40)]
        for stream in streams:
            await exchange(stream, [unregister(1)])
        for stream in streams:
            stream.cancel()
    async with asyncio.timeout(PATIENCE):
        await until(lambda: len(ended) == len(streams))
    assert {status for _, status, _ in ended} <= {"CANCELLED", "OK", "UNAVAILABLE"}
