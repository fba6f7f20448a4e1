"""Which node is restarted next: the order, what has to hold before, and that nothing is restarted twice or unsafely."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kraftpy.model.features import BY_LEVEL, CONTROLLER_REGISTRATION_LEVEL
from kraftpy.quorum_tools.ok_to_stop import LAG_MAX, SILENT_MS
from kraftpy.quorum_tools.rolling import (
    PARTITIONS_NAMED_MAX,
    HandOverLeadership,
    NodeProgress,
    RestartNode,
    RollBlocked,
    RollFinished,
    RollPlan,
    RollWait,
    has_restarted,
    next_roll_step,
    ordered_nodes,
    plan_obstacles,
    progress_of,
    why_there,
)
from tests.unit.doctor.worlds import NOW_MS, partition, uuid
from tests.unit.quorum_tools.rolling_world import World


def ids(nodes):
    return [node.node_id for node in nodes]


def waited_for(step):
    assert isinstance(step, RollWait), step
    return [(problem.what, problem.is_expected) for problem in step.problems]


# The order.


def test_observers_followers_the_leader_then_brokers_rack_by_rack():
    world = World(voters=(1, 2, 3), observers=(9,), brokers=(101, 102, 103, 104), racks={101: "b", 102: "a", 104: "a"})
    view = world.view()
    nodes = ordered_nodes(view)
    assert ids(nodes) == [9, 2, 3, 1, 102, 104, 101, 103]
    assert ids(ordered_nodes(view, brokers_first=True)) == [102, 104, 101, 103, 9, 2, 3, 1]
    reasons = [why_there(node, view) for node in nodes]
    assert reasons[0] == "observer of the quorum"
    assert reasons[3].startswith("leader of the quorum: last of the controllers")
    assert reasons[4:] == ["broker in rack a"] * 2 + ["broker in rack b", "broker without a rack"]
    assert (nodes[0].role, nodes[4].role, nodes[0].host, nodes[4].host) == ("controller", "broker", "c9", "c2")


def test_a_node_of_both_roles_is_one_of_the_controllers():
    world = World(brokers=(2, 101))
    nodes = ordered_nodes(world.view())
    assert ids(nodes) == [2, 3, 1, 101]
    assert nodes[0].role == "broker,controller"
    assert why_there(nodes[0], world.view()) == "follower of the quorum and a broker"


def test_the_whole_way():
    """Each step follows from the cluster; the leader hands over to one that has restarted, and is the last of three."""
    world = World(brokers=(101, 102))
    plan, order = world.plan(), []
    while not isinstance(step := world.step(plan), RollFinished):
        if isinstance(step, HandOverLeadership):
            order.append(("leads", step.to))
            world.leader, world.epoch = step.to, world.epoch + 1
            continue
        assert isinstance(step, RestartNode), step
        order.append(step.node.node_id)
        world.restart(step.node.node_id)
    assert order == [2, 3, ("leads", 2), 1, 101, 102]


def test_who_leads_when_its_turn_comes_is_the_last():
    """Leadership that moved meanwhile does not make the roll restart a leader before the others."""
    world = World(brokers=())
    plan = world.plan()
    world.leader, world.epoch = 2, 5
    order = []
    while not isinstance(step := world.step(plan), RollFinished):
        if isinstance(step, HandOverLeadership):
            world.leader, world.epoch = step.to, world.epoch + 1
        else:
            order.append(step.node.node_id)
            world.restart(step.node.node_id)
    assert order == [3, 1, 2]


def test_the_successor_is_the_voter_with_the_longest_log():
    world = World(voters=(1, 2, 3, 4, 5), brokers=())
    plan = world.plan()
    leader = replace(plan, nodes=tuple(node for node in plan.nodes if node.node_id == 1))
    world.lag = {2: 7, 3: 5, 5: 6}
    assert world.step(leader) == HandOverLeadership(leader.nodes[0], 4)
    world.lag = {2: 7, 5: 6}
    assert world.step(leader) == HandOverLeadership(leader.nodes[0], 3)


# What has to hold.


def dead_voter(world):
    world.down.add(3)


def dead_broker(world):
    world.down.add(102)


def slow_voter(world):
    world.lag[2] = LAG_MAX + 1


def no_leader(world):
    world.leader = None


@pytest.mark.parametrize(
    ("breaks", "text"),
    [
        (dead_voter, "node 3 fetched last"),
        (dead_broker, "node 102 fetched last"),
        (slow_voter, f"node 2 is {LAG_MAX + 1} records behind"),
        (no_leader, "no voter leads the quorum"),
    ],
)
def test_what_no_restart_explains_is_unexpected(breaks, text):
    world = World()
    plan = world.plan()
    breaks(world)
    ((what, is_expected),) = waited_for(world.step(plan))
    assert text in what
    assert not is_expected


def test_a_fenced_broker_is_not_in_service():
    world = World()
    plan = world.plan()
    before, view = world.view(), world.view()
    for state, text in (({"fenced": True}, "is fenced"), ({"in_controlled_shutdown": True}, "in controlled shutdown")):
        brokers = (replace(view.cluster.brokers[0], **state), *view.cluster.brokers[1:])
        changed = replace(view, cluster=replace(view.cluster, brokers=brokers))
        ((what, is_expected),) = waited_for(next_roll_step(plan, changed, before))
        assert text in what
        assert not is_expected


def test_a_process_that_died_just_now_is_missed_before_the_next_restart():
    """What fetched before the last look, and not since, may be dead though its age says nothing yet."""
    world = World(brokers=(101,))
    plan = world.plan()
    before, view = world.view(), world.view()
    for node_id in (3, 101):
        rows = {}
        for name in ("voters", "observers"):
            rows[name] = tuple(
                replace(one, last_fetch_ms=before.leader.last_fetch_ms) if one.key.node_id == node_id else one
                for one in getattr(view.quorum, name)
            )
        stale = replace(view, quorum=replace(view.quorum, **rows))
        # The looks are closer than it takes to miss a node by its age.
        assert view.leader.last_fetch_ms - before.leader.last_fetch_ms < SILENT_MS
        assert waited_for(next_roll_step(plan, stale, before)) == [
            (f"nodes that have not fetched since the last look: {node_id}", True)
        ]
    assert isinstance(next_roll_step(plan, view, before), RestartNode)


def test_an_older_look_is_none_after_an_election():
    world = World()
    plan = world.plan()
    before = world.view()
    world.epoch += 1
    assert waited_for(next_roll_step(plan, world.view(), before)) == [
        ("the leader has changed since the last look", True)
    ]


def test_a_node_in_flight_is_waited_for_until_it_is_another_process():
    world = World()
    plan = world.plan()
    assert waited_for(world.step(plan, in_flight=2)) == [("node 2 has not registered as a new process yet", True)]
    world.restart(2)
    world.lag[2] = LAG_MAX + 1
    assert progress_of(plan.nodes[0], world.view()) is NodeProgress.RETURNING
    assert waited_for(world.step(plan, in_flight=2)) == [(f"node 2 is {LAG_MAX + 1} records behind", True)]
    world.lag.clear()
    assert progress_of(plan.nodes[0], world.view()) is NodeProgress.RESTARTED
    assert world.step(plan, in_flight=2) == RestartNode(plan.nodes[1])


def test_a_node_of_both_roles_is_back_when_both_have_registered():
    world = World(brokers=(2,))
    plan = world.plan()
    before, view = world.view(), world.view()
    (first, *_) = plan.nodes
    half = replace(view.cluster, brokers=(replace(view.cluster.brokers[0], incarnation_id=uuid(7)),))
    returning = replace(view, cluster=half)
    assert not has_restarted(first, returning)
    assert progress_of(first, returning) is NodeProgress.RETURNING
    assert waited_for(next_roll_step(plan, returning, before)) == [
        ("node 2 has not registered as a new process yet", True)
    ]


def test_no_leader_is_expected_while_a_controller_restarts():
    world = World()
    plan = world.plan()
    world.leader = None
    assert waited_for(world.step(plan, in_flight=1)) == [("no voter leads the quorum", True)]
    assert waited_for(world.step(plan, in_flight=101)) == [("no voter leads the quorum", False)]


PARTS = (partition(0, replicas=(101, 102, 103), isr=(101, 102, 103)),)


def test_a_broker_waits_until_partitions_can_spare_it():
    world = World(voters=(1,), brokers=(101, 102, 103), parts=(partition(0, replicas=(101, 102, 103), isr=(101, 102)),))
    plan = replace(world.plan(), nodes=tuple(node for node in world.plan().nodes if node.node_id > 100))
    ((what, is_expected),) = waited_for(world.step(plan))
    assert what == ("node 101 cannot be stopped: without it 1 partition (orders-0) would be under min.insync.replicas")
    assert is_expected
    world.parts = (partition(0, replicas=(101, 102), isr=(101,)),)
    ((what, _),) = waited_for(world.step(plan))
    assert "would be offline" in what
    world.parts = PARTS
    assert isinstance(world.step(plan), RestartNode)


def test_a_restarted_broker_is_waited_for_by_its_partitions():
    """Under min.insync.replicas for lack of it; what others lack is none of the roll's business."""
    world = World(parts=(partition(0, leader=101, replicas=(101, 102), isr=(101,)),))
    plan = world.plan()
    for node_id in (1, 2, 3):
        world.restart(node_id)
    controllers = replace(plan, nodes=plan.nodes[:3])
    assert world.step(controllers) == RollFinished()
    world.restart(102)
    ((what, is_expected),) = waited_for(world.step(plan))
    assert what == "1 partition (orders-0) under min.insync.replicas until the restarted replicas have caught up"
    assert is_expected


