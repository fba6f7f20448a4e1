"""Elections, reassignments, quotas and SCRAM users on a real quorum, by the commands and the client; then an audit."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys

import pytest

from kraftpy.client import values as v
from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.resource_types import ResourceType
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import encode_request
from tests.fakes.processes import STEADY, eventually, kraftpy, running
from tests.integration.test_bad_requests import exchanged, forwarded, matching

pytestmark = pytest.mark.landing

PASSWORD = b"correct horse"
SETTINGS = {"log.format": "json", "log.segment.bytes": "104857600"}


def asked(*arguments):
    result = kraftpy(*arguments)
    assert result.returncode == 0, result.stderr
    return result.stdout


async def configs_of_users(endpoint):
    """Quotas and credentials by the command, read back from the leader."""
    both = ("--user", "alice", "--client", "app")
    for words in (
        (*both, "--add", "consumer_byte_rate=2048,request_percentage=50"),
        (*both, "--delete", "request_percentage"),
        ("--user", "alice", "--add", "SCRAM-SHA-512=[iterations=4096,password=battery]"),
        ("--user", "alice", "--delete", "SCRAM-SHA-256"),
        ("--ip-defaults", "--add", "connection_creation_rate=7"),
    ):
        altered = await asyncio.to_thread(asked, "configs", "alter", *words, *endpoint)
        assert altered.startswith("Completed updating config for ")
    newest = ("--consistency", "linearizable", *endpoint)
    described = await asyncio.to_thread(asked, "configs", "describe", "--user", "alice", *newest)
    assert described == (
        "Quota configs for user-principal 'alice' are producer_byte_rate=1024.0\n"
        "SCRAM credential configs for user-principal 'alice' are SCRAM-SHA-512=iterations=4096\n"
    )
    described = await asyncio.to_thread(asked, "configs", "describe", *both, *newest)
    assert described == ("Quota configs for user-principal 'alice', client-id 'app' are consumer_byte_rate=2048.0\n")
    described = await asyncio.to_thread(asked, "configs", "describe", "--entity-type", "ips", *newest)
    assert described == "Quota configs for the default ip are connection_creation_rate=7.0\n"
    words = ("--user", "alice", "--add", "nonsense=1")
    refused = await asyncio.to_thread(kraftpy, "configs", "alter", *words, *endpoint)
    assert (refused.returncode, "nonsense" in refused.stderr) == (1, True), refused.stderr


async def throttles_of(client, topic, broker_id) -> dict[str, str]:
    """The throttles that are set on a topic and a broker."""
    found = await client.describe_configs(
        [v.Resource(ResourceType.TOPIC, topic), v.Resource(ResourceType.BROKER, str(broker_id))],
        consistency=Consistency.LINEARIZABLE,
    )
    return {name: value for keys in found.resources.values() for name, value in keys.items() if "throttled" in name}


async def what_brokers_ask_for(client):
    """A leader over gRPC: blocks of ids of its own, and a report about a state that is over."""
    (topic,) = (await client.describe_topics(["orders"], consistency=Consistency.LINEARIZABLE)).topics
    leads = topic.partitions[0]
    epochs = {one.broker_id: one.epoch for one in (await client.describe_cluster()).brokers}
    sender = (leads.leader, epochs[leads.leader])
    blocks = [await client.allocate_producer_ids(*sender) for _ in range(2)]
    assert [(one.start, one.length) for one in blocks] == [(0, 1_000), (1_000, 1_000)]
    report = v.InSyncReplicas(
        topic_id=topic.topic_id,
        partition=0,
        leader_epoch=leads.leader_epoch,
        partition_epoch=leads.partition_epoch - 1,
        isr={leads.leader: epochs[leads.leader]},
    )
    (altered,) = (await client.alter_partition(*sender, [report])).outcomes
    assert altered.error is ErrorCode.INVALID_UPDATE_VERSION
    with pytest.raises(ApiError) as stale:
        await client.assign_replicas_to_dirs(leads.leader, -1, {(topic.topic_id, 0): bytes(16)})
    assert stale.value.code is ErrorCode.STALE_BROKER_EPOCH


async def over_kafkas_protocol(cluster, leader):
    """A change by a connection of its own, and one of a broker's client; both are refused by the controller."""
    address = cluster.node(leader).properties["listeners"].removeprefix("CONTROLLER://")
    await exchanged(address, encode_request("c", 5, matching("("), 1))
    await exchanged(address, encode_request("c", 6, forwarded(rpc.UnregisterBrokerRequest(77), 0), 0))


def changes_of(cluster):
    """The lines of administrative changes in the logs of all controllers, by offset; refusals come last."""
    lines = [json.loads(line) for node_id in cluster.controller_ids for line in cluster.log_of(node_id).splitlines()]
    changes = [line for line in lines if line["event"] == "administrative_change_requested"]
    return sorted(changes, key=lambda line: line.get("offset", sys.maxsize))


