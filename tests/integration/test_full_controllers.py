"""A controller whose disk is nearly full: it refuses what grows, lives on, and goes back to normal by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from kraftpy.client.values import ConfigChange, ConfigOp, Resource
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.resource_types import ResourceType
from tests.fakes.processes import eventually, running
from tests.integration.test_disk_faults import fill, tmpfs

pytestmark = pytest.mark.landing

RESERVE_BYTES = 1 << 20
DEFAULTS = Resource(ResourceType.BROKER, "")
ALARM = "kraft_metadata_disk_alarm"


async def has_alarm(cluster, node_id, *, is_raised):
    async def alarm():
        return (await cluster.metrics(node_id)).get(ALARM)

    await eventually(alarm, lambda value: value == float(is_raised), f"alarm of {node_id} is {is_raised}")


def reserve_of(cluster, node_id):
    return Path(cluster.node(node_id).log_dirs[0]) / "kraftpy.metadata-reserve"


async def threads(client):
    """The default as DescribeConfigs has it; ``None`` without one."""
    return (await client.describe_configs()).resources.get(DEFAULTS, {}).get("log.cleaner.threads")


async def set_config(client, value):
    """Set the default, or delete it."""
    op = ConfigOp.SET if value is not None else ConfigOp.DELETE
    change = ConfigChange("log.cleaner.threads", value, op)
    await client.incremental_alter_configs({DEFAULTS: [change]}, retry_unknown=True)


async def test_the_only_controller_refuses_what_grows_until_there_is_space(tmp_path):
    """On a disk without a free byte it lives, deletes, and restarts; with space again it takes everything."""
    async with running(tmp_path, controllers=1, start=False) as cluster:

        async def reserve_exists():
            return reserve_of(cluster, 1).exists()

        (disk,) = cluster.node(1).log_dirs
        with tmpfs(disk):
            await cluster.start(1)
            async with cluster.client() as client:
                await set_config(client, "3")
                assert reserve_of(cluster, 1).stat().st_size == RESERVE_BYTES
                await has_alarm(cluster, 1, is_raised=False)
                fill(disk)
                # A check that came while the disk was being filled may have raised the alarm alone.
                await eventually(reserve_exists, lambda exists: not exists, "the reserve is removed")
                await has_alarm(cluster, 1, is_raised=True)
                for _ in range(2):
                    with pytest.raises(ApiError, match=f"bytes free in {disk}, less than") as refused:
                        await set_config(client, "4")
                    assert refused.value.code is ErrorCode.POLICY_VIOLATION
                    assert await threads(client) == "3"
                    await cluster.terminate(1)
                    await cluster.start(1)
                    await has_alarm(cluster, 1, is_raised=True)
                await set_config(client, None)
                assert await threads(client) is None
                (disk / "ballast").unlink()
                await has_alarm(cluster, 1, is_raised=False)
                assert reserve_of(cluster, 1).stat().st_size == RESERVE_BYTES
                await set_config(client, "5")
                assert await threads(client) == "5"
            await cluster.terminate(1)
        log = cluster.log_of(1)
        assert "disk_alarm_cleared" in log
        assert "Traceback" not in log


async def test_a_leader_with_a_full_disk_hands_over(tmp_path):
    """No client is refused: they find the next leader, and the node follows in the space of its reserve."""
    async with running(tmp_path, start=False) as cluster:
        disk = cluster.node(1).log_dirs[0]
        with tmpfs(disk):
            await cluster.start(*cluster.controller_ids)
            await cluster.leader()
            await cluster.lead(1)
            async with cluster.client() as client:
                fill(disk)
                await eventually(cluster.leader, lambda one: one != 1, "another one leads")
                for value in "3456":
                    await set_config(client, value)
                assert await threads(client) == "6"
            await has_alarm(cluster, 1, is_raised=True)
            (disk / "ballast").unlink()
            await has_alarm(cluster, 1, is_raised=False)
            assert cluster.is_running(1)
            await cluster.terminate(1)
        assert "leader_hands_over" in cluster.log_of(1)
