"""Directories that heartbeats report: saturated (KIP-928), cordoned (KIP-1066), offline (KIP-858)."""

from __future__ import annotations

import pytest

from kraftpy.controller.partition_requests import (
    AlterPartitionReassignments,
    AssignReplicasToDirs,
    ElectionType,
    ElectLeaders,
    Reassignment,
)
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.topic_requests import CreatableTopic, CreateTopics
from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import DIRECTORY_UNASSIGNED
from kraftpy.records.metadata import BrokerRegistrationChangeRecord, ConfigRecord, FeatureLevelRecord
from tests.unit.controller.test_fencing import changes
from tests.unit.controller.test_partition_requests import alter, epoch_of
from tests.unit.controller.worlds import TOPIC_ID, World, beat, range_of, topic_records, uuid

HERE, THERE = uuid(61), uuid(62)
ELSEWHERE = uuid(502)
ELR = "eligible.leader.replicas.version"
FEATURES = (range_of(), range_of(ELR, 0, 1))


def world_of(*partitions, level=42, keeps_elr=False, records=()):
    """Broker 1 has two directories, 2 and 3 have one each; partitions are (replicas, isr, leader, directory of 1)."""
    elr = (FeatureLevelRecord(ELR, 1), ConfigRecord(4, "", "min.insync.replicas", "2")) if keeps_elr else ()
    world = World(level=level, records=elr)
    for broker_id, directories in ((1, (HERE, THERE)), (2, (uuid(502),)), (3, (uuid(503),))):
        world.alive(broker_id, log_dirs=directories, features=FEATURES)
    placed = [
        (replicas, isr, leader, {"directories": [directory if one == 1 else uuid(500 + one) for one in replicas]})
        for replicas, isr, leader, directory in partitions
    ]
    world.append(ControllerResult((*topic_records(*placed), *records), None))
    return world


def report(world, broker_id=1, **directories):
    """Send a heartbeat; return its records."""
    return world.do(beat(broker_id, epoch_of(world, broker_id), **directories))[0]


def fill(world, *directories):
    return report(world, saturated_log_dirs=directories)


def test_a_saturated_directory_loses_its_leaders_and_leaves_the_isrs():
    """Only partitions in the directory change; the registration is the last record, and names the directory."""
    world = world_of(([1, 2], [1, 2], 1, HERE), ([1, 2], [1, 2], 1, THERE), ([2, 1], [2, 1], 2, HERE))
    records = fill(world, HERE)
    assert changes(records) == {0: (2, [2]), 2: (-2, [2])}
    assert records[-1] == BrokerRegistrationChangeRecord(1, epoch_of(world, 1), saturated_log_dirs=[HERE])
    assert (world.broker().log_dirs, world.broker().saturated_log_dirs) == ((HERE, THERE), (HERE,))
    assert not world.broker().fenced
    assert fill(world, HERE) == []


def test_the_last_replica_in_sync_stays_in_the_isr_and_leads_again():
    """Without ELR an ISR never becomes empty: there is no leader until the directory is reported well."""
    world = world_of(([1, 2], [1], 1, HERE))
    assert changes(fill(world, HERE)) == {0: (-1, None)}
    assert world.partition().isr == (1,)
    records = fill(world)
    assert changes(records) == {0: (1, None)}
    assert records[0].saturated_log_dirs == [], "the records may be cut: a replica leads after its directory is well"
    assert (world.partition().leader, world.broker().saturated_log_dirs) == (1, ())


def test_replicas_leave_before_the_registration_changes_and_return_after():
    """In one report, of which each part that is published holds by itself."""
    world = world_of(([1, 2], [1, 2], 1, HERE), ([1], [1], 1, THERE))
    fill(world, THERE)
    kinds = [type(record).__name__ for record in fill(world, HERE)]
    assert kinds == ["PartitionChangeRecord", "BrokerRegistrationChangeRecord", "PartitionChangeRecord"]


