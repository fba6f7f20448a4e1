"""``log``: every disk, as ``offset:epoch=value``, control records as ``*``."""

from __future__ import annotations

from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    lines = []
    for node_id, node in sorted(world.cluster.nodes.items()):
        reported = []
        for batch in node.disk.batches:
            values = [b"*"] * batch.record_count if batch.is_control else batch.values()
            reported += [
                f"{offset}:{batch.epoch}={value.decode()}" for offset, value in enumerate(values, batch.base_offset)
            ]
        lines.append(f"{node_id} from {node.disk.start_offset}: " + " ".join(reported))
    return lines
