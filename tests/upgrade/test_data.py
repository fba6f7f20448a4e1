"""The data of the last landed version: this one starts on its directories, shows the same state and writes on."""

from __future__ import annotations

import asyncio
import hashlib
import json

import pytest

from kraftpy.client import values as v
from kraftpy.client.async_client import AsyncClient
from kraftpy.config.authorization import AUTHORIZER, STANDARD, SUPER_USERS
from kraftpy.model.consistency import Consistency
from kraftpy.model.ids import NodeId
from kraftpy.model.resource_types import ResourceType
from kraftpy.records.metadata import LogRecord, RegisterBrokerRecord, RegisterControllerRecord
from tests.fakes.processes import eventually, kraftpy, under_load
from tests.upgrade.mixed_cluster import NEW, MixedCluster, mixed_cluster

pytestmark = pytest.mark.landing

AUTHORIZED = {AUTHORIZER: STANDARD, SUPER_USERS: "User:ANONYMOUS"}
DEFAULTS = v.Resource(ResourceType.BROKER, "")
SNAPSHOTS = 3


async def write_everything(client: AsyncClient) -> None:
    """Write something of each kind that a client can."""
    made = await client.create_topics(
        [
            v.NewTopic(name="placed", partitions=4, replication_factor=2, configs={"retention.ms": "1000"}),
            v.NewTopic(name="by.hand", assignments={0: [NodeId(4), NodeId(5)], 1: [NodeId(5), NodeId(4)]}),
            v.NewTopic(name="gone", partitions=1, replication_factor=1),
        ]
    )
    deleted = await client.delete_topics(["gone"])
    changes = {
        DEFAULTS: [v.ConfigChange("log.cleaner.threads", "3")],
        v.Resource(ResourceType.BROKER, "4"): [v.ConfigChange("log.cleaner.threads", "2")],
        v.Resource(ResourceType.CLIENT_METRICS, "all"): [v.ConfigChange("interval.ms", "30000")],
    }
    configs = await client.incremental_alter_configs(changes)
    quotas = await client.alter_client_quotas(
        [
            ({"user": "alice", "client-id": None}, {"producer_byte_rate": 1024.0}),
            ({"ip": None}, {"connection_creation_rate": 5.0}),
        ]
    )
    salted = hashlib.pbkdf2_hmac("sha256", b"password", b"salt", 8192)
    scram = await client.alter_user_scram_credentials(
        [v.NewScramCredential("alice", v.ScramMechanism.SHA_256, 8192, b"salt", salted)]
    )
    acls = await client.create_acls(
        [
            v.AclEntry(
                resource_type=v.AclResourceType.TOPIC,
                resource_name="placed",
                pattern_type=v.PatternType.PREFIXED,
                principal="User:alice",
                operation=v.AclOperation.READ,
            )
        ]
    )
    outcomes = [*made.outcomes, *deleted.outcomes, *configs.outcomes, *quotas.outcomes, *scram.outcomes, *acls.outcomes]
    assert [one for one in outcomes if one.error] == []


async def stopped_state(mixed: MixedCluster) -> list[LogRecord]:
    """Stop the brokers, and return what the controllers then agree on: no later restart of theirs changes it."""
    await mixed.stop(mixed.broker_ids)
    states = [await mixed.state(node_id) for node_id in mixed.cluster.controller_ids]
    assert states[1:] == states[:-1]
    return states[0]


def lasting(state: list[LogRecord]) -> list[LogRecord]:
    """What no start of a controller changes: all but that it registers as a new process."""
    return [record for record in state if not isinstance(record, RegisterControllerRecord)]


def registered(state: list[LogRecord]) -> dict[int, object]:
    found = [record for record in state if isinstance(record, RegisterControllerRecord)]
    return {record.controller_id: record.end_points for record in found}


async def restarted_state(mixed: MixedCluster) -> list[LogRecord]:
    """Start the controllers on the old directories; return what they have once all have registered."""
    offsets = [max(mixed.snapshots(node_id)) for node_id in mixed.cluster.controller_ids]
    await mixed.start(NEW, *mixed.cluster.controller_ids)
    leader = await mixed.cluster.leader()
    async with mixed.cluster.client() as client:
        loaded = await client.describe_cluster(include_fenced=True, consistency=Consistency.LINEARIZABLE)
        assert {one.broker_id: one.fenced for one in loaded.brokers} == dict.fromkeys(mixed.broker_ids, True)
    for node_id, offset in zip(mixed.cluster.controller_ids, offsets, strict=True):
        await mixed.cluster.caught_up(node_id, offset)
    return await mixed.state(leader)


async def test_this_version_goes_on_where_the_last_landed_one_ended(tmp_path, old_tree) -> None:
    """A start refuses or changes old data, a node shows another state, or what is written next is not taken."""
    async with mixed_cluster(tmp_path, old_tree, extra=AUTHORIZED) as mixed:
        cluster = mixed.cluster
        async with cluster.client() as client:
            await write_everything(client)
        async with under_load(cluster, writers=2) as load:
            await load.grow(60)
            for node_id in mixed.node_ids:
                await eventually(
                    lambda node_id=node_id: asyncio.to_thread(mixed.snapshots, node_id),
                    lambda found: len(found) >= SNAPSHOTS,
                    f"node {node_id} has several snapshots",
                )
        before = await stopped_state(mixed)
        assert [type(one) for one in before].count(RegisterBrokerRecord) == len(mixed.broker_ids)
        await mixed.stop(cluster.controller_ids)

        after = await restarted_state(mixed)
        assert lasting(after) == lasting(before)
        assert registered(after) == registered(before)
        await mixed.start(NEW, *mixed.broker_ids)
        await mixed.brokers_are_unfenced()
        async with under_load(cluster, prefix="later") as more:
            await more.grow(60)
            await mixed.agreed(mixed.node_ids, more.last_offset)
        for node_id in mixed.node_ids:
            await mixed.has_snapshot(node_id, more.last_offset - 40)
            assert "Traceback" not in cluster.log_of(node_id)
        await mixed.have_all(load)
        await mixed.have_all(more)
        await mixed.one_state()
        await mixed.stop((*mixed.broker_ids, *cluster.controller_ids))
    audited = await asyncio.to_thread(kraftpy, "audit", tmp_path, "--engine", "local", "-o", "json")
    findings = json.loads(audited.stdout)["findings"]
    assert [one for one in findings if one["severity"] in {"error", "warning"}] == []
