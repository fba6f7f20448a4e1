"""AlterPartition, ElectLeaders, AlterPartitionReassignments, AssignReplicasToDirs: each check, and what is written."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from kraftpy.controller.partition_requests import (
    AlterPartition,
    AlterPartitionReassignments,
    AssignReplicasToDirs,
    ElectLeaders,
    IsrMember,
    ListPartitionReassignments,
    PartitionAlteration,
    Reassignment,
)
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.slices import finished
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.records.metadata import ConfigRecord, FeatureLevelRecord, PartitionChangeRecord, RemoveTopicRecord
from tests.unit.controller.worlds import TOPIC_ID, World, beat, range_of, set_configs, topic_records, uuid

ELR = "eligible.leader.replicas.version"
UNCLEAN_ALLOWED = ConfigRecord(2, "orders", "unclean.leader.election.enable", "true")


def world_of(*partitions, live=(1, 2, 3), registered=(1, 2, 3, 4), records=(), keeps_elr=False):
    """A world with these partitions of "orders", some of whose brokers are unfenced."""
    elr = (FeatureLevelRecord(ELR, 1), ConfigRecord(4, "", "min.insync.replicas", "2")) if keeps_elr else ()
    world = World(level=30, records=elr)
    for broker_id in registered:
        (world.alive if broker_id in live else world.register)(broker_id, features=(range_of(), range_of(ELR, 0, 1)))
    world.append(ControllerResult((*topic_records(*partitions), *records), None))
    return world


def epoch_of(world, broker_id):
    return world.broker(broker_id).broker_epoch


def alter(world, leader, isr, *, partition_id=0, topic_id=TOPIC_ID, **changes):
    """Let a leader alter an ISR; return the error and the registration of the response."""
    found = world.partition(partition_id)
    fields = {
        "partition_id": partition_id,
        "leader_epoch": found.leader_epoch if found else 0,
        "partition_epoch": found.partition_epoch if found else 0,
        "isr": tuple(member if isinstance(member, IsrMember) else IsrMember(member) for member in isr),
        **changes,
    }
    request = AlterPartition(
        broker_id=leader,
        broker_epoch=epoch_of(world, leader),
        topics=((topic_id, (PartitionAlteration(**fields),)),),
    )
    _, response = world.do(request)
    ((_, (altered,)),) = response.topics
    return altered.error, altered.state


def test_a_leader_grows_and_shrinks_its_isr():
    """The response is the registration in force, epochs included; the same ISR again writes nothing."""
    world = world_of(([1, 2, 3], [1, 2], 1))
    error, state = alter(world, 1, [1, 2, IsrMember(3, epoch_of(world, 3))])
    assert (error, state) == (ErrorCode.NONE, world.partition())
    assert (state.isr, state.leader_epoch, state.partition_epoch) == ((1, 2, 3), 0, 1)
    assert alter(world, 1, [1, 2, 3])[1].partition_epoch == 1
    assert alter(world, 1, [1])[1].isr == (1,)


@pytest.mark.parametrize(
    ("leader", "isr", "changes", "error"),
    [
        (1, [1], {"partition_id": 7}, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (1, [1], {"topic_id": uuid(9)}, ErrorCode.UNKNOWN_TOPIC_ID),
        (2, [], {"leader_epoch": 1}, ErrorCode.NOT_CONTROLLER),
        (2, [], {"partition_epoch": 1, "leader_epoch": -1}, ErrorCode.NOT_CONTROLLER),
        (2, [], {"leader_epoch": -1, "partition_epoch": -1}, ErrorCode.FENCED_LEADER_EPOCH),
        (2, [2], {"partition_epoch": -1}, ErrorCode.INVALID_REQUEST),
        (1, [], {"partition_epoch": -1}, ErrorCode.INVALID_UPDATE_VERSION),
        (1, [1, 1], {}, ErrorCode.INVALID_REQUEST),
        (1, [1, 4], {}, ErrorCode.INVALID_REQUEST),
        (1, [1, -1], {}, ErrorCode.INVALID_REQUEST),
        (1, [2], {}, ErrorCode.INVALID_REQUEST),
        (1, [], {}, ErrorCode.INVALID_REQUEST),
        (1, [1], {"recovery_state": 1}, ErrorCode.INVALID_REQUEST),
        (1, [1], {"recovery_state": 9}, ErrorCode.INVALID_REQUEST),
        (1, [1, 5], {}, ErrorCode.INELIGIBLE_REPLICA),
        (1, [1, 6], {}, ErrorCode.INELIGIBLE_REPLICA),
        (1, [1, IsrMember(2, 12_345)], {}, ErrorCode.INELIGIBLE_REPLICA),
    ],
)
def test_the_checks_of_an_alteration_in_order(leader, isr, changes, error):
    """Each wrong request breaks later rules, too, so the order is shown; nothing is written (§12.5)."""
    world = world_of(([1, 2, 5, 6], [1, 2], 1), registered=(1, 2, 3, 4, 5))
    before = world.partition()
    assert alter(world, leader, isr, **changes) == (error, None)
    assert world.partition() == before


@pytest.mark.parametrize(
    ("partition_id", "errors"),
    [(0, [ErrorCode.NONE, ErrorCode.INVALID_REQUEST]), (9, [ErrorCode.UNKNOWN_TOPIC_OR_PARTITION] * 2)],
)
def test_of_a_partition_that_is_named_twice_the_second_alteration_is_refused(partition_id, errors):
    """Where there is no such partition, both times for that."""
    world = world_of(([1, 2], [1, 2], 1))
    one = PartitionAlteration(partition_id, 0, 0, (IsrMember(1),))
    request = AlterPartition(broker_id=1, broker_epoch=epoch_of(world, 1), topics=((TOPIC_ID, (one, one)),))
    _, response = world.do(request)
    ((_, altered),) = response.topics
    assert [each.error for each in altered] == errors


def test_a_broker_that_shuts_down_joins_no_isr():
    """In controlled shutdown it is on its way out."""
    world = world_of(([1, 2], [1], 1), ([2, 1], [2, 1], 2))
    world.do(beat(2, epoch_of(world, 2), world.offset, want_shutdown=True))
    assert alter(world, 1, [1, 2])[0] is ErrorCode.INELIGIBLE_REPLICA


def test_a_recovering_leader_states_when_it_has_recovered():
    """KIP-704: alone in the ISR until then; back to recovering is no way."""
    world = world_of(([1, 2], [1], 1, {"leader_recovery_state": 1}))
    assert alter(world, 1, [1, 2], recovery_state=1)[0] is ErrorCode.INVALID_REQUEST
    assert alter(world, 1, [1], recovery_state=1)[0] is ErrorCode.NONE
    assert alter(world, 1, [1, 2], recovery_state=0)[1].leader_recovery_state == 0
    assert alter(world, 1, [1], recovery_state=1)[0] is ErrorCode.INVALID_REQUEST


def test_a_broker_can_be_fenced_whatever_the_log_has_as_min_isr():
    """Kafka's controller takes any text for a broker's key; the default counts instead."""
    for value in ("x", "", "1e3"):
        record = ConfigRecord(4, "", "min.insync.replicas", value)
        world = world_of(([1, 2], [1, 2], 1), live=(1, 2), records=(record,))
        world.do(beat(1, epoch_of(world, 1), world.offset, want_fence=True))
        assert (world.partition().leader, world.partition().isr) == (2, (2,))


def test_blanks_around_a_value_count_for_nothing():
    """A topic's config is judged without them, so it has to be read without them."""
    world = world_of(([1, 2], [1], 1), records=(ConfigRecord(2, "orders", "min.insync.replicas", " 1 "),))
    world.do(set_configs(2, "orders", ("unclean.leader.election.enable", " True ")))
    world.do(beat(1, epoch_of(world, 1), world.offset, want_fence=True))
    assert (world.partition().leader, world.partition().isr) == (2, (2,))


