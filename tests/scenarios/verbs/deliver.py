"""``deliver N ...``: hand over what is on the wire to these nodes (or to all), without time passing."""

from __future__ import annotations

from tests.scenarios.world import World


def run(world: World, args: list[str]) -> list[str]:
    wanted = [int(arg) for arg in args] or list(world.cluster.nodes)
    before = len(world.reported)
    messages: list[str] = []
    for envelope in list(world.cluster.wire):
        if envelope.target in wanted:
            messages.append(f"> {envelope}")
            world.cluster.deliver(envelope)
    happened, world.reported = world.reported[before:], world.reported[:before]
    return messages + happened
