"""Unary gRPC calls at a follower: the leader does them, as their client's, on every kind of listener."""

from __future__ import annotations

import json

import grpc
import pytest
from google.protobuf import message_factory

from kraftpy.authenticator.mechanism import SCRAM_SHA_256
from kraftpy.client.connection import Access, open_connection
from kraftpy.client.nodes import Nodes
from kraftpy.config.authorization import AUTHORIZER, STANDARD, SUPER_USERS
from kraftpy.model.errors import ErrorCode
from kraftpy.pb.v1 import admin_pb2, cluster_pb2, common_pb2, errors_pb2
from kraftpy.transport.grpc.errors import DETAILS_KEY, detail_in
from kraftpy.transport.grpc.forwarding import NO_FORWARD
from tests.fakes.processes import PATIENCE_S, PATIENT, STEADY, Cluster, eventually, running
from tests.fakes.sasl_cluster import NODE, USER, login, running_sasl
from tests.fakes.secure_cluster import SecureCluster, running_secure

NODES = ("controller-1", "controller-2", "controller-3")
JSON_LOG = {"log.format": "json"}
AUTHORIZED = JSON_LOG | {AUTHORIZER: STANDARD, SUPER_USERS: ";".join(f"User:CN={name}" for name in (*NODES, "admin"))}

QUOTA = admin_pb2.AlterClientQuotasRequest(
    entries=[
        admin_pb2.QuotaAlteration(
            entity=[common_pb2.QuotaEntityPart(type="user", name="u")],
            changes=[admin_pb2.QuotaChange(key="producer_byte_rate", value=1_000)],
        )
    ]
)


async def asked(channel, module, service, method, request, **options):
    descriptor = module.DESCRIPTOR.services_by_name[service].methods_by_name[method]
    answer = message_factory.GetMessageClass(descriptor.output_type)
    send = channel.unary_unary(
        f"/kraftpy.v1.{service}/{method}",
        request_serializer=lambda message: message.SerializeToString(),
        response_deserializer=answer.FromString,
    )
    return await send(request, timeout=PATIENCE_S, **options)


async def create(channel, name, **options):
    topics = [admin_pb2.NewTopic(name=name, partitions=1, replication_factor=1)]
    request = admin_pb2.CreateTopicsRequest(topics=topics)
    return await asked(channel, admin_pb2, "AdminService", "CreateTopics", request, **options)


async def topics_at(channel):
    """A linearizable read."""
    request = cluster_pb2.DescribeTopicsRequest(
        read=common_pb2.ReadOptions(consistency=common_pb2.ReadOptions.LINEARIZABLE)
    )
    answer = await asked(channel, cluster_pb2, "ClusterService", "DescribeTopics", request)
    return [topic.name for topic in answer.topics]


def detail_of(error: grpc.aio.AioRpcError) -> errors_pb2.ErrorDetail:
    return detail_in(dict(error.trailing_metadata())[DETAILS_KEY])


async def names_leader(channel, cluster: Cluster, leader: int) -> None:
    """Once the leader's registration is published at the node that is asked."""
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await create(channel, "nowhere", metadata=((NO_FORWARD, "1"),))
    detail = detail_of(raised.value)
    endpoint = detail.leader.endpoint
    assert (detail.code, detail.leader.node_id) == (ErrorCode.NOT_CONTROLLER, leader)
    assert f"{endpoint.host}:{endpoint.port}" == cluster.node(leader).grpc_endpoint


def changes(cluster: Cluster, node_id: int) -> list[dict]:
    lines = [json.loads(line) for line in cluster.log_of(node_id).splitlines()]
    found = [line for line in lines if line["event"] == "administrative_change_requested"]
    return [{name: line.get(name) for name in ("request", "principal", "client", "forwarded")} for line in found]


def check_facts_of_lines(cluster: Cluster, node_id: int, cluster_id: str) -> None:
    """Every line of a node's log has its id; from the first line on that has them the cluster's id and the epoch."""
    lines = [json.loads(line) for line in cluster.log_of(node_id).splitlines()]
    assert {line.get("node") for line in lines} == {node_id}
    for fact, is_right in (("cluster_id", lambda value: value == cluster_id), ("epoch", lambda value: value >= 0)):
        known = [fact in line for line in lines]
        first = known.index(True)
        assert all(known[first:]), f"node {node_id}: {lines[first + known[first:].index(False)]} has no {fact}"
        assert [line for line in lines[first:] if not is_right(line[fact])] == []
        assert fact in next(line for line in lines if line["event"] == "live_brokers_changed")


