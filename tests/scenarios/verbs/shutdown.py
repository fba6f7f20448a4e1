"""``shutdown N``: begin an orderly stop; prints whether it is done."""

from __future__ import annotations

from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    node = world.cluster.nodes[int(args[0])]
    node.alive.begin_shutdown(world.cluster.now_ms)
    world.cluster.pump(node)
    world.cluster.run(0)
    return [f"{node.id} shutdown done: {node.alive.shutdown_done}"]
