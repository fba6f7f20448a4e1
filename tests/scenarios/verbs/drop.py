"""``drop N``: lose everything on the wire to N."""

from __future__ import annotations

from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    lost = [envelope for envelope in world.cluster.wire if envelope.target == int(args[0])]
    world.cluster.wire = [envelope for envelope in world.cluster.wire if envelope not in lost]
    return [f"lost {envelope}" for envelope in lost]
