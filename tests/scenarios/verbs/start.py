"""``start N ...``: start processes that are down."""

from __future__ import annotations

from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    for node_id in args:
        world.cluster.start(int(node_id))
    return []
