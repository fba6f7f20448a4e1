"""Plans of reassignments: which rules they fulfil, and how little they move."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kraftpy.quorum_tools.reassignment_plan import NoPlanError, plan_reassignment


def brokers(count, racks=0, first=1):
    return {each: f"r{each % racks}" if racks else None for each in range(first, first + count)}


def placed(count, ids, factor=3):
    """Partitions in turn over brokers."""
    ids = list(ids)
    return {("t", number): [ids[(number + each) % len(ids)] for each in range(factor)] for number in range(count)}


def spread(counter, ids):
    numbers = [counter[each] for each in ids]
    return max(numbers) - min(numbers)


def test_what_is_balanced_stays():
    present = placed(12, range(1, 5))
    plan = plan_reassignment(present, brokers(4))
    assert (plan.replicas, plan.moved) == (present, 0)


def test_a_new_broker_gets_its_share_and_nothing_else_moves():
    """24 partitions of 3 on 3 brokers; the fourth gets 18 of the 72 replicas."""
    plan = plan_reassignment(placed(24, range(1, 4)), brokers(4))
    assert plan.moved == 18
    assert set(plan.replicas_after.values()) == {18}
    assert set(plan.leaders_after.values()) == {6}


def test_a_broker_that_leaves_gives_away_what_it_has():
    present = placed(20, range(1, 6))
    plan = plan_reassignment(present, brokers(4))
    assert plan.moved == Counter(one for replicas in present.values() for one in replicas)[5] == 12
    assert spread(plan.replicas_after, range(1, 5)) == 0
    assert spread(plan.leaders_after, range(1, 5)) <= 1


def test_replicas_leave_a_rack_that_has_too_many():
    """Two racks of two: three replicas are two and one, never three in one; what fits already stays."""
    racks = {1: "a", 2: "a", 3: "b", 4: "b", 5: "a"}
    plan = plan_reassignment({("t", 0): [1, 2, 5], ("t", 1): [3, 1, 4]}, racks)
    assert {racks[one] for one in plan.replicas[("t", 0)]} == {"a", "b"}
    assert plan.moved == 1
    assert sorted(plan.replicas[("t", 1)]) == [1, 3, 4]


def test_the_preferred_leader_stays_if_another_replica_can_go():
    assert plan_reassignment({("t", 0): [5, 1]}, {1: "a", 5: "a", 3: "b"}).replicas == {("t", 0): [5, 3]}


def test_leaders_are_balanced_by_order_alone():
    plan = plan_reassignment({("t", number): [1, 2, 3] for number in range(9)}, brokers(3))
    assert plan.moved == 0
    assert set(plan.leaders_after.values()) == {3}
    assert (plan.leaders_before, plan.replicas_before) == ({1: 9}, {1: 9, 2: 9, 3: 9})


def test_too_few_brokers_is_an_error():
    with pytest.raises(NoPlanError, match="t-0 has 3 replicas, and only 2 brokers are given"):
        plan_reassignment(placed(1, range(1, 4)), brokers(2))
    assert plan_reassignment({}, {}).moved == 0


@st.composite
def situations(draw):
    ids = draw(st.lists(st.integers(0, 12), min_size=1, max_size=9, unique=True))
    factor = draw(st.integers(1, min(4, len(ids))))
    old = st.lists(st.integers(0, 15), min_size=factor, max_size=factor, unique=True)
    present = {("t", number): draw(old) for number in range(draw(st.integers(0, 14)))}
    racks = draw(st.sampled_from([None, 1, 2, 3]))
    return present, {each: None if racks is None else f"r{draw(st.integers(0, racks))}" for each in ids}


@given(situations())
def test_every_plan_fulfils_the_rules(situation):
    """Brokers, numbers, racks; and it moves no more than is wrong, or too much for a broker."""
    present, racks = situation
    plan = plan_reassignment(present, racks)
    assert plan.replicas.keys() == present.keys()
    sizes = Counter(racks.values())
    for partition, replicas in plan.replicas.items():
        assert len(replicas) == len(set(replicas)) == len(present[partition])
        assert set(replicas) <= set(racks)
        if None not in racks.values():
            used = Counter(racks[one] for one in replicas)
            for rack, count in used.items():
                others = [used[other] for other, size in sizes.items() if other != rack and size > used[other]]
                assert all(count <= other + 1 for other in others), "a rack has more than another one needs"
    if None in racks.values() and plan.replicas:
        assert spread(plan.replicas_after, racks) <= 1
    again = plan_reassignment(plan.replicas, racks)
    assert (again.replicas, again.moved) == (plan.replicas, 0), "a plan that was carried out is not changed"
