"""``resign N``: the leader gives up its epoch."""

from __future__ import annotations

from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    node = world.cluster.nodes[int(args[0])]
    node.alive.resign(world.cluster.now_ms, node.alive.epoch)
    world.cluster.pump(node)
    return []