def test_a_stale_broker_alters_nothing():
    """The whole request is refused; one without topics is not looked at, as in Kafka."""
    world = world_of(([1, 2], [1], 1))
    with pytest.raises(ApiError) as refused:
        world.do(AlterPartition(broker_id=1, broker_epoch=-7, topics=((TOPIC_ID, ()),)))
    assert refused.value.code is ErrorCode.STALE_BROKER_EPOCH
    assert world.do(AlterPartition(broker_id=1, broker_epoch=-7, topics=()))[0] == []


def test_a_partition_named_twice_is_altered_once():
    """The second time it would be decided from a state that is gone."""
    world = world_of(([1, 2, 3], [1], 1))
    both = (PartitionAlteration(0, 0, 0, (IsrMember(1), IsrMember(2))), PartitionAlteration(0, 0, 0, (IsrMember(1),)))
    request = AlterPartition(broker_id=1, broker_epoch=epoch_of(world, 1), topics=((TOPIC_ID, both),))
    records, response = world.do(request)
    assert [one.error for one in response.topics[0][1]] == [ErrorCode.NONE, ErrorCode.INVALID_REQUEST]
    assert len(records) == 1


def test_a_partition_is_altered_once_although_its_topic_is_named_twice():
    """The first alteration ends the reassignment; the second one would put the removed replica into the ISR."""
    fields = {"adding_replicas": [4], "removing_replicas": [3]}
    world = world_of(([4, 1, 2, 3], [1, 2, 3], 1, fields), live=(1, 2, 3, 4))
    topics = tuple(
        (TOPIC_ID, (PartitionAlteration(0, 0, 0, tuple(IsrMember(member) for member in isr)),))
        for isr in ((1, 2, 4), (1, 3))
    )
    _, response = world.do(AlterPartition(broker_id=1, broker_epoch=epoch_of(world, 1), topics=topics))
    assert [one.error for _, (one,) in response.topics] == [ErrorCode.NONE, ErrorCode.INVALID_REQUEST]
    assert (world.partition().replicas, world.partition().isr) == ((4, 1, 2), (1, 2, 4))


