"""The checks of requests that make and delete topics, by the numbers in the docstrings of their modules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kraftpy.controller import create_partitions, create_topics, new_partitions
from kraftpy.controller.topic_requests import (
    CreatableTopic,
    CreatePartitions,
    CreatePartitionsTopic,
    CreateTopics,
    DeleteTopics,
    PlacementOptions,
    TopicRef,
)
from kraftpy.model.errors import ErrorCode as E
from kraftpy.model.ids import METADATA_TOPIC
from tests.unit.controller.checks import Check, Tables, holds, parameters, refusals
from tests.unit.controller.worlds import UNSTABLE, World, beat, uuid

ANY_PLACER = PlacementOptions()
NO_PLACER = PlacementOptions(placer="none")
EXPLAINED = PlacementOptions(explains=True)


def world_of(*, fenced=(), full=(), config=UNSTABLE) -> World:
    """Three brokers and the topic "made.by" of two partitions with two replicas each."""
    world = World(level=42, config=config)
    for broker_id in (1, 2, 3):
        world.alive(broker_id)
    world.do(CreateTopics((CreatableTopic("made.by", 2, 2),)))
    for broker_id in (*fenced, *full):
        there = {"saturated_log_dirs": (uuid(500 + broker_id),)} if broker_id in full else {"want_fence": True}
        world.do(beat(broker_id, world.broker(broker_id).broker_epoch, **there))
    return world


def limited(module, limit, value, ask):
    """Ask under a smaller limit."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, limit, value)
        return ask()


# ---------------------------------------------------------------- create_topics


def created(name="new", partitions=-1, factor=-1, *, more=(), by_hand=(), configs=(), placement=ANY_PLACER, **of):
    topic = CreatableTopic(name, partitions, factor, by_hand, configs)
    return refusals(world_of(**of), CreateTopics((topic, *more), placement))


NULL = (("retention.ms", None), ("no.such.key", "1"))
CREATE_TOPICS = [
    Check(1, E.POLICY_VIOLATION, "Excessively large", lambda: created(partitions=100_001, placement=NO_PLACER)),
    Check(2, E.INVALID_REQUEST, "none", lambda: created("..", placement=NO_PLACER)),
    Check(3, E.INVALID_REQUEST, "Duplicate topic name", lambda: created("..", more=(CreatableTopic(".."),))),
    Check(4, E.INVALID_REQUEST, "internal topic", lambda: created(METADATA_TOPIC, configs=NULL)),
    Check(5, E.TOPIC_ALREADY_EXISTS, "already exists", lambda: created("made.by", configs=NULL)),
    Check(6, E.INVALID_TOPIC_EXCEPTION, "not allowed", lambda: created("..", configs=NULL)),
    Check(
        7, E.INVALID_TOPIC_EXCEPTION, "collides with existing topic: made.by", lambda: created("made_by", configs=NULL)
    ),
    Check(
        7, E.INVALID_TOPIC_EXCEPTION, "collides", lambda: created("a.b", more=(CreatableTopic("a_b", configs=NULL),))
    ),
    Check(8, E.INVALID_CONFIG, "Null value not supported", lambda: created(configs=NULL)),
    Check(9, E.INVALID_CONFIG, "no.such.key", lambda: created(factor=0, configs=(("no.such.key", "1"),))),
    Check(9, E.INVALID_CONFIG, "retention.ms", lambda: created(factor=0, configs=(("retention.ms", "x"),))),
    Check(10, E.INVALID_REPLICATION_FACTOR, "larger than 0", lambda: created(partitions=0, factor=0)),
    Check(10, E.INVALID_REPLICATION_FACTOR, "larger than 0", lambda: created(partitions=0, factor=-2)),
    Check(11, E.INVALID_PARTITIONS, "non-positive", lambda: created(partitions=0, factor=9)),
    Check(11, E.INVALID_PARTITIONS, "non-positive", lambda: created(partitions=-2, factor=9)),
    Check(12, E.INVALID_REQUEST, "replication factor was not set", lambda: created("new", 9, 9, by_hand=((0, ()),))),
    Check(13, E.INVALID_REQUEST, "numPartitions was not set", lambda: created("new", 9, by_hand=((0, ()),))),
    Check(14, E.INVALID_REPLICA_ASSIGNMENT, "multiple manual", lambda: created(by_hand=((5, (1,)), (5, ())))),
    Check(15, E.INVALID_REPLICA_ASSIGNMENT, "consecutive", lambda: created(by_hand=((0, (1,)), (2, (1,))))),
]


# ---------------------------------------------------------------- new_partitions


def few_replicas(**asked):
    return limited(new_partitions, "REPLICAS_PER_REQUEST_MAX", 3, lambda: created(**asked))


def few_reasons(**asked):
    return limited(
        new_partitions, "EXPLAINED_REPLICAS_MAX", 3, lambda: created(placement=EXPLAINED, fenced=(1, 2, 3), **asked)
    )


def by_hand(*replicas, **of):
    return created(by_hand=tuple(enumerate(replicas)), **of)


