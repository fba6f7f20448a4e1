"""A broker whose log directory is full goes on, without its replicas there, and comes back (KIP-928)."""

from __future__ import annotations

import errno
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from kraftpy.client import values as v
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.registrations import BrokerHeartbeat
from tests.fakes.processes import configure, eventually, running
from tests.integration.test_disk_faults import FAULTY_NODE, fault, fill, tmpfs

pytestmark = pytest.mark.landing

CONTROLLER, BROKER, OTHER = 1, 2, 3
RESERVE_BYTES = 1 << 20
SOON = {
    "unstable.feature.versions.enable": "true",
    "log.dir.check.interval.ms": "100",
    "log.dir.reserve.bytes": str(RESERVE_BYTES),
    "log.dir.recovery.free.bytes": "200000",
}


@asynccontextmanager
async def cluster_of(root, **kwargs):
    """One controller and two brokers, each with one log directory beside that of its metadata log; nothing runs yet."""
    async with running(root, controllers=1, brokers=2, extra=SOON, start=False, **kwargs) as cluster:
        for node_id in (BROKER, OTHER):
            first, second = cluster.node(node_id).log_dirs
            configure(cluster.node(node_id), log__dirs=str(second), metadata__log__dir=str(first))
        yield cluster


async def begin(cluster, client):
    """Go to metadata.version 42 and make a topic whose first replica is on the broker."""
    await eventually(cluster.brokers, lambda one: one == {BROKER: False, OTHER: False}, "brokers are unfenced")
    await client.update_features([v.FeatureChange("metadata.version", 42)], retry_unknown=True)
    # A broker that does not know the level yet takes a full directory for a broken one.
    await eventually(
        lambda: cluster.metrics(BROKER), lambda gauges: gauges.get("kraft_metadata_version") == 42, "it knows the level"
    )
    done = await client.create_topics([v.NewTopic(name="t", assignments={0: [BROKER, OTHER], 1: [OTHER, BROKER]})])
    assert [one.error for one in done.outcomes] == [0]


async def saturated(client):
    described = await client.describe_cluster(include_fenced=True)
    return {one.broker_id: len(one.saturated_log_dirs) for one in described.brokers}


async def partitions(client):
    (topic,) = (await client.describe_topics(["t"])).topics
    return [(one.leader, one.isr) for one in topic.partitions]


async def wait_for(client, full, led):
    await eventually(lambda: saturated(client), lambda one: one == {BROKER: full, OTHER: 0}, f"{full} saturated")
    await eventually(lambda: partitions(client), lambda one: one == led, f"partitions are {led}")


async def test_a_broker_with_a_full_directory_goes_on(tmp_path):
    """A disk without a free byte: its replicas are led and placed elsewhere, topics are deleted, and space heals it."""
    async with cluster_of(tmp_path) as cluster:
        (disk,) = cluster.node(BROKER).log_dirs
        with tmpfs(disk):
            await cluster.start(CONTROLLER, BROKER, OTHER)
            async with cluster.client() as client:
                await begin(cluster, client)
                assert (disk / "kraftpy.reserve").stat().st_size == RESERVE_BYTES
                fill(disk)
                await wait_for(client, 1, [(OTHER, (OTHER,)), (OTHER, (OTHER,))])
                assert not (disk / "kraftpy.reserve").exists()
                async with cluster.client(BROKER) as broker:
                    (shown,) = (await broker.describe_log_dirs()).log_dirs
                assert (shown.path, shown.state, shown.reserve_bytes) == (str(disk), "saturated", 0)
                assert "No space left" in shown.reason
                assert (shown.usable_bytes or 0) <= RESERVE_BYTES < (shown.total_bytes or 0)
                gauges = await cluster.metrics(BROKER)
                assert (gauges["kraft_saturated_log_directory_count"], gauges["kraft_offline_log_directory_count"]) == (
                    1,
                    0,
                )
                assert (await cluster.brokers())[BROKER] is False
                refused = await client.create_topics([v.NewTopic(name="u", partitions=1, replication_factor=2)])
                assert refused.outcomes[0].error == ErrorCode.INVALID_REPLICATION_FACTOR
                await cluster.kill(CONTROLLER)
                await cluster.start(CONTROLLER)
                await wait_for(client, 1, [(OTHER, (OTHER,)), (OTHER, (OTHER,))])
                deleted = await client.delete_topics(["t"])
                assert [one.error for one in deleted.outcomes] == [0]
                assert cluster.is_running(BROKER)
                (disk / "ballast").unlink()
                await eventually(lambda: saturated(client), lambda one: one == {BROKER: 0, OTHER: 0}, "it has space")
                assert (disk / "kraftpy.reserve").stat().st_size == RESERVE_BYTES
                again = await client.create_topics([v.NewTopic(name="u", partitions=1, replication_factor=2)])
                assert again.outcomes[0].error == 0
            await cluster.kill(BROKER)