def test_a_change_that_completes_a_reassignment_may_remove_the_leader():
    """The record is written, and the response names the reason (KIP-455)."""
    world = world_of(([2, 3, 1], [1, 2], 1, {"adding_replicas": [3], "removing_replicas": [1]}))
    assert alter(world, 1, [1, 2, 3]) == (ErrorCode.NEW_LEADER_ELECTED, None)
    assert (world.partition().replicas, world.partition().leader) == ((2, 3), 2)


def elect(world, kind, topics):
    records, response = world.do(ElectLeaders(election_type=kind, topics=topics))
    return records, {(name, one.partition_id): one.error for name, ones in response.topics for one in ones}


def test_preferred_leaders_are_elected():
    """Only where the first replica does not lead already; all partitions leave those out (KIP-460)."""
    world = world_of(([1, 2], [1, 2], 2), ([1, 2], [1, 2], 1), ([4, 2], [2], 2))
    records, errors = elect(world, 0, (("orders", (0, 1, 2, 9)), ("nothing", (0,))))
    assert errors == {
        ("orders", 0): ErrorCode.NONE,
        ("orders", 1): ErrorCode.ELECTION_NOT_NEEDED,
        ("orders", 2): ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE,
        ("orders", 9): ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ("nothing", 0): ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    }
    assert [(record.partition_id, record.leader) for record in records] == [(0, 1)]
    assert elect(world, 0, None) == ([], {("orders", 2): ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE})


