"""Kafka's striped placer: leaders go round the racks, and the replicas of a partition lie in as many racks as possible.

Each rack has two lists of brokers, unfenced and fenced, by id and each begun at a random place. A partition's leader is
the next unfenced broker of the rack whose turn it is. Its other replicas come from the racks in turn, beginning at the
same rack and passing over the leader's once; a rack gives an unfenced broker while it has one that the partition does
not use, then a fenced one. So a fenced broker in an unused rack goes before a second unfenced broker in a used one.

A *cycle* is the placing of one partition. When as many partitions are placed as there are unfenced brokers, racks and
lists are shuffled, so that the same sets of brokers do not come again and again.

Leaders are spread evenly over racks, not over brokers: a rack of one broker leads as much as a rack of ten.

Source: Kafka ``StripedReplicaPlacer``; controller reference §13.1; KIP-1066.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

from kraftpy.controller.placement.spec import (
    PlacementError,
    PlacementSpec,
    RackMode,
    RandomNumbers,
    Replicas,
    UsableBroker,
)
from kraftpy.model.ids import NodeId

NO_CYCLE: Final = -1

ItemT = TypeVar("ItemT")


def _shuffle(items: list[ItemT], numbers: RandomNumbers) -> None:
    for last in range(len(items) - 1, 0, -1):
        other = numbers.below(last + 1)
        items[last], items[other] = items[other], items[last]


class _BrokerList:
    """Brokers that are taken in turn, each once per cycle; each cycle begins one place further on."""

    __slots__ = ("_brokers", "_cycle", "_offset", "_taken")

    def __init__(self, brokers: list[NodeId], numbers: RandomNumbers) -> None:
        self._brokers = sorted(brokers)
        self._offset = numbers.below(len(brokers)) if brokers else 0
        self._taken = 0
        self._cycle = 0

    def shuffle(self, numbers: RandomNumbers) -> None:
        _shuffle(self._brokers, numbers)
        self._cycle = NO_CYCLE

    def next(self, cycle: int) -> NodeId | None:
        size = len(self._brokers)
        if self._cycle != cycle and size:
            self._cycle = cycle
            self._taken = 0
            self._offset = (self._offset + 1) % size
        if self._taken >= size:
            return None
        broker = self._brokers[(self._taken + self._offset) % size]
        self._taken += 1
        return broker


class _Rack:
    __slots__ = ("fenced", "unfenced")

    def __init__(self, members: list[UsableBroker], numbers: RandomNumbers) -> None:
        self.unfenced = _BrokerList([broker.id for broker in members if not broker.fenced], numbers)
        self.fenced = _BrokerList([broker.id for broker in members if broker.fenced], numbers)

    def next(self, cycle: int) -> NodeId | None:
        broker = self.unfenced.next(cycle)
        return self.fenced.next(cycle) if broker is None else broker


class _Racks:
    """The racks in the order of their turns. No rack is a rack as well, the first by name."""

    def __init__(self, brokers: Sequence[UsableBroker], numbers: RandomNumbers, *, ignores_racks: bool) -> None:
        members: dict[str | None, list[UsableBroker]] = {}
        for broker in brokers:
            members.setdefault(None if ignores_racks else broker.rack, []).append(broker)
        names = sorted(members, key=lambda name: (name is not None, name or ""))
        self._numbers = numbers
        self._racks = [_Rack(members[name], numbers) for name in names]
        self._offset = numbers.below(len(names))
        self._unfenced = sum(not broker.fenced for broker in brokers)
        self._cycle = 0

    def place(self, replication_factor: int) -> Replicas:
        """Choose one partition's replicas; there are as many brokers, and one of them is unfenced."""
        # With one unfenced broker a cycle must not come twice in a row: its lists would count as used up.
        if self._cycle == self._unfenced and self._unfenced > 1:
            self._shuffle()
        racks, cycle = self._racks, self._cycle
        start = self._offset % len(racks)
        leads = start
        while (leader := racks[leads].unfenced.next(cycle)) is None:
            leads = (leads + 1) % len(racks)
        replicas = [leader]
        turn, passed_leader = start, False
        while len(replicas) < replication_factor:
            if turn == leads and not passed_leader:
                passed_leader = True
            elif (broker := racks[turn].next(cycle)) is not None:
                replicas.append(broker)
            turn = (turn + 1) % len(racks)
        self._cycle += 1
        self._offset = start + 1
        return tuple(replicas)

    def _shuffle(self) -> None:
        _shuffle(self._racks, self._numbers)
        for rack in self._racks:
            rack.unfenced.shuffle(self._numbers)
            rack.fenced.shuffle(self._numbers)
        self._cycle = 0


class StripedPlacer:
    """See the module."""

    name = "striped"

    def place(self, spec: PlacementSpec, brokers: Sequence[UsableBroker], numbers: RandomNumbers) -> list[Replicas]:
        """Choose the replicas of all partitions.

        Raises:
            PlacementError: as :meth:`plan`.
        """
        return list(self.plan(spec, brokers, numbers))

    def plan(self, spec: PlacementSpec, brokers: Sequence[UsableBroker], numbers: RandomNumbers) -> Iterator[Replicas]:
        """Choose the replicas of each partition; where the partitions start has no influence.

        Raises:
            PlacementError: the factor is not positive, every broker is fenced, or there are too few brokers.
        """
        factor = spec.replication_factor
        if factor <= 0:
            raise PlacementError(f"Invalid replication factor {factor}: the replication factor must be positive.")
        if all(broker.fenced for broker in brokers):
            raise PlacementError("All brokers are currently fenced, or have all their log directories cordoned.")
        if factor > len(brokers):
            raise PlacementError(
                f"The target replication factor of {factor} cannot be reached because only {len(brokers)} broker(s) "
                "are registered or some brokers have all their log directories cordoned."
            )
        racks = _Racks(brokers, numbers, ignores_racks=spec.racks is RackMode.DISABLED)
        return (racks.place(factor) for _ in range(spec.partitions))
