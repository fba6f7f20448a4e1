"""Topics, partitions, and what their changes mean for one broker."""

from __future__ import annotations

import pytest

from kraftpy.image import MetadataDelta, ReplayError
from kraftpy.image.partitions import LeaderRecoveryState, PartitionRegistration
from kraftpy.image.topics import TopicsDelta
from kraftpy.model.ids import DIRECTORY_MIGRATING, DIRECTORY_UNASSIGNED
from kraftpy.records.metadata import (
    ClearElrRecord,
    ConfigRecord,
    PartitionChangeRecord,
    Record,
    RemoveTopicRecord,
    TopicRecord,
)
from tests.unit.image.support import delta_of, partition, replay, topic, uuid

T = uuid(500)
BASE = replay(topic(), partition(0), partition(1, leader=2))


def change(**fields: object) -> PartitionChangeRecord:
    return PartitionChangeRecord(partition_id=0, topic_id=T, **fields)


def after(**fields: object) -> PartitionRegistration:
    changed = replay(change(**fields), base=BASE).topics.partition(T, 0)
    assert changed is not None
    return changed


def topics_delta(delta: MetadataDelta) -> TopicsDelta:
    assert delta.topics is not None
    return delta.topics


BEFORE = BASE.topics.by_id[T].partitions[0]


def test_a_topic_is_found_by_id_and_by_name() -> None:
    """Both ways lead to the same topic, and to nothing where there is none."""
    assert BASE.topics.topic(T) is BASE.topics.named("orders")
    assert BASE.topics.named("nothing") is None
    assert BASE.topics.topic(uuid(1)) is None
    assert BASE.topics.partition(uuid(1), 0) is None
    assert BASE.topics.partition(T, 9) is None


def test_an_empty_change_bumps_the_partition_epoch_only() -> None:
    """A change that names nothing keeps everything but the partition epoch."""
    merged = after()
    assert (merged.partition_epoch, merged.leader_epoch, merged.leader) == (1, 0, 1)
    assert merged.to_record(T, 0, 42, print) == partition(0, partition_epoch=1)


def test_naming_the_leader_bumps_its_epoch() -> None:
    """Naming a leader bumps the leader epoch, even the same one; -1 leaves the partition without."""
    assert [(one.leader, one.leader_epoch) for one in (after(leader=1), after(leader=3), after(leader=-1))] == [
        (1, 1), (3, 1), (None, 1)
    ]  # fmt: skip


def test_null_keeps_an_array_and_empty_clears_it() -> None:
    """Arrays in a change are kept by null and emptied by an empty one."""
    base = replay(change(eligible_leader_replicas=[2], last_known_elr=[3], adding_replicas=[4]), base=BASE)
    kept = replay(change(isr=[1]), base=base).topics.by_id[T].partitions[0]
    cleared = replay(change(eligible_leader_replicas=[], last_known_elr=[], adding_replicas=[]), base=base)
    now = cleared.topics.by_id[T].partitions[0]
    assert (kept.isr, kept.elr, kept.last_known_elr, kept.adding_replicas) == ((1,), (2,), (3,), (4,))
    assert (now.elr, now.last_known_elr, now.adding_replicas) == ((), (), ())


def test_directories_follow_their_replicas() -> None:
    """New replicas without directories keep what is known and are "unassigned" where nothing is."""
    assert after(replicas=[3, 4]).directories == (uuid(300), DIRECTORY_UNASSIGNED)
    assert after(replicas=[3, 4], directories=[uuid(7), uuid(8)]).directories == (uuid(7), uuid(8))
    assert after(directories=[uuid(7), uuid(8), uuid(9)]).directories == (uuid(7), uuid(8), uuid(9))


def test_directories_stay_migrating_below_their_level() -> None:
    """A partition without any known directory gives new replicas none either, so that old levels can still say it."""
    base = replay(topic(), partition(0, directories=[]))
    assert base.topics.by_id[T].partitions[0].directories == (DIRECTORY_MIGRATING,) * 3
    assert replay(change(replicas=[4]), base=base).topics.by_id[T].partitions[0].directories == (DIRECTORY_MIGRATING,)


def test_directories_must_be_as_many_as_replicas() -> None:
    """Directories that do not pair up with replicas do not replay."""
    with pytest.raises(ReplayError, match="1 directories for 3 replicas"):
        replay(change(directories=[uuid(1)]), base=BASE)
    with pytest.raises(ReplayError, match="1 directories for 3 replicas"):
        replay(topic(), partition(0, directories=[uuid(1)]))