def test_an_unclean_election_that_is_asked_for():
    """Whatever the topic allows, where there is no leader and a live replica."""
    world = world_of(([4, 2], [4], -1), ([4], [4], -1), ([1], [1], 1))
    _, errors = elect(world, 1, (("orders", (0, 1, 2)),))
    assert list(errors.values()) == [
        ErrorCode.NONE,
        ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE,
        ErrorCode.ELECTION_NOT_NEEDED,
    ]
    partition = world.partition()
    assert (partition.leader, partition.isr, int(partition.leader_recovery_state)) == (2, (2,), 1)


def test_an_election_that_elects_none_writes_nothing():
    """Also where a change of the partition would change something else on the way: its only replica is fenced."""
    stale = PartitionChangeRecord(0, TOPIC_ID, last_known_elr=[3])
    world = world_of(([4], [4], -1), keeps_elr=True, records=[stale])
    assert world.partition().last_known_elr == (3,)
    assert elect(world, 1, (("orders", (0,)),)) == ([], {("orders", 0): ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE})


def test_what_an_election_rejects():
    """An unknown type rejects the request; a partition that is named twice is elected once."""
    world = world_of(([1, 2], [1, 2], 2))
    with pytest.raises(ApiError, match="Unknown election type 2") as refused:
        world.do(ElectLeaders(election_type=2, topics=None))
    assert refused.value.code is ErrorCode.INVALID_REQUEST
    _, response = world.do(ElectLeaders(election_type=0, topics=(("orders", (0, 0)),)))
    assert [one.error for one in response.topics[0][1]] == [ErrorCode.NONE, ErrorCode.INVALID_REQUEST]


def reassign(world, replicas, partition_id=0, name="orders", **more):
    request = AlterPartitionReassignments(topics=((name, (Reassignment(partition_id, replicas),)),), **more)
    _, response = world.do(request)
    ((_, (outcome,)),) = response.topics
    return outcome.error, outcome.message


def test_a_reassignment_begins_is_aimed_elsewhere_and_completes():
    """The new replicas come first, what goes comes last, and each step is one record (KIP-455)."""
    world = world_of(([1, 2], [1, 2], 1))
    assert reassign(world, (3, 2))[0] is ErrorCode.NONE
    found = world.partition()
    assert (found.replicas, found.adding_replicas, found.removing_replicas) == ((3, 2, 1), (3,), (1,))
    assert reassign(world, (3, 4))[0] is ErrorCode.NONE
    found = world.partition()
    assert (found.replicas, found.adding_replicas, found.removing_replicas) == ((3, 4, 1, 2), (3, 4), (1, 2))
    assert reassign(world, (3, 2))[0] is ErrorCode.NONE
    assert world.partition().adding_replicas == (3,), "what was removed by the second is no addition of the third"
    alter(world, 1, [1, 2, 3])
    found = world.partition()
    assert (found.replicas, found.adding_replicas, found.removing_replicas) == ((3, 2), (), ())
    assert (found.isr, found.leader) == ((2, 3), 3)


def test_going_back_to_the_first_replicas_ends_a_reassignment():
    """Nothing is added any more, and what was being added goes."""
    world = world_of(([1, 2], [1, 2], 1))
    reassign(world, (3, 4))
    assert reassign(world, (1, 2))[0] is ErrorCode.NONE
    found = world.partition()
    assert (found.replicas, found.adding_replicas, found.removing_replicas) == ((1, 2), (), ())


def test_a_new_order_and_a_smaller_list_take_one_record():
    """Who remains is in sync already."""
    world = world_of(([1, 2, 3], [1, 2, 3], 1))
    reassign(world, (3, 1, 2))
    assert world.partition().replicas == (3, 1, 2)
    reassign(world, (3, 2))
    assert (world.partition().replicas, world.partition().leader) == ((3, 2), 3)