def test_with_elr_the_last_replica_becomes_eligible_and_leads_again():
    """With ELR the ISR becomes empty, and the replica is in the ELR: ISR and ELR together never are."""
    world = world_of(([1, 2], [1], 1, HERE), keeps_elr=True)
    fill(world, HERE)
    assert (world.partition().leader, world.partition().isr, world.partition().elr) == (None, (), (1,))
    fill(world)
    assert (world.partition().leader, world.partition().isr, world.partition().elr) == (1, (1,), ())


def test_an_unclean_election_where_the_topic_allows_it():
    """As with any replica that cannot lead: where unclean elections are enabled, one that is not in sync leads."""
    allowed = ConfigRecord(2, "orders", "unclean.leader.election.enable", "true")
    world = world_of(([1, 2], [1], 1, HERE), records=(allowed,))
    assert changes(fill(world, HERE)) == {0: (2, [2])}


def test_a_saturated_replica_does_not_return_to_the_isr():
    """AlterPartition refuses it until the directory is reported well."""
    world = world_of(([2, 1], [2, 1], 2, HERE))
    fill(world, HERE)
    assert alter(world, 2, [2, 1])[0] is ErrorCode.INELIGIBLE_REPLICA
    fill(world)
    assert alter(world, 2, [2, 1])[0] is ErrorCode.NONE
    assert world.partition().isr == (2, 1)


def test_a_saturated_replica_is_not_elected():
    """Neither by a preferred election nor when the leader is fenced, even where a log of another controller has it."""
    world = world_of(([1, 2], [1, 2], 2, HERE))
    full = BrokerRegistrationChangeRecord(1, epoch_of(world, 1), saturated_log_dirs=[HERE])
    world.append(ControllerResult((full,), None))
    asked = ElectLeaders(election_type=ElectionType.PREFERRED, topics=(("orders", (0,)),))
    _, response = world.do(asked)
    ((_, (outcome,)),) = response.topics
    assert outcome.error is ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE
    report(world, 2, want_fence=True)
    assert world.partition().leader is None


def test_all_directories_saturated_includes_replicas_without_a_known_directory():
    """A replica that is not assigned yet is in one of the broker's directories: it is lost with the last one."""
    world = world_of(([1, 2], [1, 2], 1, DIRECTORY_UNASSIGNED))
    assert changes(fill(world, HERE)) == {}
    assert changes(fill(world, HERE, THERE)) == {0: (2, [2])}
    assert alter(world, 2, [2, 1])[0] is ErrorCode.INELIGIBLE_REPLICA
    fill(world, THERE)
    assert alter(world, 2, [2, 1])[0] is ErrorCode.NONE


def test_one_directory_fills_while_another_has_space_again():
    """One heartbeat can report both; each partition gets one record."""
    world = world_of(([1], [1], 1, HERE), ([1, 2], [1, 2], 1, THERE))
    fill(world, HERE)
    records = fill(world, THERE)
    assert changes(records) == {0: (1, None), 1: (2, [2])}
    assert world.broker().saturated_log_dirs == (THERE,)


def test_a_saturated_directory_may_go_offline_and_nothing_brings_it_back():
    """Saturated to offline: it leaves both lists. Offline to saturated: ids that are not registered change nothing."""
    world = world_of(([1], [1], 1, HERE))
    fill(world, HERE)
    (record,) = report(world, offline_log_dirs=(HERE,), saturated_log_dirs=(HERE,))
    assert (record.log_dirs, record.saturated_log_dirs) == ([THERE], [])
    assert (world.broker().log_dirs, world.broker().saturated_log_dirs) == ((THERE,), ())
    assert fill(world, HERE, uuid(99)) == []
    assert world.partition().leader is None


def test_one_directory_is_lost_while_the_last_one_has_space_again():
    """One record: between two of them the broker, which leads, would have no directory with space."""
    world = world_of(([1], [1], 1, DIRECTORY_UNASSIGNED))
    fill(world, THERE)
    (record,) = report(world, offline_log_dirs=(HERE,), saturated_log_dirs=())
    assert (record.log_dirs, record.saturated_log_dirs) == ([THERE], [])
    assert world.partition().leader == 1


def test_a_broker_that_reports_nothing_changes_nothing():
    """An absent list is not an empty one: older brokers send none."""
    world = world_of(([1, 2], [1, 2], 1, HERE))
    fill(world, HERE)
    assert report(world) == []
    assert world.broker().saturated_log_dirs == (HERE,)


