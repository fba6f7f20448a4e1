"""``flush N``: the flush that N waits for is done."""

from __future__ import annotations

from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    world.cluster.flush(int(args[0]))
    return []
