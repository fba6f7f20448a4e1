"""``describe``: who votes, under which directory, and how far each is, as the leader sees it."""

from __future__ import annotations

from tests.scenarios.world import World, reported


def run(world: World, args: list[str]) -> list[str]:
    leader = world.cluster.leader()
    assert leader is not None
    voters = leader.alive.describe(world.cluster.now_ms).voters
    return [
        f"voter {one.key.node_id} directory {reported(one.key.directory_id)} end={one.log_end_offset}" for one in voters
    ]
