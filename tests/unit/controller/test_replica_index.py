"""Finding a broker's partitions: what is outdated is left out, and is cleared away when there is much of it."""

from __future__ import annotations

from kraftpy.controller import replica_index
from kraftpy.controller.replica_index import ReplicaIndex
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.slices import finished
from kraftpy.records.metadata import PartitionChangeRecord, RemoveTopicRecord
from tests.unit.controller.worlds import TOPIC_ID, World, topic_records


def found(world, broker_id):
    return [number for _, number, _ in finished(world.controller._replicas.of(world.controller.image, broker_id))]


def append(world, *records):
    world.append(ControllerResult(records, None))


def test_a_replica_that_moves_away_and_back_is_found_once():
    """Each move enters the partition again."""
    world = World(level=30, records=topic_records(([1, 2], [1], 1), ([2], [2], 2)))
    assert (found(world, 1), found(world, 2), found(world, 3)) == ([0], [0, 1], [])
    for replicas in ([3], [1, 3], [3], [1, 3]):
        append(world, PartitionChangeRecord(partition_id=0, topic_id=TOPIC_ID, replicas=replicas))
        assert (found(world, 1), found(world, 3)) == ([0] if 1 in replicas else [], [0])


def test_several_changes_in_one_batch():
    """Every broker of the last list is found, whichever list of the batch named it."""
    world = World(level=30, records=topic_records(([1], [1], 1)))
    assert found(world, 1) == [0]
    lists = ([2], [1, 3], [3])
    append(world, *(PartitionChangeRecord(partition_id=0, topic_id=TOPIC_ID, replicas=one) for one in lists))
    assert (found(world, 1), found(world, 2), found(world, 3)) == ([], [], [0])


def test_deleted_topics_are_cleared_away(monkeypatch):
    """The arrays do not grow with topics that come and go."""
    monkeypatch.setattr(replica_index, "OUTDATED_MIN", 10)
    world = World(level=30, records=topic_records(*[([1], [1], 1)] * 5))
    index: ReplicaIndex = world.controller._replicas
    for _ in range(20):
        assert found(world, 1) == [0, 1, 2, 3, 4]
        append(world, RemoveTopicRecord(topic_id=TOPIC_ID))
        assert found(world, 1) == []
        append(world, *topic_records(*[([1], [1], 1)] * 5))
    assert len(index._partition_ids) <= 25


def test_a_new_term_of_leadership_begins_with_a_new_index():
    """What was not committed falls away with the leadership, from the index, too."""
    world = World(level=30, records=topic_records(([1], [1], 1)))
    world.commit()
    append(world, *topic_records(([1], [1], 1), name="later")[1:])
    assert found(world, 1) == [0]
    append(world, PartitionChangeRecord(partition_id=0, topic_id=TOPIC_ID, replicas=[2]))
    assert (found(world, 1), found(world, 2)) == ([], [0])
    world.controller.resign()
    world.activate()
    assert (found(world, 1), found(world, 2)) == ([0], [])


def test_whether_a_broker_leads_any_partition():
    """A broker that has replicas and leads none may stop; one that leads the last of many may not."""
    world = World(level=30, records=topic_records(*[([1, 2], [1, 2], 1)] * 3))
    index: ReplicaIndex = world.controller._replicas

    def leading() -> list[int]:
        return [broker for broker in (1, 2, 3) if finished(index.leads_any(world.controller.image, broker))]

    assert leading() == [1]
    append(world, PartitionChangeRecord(partition_id=2, topic_id=TOPIC_ID, leader=2))
    assert leading() == [1, 2]
    append(world, *(PartitionChangeRecord(partition_id=number, topic_id=TOPIC_ID, leader=2) for number in (0, 1)))
    assert leading() == [2]
    append(world, RemoveTopicRecord(topic_id=TOPIC_ID))
    assert leading() == []
