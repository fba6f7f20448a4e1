"""``wait MS``: time passes while every message stays on the wire."""

from __future__ import annotations

from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    world.cluster.advance_to(world.cluster.now_ms + int(args[0]))
    return []
