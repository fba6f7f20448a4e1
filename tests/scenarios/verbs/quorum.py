"""``quorum``: each node in one line."""

from __future__ import annotations

from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    lines = []
    for node_id, node in sorted(world.cluster.nodes.items()):
        if node.replica is None:
            lines.append(f"{node_id} is down")
        else:
            one = node.replica
            lines.append(
                f"{node_id} {one.role.value} epoch={one.epoch} leader={one.leader.leader_id} "
                f"end={one.log_end_offset} high watermark={one.high_watermark}"
            )
    return lines