def test_many_partitions_are_counted():
    count = PARTITIONS_NAMED_MAX + 2
    world = World(parts=tuple(partition(number, replicas=(101, 102, 103), isr=(101,)) for number in range(count)))
    plan = replace(world.plan(), nodes=tuple(node for node in world.plan().nodes if node.node_id == 101))
    ((what, _),) = waited_for(world.step(plan))
    assert f"{count} partitions (orders-0, orders-1, orders-2, orders-3, orders-4 and 2 more)" in what


def test_a_quorum_of_two_is_restarted_only_where_that_is_allowed():
    world = World(voters=(1, 2), brokers=())
    ((what, is_expected),) = waited_for(world.step(world.plan()))
    assert "without 2, 1 of 2 voters would be running" in what
    assert is_expected
    allowed = world.plan(allows_unavailable=True)
    assert world.step(allowed) == RestartNode(allowed.nodes[0])
    alone = World(voters=(1,), brokers=())
    assert isinstance(alone.step(alone.plan(allows_unavailable=True)), RestartNode)


def test_a_single_replica_is_restarted_only_where_that_is_allowed():
    """And a partition that could be kept available is kept, also then."""
    world = World(voters=(1, 2, 3), brokers=(101, 102, 103), parts=(partition(0, replicas=(101,), isr=(101,)),))
    plan = world.plan()
    brokers = tuple(node for node in plan.nodes if node.node_id > 100)
    waited_for(world.step(replace(plan, nodes=brokers)))
    allowed = replace(plan, nodes=brokers, allows_unavailable=True)
    assert isinstance(world.step(allowed), RestartNode)
    world.parts = (partition(0, replicas=(101, 102, 103), isr=(101, 102)),)
    waited_for(world.step(allowed))


