"""Cuts that are not the same in both directions: one way only, or of one kind of message only.

A link that carries requests and no answers, or heartbeats and no data, is what makes nodes disagree about who can be
reached: a leader hears every fetch of a follower that hears none of its answers.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.simulator.simulation import Simulation

CUT_MS = (200, 1_000, 4_000)
"""How long such a cut may last."""

KINDS = ("Fetch", "Fetch", "Vote", "BeginQuorumEpoch", "EndQuorumEpoch", "FetchSnapshot", "UpdateRaftVoter")
"""What may be lost alone; fetches are most of what is said."""

ENDS = ("Request", "Response")

SCOPES = ("pair", "pair", "from one", "to one")
"""Of which links: one, all that lead away from a node, or all that lead to it."""


def cut_one_way(sim: Simulation, rng: random.Random) -> None:
    """Let nothing, or nothing of one kind, pass in one direction for a while."""
    nodes = [node.id for node in sim.all_nodes()]
    if len(nodes) == 1:
        return
    leader, scope = sim.leader(), rng.choice(SCOPES)
    one = leader.id if leader is not None and rng.random() < 0.5 else rng.choice(nodes)
    others = [node for node in nodes if node != one]
    if scope == "pair":
        others = [rng.choice(others)]
    outward = scope == "from one" or (scope == "pair" and rng.random() < 0.5)
    pairs = {(one, other) if outward else (other, one) for other in others}
    kind = rng.choice(KINDS) + rng.choice(ENDS) if rng.random() < 0.6 else None
    cut_ms = rng.randint(50, rng.choice(CUT_MS))
    sim.world.fault(
        "network", "cut one way" if kind is None else "kind cut one way", f"{kind} {sorted(pairs)} {cut_ms}"
    )
    sim.network.cut_one_way(pairs, kind, cut_ms)
