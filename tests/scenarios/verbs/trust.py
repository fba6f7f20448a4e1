"""``trust N ...``: let empty directories count from the next start of their nodes."""

from __future__ import annotations

from dataclasses import replace

from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    for node_id in args:
        node = world.cluster.nodes[int(node_id)]
        node.disk.replica_status = node.disk.replica_status.as_eligible()
        node.config = replace(node.config, trusts_empty_directory=True)
    return []