def test_another_cluster_or_a_node_that_is_gone_needs_a_new_plan():
    world = World()
    plan = world.plan()
    step = world.step(replace(plan, cluster_id="other"))
    assert step == RollBlocked("this is cluster abc, and the plan is for other: make a new plan")
    world.brokers = (101, 102)
    assert world.step(plan) == RollBlocked("broker 103 is not registered any more: make a new plan")


# What is in the way of a plan.


def obstacles(world, **changes):
    return [(one.what, one.way_out) for one in plan_obstacles(world.plan(**changes), world.view())]


def test_a_healthy_cluster_has_nothing_in_the_way():
    assert obstacles(World(parts=PARTS)) == []


def test_what_is_down_and_what_can_never_be_available_is_in_the_way():
    world = World(voters=(1, 2), parts=(partition(0, replicas=(101,), isr=(101,)),))
    world.down = {102}
    found = obstacles(world)
    assert [what.partition(" ")[0] for what, _ in found] == ["node", "the", "1"]
    assert "kraftpy cluster unregister" in found[0][1]
    assert "--allow-unavailable" in found[1][1]
    assert "--allow-unavailable" in found[2][1]
    assert len(obstacles(world, allows_unavailable=True)) == 1


def test_a_voter_without_a_registration_is_in_the_way():
    world = World()
    view = world.view()
    fewer = replace(view, cluster=replace(view.cluster, controllers=view.cluster.controllers[:2]))
    plan = RollPlan(cluster_id="abc", created_ms=NOW_MS, nodes=ordered_nodes(fewer))
    (found,) = plan_obstacles(plan, fewer)
    assert found.what == "voter 3 is not registered, so a restart of it cannot be seen"
    assert BY_LEVEL[CONTROLLER_REGISTRATION_LEVEL].name in found.way_out


# Whatever happens.

EVENTS = st.lists(
    st.tuples(st.sampled_from(["step", "dies", "returns", "lead", "lags", "catches up"]), st.integers(0, 8)),
    max_size=25,
)


@settings(max_examples=60)
@given(voters=st.integers(3, 5), brokers=st.integers(0, 3), events=EVENTS)
def test_one_at_a_time_once_each_and_never_an_unsafe_one(voters, brokers, events):
    """Whatever dies, lags and leads in between: who is stopped is not the leader, and everyone else is well."""
    world = World(
        voters=tuple(range(1, voters + 1)),
        brokers=tuple(range(101, 101 + brokers)),
        parts=(partition(0, replicas=(101, 102, 103), isr=(101, 102, 103)),) if brokers == 3 else (),
    )
    plan = world.plan()
    everyone = [*world.voters, *world.brokers]
    restarted: list[int] = []

    def take_step():
        step = world.step(plan)
        if isinstance(step, HandOverLeadership):
            assert step.to not in world.down
            world.leader, world.epoch = step.to, world.epoch + 1
        elif isinstance(step, RestartNode):
            assert not world.down
            assert all(lag <= LAG_MAX for lag in world.lag.values())
            assert step.node.node_id != world.leader
            restarted.append(step.node.node_id)
            world.restart(step.node.node_id)
        return step

    for event, number in events:
        if event == "step":
            take_step()
        else:
            world.befall(event, everyone[number % len(everyone)])
    world.down.clear()
    world.lag.clear()
    for _ in range(3 * len(everyone)):
        if isinstance(take_step(), RollFinished):
            break
    assert sorted(restarted) == sorted(everyone)
    first_broker = next((at for at, one in enumerate(restarted) if one > 100), len(restarted))
    assert all(one > 100 for one in restarted[first_broker:])
