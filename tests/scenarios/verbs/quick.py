"""``quick N``: the disk of N flushes at once again."""

from __future__ import annotations

from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    world.cluster.slow_disks.discard(int(args[0]))
    world.cluster.flush(int(args[0]))
    return []
