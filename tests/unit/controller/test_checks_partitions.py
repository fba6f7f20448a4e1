"""The checks of requests about partitions that exist, by the numbers in the docstrings of their modules."""

from __future__ import annotations

import pytest

from kraftpy.controller import limits
from kraftpy.controller.partition_requests import (
    AlterPartition,
    AlterPartitionReassignments,
    AssignReplicasToDirs,
    ElectLeaders,
    IsrMember,
    PartitionAlteration,
    Reassignment,
)
from kraftpy.controller.result import ControllerResult
from kraftpy.model.errors import ErrorCode as E
from tests.unit.controller.checks import Check, Tables, holds, parameters, refusals
from tests.unit.controller.worlds import TOPIC_ID, World, beat, topic_records, uuid

FULL = uuid(503)
"""The only directory of broker 3."""


def world_of(*partitions, level=42) -> World:
    """Brokers 1 to 3 are active, 4 is fenced; the partitions are those of "orders"."""
    world = World(level=level)
    for broker_id in (1, 2, 3):
        world.alive(broker_id)
    world.register(4)
    world.append(ControllerResult(tuple(topic_records(*partitions)), None))
    return world


# ---------------------------------------------------------------- alter_partition

BAD_ISR = (2, 2, 9)


def altered(*, topic=TOPIC_ID, number=0, epochs=(0, 0), isr=(1, 4), recovery=0, leader=1, ready=None, **changes):
    """Let a broker ask for an ISR; by default one with a fenced member, which the last check refuses."""
    world = world_of(([1, 2, 3, 4], [1, 2], 1))
    if ready is not None:
        ready(world)
    members = tuple(one if isinstance(one, IsrMember) else IsrMember(one) for one in isr)
    asked = PartitionAlteration(number, *epochs, members, recovery)
    epoch = world.broker(leader).broker_epoch
    fields = {"broker_id": leader, "broker_epoch": epoch, "topics": ((topic, (asked,)),), **changes}
    return refusals(world, AlterPartition(**fields))


def altered_twice():
    """A partition whose first alteration is in order."""
    world = world_of(([1, 2], [1, 2], 1))
    good = PartitionAlteration(0, 0, 0, (IsrMember(1),))
    epoch = world.broker(1).broker_epoch
    asked = ((TOPIC_ID, (good, good._replace(leader_epoch=9))),)
    return refusals(world, AlterPartition(broker_id=1, broker_epoch=epoch, topics=asked))


def fill(world):
    world.do(beat(3, world.broker(3).broker_epoch, saturated_log_dirs=(FULL,)))


def completed():
    """Broker 2 catches up, which ends a reassignment from the leader to it."""
    moving = {"adding_replicas": [2], "removing_replicas": [1]}
    world = world_of(([2, 1], [1], 1, moving))
    asked = PartitionAlteration(0, 0, 0, (IsrMember(1), IsrMember(2)))
    epoch = world.broker(1).broker_epoch
    found = refusals(world, AlterPartition(broker_id=1, broker_epoch=epoch, topics=((TOPIC_ID, (asked,)),)))
    assert world.partition().leader == 2
    return found


ALTER_PARTITION = [
    Check(1, E.STALE_BROKER_EPOCH, "", lambda: altered(broker_epoch=-7, topic=uuid(9))),
    Check(1, E.STALE_BROKER_EPOCH, "", lambda: altered(broker_id=9)),
    Check(2, E.UNKNOWN_TOPIC_ID, "", lambda: altered(topic=uuid(9), number=9, epochs=(9, 9))),
    Check(3, E.UNKNOWN_TOPIC_OR_PARTITION, "", lambda: altered(number=9, epochs=(9, 9))),
    Check(4, E.INVALID_REQUEST, "", altered_twice),
    Check(5, E.NOT_CONTROLLER, "", lambda: altered(epochs=(1, -1), leader=2, isr=BAD_ISR)),
    Check(5, E.NOT_CONTROLLER, "", lambda: altered(epochs=(-1, 1), leader=2, isr=BAD_ISR)),
    Check(6, E.FENCED_LEADER_EPOCH, "", lambda: altered(epochs=(-1, -1), leader=2, isr=BAD_ISR)),
    Check(7, E.INVALID_REQUEST, "", lambda: altered(epochs=(0, -1), leader=2)),
    Check(8, E.INVALID_UPDATE_VERSION, "", lambda: altered(epochs=(0, -1), isr=BAD_ISR)),
    Check(9, E.INVALID_REQUEST, "", lambda: altered(isr=(1, 1, 4))),
    Check(9, E.INVALID_REQUEST, "", lambda: altered(isr=(1, 9))),
    Check(9, E.INVALID_REQUEST, "", lambda: altered(isr=(2, 4))),
    Check(10, E.INVALID_REQUEST, "", lambda: altered(recovery=9)),
    Check(11, E.INVALID_REQUEST, "", lambda: altered(recovery=1)),
    Check(11, E.INVALID_REQUEST, "", lambda: altered(recovery=1, isr=(1,))),
    Check(12, E.INELIGIBLE_REPLICA, "", altered),
    Check(12, E.INELIGIBLE_REPLICA, "", lambda: altered(isr=(1, IsrMember(2, 12_345)))),
    Check(12, E.INELIGIBLE_REPLICA, "", lambda: altered(isr=(1, 3), ready=fill)),
    Check(13, E.NEW_LEADER_ELECTED, "", completed),
]


# ---------------------------------------------------------------- elections


