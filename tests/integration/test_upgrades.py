"""A cluster with topics goes from Kafka 4.3's metadata.version to the newest: 30, 40, 41, 42.

Level 40 brings the cluster id into the log, 41 the ids by host, 42 saturated directories. Nothing else changes: topics,
leaders, ISRs and the registrations of the brokers stay as they are.
"""

from __future__ import annotations

import asyncio
import errno
import json
from contextlib import asynccontextmanager

import pytest

from kraftpy.client import values as v
from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import ErrorCode
from kraftpy.records.metadata import ClusterIdRecord
from tests.fakes.processes import configure, eventually, kraftpy, read_log, records_of, running
from tests.integration.test_disk_faults import FAULTY_NODE, fault

CLUSTER_ID = "MkU3OEVBNTcwNTJENDM2Qg"
FULL, OTHER = 4, 5
EXTRA = {
    "unstable.feature.versions.enable": "true",
    "log.dir.check.interval.ms": "100",
    "log.dir.recovery.free.bytes": "200000",
}


@asynccontextmanager
async def formatted_cluster(root):
    """Three controllers and two brokers of one data directory, all formatted for 4.3; nothing runs yet."""
    async with running(root, brokers=2, extra=EXTRA, start=False) as cluster:
        for node in cluster.sandbox.brokers:
            first, second = node.log_dirs
            host = f"host-{node.node_id}"
            configure(node, log__dirs=str(second), metadata__log__dir=str(first), broker__id__recovery__host=host)
        for node in cluster.sandbox.nodes:
            options = ("-c", node.config_file, "-r", "4.3", "-t", CLUSTER_ID)
            done = await asyncio.to_thread(kraftpy, "storage", "format", *options)
            assert done.returncode == 0, done.stderr
        yield cluster


async def start_all(cluster):
    """Start every node, the first broker on a disk that can be made full, and wait for both brokers."""
    await cluster.start(*cluster.controller_ids, OTHER)
    await cluster.start_script(FAULTY_NODE, FULL)
    await cluster.leader()
    await eventually(cluster.brokers, lambda one: one == {FULL: False, OTHER: False}, "brokers are unfenced")


async def level(client):
    features = await client.describe_features(consistency=Consistency.LINEARIZABLE)
    return next(one.finalized_level for one in features.features if one.name == "metadata.version")


async def hosts(client):
    found = await client.describe_broker_hosts(consistency=Consistency.LINEARIZABLE)
    return {one.host: one.broker_id for one in found.hosts}


async def saturated(client):
    described = await client.describe_cluster(include_fenced=True)
    return {one.broker_id: len(one.saturated_log_dirs) for one in described.brokers}


async def topics(client):
    """All topics with their configs and partitions, as of now."""
    return {one.name: one for one in (await client.describe_topics(consistency=Consistency.LINEARIZABLE)).topics}


async def leaderships(client):
    return {(part.leader, part.isr) for one in (await topics(client)).values() for part in one.partitions}


async def processes(client):
    """Broker ids, and what a new registration of another process would change."""
    described = await client.describe_cluster(include_fenced=True, consistency=Consistency.LINEARIZABLE)
    return {one.broker_id: (one.epoch, one.incarnation_id, one.fenced) for one in described.brokers}


def cluster_ids(cluster):
    """The ids in the logs of the controllers; a log that has none yet is left out."""
    logs = [records_of(read_log(cluster.data(node_id))) for node_id in cluster.controller_ids]
    found = [[one.cluster_id for one in records if isinstance(one, ClusterIdRecord)] for records in logs]
    return [each for each in found if each]


async def create(client, *new):
    done = await client.create_topics(new)
    assert [one.error for one in done.outcomes] == [0] * len(new), done.outcomes