@pytest.mark.parametrize("level", [30, 40, 41])
def test_below_42_saturated_directories_are_not_looked_at(level):
    """No record could contain them."""
    world = world_of(([1, 2], [1, 2], 1, HERE), level=level)
    assert fill(world, HERE) == []
    assert world.register(4, saturated_log_dirs=(uuid(504),)) > 0
    assert world.broker(4).saturated_log_dirs == ()


def test_a_new_active_controller_knows_the_saturated_directories():
    """The log has them: no heartbeat is needed before AlterPartition and placement refuse the replica (K928-22)."""
    world = world_of(([2, 1], [2, 1], 2, HERE))
    fill(world, HERE)
    world.commit()
    world.controller.resign()
    world.activate()
    assert alter(world, 2, [2, 1])[0] is ErrorCode.INELIGIBLE_REPLICA


def test_a_broker_that_is_unfenced_leads_in_no_saturated_directory():
    """The heartbeat that unfences it reports the directory: nothing is elected there, not even for a moment."""
    world = world_of(([1], [1], 1, HERE), ([1], [1], 1, THERE))
    report(world, want_fence=True)
    assert [world.partition(number).leader for number in (0, 1)] == [None, None]
    fill(world, HERE)
    assert [world.partition(number).leader for number in (0, 1)] == [None, 1]


def test_a_fenced_broker_leads_nothing_when_its_directory_has_space_again():
    """The directory is usable, the broker is not."""
    world = world_of(([1], [1], 1, HERE))
    fill(world, HERE)
    report(world, want_fence=True)
    assert len(report(world, want_fence=True, saturated_log_dirs=())) == 1
    assert world.partition().leader is None
    report(world)
    assert world.partition().leader == 1


def test_a_new_process_reports_its_saturated_directories_when_it_registers():
    """It is fenced still, but a placement could choose it; what is not registered is left out."""
    world = World(level=42)
    world.register(1, log_dirs=(HERE, THERE), saturated_log_dirs=(THERE, uuid(99)))
    assert world.broker().saturated_log_dirs == (THERE,)
    world.register(1, log_dirs=(HERE, THERE), incarnation_id=uuid(7))
    assert world.broker().saturated_log_dirs == ()


def test_a_process_that_registers_again_keeps_what_heartbeats_reported():
    """A directory that comes along is full if the registration names it so; one that goes is in no list."""
    world = World(level=42)
    epoch = world.alive(1, log_dirs=(HERE, THERE))
    world.do(beat(1, epoch, saturated_log_dirs=(HERE,)))
    world.register(1, log_dirs=(HERE, ELSEWHERE), saturated_log_dirs=(ELSEWHERE,))
    assert set(world.broker().saturated_log_dirs) == {HERE, ELSEWHERE}
    world.register(1, log_dirs=(ELSEWHERE,))
    assert world.broker().saturated_log_dirs == (ELSEWHERE,)


def create(world, name, **fields):
    _, response = world.do(CreateTopics(topics=(CreatableTopic(name=name, **fields),)))
    (created,) = response.topics
    return created


def topic_id_of(world, name):
    return world.controller.image.topics.ids_by_name[name]


def test_nothing_is_placed_on_a_broker_whose_directories_are_all_saturated():
    """With one directory left it gets replicas, there; with none it gets none, even if it is asked for."""
    world = world_of()
    fill(world, HERE)
    assert create(world, "one", partitions=1, replication_factor=3).error is ErrorCode.NONE
    placed = world.controller.image.topics.partition(topic_id_of(world, "one"), 0)
    assert placed.directory(1) == THERE
    fill(world, HERE, THERE)
    refused = create(world, "two", partitions=1, replication_factor=3)
    assert refused.error is ErrorCode.INVALID_REPLICATION_FACTOR
    named = create(world, "three", assignments=((0, (1, 2)),))
    assert named.error is ErrorCode.INVALID_REPLICA_ASSIGNMENT
    assert "broker 1, all log directories of which are full" in named.message
    assert create(world, "four", partitions=9, replication_factor=2).error is ErrorCode.NONE
    partitions = world.controller.image.topics.by_id[topic_id_of(world, "four")].partitions.values()
    assert all(1 not in each.replicas for each in partitions)