async def test_only_a_full_disk_saturates(tmp_path):
    """No space left, then another error: saturated, then offline, which ends a broker without another directory."""
    async with cluster_of(tmp_path) as cluster:
        (disk,) = cluster.node(BROKER).log_dirs
        await cluster.start(CONTROLLER, OTHER)
        await cluster.start_script(FAULTY_NODE, BROKER)
        async with cluster.client() as client:
            await begin(cluster, client)
            fault(cluster, BROKER).write_text(f"refuse {errno.ENOSPC} {disk}")
            await wait_for(client, 1, [(OTHER, (OTHER,)), (OTHER, (OTHER,))])
            assert cluster.is_running(BROKER)
            fault(cluster, BROKER).write_text(f"refuse {errno.EIO} {disk}")
            assert await cluster.exit_code(BROKER) == 1
            assert "no log directory is left that works" in cluster.log_of(BROKER)


async def test_a_full_disk_at_the_start(tmp_path):
    """Without space for the reserve a broker does not start, unless that is wanted; then it starts saturated."""
    async with cluster_of(tmp_path) as cluster:
        (disk,) = cluster.node(BROKER).log_dirs
        with tmpfs(disk):
            await cluster.start(CONTROLLER, BROKER, OTHER)
            async with cluster.client() as client:
                await begin(cluster, client)
                assert await cluster.terminate(BROKER) == 0
                (disk / "kraftpy.reserve").unlink()
                fill(disk)
                await cluster.start(BROKER)
                assert await cluster.exit_code(BROKER) == 1
                assert "log.dir.start.saturated" in cluster.log_of(BROKER)
                configure(cluster.node(BROKER), log__dir__start__saturated="true")
                await cluster.start(BROKER)
                await eventually(cluster.brokers, lambda one: one[BROKER] is False, "the broker is unfenced")
                assert (await saturated(client))[BROKER] == 1
            await cluster.kill(BROKER)


async def test_a_heartbeat_reports_a_limited_number_of_directories(tmp_path):
    """Beyond it the request is refused; below it, what is not registered changes nothing."""
    async with cluster_of(tmp_path) as cluster:
        await cluster.start(CONTROLLER, BROKER, OTHER)
        async with cluster.client() as client:
            await begin(cluster, client)
            found = await client.describe_cluster(include_fenced=True)
            (epoch,) = [one.epoch for one in found.brokers if one.broker_id == BROKER]
            ids = tuple(number.to_bytes(16, "big") for number in range(1_000, 11_001))
            report = BrokerHeartbeat(broker_id=BROKER, broker_epoch=epoch, metadata_offset=10**9)
            with pytest.raises(ApiError, match=r"10001 saturated_log_dirs, at most 10000 are allowed"):
                await client.broker_heartbeat(replace(report, saturated_log_dirs=ids))
            await client.broker_heartbeat(replace(report, saturated_log_dirs=ids[1:], cordoned_log_dirs=ids[1:]))
            assert await saturated(client) == {BROKER: 0, OTHER: 0}
