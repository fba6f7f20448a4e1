"""The processes of a local cluster's nodes: what they get of the environment."""

from __future__ import annotations

import asyncio
import sys

from kraftpy.local_cluster import child_processes
from kraftpy.local_cluster.cluster import open_local_cluster


async def test_nodes_get_no_values_from_the_environment_of_their_cluster(tmp_path, monkeypatch):
    """One that sets ``node.id`` would set it for all of them; other variables are theirs, too."""
    started = {}

    async def create(*command, env, **_):
        started[command] = env

    monkeypatch.setattr(asyncio, "create_subprocess_exec", create)
    monkeypatch.setenv("KRAFTPY_CONF_NODE_ID", "7")
    monkeypatch.setenv("KRAFTPY_TEST", "x")
    node = open_local_cluster(tmp_path / "c", controllers=1, brokers=0).controllers[0]
    await child_processes.start_child(node, {"MORE": "1"})
    ((command, env),) = started.items()
    assert command[0] == sys.executable
    assert (env["KRAFTPY_TEST"], env["MORE"], "KRAFTPY_CONF_NODE_ID" in env) == ("x", "1", False)
