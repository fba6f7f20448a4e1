"""KIP-36: rack-aware placement, by the numbers of docs/kip-36.md."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kraftpy.client.async_client import AsyncClient
from kraftpy.controller.config import ControllerConfig, supported_features
from kraftpy.controller.placement import (
    PLACERS,
    PlacementError,
    PlacementSpec,
    RackMode,
    SeededRandom,
    UsableBroker,
)
from kraftpy.controller.placement.kip36 import Kip36Placer, rack_alternated
from kraftpy.controller.placement.striped import StripedPlacer
from kraftpy.controller.topic_requests import CreatableTopic, CreatePartitions, CreatePartitionsTopic, CreateTopics
from kraftpy.records.metadata import RegisterBrokerRecord, encode_for_level
from tests.requirements.nodes import free_ports, lab, until
from tests.unit.controller.worlds import World, register

EXAMPLE = {0: "rack1", 1: "rack3", 2: "rack3", 3: "rack2", 4: "rack2", 5: "rack1"}
FIRST_ROUND = [(0, 3, 1), (3, 1, 5), (1, 5, 4), (5, 4, 2), (4, 2, 0), (2, 0, 3)]
SECOND_ROUND = [(0, 4, 2), (3, 2, 0), (1, 0, 3), (5, 3, 1), (4, 1, 5), (2, 5, 4)]


class Zero:
    """Start and shift are 0, as in the examples of the KIP."""

    def below(self, bound: int) -> int:
        assert bound > 0
        return 0


def usable(racks: dict[int, str | None], fenced=()) -> list[UsableBroker]:
    return [UsableBroker(broker, rack, broker in fenced) for broker, rack in sorted(racks.items())]


def place(racks, partitions, factor, *, numbers=None, start=0, mode=RackMode.SAFE, fenced=(), first_leader=None):
    spec = PlacementSpec(start, partitions, factor, mode, first_leader)
    return Kip36Placer().place(spec, usable(racks, fenced), numbers or Zero())


clusters = st.integers(1, 5).flatmap(
    lambda racks: st.lists(st.integers(1, 4), min_size=racks, max_size=racks).map(
        lambda sizes: {100 * rack + number: f"r{rack}" for rack, size in enumerate(sizes) for number in range(size)}
    )
)
even_clusters = st.tuples(st.integers(1, 5), st.integers(1, 4)).map(
    lambda shape: {100 * rack + number: f"r{rack}" for rack in range(shape[0]) for number in range(shape[1])}
)
seeds = st.integers(0, 2**32)


def racks_of(racks, replicas) -> Counter:
    return Counter(racks[broker] for broker in replicas)


def registered(rack):
    world = World()
    world.register(1, rack=rack)
    return world


def test_k36_01_rack_is_optional() -> None:
    """A broker without broker.rack gets one, or a text is changed."""
    assert registered(None).broker().rack is None
    assert registered("us-east-1c").broker().rack == "us-east-1c"


async def test_k36_02_rack_is_in_the_registration_and_in_answers(tmp_path) -> None:
    """The rack is lost between the registration, the log and the answers of a node to its clients."""
    (record,) = [each for each in registered("dc1").log if isinstance(each, RegisterBrokerRecord)]
    assert record.rack == "dc1"
    async with lab(tmp_path) as bench:
        (port,) = free_ports(1)
        node = bench.start(bench.controller(bench.quorum(1), grpc_listener=f"127.0.0.1:{port}"))
        await until(lambda: node.leads and node.cluster_id is not None, "the controller is active")
        async with AsyncClient([f"127.0.0.1:{port}"]) as client:
            for broker_id, rack in ((5, "dc1"), (6, None), (7, "dc1, left")):
                await client.register_broker(register(broker_id, cluster_id=node.cluster_id, rack=rack))
            found = await client.describe_cluster(include_fenced=True)
        assert [(one.broker_id, one.rack) for one in found.brokers] == [(5, "dc1"), (6, None), (7, "dc1, left")]


def test_k36_03_a_rack_is_optional_in_every_record_version() -> None:
    """A record version cannot carry a broker without a rack, or one with it."""
    for level in (7, 11, 17, 30):
        for rack in (None, "dc1"):
            record = RegisterBrokerRecord(broker_id=1, incarnation_id=bytes(16), broker_epoch=1, rack=rack)
            assert (b"dc1" in encode_for_level(record, level)) == (rack is not None)


@settings(deadline=None)
@given(even_clusters, st.integers(1, 4), st.integers(1, 5), seeds)
def test_k36_04_equal_racks_give_equal_leaders_and_replicas(racks, rounds, factor, seed) -> None:
    """With racks of one size a broker leads or holds more than another."""
    sizes = Counter(racks.values())
    factor = min(factor, len(racks))
    placed = place(racks, rounds * len(racks), factor, numbers=SeededRandom(seed))
    assert set(Counter(replicas[0] for replicas in placed).values()) == {rounds}
    if factor <= len(sizes):
        held = Counter(broker for replicas in placed for broker in replicas)
        assert set(held.values()) == {rounds * factor}


@settings(deadline=None)
@given(clusters, st.integers(1, 4), st.integers(1, 5), seeds)
def test_k36_05_unequal_racks_give_equal_leaders(racks, rounds, factor, seed) -> None:
    """With racks of any size a broker leads more than another, or holds more than one replica of each partition."""
    partitions = rounds * len(racks)
    placed = place(racks, partitions, min(factor, len(racks)), numbers=SeededRandom(seed))
    assert Counter(replicas[0] for replicas in placed) == dict.fromkeys(racks, rounds)
    held = Counter(broker for replicas in placed for broker in replicas)
    assert all(rounds <= count <= partitions for count in held.values())


@settings(deadline=None)
@given(clusters, st.integers(1, 30), st.integers(1, 9), seeds, st.integers(0, 50))
def test_k36_06_replicas_lie_in_as_many_racks_as_possible(racks, partitions, factor, seed, start) -> None:
    """A rack has two replicas of a partition while another has none."""
    factor = min(factor, len(racks))
    for replicas in place(racks, partitions, factor, numbers=SeededRandom(seed), start=start):
        assert len(set(replicas)) == factor
        assert len(racks_of(racks, replicas)) == min(factor, len(set(racks.values())))


def test_k36_07_rack_alternated_list() -> None:
    """The list of the KIP's example is another one."""
    assert rack_alternated(EXAMPLE) == [0, 3, 1, 5, 4, 2]


