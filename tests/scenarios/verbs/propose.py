"""``propose N value ...``: the leader N gets one atomic group of records."""

from __future__ import annotations

from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    offset = world.cluster.propose(*(value.encode() for value in args[1:]), node_id=int(args[0]))
    return [f"proposed up to offset {offset}"]
