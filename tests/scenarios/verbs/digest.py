"""``digest N offset word``: node N's state machine made this digest of its state at an offset."""

from __future__ import annotations

from kraftpy.model.digests import DIGEST_BYTES, SCHEME, StateDigest
from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    node, word = world.cluster.nodes[int(args[0])], args[2]
    value = bytes((SCHEME,)) + word.encode("ascii").ljust(DIGEST_BYTES - 1, b"\0")
    node.alive.record_state_digest(world.cluster.now_ms, StateDigest(int(args[1]), value))
    world.cluster.pump(node)
    return []
