"""The placer of KIP-36: every broker leads equally often, and the replicas of a partition lie in different racks.

The brokers form a *rack-alternated list*: racks by name, brokers of a rack by id, one of each rack in turn. Leaders are
taken from that list in turn. The other replicas are the brokers that follow the leader in the list, passing over

* a broker whose rack has a replica of the partition while some rack has none;
* a broker that has a replica itself.

After each round through the list the first follower moves further by the number of racks, so that the sets of brokers
differ from round to round.

For a number of partitions that is a multiple of the number of brokers, every broker leads equally often. With racks of
equal size every broker has equally many replicas as well; with others it need not: where each rack may hold one replica
of a partition, the only broker of a small rack holds all that fall to its rack, at most one of each partition.

Only unfenced brokers are used. Where no broker has a rack, or some have none (:class:`RackMode`), the same is done
without racks: the list is by id, and nothing is passed over.

Source: KIP-36; Kafka ``AdminUtils.assignReplicasToBrokers``; controller reference §13.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from kraftpy.controller.placement.spec import (
    PlacementError,
    PlacementSpec,
    RackMode,
    RandomNumbers,
    Replicas,
    UsableBroker,
)
from kraftpy.model.ids import NodeId


def rack_alternated(racks: dict[NodeId, str]) -> list[NodeId]:
    """Return brokers one of each rack in turn; racks by name, brokers of a rack by id."""
    members: dict[str, list[NodeId]] = {}
    for broker_id in sorted(racks):
        members.setdefault(racks[broker_id], []).append(broker_id)
    turns = zip_longest(*(members[rack] for rack in sorted(members)))
    return [broker_id for broker_id in chain.from_iterable(turns) if broker_id is not None]


@dataclass(frozen=True, slots=True)
class Round:
    """The list that leaders are taken from in turn.

    Attributes:
        brokers: in that order.
        racks: broker to rack; empty without racks.
        start: where partition 0 would find its leader in the list.
        shift: how far from its leader partition 0 would begin to look for followers.
        same_rack: for each place in the list, how many brokers of one rack follow each other from there on.
    """

    brokers: list[NodeId]
    racks: dict[NodeId, str]
    start: int
    shift: int
    same_rack: list[int]

    def place(self, partition: int, shift: int, replication_factor: int, rack_count: int) -> Replicas:
        """Choose one partition's replicas.

        Args:
            partition: its id.
            shift: how many rounds the followers have moved on.
            replication_factor: at most the number of brokers.
            rack_count: the number of racks; 1 without racks.
        """
        brokers, count = self.brokers, len(self.brokers)
        first = (partition + self.start) % count
        replicas = [brokers[first]]
        used_racks = {self.racks[brokers[first]]} if self.racks else set()
        distance = shift * rack_count % (count - 1) if count > 1 else 0
        while len(replicas) < replication_factor:
            place = (first + 1 + distance) % count
            broker = brokers[place]
            rack = self.racks.get(broker)
            if rack in used_racks and len(used_racks) < rack_count:
                distance += self.same_rack[place]
                distance = distance if distance < count - 1 else 0
                continue
            distance = (distance + 1) % (count - 1)
            if broker in replicas:
                continue
            replicas.append(broker)
            if rack is not None:
                used_racks.add(rack)
        return tuple(replicas)


class Kip36Placer:
    """See the module."""

    name = "kip36"

    def place(self, spec: PlacementSpec, brokers: Sequence[UsableBroker], numbers: RandomNumbers) -> list[Replicas]:
        """Choose the replicas of all partitions.

        Raises:
            PlacementError: as :meth:`plan`.
        """
        return list(self.plan(spec, brokers, numbers))

    def plan(self, spec: PlacementSpec, brokers: Sequence[UsableBroker], numbers: RandomNumbers) -> Iterator[Replicas]:
        """Choose the replicas of each partition; a topic that grows goes on where its leaders ended.

        Raises:
            PlacementError: the factor is not positive, there are too few unfenced brokers, or racks are enforced and
                some of them have none.
        """
        factor = spec.replication_factor
        if factor <= 0:
            raise PlacementError(f"Invalid replication factor {factor}: the replication factor must be positive.")
        live = {broker.id: broker.rack for broker in brokers if not broker.fenced}
        if factor > len(live):
            raise PlacementError(
                f"The target replication factor of {factor} cannot be reached because only {len(live)} broker(s) are "
                "unfenced."
            )
        racks = _racks_in_use(live, spec.racks)
        order = rack_alternated(racks) if racks else sorted(live)
        follows = spec.first_leader in live
        start = (
            order.index(spec.first_leader) if follows and spec.first_leader is not None else numbers.below(len(order))
        )
        leaders = Round(order, racks, start, numbers.below(len(order)), _same_rack([racks.get(one) for one in order]))
        return _place_all(leaders, spec)


def _same_rack(racks: Sequence[str | None]) -> list[int]:
    """Return for each place how long the run of its rack is from there on, at the end of the list at most."""
    runs = [1] * len(racks)
    for place in range(len(racks) - 2, -1, -1):
        if racks[place] == racks[place + 1]:
            runs[place] = runs[place + 1] + 1
    return runs


def _place_all(leaders: Round, spec: PlacementSpec) -> Iterator[Replicas]:
    shift, rack_count = leaders.shift, len(set(leaders.racks.values())) or 1
    for partition in range(spec.start_partition, spec.start_partition + spec.partitions):
        if partition > 0 and partition % len(leaders.brokers) == 0:
            shift += 1
        yield leaders.place(partition, shift, spec.replication_factor, rack_count)


def _racks_in_use(live: dict[NodeId, str | None], mode: RackMode) -> dict[NodeId, str]:
    """Return broker to rack, or nothing where racks do not count.

    Raises:
        PlacementError: racks are enforced, and some brokers have one and others do not.
    """
    racks = {broker_id: rack for broker_id, rack in live.items() if rack is not None}
    if mode is RackMode.DISABLED or not racks:
        return {}
    if len(racks) == len(live):
        return racks
    if mode is RackMode.ENFORCED:
        without = ", ".join(str(broker_id) for broker_id in sorted(live.keys() - racks.keys())[:10])
        raise PlacementError(
            f"Not all brokers have rack information for replica rack aware assignment: {without} have none. Set "
            "broker.rack on them, or place without racks (--disable-rack-aware)."
        )
    return {}