@pytest.mark.parametrize(("partition", "replicas"), list(enumerate(FIRST_ROUND + SECOND_ROUND)))
def test_k36_08_vectors_of_the_kip(partition, replicas) -> None:
    """A partition of the KIP's example has other replicas."""
    assert place(EXAMPLE, 12, 3)[partition] == replicas


def test_k36_09_each_round_shifts_the_followers_by_the_racks() -> None:
    """The second round repeats the sets of the first, or a topic that grows begins again at the first round."""
    assert place(EXAMPLE, 6, 3, start=6) == SECOND_ROUND
    assert not set(place(EXAMPLE, 12, 3)[6:]) & set(FIRST_ROUND)


def test_k36_10_uneven_example() -> None:
    """The example of one broker in a rack and two in another comes out differently."""
    placed = place({0: "rack1", 1: "rack2", 2: "rack2"}, 3, 2)
    assert placed == [(0, 1), (1, 0), (2, 0)]
    assert Counter(broker for replicas in placed for broker in replicas) == {0: 3, 1: 2, 2: 1}


@settings(deadline=None)
@given(clusters, st.integers(1, 20), seeds)
def test_k36_11_a_broker_is_passed_over_only_while_a_rack_is_empty(racks, partitions, seed) -> None:
    """With as many replicas as brokers, a broker is left out or comes twice."""
    for replicas in place(racks, partitions, len(racks), numbers=SeededRandom(seed)):
        assert sorted(replicas) == sorted(racks)


def test_k36_12_some_brokers_without_racks() -> None:
    """Automatic creation is refused, or a tool places by half of the racks without an error."""
    racks = {0: "a", 1: None, 2: "b"}
    assert place(racks, 3, 2) == [(0, 1), (1, 2), (2, 0)]
    with pytest.raises(PlacementError, match=r"Not all brokers have rack information .* 1 have none"):
        place(racks, 3, 2, mode=RackMode.ENFORCED)
    assert place(racks, 3, 2, mode=RackMode.DISABLED) == place(racks, 3, 2)


def test_k36_13_no_broker_has_a_rack() -> None:
    """Without racks the followers are shifted by the racks, or the list is not by id."""
    racks = dict.fromkeys(range(3))
    assert place(racks, 4, 2) == [(0, 1), (1, 2), (2, 0), (0, 2)]
    assert place(racks, 4, 2, mode=RackMode.ENFORCED) == place(racks, 4, 2)


def test_k36_14_random_by_default_and_repeatable_by_seed() -> None:
    """Every topic begins at the same broker, or a seed gives two plans."""
    plans = {seed: tuple(place(EXAMPLE, 6, 3, numbers=SeededRandom(seed))) for seed in range(50)}
    assert {plan[0][0] for plan in plans.values()} == set(EXAMPLE)
    assert plans == {seed: tuple(place(EXAMPLE, 6, 3, numbers=SeededRandom(seed))) for seed in range(50)}


def test_k36_15_growing_goes_on_at_the_present_count() -> None:
    """A topic that grows has its new leaders where it has leaders already."""
    whole = place(EXAMPLE, 12, 3)
    assert place(EXAMPLE, 9, 3, start=3, first_leader=0) == whole[3:]
    assert place(EXAMPLE, 2, 3, start=4, first_leader=0, numbers=SeededRandom(9))[0][0] == whole[4][0]


