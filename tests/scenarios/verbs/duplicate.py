"""``duplicate N at M``: start a second process with the id N, on an empty disk, at the address M."""

from __future__ import annotations

from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    node_id, _, address = args
    world.cluster.add_duplicate(int(node_id), int(address))
    return []
