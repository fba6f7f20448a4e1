"""Why a broker was chosen: said from the plan and the brokers alone, so it holds for every placer."""

from __future__ import annotations

from collections.abc import Sequence

from kraftpy.controller.placement.spec import Replicas, UsableBroker


def explain(replicas: Replicas, brokers: Sequence[UsableBroker]) -> tuple[str, ...]:
    """Return one sentence for each replica of a partition.

    Args:
        replicas: of the partition, the preferred leader first.
        brokers: what the placer could choose from.
    """
    known = {broker.id: broker for broker in brokers}
    racks = {broker.rack for broker in brokers}
    used: set[str | None] = set()
    sentences = []
    for place, broker_id in enumerate(replicas):
        broker = known[broker_id]
        where = "no rack" if broker.rack is None else f"rack {broker.rack}"
        if place == 0:
            why = f"preferred leader: its turn, in {where}"
        elif len(racks) == 1:
            why = "next in turn: all brokers are in one rack" if broker.rack else "next in turn: no broker has a rack"
        elif broker.rack not in used:
            why = f"{where} had no replica of this partition"
        elif used == racks:
            why = f"{where} again: every rack has a replica"
        else:
            why = f"{where} again: racks were not used, or other racks have no broker left"
        if broker.fenced:
            why += "; fenced, because its rack has no unfenced broker left"
        used.add(broker.rack)
        sentences.append(why)
    return tuple(sentences)
