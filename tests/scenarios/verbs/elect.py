"""``elect N``: N asks for votes, and leads when its first record is committed; all others doubt the old leader."""

from __future__ import annotations

from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    world.cluster.elect(int(args[0]))
    return []
