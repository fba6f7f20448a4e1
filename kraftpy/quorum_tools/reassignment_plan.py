"""Plan a reassignment that moves as few replicas as the rules allow: a pure function of assignments and brokers.

The rules, in this order:

1. Every replica is on one of the given brokers, and no broker has two of a partition. The number of replicas stays.
2. With racks, a partition has replicas in as many racks as it can: no rack has more of them than the others need.
3. No broker has two replicas more than another one, as far as rule 2 permits.
4. No broker is the preferred leader of two partitions more than another one, as far as its replicas permit. Only the
   order of replicas changes for that, and no data.

A replica is moved only to fulfil rules 1 to 3. Kafka's own plan (``kafka-reassign-partitions --generate``) places all
replicas again, without looking at where they are.

Source: KIP-36 (racks); ours otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from kraftpy.model.ids import NodeId

Partition: TypeAlias = tuple[str, int]
Assignment: TypeAlias = dict[Partition, list[NodeId]]
Racks: TypeAlias = Mapping[NodeId, str | None]


class NoPlanError(ValueError):
    """No assignment fulfils the rules; the text says why."""


@dataclass(frozen=True, slots=True)
class ReassignmentPlan:
    """A plan.

    Attributes:
        replicas: of all partitions that were given, the preferred leader first.
        moved: how many replicas are copied to another broker.
        replicas_before: how many replicas each broker has, brokers that lose all of them included.
        leaders_before: how many partitions each broker is the preferred leader of.
    """

    replicas: Assignment
    moved: int
    replicas_before: Mapping[NodeId, int]
    leaders_before: Mapping[NodeId, int]

    @property
    def replicas_after(self) -> Counter[NodeId]:
        """How many replicas each broker gets."""
        return Counter(broker_id for replicas in self.replicas.values() for broker_id in replicas)

    @property
    def leaders_after(self) -> Counter[NodeId]:
        """How many partitions each broker becomes the preferred leader of."""
        return Counter(replicas[0] for replicas in self.replicas.values() if replicas)


def plan_reassignment(present: Mapping[Partition, Sequence[NodeId]], brokers: Racks) -> ReassignmentPlan:
    """Plan where the replicas of partitions go.

    Args:
        present: the replicas that the partitions have, the preferred leader first.
        brokers: the brokers that may have replicas, with their racks. ``None`` as the rack of any of them: without
            racks.

    Raises:
        NoPlanError: there are fewer brokers than replicas of a partition.
    """
    most = max(present.items(), key=lambda each: len(each[1]), default=None)
    if most is not None and len(most[1]) > len(brokers):
        (topic, number), replicas = most
        raise NoPlanError(f"{topic}-{number} has {len(replicas)} replicas, and only {len(brokers)} brokers are given")
    planner = _Planner(present, brokers)
    planner.remove_misplaced()
    planner.fill()
    planner.balance()
    planner.balance_leaders()
    moved = sum(len(set(planner.replicas[each]).difference(replicas)) for each, replicas in present.items())
    return ReassignmentPlan(
        planner.replicas,
        moved,
        Counter(broker_id for replicas in present.values() for broker_id in replicas),
        Counter(replicas[0] for replicas in present.values() if replicas),
    )


class _RackShare(NamedTuple):
    """How a partition's replicas are spread over racks.

    Attributes:
        level: how many each rack has, as far as it has brokers.
        more: how many racks have one more.
    """

    level: int
    more: int


class _Planner:
    """The plan as it is made: replicas, and how many each broker has."""

    def __init__(self, present: Mapping[Partition, Sequence[NodeId]], brokers: Racks) -> None:
        self._brokers = sorted(brokers)
        has_racks = bool(brokers) and all(rack is not None for rack in brokers.values())
        # Without racks, each broker is a rack of its own: then rule 2 says nothing.
        self._rack_of = {each: brokers[each] if has_racks else each for each in self._brokers}
        self._rack_sizes = Counter(self._rack_of.values())
        self._shares: dict[int, _RackShare] = {}
        self._wanted = {partition: len(replicas) for partition, replicas in present.items()}
        self.replicas: Assignment = {
            partition: [each for each in dict.fromkeys(replicas) if each in brokers]
            for partition, replicas in sorted(present.items())
        }
        self._load = Counter(dict.fromkeys(self._brokers, 0))
        self._load.update(each for replicas in self.replicas.values() for each in replicas)

    def remove_misplaced(self) -> None:
        """Remove the replicas of racks that have too many of a partition, of the brokers with most replicas first."""
        for partition, replicas in self.replicas.items():
            share = self._rack_share(self._wanted[partition])
            racks: dict[object, list[NodeId]] = {}
            for each in replicas:
                racks.setdefault(self._rack_of[each], []).append(each)
            fuller = [rack for rack, there in racks.items() if len(there) > share.level]
            # Some racks have one more than the others; which ones is free, so the racks of less loaded brokers do.
            fuller.sort(key=lambda rack: (min(self._load[each] for each in racks[rack]), str(rack)))
            for place, rack in enumerate(fuller):
                allowed = share.level + (1 if place < share.more else 0)
                # The preferred leader stays if another one can go.
                there = sorted(racks[rack], key=lambda each: (self._load[each], each != replicas[0], each))
                for worst in there[allowed:]:
                    replicas.remove(worst)
                    self._load[worst] -= 1

    def _rack_share(self, count: int) -> _RackShare:
        """Deal the replicas of a partition to the racks in turn, as far as a rack has brokers."""
        share = self._shares.get(count)
        if share is None:
            level = 0
            while sum(min(size, level + 1) for size in self._rack_sizes.values()) < count:
                level += 1
            more = count - sum(min(size, level) for size in self._rack_sizes.values())
            share = self._shares[count] = _RackShare(level, more)
        return share

    def fill(self) -> None:
        """Put what is missing on the brokers with fewest replicas."""
        for partition, replicas in self.replicas.items():
            while len(replicas) < self._wanted[partition]:
                choice = min(self._possible(partition), key=lambda each: (self._load[each], each))
                replicas.append(choice)
                self._load[choice] += 1

    def _possible(self, partition: Partition, without: NodeId | None = None) -> list[NodeId]:
        """Return the brokers that one more replica may go to, if ``without`` leaves."""
        replicas = [each for each in self.replicas[partition] if each != without]
        share = self._rack_share(self._wanted[partition])
        there = Counter(self._rack_of[each] for each in replicas)
        is_more_left = sum(1 for count in there.values() if count > share.level) < share.more
        highest = share.level if is_more_left else share.level - 1
        return [
            each
            for each in self._brokers
            if each not in replicas and each != without and there[self._rack_of[each]] <= highest
        ]

    def balance(self) -> None:
        """Move replicas from full brokers to empty ones, while a move makes the two more alike."""
        givable = self._givable()
        full = set(self._brokers)
        while full:
            giver = max(full, key=lambda each: (self._load[each], each))
            move = self._take_move(giver, givable[giver])
            if move is None:
                full.discard(giver)
                continue
            partition, taker = move
            replicas = self.replicas[partition]
            replicas[replicas.index(giver)] = taker
            givable[taker].append(partition)
            self._load[giver] -= 1
            self._load[taker] += 1

    def _givable(self) -> dict[NodeId, list[Partition]]:
        """Return each broker's partitions, those last that it gives away first: those that it is not the leader of."""
        found: dict[NodeId, list[Partition]] = {each: [] for each in self._brokers}
        for leads in (True, False):
            for partition in reversed(self.replicas):
                for place, each in enumerate(self.replicas[partition]):
                    if leads == (place == 0):
                        found[each].append(partition)
        return found

    def _take_move(self, giver: NodeId, partitions: list[Partition]) -> tuple[Partition, NodeId] | None:
        """Take the next partition that a broker gives away from its list; return it with the broker that gets it.

        That is one with at least two replicas fewer, and as few as possible. A partition that no such broker can have
        leaves the list for good: a broker that gives never gets one, so no further broker becomes possible.
        """
        least = min(self._load.values())
        passed: list[tuple[int, Partition, NodeId]] = []
        best: tuple[int, Partition, NodeId] | None = None
        while partitions and (best is None or best[0] > least):
            partition = partitions.pop()
            takers = [each for each in self._possible(partition, giver) if self._load[each] < self._load[giver] - 1]
            if takers:
                taker = min(takers, key=lambda each: (self._load[each], each))
                found = self._load[taker], partition, taker
                passed.append(found)
                best = found if best is None or found[0] < best[0] else best
        partitions += [each[1] for each in reversed(passed) if each is not best]
        return None if best is None else (best[1], best[2])

    def balance_leaders(self) -> None:
        """Reorder replicas, while that makes the numbers of preferred leaders more alike."""
        leads = Counter(dict.fromkeys(self._brokers, 0))
        leads.update(replicas[0] for replicas in self.replicas.values() if replicas)
        changed = True
        while changed:
            changed = False
            for replicas in self.replicas.values():
                if not replicas:
                    continue
                first = replicas[0]
                other = min(replicas, key=lambda each: (leads[each], each))
                if leads[other] < leads[first] - 1:
                    replicas.remove(other)
                    replicas.insert(0, other)
                    leads[first] -= 1
                    leads[other] += 1
                    changed = True
