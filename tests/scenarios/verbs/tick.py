"""``tick MS``: time passes and messages flow, but nothing is forced."""

from __future__ import annotations

from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    world.cluster.run(int(args[0]))
    return []
