"""A whole cluster whose controllers authenticate by SASL: it forms from empty directories, writes and fails over."""

from __future__ import annotations

import pytest

from kraftpy.authenticator.mechanism import PLAIN, SCRAM_SHA_256
from tests.fakes.processes import Cluster, described, eventually, group
from tests.fakes.sasl_cluster import running_sasl


async def write(cluster: Cluster, value: int) -> None:
    async with cluster.client(*cluster.running_controllers) as client:
        await client.incremental_alter_configs(group("g", str(value)), retry_unknown=True)
        await eventually(lambda: described(client), lambda all_: all_.get("g") == str(value), "the value is there")


@pytest.mark.parametrize("mechanism", [SCRAM_SHA_256, PLAIN])
async def test_a_quorum_on_sasl_forms_writes_and_fails_over(tmp_path, mechanism) -> None:
    """Three controllers and a broker; then all are stopped and start again, when only their logs know the users."""
    scram = () if mechanism == PLAIN else (mechanism,)
    async with running_sasl(tmp_path, mechanism, scram=scram, brokers=1) as cluster:
        leader = await cluster.leader()
        await eventually(cluster.brokers, lambda found: found == {4: False}, "the broker is registered and not fenced")
        await write(cluster, 10_001)
        await cluster.kill(leader)
        assert await cluster.leader() != leader
        await write(cluster, 10_002)
        await cluster.kill(*cluster.running_controllers)
        await cluster.start(*cluster.controller_ids)
        await cluster.leader()
        await write(cluster, 10_003)
        for node_id in cluster.controller_ids:
            gauges = await eventually(lambda n=node_id: cluster.metrics(n), bool, "it answers")
            assert gauges["kraft_authentication_failures_total"] == 0
            assert "secret" not in cluster.log_of(node_id)
