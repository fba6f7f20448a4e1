"""``isolate N``: cut a node off; its peers see time-outs."""

from __future__ import annotations

from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    world.cluster.isolate(int(args[0]))
    return []