def test_a_reassignment_brings_no_replica_to_a_full_broker_but_may_keep_one():
    """What is there may stay, or the partition could not be moved away from it."""
    world = world_of(([1, 2], [1, 2], 1, HERE), ([2], [2], 2, HERE))
    fill(world, HERE, THERE)

    def reassign(partition_id, *replicas):
        asked = Reassignment(partition_id=partition_id, replicas=replicas)
        _, response = world.do(AlterPartitionReassignments(topics=(("orders", (asked,)),)))
        ((_, (outcome,)),) = response.topics
        return outcome

    refused = reassign(1, 1)
    assert refused.error is ErrorCode.INVALID_REPLICA_ASSIGNMENT
    assert "all log directories of which are full" in refused.message
    assert reassign(0, 1, 3).error is ErrorCode.NONE


def test_a_replica_that_is_assigned_to_a_saturated_directory_leaves_the_isr():
    """In the record of the assignment, as with one that is offline."""
    world = world_of(([1, 2], [1, 2], 1, DIRECTORY_UNASSIGNED))
    fill(world, HERE)
    asked = AssignReplicasToDirs(
        broker_id=1, broker_epoch=epoch_of(world, 1), directories=((HERE, ((TOPIC_ID, (0,)),)),)
    )
    (record,), _ = world.do(asked)
    assert (record.leader, record.isr, record.directories) == (2, [2], [HERE, uuid(502)])


def test_cordoned_directories_are_recorded_as_reported():
    """The first report is recorded even if it is empty; later ones when they name another set (KIP-1066)."""
    world = world_of(level=30)
    assert world.broker().cordoned_log_dirs is None
    assert report(world) == []
    (record,) = report(world, cordoned_log_dirs=())
    assert record == BrokerRegistrationChangeRecord(1, epoch_of(world, 1), cordoned_log_dirs=[])
    assert report(world, cordoned_log_dirs=()) == []
    (record,) = report(world, cordoned_log_dirs=(THERE, HERE, uuid(99)))
    assert record.cordoned_log_dirs == [THERE, HERE]
    assert report(world, cordoned_log_dirs=(HERE, THERE)) == []
    of_kafka = BrokerRegistrationChangeRecord(1, epoch_of(world, 1), cordoned_log_dirs=[THERE, HERE])
    world.append(ControllerResult((of_kafka,), None))
    assert report(world, cordoned_log_dirs=(HERE, THERE)) == []


def test_nothing_is_placed_on_a_broker_whose_directories_are_all_cordoned():
    """Leaders and ISRs stay, and an assignment by hand is allowed, as in Kafka."""
    world = world_of(([1, 2], [1, 2], 1, HERE), level=30)
    report(world, cordoned_log_dirs=(HERE, THERE))
    assert world.partition().leader == 1
    assert create(world, "one", partitions=1, replication_factor=3).error is ErrorCode.INVALID_REPLICATION_FACTOR
    assert create(world, "two", assignments=((0, (1, 2)),)).error is ErrorCode.NONE
    report(world, cordoned_log_dirs=(HERE,))
    assert create(world, "one", partitions=1, replication_factor=3).error is ErrorCode.NONE


def test_cordoned_directories_below_30_are_not_looked_at():
    """No record could contain them."""
    world = world_of(level=29)
    assert report(world, cordoned_log_dirs=(HERE,)) == []


def test_a_directory_of_many_partitions_is_cut_into_appends():
    """The records of one heartbeat may be more than an append takes; each part holds by itself."""
    world = world_of(*[([1, 2], [1, 2], 1, HERE)] * 25_000)
    result = world.controller.decide(world.now_ms, beat(1, epoch_of(world, 1), saturated_log_dirs=(HERE,)))
    assert not result.atomic
    assert len(result.records) == 25_001
    assert max(len(part.records) for part in result.parts()) <= 10_000
    world.append(result)
    assert {world.partition(number).leader for number in range(25_000)} == {2}
