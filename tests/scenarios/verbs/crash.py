"""``crash N ...``: kill processes; what they had not flushed is lost."""

from __future__ import annotations

from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    for node_id in args:
        world.cluster.crash(int(node_id))
    return []