def controlled(placer, **racks) -> World:
    features = supported_features(unstable=True)
    world = World(config=ControllerConfig(features=features, allow_unstable=True, placer=placer))
    for broker_id, rack in racks.items():
        world.alive(int(broker_id[1:]), rack=rack)
    return world


def leaders(world) -> Counter:
    partitions = world.controller.image.topics.named("t").partitions
    return Counter(partition.leader for partition in partitions.values())


def test_k36_16_the_placer_is_selectable() -> None:
    """A configuration of kip36 places by stripes: a small rack leads as much as a large one."""
    assert set(PLACERS) == {"striped", "kip36"}
    found = {}
    for placer in PLACERS:
        world = controlled(placer, b1="a", b2="b", b3="b")
        world.do(CreateTopics((CreatableTopic("t", 300, 2),)))
        found[placer] = leaders(world)
    assert found["kip36"] == {1: 100, 2: 100, 3: 100}
    assert found["striped"][1] > 120


def test_k36_17_only_live_brokers_are_used() -> None:
    """A fenced broker gets a replica, or a factor that only fenced brokers could reach is accepted."""
    placed = place(EXAMPLE, 12, 3, fenced={0, 3})
    assert {broker for replicas in placed for broker in replicas} == {1, 2, 4, 5}
    with pytest.raises(PlacementError, match="factor of 5 cannot be reached because only 4"):
        place(EXAMPLE, 12, 5, fenced={0, 3})


@settings(deadline=None)
@given(clusters, st.integers(1, 40), st.integers(2, 6), seeds)
def test_k36_18_losing_a_rack_leaves_a_replica(racks, partitions, factor, seed) -> None:
    """Both placers: with two racks or more, one rack holds all replicas of a partition."""
    if len(set(racks.values())) < 2:
        return
    spec = PlacementSpec(0, partitions, min(factor, len(racks)))
    for placer in (Kip36Placer(), StripedPlacer()):
        for replicas in placer.place(spec, usable(racks), SeededRandom(seed)):
            assert len(set(replicas)) == spec.replication_factor
            assert len(racks_of(racks, replicas)) > 1, placer.name


def test_k36_19_a_rolling_upgrade_sets_racks_one_by_one() -> None:
    """While racks are set broker by broker, no topic can be created, or racks count before every broker has one."""
    assert [
        place(racks, 3, 2) == place(dict.fromkeys(range(3)), 3, 2)
        for racks in ({0: "a", 1: None, 2: None}, {0: "a", 1: "a", 2: None}, {0: "a", 1: "a", 2: "b"})
    ] == [True, True, False]


def test_k36_20_existing_assignments_stay() -> None:
    """A rack that is set later, or a topic that grows, moves replicas that are there."""
    world = controlled("kip36", b1=None, b2=None, b3=None)
    world.do(CreateTopics((CreatableTopic("t", 4, 2),)))
    before = dict(world.controller.image.topics.named("t").partitions)
    for broker_id, rack in ((1, "a"), (2, "a"), (3, "b")):
        world.register(broker_id, rack=rack)
    world.do(CreatePartitions((CreatePartitionsTopic("t", 6),)))
    after = world.controller.image.topics.named("t").partitions
    assert {number: after[number].replicas for number in before} == {
        number: partition.replicas for number, partition in before.items()
    }
    assert len(after) == 6


# The striped placer, which K36-16 asks for beside it.


@settings(deadline=None)
@given(clusters, st.integers(1, 40), st.integers(1, 9), seeds, st.sets(st.integers(0, 3)))
def test_striped_leaders_are_unfenced_and_replicas_differ(racks, partitions, factor, seed, fenced_numbers) -> None:
    """A fenced broker leads, a broker comes twice, or a rack is used twice while another is unused."""
    fenced = {broker for broker in racks if broker % 100 in fenced_numbers}
    if len(fenced) == len(racks):
        fenced.pop()
    factor = min(factor, len(racks))
    spec = PlacementSpec(0, partitions, factor)
    for replicas in StripedPlacer().place(spec, usable(racks, fenced), SeededRandom(seed)):
        assert len(set(replicas)) == factor
        assert replicas[0] not in fenced
        assert len(racks_of(racks, replicas)) == min(factor, len(set(racks.values())))


def test_striped_leads_equally_with_racks_of_one_size() -> None:
    """Leaders are not spread evenly over racks of one size."""
    racks = {number: f"r{number % 3}" for number in range(9)}
    placed = StripedPlacer().place(PlacementSpec(0, 900, 3), usable(racks), SeededRandom(1))
    assert Counter(racks[replicas[0]] for replicas in placed) == {"r0": 300, "r1": 300, "r2": 300}
