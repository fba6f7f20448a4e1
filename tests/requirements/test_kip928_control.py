"""KIP-928 at the controllers, by the numbers of docs/kip-928.md."""

from __future__ import annotations

import pytest

from kraftpy.controller.result import ControllerResult
from kraftpy.controller.topic_requests import CreatableTopic, CreateTopics, DeleteTopics, PlacementOptions, TopicRef
from kraftpy.image.partitions import PartitionRegistration
from kraftpy.model.errors import ErrorCode
from kraftpy.records.generated import rpc
from kraftpy.records.metadata import PartitionChangeRecord
from kraftpy.transport.kafka.control.members import heartbeat_from_wire
from tests.unit.controller.test_directory_reports import HERE, THERE, fill, report, world_of
from tests.unit.controller.test_fencing import changes
from tests.unit.controller.test_partition_requests import alter, epoch_of
from tests.unit.controller.worlds import topic_records

OTHER_ID = bytes(range(50, 66))


def test_k928_07_a_heartbeat_reports_it_to_the_controller_in_a_tag_that_others_skip():
    """The wire of the heartbeat reaches the registration; a reader without the tag keeps it as unknown bytes."""
    world = world_of()
    message = rpc.BrokerHeartbeatRequest(
        broker_id=1, broker_epoch=epoch_of(world, 1), current_metadata_offset=10**9, saturated_log_dirs=[HERE]
    )
    world.do(heartbeat_from_wire(message, 2))
    assert world.broker().saturated_log_dirs == (HERE,)
    silent = rpc.BrokerHeartbeatRequest(broker_id=1, broker_epoch=epoch_of(world, 1), current_metadata_offset=10**9)
    assert heartbeat_from_wire(silent, 2).saturated_log_dirs is None


def test_k928_08_impaired_leaders_are_replaced_and_impaired_replicas_leave_the_isr():
    """Leaders move, followers leave, and what is not in the directory stays."""
    world = world_of(([1, 2, 3], [1, 2, 3], 1, HERE), ([2, 1, 3], [2, 1, 3], 2, HERE), ([1, 2, 3], [1, 2, 3], 1, THERE))
    assert changes(fill(world, HERE)) == {0: (2, [2, 3]), 1: (-2, [2, 3])}


def test_k928_09_impaired_replicas_are_found_by_an_index(monkeypatch):
    """Once the index is built, a report looks at no partition of other brokers."""
    world = world_of(([1, 2], [1, 2], 1, HERE))
    world.append(_result(topic_records(*[([2, 3], [2, 3], 2)] * 500, name="others")))
    fill(world)
    fill(world, HERE)
    seen = []
    real = PartitionRegistration.directory
    monkeypatch.setattr(PartitionRegistration, "directory", lambda one, replica: seen.append(1) or real(one, replica))
    builds = world.controller._replicas.builds
    fill(world, THERE)
    assert world.controller._replicas.builds == builds, "all partitions were walked over"
    assert len(seen) < 10


def _result(records):
    for record in records:
        record.topic_id = OTHER_ID
    return ControllerResult(tuple(records), None)


@pytest.mark.parametrize("state", ["saturated_log_dirs", "offline_log_dirs"])
def test_k928_14_a_topic_is_deleted_whatever_its_directories_are(state):
    """The controller deletes it; whether the files go is decided where they are."""
    world = world_of(([1, 2], [1, 2], 1, HERE))
    report(world, **{state: (HERE,)})
    _, response = world.do(DeleteTopics(topics=(TopicRef(name="orders"),)))
    assert [one.error for one in response.topics] == [ErrorCode.NONE]
    assert "orders" not in world.controller.image.topics.ids_by_name


def test_k928_22_a_replica_in_a_full_directory_does_not_rejoin_the_isr():
    """Not under this controller, and not under the next; with space again it does."""
    world = world_of(([2, 1], [2, 1], 2, HERE))
    fill(world, HERE)
    assert alter(world, 2, [2, 1])[0] is ErrorCode.INELIGIBLE_REPLICA
    world.commit()
    world.controller.resign()
    world.activate()
    assert alter(world, 2, [2, 1])[0] is ErrorCode.INELIGIBLE_REPLICA
    fill(world)
    assert alter(world, 2, [2, 1])[0] is ErrorCode.NONE


@pytest.mark.parametrize("placer", ["striped", "kip36"])
def test_k928_23_nothing_is_placed_in_full_or_offline_directories(placer):
    """One directory is full and the other is lost, in either order: only other brokers get replicas."""
    world = world_of()
    report(world, offline_log_dirs=(HERE,))
    fill(world, THERE)
    topics = (CreatableTopic(name="t", partitions=20, replication_factor=2),)
    _, response = world.do(CreateTopics(topics=topics, placement=PlacementOptions(placer=placer)))
    assert [one.error for one in response.topics] == [ErrorCode.NONE]
    placed = world.controller.image.topics.named("t").partitions.values()
    assert {replica for one in placed for replica in one.replicas} == {2, 3}


def test_k928_02_no_partition_in_the_log_has_the_state():
    """Saturated is a state of directories: the log has it in registrations alone."""
    names = {name for kind in (PartitionChangeRecord, PartitionRegistration) for name in kind.__slots__}
    assert not [name for name in names if "saturated" in name]
    world = world_of(([1, 2], [1, 2], 1, HERE))
    fill(world, HERE)
    assert (world.broker().saturated_log_dirs, world.broker().log_dirs) == ((HERE,), (HERE, THERE))