async def upgrade(cluster, client, to):
    """Go to a level; every topic and every broker stays as it was, and a topic can be made."""
    before, brokers = await topics(client), await processes(client)
    position = await client.update_features([v.FeatureChange("metadata.version", to)], retry_unknown=True)
    for node in cluster.sandbox.nodes:
        await cluster.caught_up(node.node_id, position.offset)
    for node in cluster.sandbox.brokers:
        gauges = await cluster.metrics(node.node_id)
        assert gauges["kraft_metadata_version"] == to
    assert await level(client) == to
    await create(client, v.NewTopic(name=f"at-{to}", partitions=2, replication_factor=2))
    after = await topics(client)
    assert after.pop(f"at-{to}").partition_count == 2
    assert after == before
    assert await processes(client) == brokers


@pytest.mark.landing
async def test_a_cluster_with_topics_goes_from_30_over_40_to_42(tmp_path):
    """A level loses or changes a topic, fences a broker, or does not bring what it is there for."""
    async with formatted_cluster(tmp_path) as cluster:
        await start_all(cluster)
        async with cluster.client() as client:
            assert await level(client) == 30
            await create(
                client,
                v.NewTopic(name="placed", partitions=6, replication_factor=2, configs={"retention.ms": "1000"}),
                v.NewTopic(name="by.hand", assignments={0: [FULL, OTHER], 1: [OTHER, FULL]}),
            )
            assert cluster_ids(cluster) == []
            await upgrade(cluster, client, 40)
            assert (await client.describe_cluster()).cluster_id == CLUSTER_ID
            assert cluster_ids(cluster) == [[CLUSTER_ID]] * 3
            assert await hosts(client) == {}
            await upgrade(cluster, client, 41)
            await eventually(lambda: hosts(client), lambda one: one == {"host-4": FULL, "host-5": OTHER}, "hosts")
            await upgrade(cluster, client, 42)
            assert cluster_ids(cluster) == [[CLUSTER_ID]] * 3
            await fill_and_heal(cluster, client)
            before = await topics(client)
        for node_id in (FULL, OTHER, *cluster.controller_ids):
            assert await cluster.terminate(node_id) == 0
        await start_all(cluster)
        async with cluster.client() as client:
            await check_after_restart(client, before)
        for node_id in (FULL, OTHER, *cluster.controller_ids):
            assert await cluster.terminate(node_id) == 0
    audited = kraftpy("audit", tmp_path, "-o", "json")
    assert json.loads(audited.stdout)["findings"] == [], audited.stdout


async def fill_and_heal(cluster, client):
    """Let a directory be full: nothing is led or placed there until it has space."""
    (disk,) = cluster.node(FULL).log_dirs
    fault(cluster, FULL).write_text(f"refuse {errno.ENOSPC} {disk}")
    await eventually(lambda: saturated(client), lambda one: one == {FULL: 1, OTHER: 0}, "it is saturated")
    await eventually(lambda: leaderships(client), lambda one: one == {(OTHER, (OTHER,))}, "nothing is led there")
    refused = await client.create_topics([v.NewTopic(name="wide", partitions=1, replication_factor=2)])
    assert refused.outcomes[0].error is ErrorCode.INVALID_REPLICATION_FACTOR
    fault(cluster, FULL).unlink()
    await eventually(lambda: saturated(client), lambda one: one == {FULL: 0, OTHER: 0}, "it has space again")


async def check_after_restart(client, before):
    """Check that level, id, hosts and topics survived a restart of every node, and that every partition is led."""
    assert await level(client) == 42
    assert (await client.describe_cluster()).cluster_id == CLUSTER_ID
    assert await hosts(client) == {"host-4": FULL, "host-5": OTHER}
    after = await topics(client)
    assert all(part.leader is not None for one in after.values() for part in one.partitions)
    assert [_lasting(one) for one in after.values()] == [_lasting(one) for one in before.values()]
    await create(client, v.NewTopic(name="after-restart", partitions=2, replication_factor=2))


def _lasting(topic):
    """What of a topic no restart changes."""
    return topic.name, topic.topic_id, topic.configs, [(one.partition, one.replicas) for one in topic.partitions]