def test_reassignments_are_listed():
    """Those under way, in order, each once however often it is named; what does not exist is left out."""
    world = world_of(*[([1, 2], [1, 2], 1)] * 3)
    reassign(world, (3, 2), 2)
    reassign(world, (2, 1, 4), 0)

    def listed(topics):
        records, response = world.do(ListPartitionReassignments(topics=topics))
        assert records == []
        return [(one.topic, one.partition_id) for one in response.reassignments]

    assert listed(None) == [("orders", 0), ("orders", 2)]
    assert listed((("orders", (2, 1, 9)), ("unknown", (0,)), ("orders", (2,)))) == [("orders", 2)]
    assert listed(()) == []
    first = world.do(ListPartitionReassignments())[1].reassignments[0]
    assert (first.replicas, first.adding_replicas, first.removing_replicas) == ((2, 1, 4), (4,), ())


def test_a_reassignment_is_cancelled():
    """What was being added goes, from the ISR, too."""
    world = world_of(([1, 2], [1, 2], 1))
    reassign(world, (2, 3, 4))
    alter(world, 1, [1, 2, 3])
    assert reassign(world, None)[0] is ErrorCode.NONE
    found = world.partition()
    assert (found.replicas, found.isr, found.adding_replicas) == ((2, 1), (1, 2), ())
    assert reassign(world, None) == (ErrorCode.NO_REASSIGNMENT_IN_PROGRESS, "")


@pytest.mark.parametrize("allowed", [True, False])
def test_a_cancellation_that_would_lose_data(allowed):
    """Only the added replica is in sync: going back is an unclean election, and marked as one."""
    fields = {"adding_replicas": [3], "removing_replicas": []}
    more = [UNCLEAN_ALLOWED] if allowed else []
    world = world_of(([3, 1, 2], [3], 3, fields), records=more)
    error, message = reassign(world, None)
    if allowed:
        found = world.partition()
        assert (found.leader, found.isr, int(found.leader_recovery_state)) == (1, (1,), 1)
    else:
        assert error is ErrorCode.INVALID_REPLICA_ASSIGNMENT
        assert message.startswith("Unable to revert partition assignment for orders:0 because")


@pytest.mark.parametrize("allowed", [True, False])
def test_a_cancellation_that_would_lose_the_eligible_leaders(allowed):
    """With an empty ISR the added replica is the only eligible leader: its records are committed."""
    fields = {"adding_replicas": [3], "removing_replicas": [], "eligible_leader_replicas": [3]}
    more = [UNCLEAN_ALLOWED] if allowed else []
    world = world_of(([3, 1, 2], [], -1, fields), live=(1, 2), records=more, keeps_elr=True)
    error, _ = reassign(world, None)
    found = world.partition()
    if allowed:
        assert (found.leader, found.isr, found.elr, int(found.leader_recovery_state)) == (1, (1,), (), 1)
    else:
        assert error is ErrorCode.INVALID_REPLICA_ASSIGNMENT
        assert (found.replicas, found.elr) == ((3, 1, 2), (3,))


def test_a_cancellation_elects_no_replica_that_goes():
    """The last known leader is the added replica; without it the partition has no leader."""
    fields = {"adding_replicas": [3], "removing_replicas": [], "last_known_elr": [3]}
    world = world_of(([3, 1, 2], [], -1, fields), keeps_elr=True)
    assert reassign(world, None)[0] is ErrorCode.NONE
    assert (world.partition().replicas, world.partition().leader, world.partition().isr) == ((1, 2), None, ())


@pytest.mark.parametrize(
    ("asked", "more", "error", "text"),
    [
        ({"name": "nothing"}, {}, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "Unable to find a topic named nothing."),
        ({"partition_id": 9}, {}, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "Unable to find partition orders:9."),
        ({"replicas": ()}, {}, ErrorCode.INVALID_REPLICA_ASSIGNMENT, "an empty replica list"),
        ({"replicas": (1, 9)}, {}, ErrorCode.INVALID_REPLICA_ASSIGNMENT, "broker 9, but no such broker"),
        ({"replicas": (2, 1, 2)}, {}, ErrorCode.INVALID_REPLICA_ASSIGNMENT, "the broker 2 more than once"),
        (
            {"replicas": (1, 2, 3)},
            {"allow_replication_factor_change": False},
            ErrorCode.INVALID_REPLICATION_FACTOR,
            "The replication factor is changed from 2 to 3",
        ),
    ],
)
def test_what_a_reassignment_rejects(asked, more, error, text):
    """One partition is refused; the request is not."""
    world = world_of(([1, 2], [1, 2], 1))
    found, message = reassign(world, **{"replicas": (1, 2), **asked, **more})
    assert found is error
    assert text in message
    assert world.partition().replicas == (1, 2)


