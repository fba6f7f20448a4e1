"""Placement: which brokers get the replicas of new partitions.

``spec`` (what a placer is given and returns, and its random numbers), ``striped`` (Kafka's present placer), ``kip36``
(the placer of KIP-36), ``choosing`` (a placer by name), ``explain`` (why a broker was chosen).

A placer is pure: the same brokers and the same seed give the same plan. It sees the brokers and the new partitions, and
neither the replicas of other topics nor the state of the log.

Divergence from Kafka: after each round the striped placer begins its lists again; Kafka's goes on in a list that it
has not used since the round began, and may then repeat a leader.

Source: KIP-36; Kafka ``StripedReplicaPlacer``, ``AdminUtils``; controller reference §13.
"""

from kraftpy.controller.placement.choosing import PLACERS, placer_named
from kraftpy.controller.placement.explain import explain
from kraftpy.controller.placement.spec import (
    PlacementError,
    PlacementSpec,
    Placer,
    RackMode,
    SeededRandom,
    UsableBroker,
)

__all__ = (
    "PLACERS",
    "PlacementError",
    "PlacementSpec",
    "Placer",
    "RackMode",
    "SeededRandom",
    "UsableBroker",
    "explain",
    "placer_named",
)
