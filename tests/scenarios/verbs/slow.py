"""``slow N``: the disk of N does not finish a flush before ``flush N``."""

from __future__ import annotations

from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    world.cluster.slow_disks.add(int(args[0]))
    return []
