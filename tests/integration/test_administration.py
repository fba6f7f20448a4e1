"""Elections, reassignments, quotas and SCRAM users on a real quorum, by the commands and the client; then an audit."""

from __future__ import annotations

import asyncio
import hashlib
import json

from kraftpy.client import values as v
from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import ErrorCode
from kraftpy.model.resource_types import ResourceType
from tests.fakes.processes import eventually, kraftpy, running

PASSWORD = b"correct horse"


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


async def test_what_administrators_ask_for_is_decided_replicated_and_sound(tmp_path):
    """Each change is read back from the leader, and the audit of all logs has no error and no warning."""
    async with running(tmp_path, controllers=3, brokers=3) as cluster:
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
        for node_id in cluster.controller_ids:
            assert "horse" not in cluster.log_of(node_id)
            assert "battery" not in cluster.log_of(node_id)
    result = await asyncio.to_thread(kraftpy, "audit", tmp_path, "-o", "json")
    audited = json.loads(result.stdout)
    assert audited["states"]
    assert [one for one in audited["findings"] if one["severity"] in {"error", "warning"}] == []
