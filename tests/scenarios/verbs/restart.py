"""``restart N ...``: start processes from their disks."""

from __future__ import annotations

from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    for node_id in args:
        world.cluster.restart(int(node_id))
    return []
