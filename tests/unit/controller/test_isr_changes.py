"""What a decision works out once for partitions of one kind is what each of them would get by itself."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from kraftpy.controller import isr_changes
from kraftpy.controller.isr_changes import arrivals, departures
from kraftpy.controller.slices import finished
from kraftpy.records.metadata import (
    ConfigRecord,
    FeatureLevelRecord,
    PartitionRecord,
    RegisterBrokerRecord,
    TopicRecord,
)
from tests.unit.controller.worlds import World, image_of, level_record

BROKERS = (1, 2, 3, 4)
TOPICS = ("a", "b", "c")
TOPIC = 2
SETTINGS = {"min.insync.replicas": ("1", "2", "3"), "unclean.leader.election.enable": ("true", "false")}
KINDS = ("leaves", "leaves uncleanly", "directory leaves", "returns", "directory returns")

ALONE = (
    ("eligible_leader_replicas", None),
    ("last_known_elr", None),
    ("leader_recovery_state", 0),
    ("leader", -1),
    ("removing_replicas", []),
)


def directory(broker_id: int, number: int) -> bytes:
    return bytes([broker_id]) * 15 + bytes([number])


def topic_id(name: str) -> bytes:
    return name.encode() * 16


@st.composite
def registrations(draw, name: str, number: int) -> PartitionRecord:
    replicas = draw(st.lists(st.sampled_from(BROKERS), min_size=1, max_size=3, unique=True))
    isr = draw(st.lists(st.sampled_from(replicas), unique=True))
    lost = [replica for replica in replicas if replica not in isr]
    eligible = draw(st.lists(st.sampled_from(lost), unique=True)) if lost else []
    return PartitionRecord(
        partition_id=number,
        topic_id=topic_id(name),
        replicas=replicas,
        directories=[directory(replica, draw(st.integers(0, 1))) for replica in replicas],
        isr=isr,
        leader=draw(st.sampled_from([-1, *replicas])),
        adding_replicas=draw(st.lists(st.sampled_from(replicas), unique=True, max_size=len(replicas) - 1)),
        removing_replicas=draw(st.lists(st.sampled_from(replicas), unique=True, max_size=len(replicas) - 1)),
        eligible_leader_replicas=eligible or None,
        last_known_elr=draw(st.sampled_from([None, replicas[:1]])),
        leader_recovery_state=draw(st.integers(0, 1)),
        leader_epoch=draw(st.integers(0, 3)),
        partition_epoch=draw(st.integers(0, 3)),
    )


@st.composite
def images(draw):
    """An image of a few kinds of partitions, each in several topics that are set in different ways."""
    records = [level_record(30), FeatureLevelRecord("eligible.leader.replicas.version", draw(st.integers(0, 1)))]
    for broker_id in BROKERS:
        directories = [directory(broker_id, number) for number in (0, 1) if draw(st.integers(0, 3)) or not number]
        fenced = draw(st.booleans())
        records.append(RegisterBrokerRecord(broker_id=broker_id, fenced=fenced, log_dirs=directories))
    kinds = []
    for one in draw(st.lists(registrations("a", 0), min_size=1, max_size=2)):
        # Kinds that differ in one field only are the ones to be confused.
        kinds += [one, *(replace(one, **{field: value}) for field, value in ALONE)]
    for name in TOPICS:
        records.append(TopicRecord(name=name, topic_id=topic_id(name)))
        for key, values in SETTINGS.items():
            value = draw(st.sampled_from([None, *values]))
            records += [] if value is None else [ConfigRecord(TOPIC, name, key, value)]
        for number in range(draw(st.integers(0, 8))):
            epochs = {"leader_epoch": draw(st.integers(0, 3)), "partition_epoch": draw(st.integers(0, 3))}
            like = draw(st.sampled_from(kinds))
            records.append(replace(like, topic_id=topic_id(name), partition_id=number, **epochs))
    return image_of(*records)


def changes(image, broker_id: int, kind: str):
    view = World(image=image).controller._view()
    concerned = frozenset({directory(broker_id, 0)}) if kind.startswith("directory") else None
    if kind.endswith("returns"):
        return finished(arrivals(view, broker_id, serves=lambda one: one[-1] == 0, directories=concerned))
    return finished(departures(view, broker_id, directories=concerned, unclean=kind == "leaves uncleanly"))


@settings(max_examples=300)
@given(images(), st.sampled_from(BROKERS), st.sampled_from(KINDS), st.sampled_from((1, 2, 100)))
def test_each_partition_changes_as_it_would_alone(image, broker_id, kind, kinds_max):
    """However many kinds are remembered."""
    with patch.object(isr_changes, "KINDS_MAX", kinds_max):
        found = changes(image, broker_id, kind)
    with patch.object(isr_changes, "KINDS_MAX", 0):
        assert found == changes(image, broker_id, kind)


def test_a_kind_is_worked_out_once_for_topics_that_are_set_alike(monkeypatch):
    """Two topics without settings, and a third with one."""
    worked_out = []
    honest = isr_changes.partition_change
    monkeypatch.setattr(isr_changes, "partition_change", lambda *args: worked_out.append(args) or honest(*args))
    brokers = [RegisterBrokerRecord(broker_id=one, fenced=False, log_dirs=[directory(one, 0)]) for one in BROKERS]
    partitions = [
        PartitionRecord(
            partition_id=number, topic_id=topic_id(name), replicas=[1, 2], isr=[1, 2], leader=1, leader_epoch=number,
            partition_epoch=number, directories=[directory(1, 0), directory(2, 0)],
        )
        for name in TOPICS
        for number in range(3)
    ]  # fmt: skip
    topics = [TopicRecord(name=name, topic_id=topic_id(name)) for name in TOPICS]
    own = ConfigRecord(TOPIC, "c", "min.insync.replicas", "2")
    found = changes(image_of(level_record(30), *brokers, *topics, *partitions, own), 1, "leaves")
    assert [(one.topic_id, one.partition_id, one.isr, one.leader) for one in found] == [
        (topic_id(name), number, [2], 2) for name in TOPICS for number in range(3)
    ]
    assert [args[0] for args in worked_out] == [topic_id("a"), topic_id("c")]