NEW_PARTITIONS = [
    Check(1, E.POLICY_VIOLATION, "4 replicas", lambda: few_replicas(partitions=2, factor=2, fenced=(1, 2, 3))),
    Check(2, E.POLICY_VIOLATION, "too many to be explained", lambda: few_reasons(partitions=2, factor=2)),
    Check(3, E.INVALID_REPLICATION_FACTOR, "4 time(s)", lambda: few_replicas(partitions=2, factor=4)),
    Check(4, E.INVALID_REPLICATION_FACTOR, "fenced", lambda: created(partitions=1, factor=2, fenced=(1, 2, 3))),
    Check(5, E.POLICY_VIOLATION, "4 replicas", lambda: few_replicas(by_hand=((0, (9, 9, 8, 7)),))),
    Check(5, E.POLICY_VIOLATION, "too many to be explained", lambda: few_reasons(by_hand=((0, (9, 9, 8, 7)),))),
    Check(6, E.INVALID_REPLICA_ASSIGNMENT, "an empty replica list", lambda: by_hand((1,), ())),
    Check(7, E.INVALID_REPLICA_ASSIGNMENT, "broker 9, but no such", lambda: by_hand((1,), (9, 9))),
    Check(8, E.INVALID_REPLICA_ASSIGNMENT, "are full", lambda: by_hand((1,), (3, 3), full=(3,))),
    Check(9, E.INVALID_REPLICA_ASSIGNMENT, "broker 3 more than once", lambda: by_hand((1,), (3, 3))),
    Check(10, E.INVALID_REPLICA_ASSIGNMENT, "not consistent", lambda: by_hand((1,), (2, 3), fenced=(2, 3))),
    Check(11, E.INVALID_REPLICA_ASSIGNMENT, "fenced", lambda: by_hand((1,), (2,), fenced=(2, 3))),
]


# ---------------------------------------------------------------- delete_topics


def deleted(*refs, knows=True, **config):
    world = world_of(config=replace(UNSTABLE, **config))
    topic_id = world.controller.image.topics.named("made.by").id
    named = tuple(TopicRef(name, topic_id if number == "its own" else number) for name, number in refs)
    return refusals(world, DeleteTopics(named, knows_disabled=knows))


OFF = {"delete_topic_enable": False}
DELETE_TOPICS = [
    Check(1, E.TOPIC_DELETION_DISABLED, "disabled", lambda: deleted((None, None), **OFF)),
    Check(1, E.INVALID_REQUEST, "does not support", lambda: deleted(("made.by", None), knows=False, **OFF)),
    Check(2, E.INVALID_REQUEST, "Neither topic name nor id", lambda: deleted((None, None), (None, None))),
    Check(3, E.INVALID_REQUEST, "both topic name and topic id", lambda: deleted(("x", uuid(1)), ("x", uuid(1)))),
    Check(4, E.INVALID_REQUEST, "Duplicate topic name", lambda: deleted(("x", None), ("x", None))),
    Check(4, E.INVALID_REQUEST, "Duplicate topic id", lambda: deleted((None, uuid(9)), (None, uuid(9)))),
    Check(5, E.UNKNOWN_TOPIC_OR_PARTITION, "", lambda: deleted(("x", None))),
    Check(6, E.UNKNOWN_TOPIC_ID, "", lambda: deleted((None, uuid(9)))),
    Check(7, E.INVALID_REQUEST, "already supplied", lambda: deleted(("made.by", None), (None, "its own"))),
    Check(7, E.INVALID_REQUEST, "supplied as well", lambda: deleted((None, "its own"), ("made.by", None))),
]


# ---------------------------------------------------------------- create_partitions


def grown(total, replicas=None, *, name="made.by", more=(), placement=ANY_PLACER, **of):
    return refusals(world_of(**of), CreatePartitions((CreatePartitionsTopic(name, total, replicas), *more), placement))


def grown_too_much():
    """The limit of one request, which is far above that of a topic in a test."""
    return limited(create_topics, "PARTITIONS_PER_REQUEST_MAX", 2, lambda: grown(5, ((), (), ())))


TWICE = (CreatePartitionsTopic("x", 3),)
CREATE_PARTITIONS = [
    Check(1, E.INVALID_REQUEST, "none", lambda: grown(3, name="x", more=TWICE, placement=NO_PLACER)),
    Check(2, E.INVALID_REQUEST, "Duplicate topic name", lambda: grown(3, name="x", more=TWICE)),
    Check(3, E.UNKNOWN_TOPIC_OR_PARTITION, "", lambda: grown(-1, name="x")),
    Check(4, E.INVALID_PARTITIONS, "already has 2", lambda: grown(2, ((),))),
    Check(4, E.INVALID_PARTITIONS, "would not be an increase", lambda: grown(1, ((),))),
    Check(5, E.INVALID_REPLICA_ASSIGNMENT, "only 1 assignment", lambda: grown(1_000_000, ((),))),
    Check(6, E.POLICY_VIOLATION, "adds at least 3 partitions", grown_too_much),
]


def test_growing_has_the_checks_of_new_partitions():
    """An increase is placed, or placed by hand, past the checks that a new topic has."""
    assert grown(3, fenced=(1, 2, 3))[0][0] is E.INVALID_REPLICATION_FACTOR
    assert grown(3, ((9,),))[0][0] is E.INVALID_REPLICA_ASSIGNMENT
    assert "which have 2 replica(s)" in grown(3, ((1,),))[0][1]
    assert create_partitions.NewPartitions is create_topics.NewPartitions is new_partitions.NewPartitions


TABLES: Tables = {
    "create_topics": CREATE_TOPICS,
    "new_partitions": NEW_PARTITIONS,
    "delete_topics": DELETE_TOPICS,
    "create_partitions": CREATE_PARTITIONS,
}


@pytest.mark.parametrize("check", parameters(TABLES))
def test_a_check_refuses_what_it_is_there_for(check):
    """A check is left out, comes later, or answers with another code."""
    holds(check)