async def ready(cluster: Cluster) -> tuple[int, list[int]]:
    """The leader and the other nodes, once each controller's address is published."""
    leader = await cluster.leader()

    async def listed() -> int:
        async with cluster.client() as client:
            return len((await client.describe_cluster()).controllers)

    await eventually(listed, lambda count: count == len(cluster.controller_ids), "all controllers are registered")
    return leader, [node.node_id for node in cluster.sandbox.nodes if node.node_id != leader]


async def test_any_node_does_writes_and_linearizable_reads(tmp_path) -> None:
    """Followers and a broker; after the leader's death the next one is asked."""
    async with running(tmp_path, brokers=1, extra=JSON_LOG | PATIENT) as cluster:
        leader, others = await ready(cluster)
        await eventually(cluster.brokers, lambda found: list(found.values()) == [False], "the broker is not fenced")
        names = []
        for node_id in others:
            async with grpc.aio.insecure_channel(cluster.node(node_id).grpc_endpoint) as channel:
                names.append(f"by-{node_id}")
                (created,) = (await create(channel, names[-1])).results
                assert not created.HasField("error"), created
                assert await topics_at(channel) == names
                await names_leader(channel, cluster, leader)
        of_client = {"request": "CreateTopics", "principal": "User:ANONYMOUS", "client": "127.0.0.1", "forwarded": True}
        assert changes(cluster, leader) == [of_client] * len(others)
        await cluster.kill(leader)
        await cluster.leader()
        async with grpc.aio.insecure_channel(cluster.node(others[-1]).grpc_endpoint) as channel:

            async def again() -> list[str]:
                try:
                    return await topics_at(channel)
                except grpc.aio.AioRpcError as error:
                    return [error.code().name]

            await eventually(again, lambda found: found == names, "the new leader answers")
        async with cluster.client() as client:
            cluster_id = (await client.describe_cluster()).cluster_id
        for node_id in (leader, *others):
            check_facts_of_lines(cluster, node_id, cluster_id)


async def test_a_forwarded_call_is_its_client_s(tmp_path) -> None:
    """With certificates and an authorizer: the client's permission counts, and no client forwards for another."""
    async with running_secure(tmp_path, brokers=0, extra=AUTHORIZED | STEADY) as secure:
        cluster = secure.cluster
        cluster.credentials = as_client(secure, "admin")
        leader, (follower, _) = await ready(cluster)
        address = cluster.node(follower).grpc_endpoint
        async with grpc.aio.secure_channel(address, as_client(secure, "admin")) as channel:
            (altered,) = (await asked(channel, admin_pb2, "AdminService", "AlterClientQuotas", QUOTA)).results
            assert not altered.HasField("error"), altered
        async with grpc.aio.secure_channel(address, as_client(secure, "alice")) as channel:
            with pytest.raises(grpc.aio.AioRpcError) as raised:
                await asked(channel, admin_pb2, "AdminService", "AlterClientQuotas", QUOTA)
            assert raised.value.code() is grpc.StatusCode.PERMISSION_DENIED
            assert "User:CN=alice from 127.0.0.1" in detail_of(raised.value).message
        assert changes(cluster, leader) == [
            {"request": "AlterClientQuotas", "principal": "User:CN=admin", "client": "127.0.0.1", "forwarded": True}
        ]
        assert "authorization_denied" in cluster.log_of(leader)
        assert "authorization_denied" not in cluster.log_of(follower)


async def test_nodes_authenticate_themselves_to_forward(tmp_path) -> None:
    """By SASL, as to the quorum; the client that SASL authenticated at the follower is the call's client."""
    settings = JSON_LOG | {
        AUTHORIZER: STANDARD,
        SUPER_USERS: f"User:{NODE};User:{USER}",
        "grpc.security.protocol": "SASL_PLAINTEXT",
    }
    async with running_sasl(tmp_path, SCRAM_SHA_256, scram=(SCRAM_SHA_256,), extra=settings | STEADY) as cluster:
        cluster.login = login(SCRAM_SHA_256)
        leader, (follower, _) = await ready(cluster)
        nodes = Nodes([cluster.node(follower).grpc_endpoint], lambda: 0.0)
        alice = await open_connection(nodes, Access(login=login(SCRAM_SHA_256)))
        done = await asked(
            alice.channel, admin_pb2, "AdminService", "AlterClientQuotas", QUOTA, metadata=alice.metadata
        )
        await alice.close()
        assert not done.results[0].HasField("error"), done
        assert changes(cluster, leader) == [
            {"request": "AlterClientQuotas", "principal": f"User:{USER}", "client": "127.0.0.1", "forwarded": True}
        ]


def as_client(secure: SecureCluster, name: str) -> grpc.ChannelCredentials:
    issued = secure.authority.issue(name)
    authority = secure.authority.certificate.read_bytes()
    return grpc.ssl_channel_credentials(authority, issued.key.read_bytes(), issued.certificate.read_bytes())