def test_the_recovery_state_is_one_of_two() -> None:
    """Recovery states are recovered and recovering; another one does not replay."""
    assert BEFORE.leader_recovery_state is LeaderRecoveryState.RECOVERED
    assert after(leader_recovery_state=1).leader_recovery_state is LeaderRecoveryState.RECOVERING
    with pytest.raises(ReplayError, match="recovery state 5 is unknown"):
        after(leader_recovery_state=5)


def test_a_replicas_directory_is_found() -> None:
    """A registration knows which directory holds a replica, and that a stranger has none."""
    assert BEFORE.directory(2) == uuid(200)
    with pytest.raises(ValueError, match="not in tuple"):
        BEFORE.directory(9)


@pytest.mark.parametrize(
    ("record", "text"),
    [
        (TopicRecord("orders", uuid(1)), "a topic named 'orders' exists"),
        (TopicRecord("other", T), "a topic with the id .* exists"),
        (partition(0, uuid(1)), "there is no topic with the id"),
        (PartitionChangeRecord(partition_id=0, topic_id=uuid(1)), "there is no topic with the id"),
        (PartitionChangeRecord(partition_id=7, topic_id=T), "topic 'orders' has no partition 7"),
        (RemoveTopicRecord(uuid(1)), "there is no topic with the id"),
        (ClearElrRecord("nothing"), "there is no topic named 'nothing'"),
    ],
)
def test_what_names_the_wrong_topic_does_not_replay(record: Record, text: str) -> None:
    """A name or id that lives twice, or not at all, is fatal (controller reference, section 11.1)."""
    with pytest.raises(ReplayError, match=text):
        replay(record, base=BASE)


def test_a_removed_topic_takes_its_configs_along() -> None:
    """RemoveTopicRecord deletes the topic, its name and its configuration, and no other."""
    base = replay(ConfigRecord(2, "orders", "a", "1"), ConfigRecord(2, "other", "a", "1"), base=BASE)
    gone = replay(RemoveTopicRecord(T), base=base)
    assert (len(gone.topics.by_id), len(gone.topics.ids_by_name)) == (0, 0)
    assert [resource.name for resource in gone.configs.resources()] == ["other"]
    with pytest.raises(ReplayError):
        replay(RemoveTopicRecord(T), change(), base=base)


def test_a_name_taken_again_is_another_topic() -> None:
    """Deleted and created again in one delta: the old id is deleted, the new one created, nothing is inherited."""
    delta = delta_of(RemoveTopicRecord(T), topic("orders", uuid(501)), partition(0, uuid(501)), base=BASE)
    topics = topics_delta(delta)
    assert list(topics.deleted) == [T]
    assert topics.created == {uuid(501): "orders"}
    assert topics.apply().ids_by_name["orders"] == uuid(501)
    assert len(topics.apply().by_id) == 1


def test_a_passing_topic_leaves_no_trace() -> None:
    """A topic created and removed within one delta is neither changed nor deleted."""
    topics = topics_delta(delta_of(topic("x", uuid(9)), RemoveTopicRecord(uuid(9)), base=BASE))
    assert (topics.changed, topics.created, topics.deleted) == ({}, {}, {})
    assert topics.apply() == BASE.topics


def test_clear_elr_empties_one_topic_or_all() -> None:
    """ClearElrRecord empties both lists of eligible leaders, and bumps the epoch of partitions that had some."""
    both = {"eligible_leader_replicas": [2], "last_known_elr": [3]}
    base = replay(topic("a", uuid(1)), partition(0, uuid(1), **both), topic("b", uuid(2)), partition(0, uuid(2)))
    base = replay(topic("c", uuid(3)), partition(0, uuid(3), **both), base=base)
    one = replay(ClearElrRecord("a"), base=base)
    every = delta_of(topic("d", uuid(4)), partition(0, uuid(4), **both), ClearElrRecord(""), base=base)
    assert [one.topics.by_id[uuid(n)].partitions[0].elr for n in (1, 2, 3)] == [(), (), (2,)]
    assert all(not t.partitions[0].last_known_elr for t in topics_delta(every).apply().by_id.values())
    assert [one.topics.by_id[uuid(n)].partitions[0].partition_epoch for n in (1, 2, 3)] == [1, 0, 0]
    assert one.topics.by_id[uuid(1)].partitions[0].leader_epoch == base.topics.by_id[uuid(1)].partitions[0].leader_epoch
    assert uuid(2) not in topics_delta(every).changed
