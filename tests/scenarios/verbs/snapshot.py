"""``snapshot N [drop]``: N freezes a snapshot of what is committed, and deletes the log below it."""

from __future__ import annotations

from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    snapshot_id = world.cluster.freeze_snapshot(int(args[0]), size=100)
    if "drop" in args:
        world.cluster.drop_log_start(int(args[0]))
    return [f"{args[0]} snapshot {snapshot_id}"]