def elected(kind, *named):
    """Broker 3 is fenced; 0 is led by its preferred replica, 1 is not and may be, 2 is led by none, 3 by another."""
    world = world_of(([1, 2], [1, 2], 1), ([2, 1], [1, 2], 1), ([4], [4], -1), ([4, 1], [1], 1))
    return refusals(world, ElectLeaders(election_type=kind, topics=named))


def too_many_elections():
    """One more than an operation may have."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "BATCH_RECORDS_MAX", 0)
        patch.setattr(limits, "OPERATION_RECORDS_MAX", 0)
        return elected(0, ("orders", (1,)))


ELECTIONS = [
    Check(1, E.INVALID_REQUEST, "Unknown election type 2", lambda: elected(2, ("nothing", (0, 0)))),
    Check(2, E.UNKNOWN_TOPIC_OR_PARTITION, "No such topic as nothing", lambda: elected(0, ("nothing", (0, 0)))),
    Check(3, E.UNKNOWN_TOPIC_OR_PARTITION, "No such partition", lambda: elected(1, ("orders", (9, 9)))),
    Check(4, E.INVALID_REQUEST, "orders-1 is named twice", lambda: elected(0, ("orders", (1, 1)))),
    Check(5, E.ELECTION_NOT_NEEDED, "", lambda: elected(0, ("orders", (0,)))),
    Check(5, E.ELECTION_NOT_NEEDED, "", lambda: elected(1, ("orders", (1,)))),
    Check(6, E.PREFERRED_LEADER_NOT_AVAILABLE, "", lambda: elected(0, ("orders", (3,)))),
    Check(6, E.ELIGIBLE_LEADERS_NOT_AVAILABLE, "", lambda: elected(1, ("orders", (2,)))),
    Check(7, E.POLICY_VIOLATION, "excessively large batch", too_many_elections),
]


# ---------------------------------------------------------------- reassignments


def reassigned(replicas, *more, name="orders", number=0, ready=None, **changes):
    """0 is not being reassigned, 1 goes from 1 and 2 to 3, which alone is in sync."""
    world = world_of(([1, 2], [1, 2], 1), ([3, 1, 2], [3], 3, {"adding_replicas": [3]}))
    if ready is not None:
        ready(world)
    asked = (Reassignment(number, replicas), *more)
    return refusals(world, AlterPartitionReassignments(topics=((name, asked),), **changes))


REASSIGNMENTS = [
    Check(
        1,
        E.UNKNOWN_TOPIC_OR_PARTITION,
        "a topic named nothing",
        lambda: reassigned((), Reassignment(0, ()), name="nothing"),
    ),
    Check(2, E.UNKNOWN_TOPIC_OR_PARTITION, "partition orders:9", lambda: reassigned((), Reassignment(9, ()), number=9)),
    Check(3, E.INVALID_REQUEST, "orders:0 is named twice", lambda: reassigned((2, 1), Reassignment(0, ()))),
    Check(4, E.NO_REASSIGNMENT_IN_PROGRESS, "", lambda: reassigned(None)),
    Check(5, E.INVALID_REPLICA_ASSIGNMENT, "unclean leader election", lambda: reassigned(None, number=1)),
    Check(
        6,
        E.INVALID_REPLICA_ASSIGNMENT,
        "an empty replica list",
        lambda: reassigned((), allow_replication_factor_change=False),
    ),
    Check(7, E.INVALID_REPLICA_ASSIGNMENT, "broker 9, but no such broker", lambda: reassigned((9, 9))),
    Check(8, E.INVALID_REPLICA_ASSIGNMENT, "broker 3 more than once", lambda: reassigned((3, 3))),
    Check(
        9, E.INVALID_REPLICA_ASSIGNMENT, "all log directories of which are full", lambda: reassigned((3,), ready=fill)
    ),
    Check(
        10,
        E.INVALID_REPLICATION_FACTOR,
        "from 2 to 1",
        lambda: reassigned((1,), allow_replication_factor_change=False),
    ),
]


# ---------------------------------------------------------------- replica_directories


def assigned(*numbers, topic=TOPIC_ID, level=42, broker_id=1, **changes):
    """Broker 1 reports replicas in its directory."""
    partitions = (([1, 2], [1, 2], 1), ([2, 3], [2, 3], 2)) if level > 16 else ()
    world = world_of(*partitions, level=level)
    epoch = world.broker(broker_id).broker_epoch
    directories = ((uuid(501), ((topic, numbers),)),)
    fields = {"broker_id": broker_id, "broker_epoch": epoch, "directories": directories, **changes}
    return refusals(world, AssignReplicasToDirs(**fields))


REPLICA_DIRECTORIES = [
    Check(1, E.UNSUPPORTED_VERSION, "not supported yet", lambda: assigned(9, level=16, broker_epoch=-7)),
    Check(2, E.STALE_BROKER_EPOCH, "", lambda: assigned(9, broker_epoch=-7)),
    Check(3, E.INVALID_REQUEST, "", lambda: assigned(0, 0)),
    Check(4, E.UNKNOWN_TOPIC_ID, "", lambda: assigned(9, topic=uuid(9))),
    Check(5, E.UNKNOWN_TOPIC_OR_PARTITION, "", lambda: assigned(9)),
    Check(6, E.NOT_LEADER_OR_FOLLOWER, "", lambda: assigned(1)),
]


TABLES: Tables = {
    "alter_partition": ALTER_PARTITION,
    "elections": ELECTIONS,
    "reassignments": REASSIGNMENTS,
    "replica_directories": REPLICA_DIRECTORIES,
}


@pytest.mark.parametrize("check", parameters(TABLES))
def test_a_check_refuses_what_it_is_there_for(check):
    """A check is left out, comes later, or answers with another code."""
    holds(check)
