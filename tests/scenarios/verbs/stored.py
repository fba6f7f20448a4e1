"""``stored``: the election state on each disk."""

from __future__ import annotations

from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    return [
        f"{node_id} epoch={state.epoch} leader={state.leader_id} voted={state.voted_key and state.voted_key.node_id}"
        for node_id, node in sorted(world.cluster.nodes.items())
        for state in [node.disk.election_state]
    ]