def test_a_long_name_is_not_repeated_for_each_partition():
    """No topic has such a name, and the request may ask for thousands of its partitions."""
    world = world_of(([1], [1], 1))
    name = "\u0390" * 10_000
    _, response = world.do(ElectLeaders(election_type=0, topics=((name, (0, 0)),)))
    assert max(len(one.message) for one in response.topics[0][1]) < 300
    assert len(reassign(world, (1,), name=name)[1]) < 300


def assign(world, directory, partition_ids=(0,), topic_id=TOPIC_ID, broker_id=1):
    request = AssignReplicasToDirs(
        broker_id=broker_id,
        broker_epoch=epoch_of(world, broker_id),
        directories=((directory, ((topic_id, partition_ids),)),),
    )
    records, response = world.do(request)
    return records, [one.error for one in response.directories[0][1][0][1]]


def test_replicas_are_recorded_in_their_directories():
    """Once; what is recorded already writes nothing (KIP-858)."""
    world = world_of(([1, 2], [1, 2], 1))
    here = world.broker(1).log_dirs[0]
    records, errors = assign(world, here)
    assert (len(records), errors) == (1, [ErrorCode.NONE])
    assert world.partition().directory(1) == here
    assert assign(world, here) == ([], [ErrorCode.NONE])


def test_a_replica_in_a_directory_that_is_not_online_is_lost():
    """It leaves the ISR with the same record, and what it led is led by another."""
    world = world_of(([1, 2], [1, 2], 1))
    records, errors = assign(world, uuid(999))
    assert (len(records), errors) == (1, [ErrorCode.NONE])
    assert (world.partition().isr, world.partition().leader) == ((2,), 2)


@pytest.mark.parametrize(("log_dir", "leader"), [(0, None), (None, 3)])
def test_a_replica_that_is_in_its_directory_is_no_reason_to_elect_uncleanly(log_dir, leader):
    """Only a replica that is lost is, where the topic allows it."""
    world = world_of(([1, 4, 3], [4], -1), records=[UNCLEAN_ALLOWED], live=(3,), registered=(1, 3, 4))
    _, errors = assign(world, uuid(999) if log_dir is None else world.broker(1).log_dirs[log_dir])
    assert (errors, world.partition().leader) == ([ErrorCode.NONE], leader)


def test_what_an_assignment_rejects():
    """Unknown topics and partitions, other brokers' replicas, and a replica that is named twice."""
    world = world_of(([2, 3], [2, 3], 2), ([1], [1], 1))
    here = world.broker(1).log_dirs[0]
    assert assign(world, here, (0, 9, 1, 1))[1] == [
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.NONE,
        ErrorCode.INVALID_REQUEST,
    ]
    assert assign(world, here, (9, 9), topic_id=uuid(9))[1] == [ErrorCode.UNKNOWN_TOPIC_ID] * 2
    with pytest.raises(ApiError) as refused:
        World(level=16).do(AssignReplicasToDirs(broker_id=1, broker_epoch=1, directories=()))
    assert refused.value.code is ErrorCode.UNSUPPORTED_VERSION


BROKERS = st.integers(1, 5)


