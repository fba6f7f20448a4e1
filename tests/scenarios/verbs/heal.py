"""``heal``: mend every cut."""

from __future__ import annotations

from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    world.cluster.heal()
    return []
