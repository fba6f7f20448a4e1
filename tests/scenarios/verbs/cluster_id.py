"""``cluster-id N id``: put a node of another cluster (or with ``none``, of an unknown one) in place of N."""

from __future__ import annotations

from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    node = world.cluster.nodes[int(args[0])]
    node.cluster_id = None if args[1] == "none" else args[1]
    world.cluster.restart(node.id)
    return []