def check_changes(changes):
    """Each change of the test has one line, with its offset; refusals have their codes."""
    kinds = [(line["request"], *line["about"]) for line in changes]
    for expected in (
        ("CreateTopics", "orders"),
        ("AlterPartitionReassignments", "orders: 0"),
        ("ElectLeaders", "PREFERRED of orders: 0"),
        ("AlterClientQuotas", "user alice: producer_byte_rate"),
        ("AlterUserScramCredentials", "alice: SCRAM-SHA-256 set"),
        ("AlterUserScramCredentials", "alice: SCRAM-SHA-256 deleted"),
        ("AlterUserScramCredentials", "alice: SCRAM-SHA-512 set"),
        ("AlterClientQuotas", "ip (default): connection_creation_rate"),
    ):
        assert expected in kinds, expected
    assert not {"RegisterBroker", "BrokerHeartbeat", "AlterPartition", "AllocateProducerIds"} & {
        kind for kind, *_ in kinds
    }
    offsets = [line["offset"] for line in changes if line["outcome"] == "ok"]
    assert len(offsets) >= 8
    assert offsets == sorted(set(offsets))
    assert {line["client"] for line in changes if "forwarded" not in line} == {"127.0.0.1"}
    of_kafka = [line for line in changes if line["outcome"] == "INVALID_CONFIG 1"]
    assert [(line["principal"], line["about"]) for line in of_kafka] == [
        ("User:ANONYMOUS", ["CLIENT_METRICS m: match"]),
    ]
    [of_broker] = [line for line in changes if "forwarded" in line]
    assert (of_broker["request"], of_broker["outcome"]) == ("UnregisterBroker", "BROKER_ID_NOT_REGISTERED")
    assert of_broker["principal"] != "User:ANONYMOUS"


async def test_what_administrators_ask_for_is_decided_replicated_and_sound(tmp_path):
    """Each change is read back from the leader, and has a line in its log; the audit of all logs has no finding."""
    async with running(tmp_path, controllers=3, brokers=3, extra=SETTINGS | STEADY) as cluster:
        await cluster.leader()
        await eventually(cluster.brokers, lambda found: list(found.values()) == [False] * 3, "three brokers run")
        first, second, third = sorted(await cluster.brokers())
        endpoint = ("-C", cluster.node(1).grpc_endpoint)
        async with cluster.client() as client:
            topic = v.NewTopic(name="orders", assignments={0: [first, second], 1: [second, third]})
            created = await client.create_topics([topic])
            assert created.outcomes[0].error is ErrorCode.NONE, created.outcomes[0].message
            path = tmp_path / "moves.json"
            rows = [{"topic": "orders", "partition": 0, "replicas": [second, third]}]
            path.write_text(json.dumps({"partitions": rows}))
            file = ("--reassignment-json-file", path)
            execute = ("reassign-partitions", "--execute", "--throttle", "1000000")
            started = await asyncio.to_thread(asked, *execute, *file, *endpoint)
            assert started.endswith("Successfully started partition reassignment for orders-0\n")
            listed = await client.list_partition_reassignments(consistency=Consistency.LINEARIZABLE)
            assert [(one.topic, one.partition, one.adding_replicas) for one in listed.reassignments] == [
                ("orders", 0, (third,))
            ]
            assert await throttles_of(client, "orders", second) == {
                "leader.replication.throttled.replicas": f"0:{first},0:{second}",
                "follower.replication.throttled.replicas": f"0:{third}",
                "leader.replication.throttled.rate": "1000000",
                "follower.replication.throttled.rate": "1000000",
            }
            cancelled = await asyncio.to_thread(asked, "reassign-partitions", "--cancel", *file, *endpoint)
            assert cancelled == (
                "Successfully cancelled partition reassignment for: orders-0\n"
                f"Clearing broker-level throttles on brokers {first},{second},{third}\n"
                "Clearing topic-level throttles on topic orders\n"
            )
            assert await throttles_of(client, "orders", second) == {}
            options = ("--election-type", "preferred", "--topic", "orders", "--partition", 0)
            elected = await asyncio.to_thread(asked, "leader-election", *options, *endpoint)
            assert elected == "Successfully completed leader election (PREFERRED) for partitions orders-0\n"
            entity = {"user": "alice"}
            quotas = await client.alter_client_quotas([(entity, {"producer_byte_rate": 1024.0})])
            assert quotas.outcomes == (v.QuotaOutcome(entity),)
            salted = hashlib.pbkdf2_hmac("sha256", PASSWORD, b"salt", 8192)
            credential = v.NewScramCredential("alice", v.ScramMechanism.SHA_256, 8192, b"salt", salted)
            assert (await client.alter_user_scram_credentials([credential])).outcomes == (v.ScramOutcome("alice"),)
            found = await client.describe_client_quotas(entity, consistency=Consistency.LINEARIZABLE)
            assert found.entities == ((entity, {"producer_byte_rate": 1024.0}),)
            users = await client.describe_user_scram_credentials(consistency=Consistency.LINEARIZABLE)
            assert users.users == {"alice": {1: 8192}}
            await configs_of_users(endpoint)
            await what_brokers_ask_for(client)
            every = await asyncio.to_thread(asked, "configs", "describe", "--all", "--topic", "orders", *endpoint)
            assert (
                "  segment.bytes=104857600 sensitive=false synonyms={STATIC_BROKER_CONFIG:log.segment.bytes=104857600, "
                "DEFAULT_CONFIG:log.segment.bytes=1073741824}\n"
            ) in every
        await over_kafkas_protocol(cluster, await cluster.leader())
        check_changes(changes_of(cluster))
        for node_id in cluster.controller_ids:
            assert "horse" not in cluster.log_of(node_id)
            assert "battery" not in cluster.log_of(node_id)
    result = await asyncio.to_thread(kraftpy, "audit", tmp_path, "-o", "json")
    audited = json.loads(result.stdout)
    assert audited["states"]
    assert [one for one in audited["findings"] if one["severity"] in {"error", "warning"}] == []