class RandomPartitions(RuleBasedStateMachine):
    """Brokers come and go, leaders alter ISRs, administrators elect and reassign; invariants are checked each time."""

    @initialize(data=st.data(), elr=st.booleans(), unclean=st.booleans())
    def start(self, data, elr, unclean):
        lists = st.lists(BROKERS, min_size=1, max_size=4, unique=True)
        drawn = data.draw(st.lists(lists, min_size=1, max_size=4))
        self.may_lose = unclean
        self.world = world_of(
            *[(replicas, replicas, replicas[0]) for replicas in drawn],
            registered=range(1, 6),
            live=range(1, 6),
            records=[UNCLEAN_ALLOWED] if unclean else [],
            keeps_elr=elr,
        )
        self.keeps_elr = elr
        self.index = self.world.controller._replicas

    def partitions(self):
        return self.world.controller.image.topics.topic(TOPIC_ID).partitions

    @rule(broker_id=BROKERS)
    def fence(self, broker_id):
        epoch = epoch_of(self.world, broker_id)
        self.world.do(beat(broker_id, epoch, self.world.offset, want_fence=True))

    @rule(broker_id=BROKERS)
    def unfence(self, broker_id):
        self.world.do(beat(broker_id, epoch_of(self.world, broker_id), self.world.offset))

    @rule(data=st.data())
    def leader_alters(self, data):
        led = [(number, one) for number, one in self.partitions().items() if one.leader is not None]
        if not led:
            return
        number, partition = data.draw(st.sampled_from(led))
        active = [one for one in partition.replicas if self.world.broker(one).is_active and one != partition.leader]
        others = data.draw(st.lists(st.sampled_from(active), unique=True)) if active else []
        error, _ = alter(self.world, partition.leader, [partition.leader, *others], partition_id=number)
        assert error in {ErrorCode.NONE, ErrorCode.NEW_LEADER_ELECTED}

    @rule()
    def delete_and_create_again(self):
        partitions = self.partitions()
        again = [
            (list(one.replicas), list(one.isr), -1 if one.leader is None else one.leader) for one in partitions.values()
        ]
        self.world.append(ControllerResult((RemoveTopicRecord(topic_id=TOPIC_ID),), None))
        self.world.append(ControllerResult(tuple(topic_records(*again)), None))

    @rule(kind=st.sampled_from([0, 1]))
    def elect(self, kind):
        self.may_lose = self.may_lose or kind == 1
        elect(self.world, kind, None)

    @rule(data=st.data())
    def move(self, data):
        number = data.draw(st.sampled_from(sorted(self.partitions())))
        target = data.draw(st.none() | st.lists(BROKERS, min_size=1, max_size=4, unique=True))
        reassign(self.world, None if target is None else tuple(target), number)

    def the_index_finds_what_a_walk_finds(self):
        image = self.world.controller.image
        for broker_id in range(1, 6):
            places = finished(self.index.of(image, broker_id))
            found = [(topic.id, number, one) for topic, number, one in places]
            assert found == sorted(
                (topic.id, number, one)
                for topic in image.topics.by_id.values()
                for number, one in topic.partitions.items()
                if broker_id in one.replicas
            )

    @invariant()
    def what_must_hold(self):
        if not hasattr(self, "world"):
            return
        self.the_index_finds_what_a_walk_finds()
        for partition in self.partitions().values():
            replicas, isr = set(partition.replicas), set(partition.isr)
            assert len(replicas) == len(partition.replicas)
            assert isr <= replicas
            assert isr or self.keeps_elr
            assert not set(partition.elr) & isr
            assert set(partition.elr) <= replicas
            assert {*partition.adding_replicas, *partition.removing_replicas} <= replicas
            assert len(partition.directories) == len(partition.replicas)
            if partition.leader is None:
                alive = [one for one in partition.isr or partition.elr if self.world.broker(one).is_active]
                assert not alive, "a partition with a live replica that is in sync or eligible has a leader"
            else:
                assert partition.leader in isr
                assert self.world.broker(partition.leader).is_active
            assert self.may_lose or int(partition.leader_recovery_state) == 0


TestRandomPartitions = RandomPartitions.TestCase
TestRandomPartitions.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
