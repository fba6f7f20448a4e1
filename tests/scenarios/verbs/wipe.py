"""``wipe N ...``: kill processes and lose their disks."""

from __future__ import annotations

from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    for node_id in args:
        world.cluster.crash(int(node_id))
        world.cluster.wipe(int(node_id))
    return []
