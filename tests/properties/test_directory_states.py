"""Brokers come and go while their directories fill, empty and fail: what holds after every heartbeat (KIP-928).

Invariants:

* A partition is led by a replica whose broker is active and whose directory is online and not full.
* In an ISR, a replica in a full directory is the last one, and nothing leads.
* Saturated directories are registered ones.
* Reported again, nothing changes: heartbeats write when something is new, and then only.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kraftpy.controller.partition_requests import (
    AlterPartition,
    AssignReplicasToDirs,
    IsrMember,
    PartitionAlteration,
)
from kraftpy.controller.result import ControllerResult
from kraftpy.records.metadata import ConfigRecord, FeatureLevelRecord
from tests.unit.controller.worlds import TOPIC_ID, World, beat, range_of, topic_records, uuid

BROKERS = (1, 2, 3)
DIRECTORIES = {broker: (uuid(600 + broker), uuid(700 + broker)) for broker in BROKERS}
ELR = "eligible.leader.replicas.version"
PARTITIONS = [((1, 2), 0), ((2, 3), 0), ((3, 1), 1), ((1, 2, 3), 0), ((2,), 1), ((3, 2, 1), -1)]
"""Replicas, and which of a broker's directories holds them; -1 is not known yet."""

subsets = st.sets(st.sampled_from((0, 1)))
beats = st.tuples(
    st.just("beat"), st.sampled_from(BROKERS), subsets, st.booleans(), st.sampled_from((0, 0, 0, 0, 1, 2))
)
alters = st.tuples(st.just("alter"), st.integers(0, len(PARTITIONS) - 1), st.sets(st.sampled_from(BROKERS)))
assigns = st.tuples(
    st.just("assign"), st.sampled_from(BROKERS), st.integers(0, len(PARTITIONS) - 1), st.sampled_from((0, 1))
)
steps = st.lists(st.one_of(beats, beats, alters, assigns), min_size=1, max_size=25)


def world_of(*, keeps_elr):
    elr = (FeatureLevelRecord(ELR, 1), ConfigRecord(4, "", "min.insync.replicas", "2")) if keeps_elr else ()
    world = World(level=42, records=elr)
    for broker_id, directories in DIRECTORIES.items():
        world.alive(broker_id, log_dirs=directories, features=(range_of(), range_of(ELR, 0, 1)))
    placed = [
        (replicas, replicas, replicas[0],
         {"directories": [bytes(16) if where < 0 else DIRECTORIES[one][where] for one in replicas]})
        for replicas, where in PARTITIONS
    ]  # fmt: skip
    world.append(ControllerResult(tuple(topic_records(*placed)), None))
    return world


def take(world, step):
    """Carry out a step; return it as a request that can be repeated, if it can."""
    match step:
        case "beat", broker_id, full, fence, lost:
            broker = world.broker(broker_id)
            request = beat(
                broker_id,
                broker.broker_epoch,
                want_fence=fence,
                saturated_log_dirs=tuple(DIRECTORIES[broker_id][one] for one in full),
                offline_log_dirs=(DIRECTORIES[broker_id][0],) if lost == 1 else (),
            )
            world.do(request)
            return request
        case "alter", number, isr:
            partition = world.partition(number)
            if partition.leader is None:
                return None
            alteration = PartitionAlteration(
                number, partition.leader_epoch, partition.partition_epoch,
                tuple(IsrMember(one) for one in sorted({partition.leader, *isr})), int(partition.leader_recovery_state),
            )  # fmt: skip
            world.do(
                AlterPartition(
                    broker_id=partition.leader,
                    broker_epoch=world.broker(partition.leader).broker_epoch,
                    topics=((TOPIC_ID, (alteration,)),),
                )
            )
        case "assign", broker_id, number, where:
            directory = DIRECTORIES[broker_id][where]
            world.do(
                AssignReplicasToDirs(
                    broker_id=broker_id,
                    broker_epoch=world.broker(broker_id).broker_epoch,
                    directories=((directory, ((TOPIC_ID, (number,)),)),),
                )
            )
    return None


def check(world):
    for number in range(len(PARTITIONS)):
        partition = world.partition(number)
        if partition.leader is not None:
            leader = world.broker(partition.leader)
            assert leader.is_active, (number, partition)
            assert leader.serves_dir(partition.directory(partition.leader)), (number, partition)
        full = [one for one in partition.isr if world.broker(one).is_saturated_dir(partition.directory(one))]
        if full:
            assert (partition.isr, partition.leader) == (tuple(full[:1]), None), (number, partition)
        assert partition.isr or partition.elr, (number, partition)
    for broker_id in BROKERS:
        broker = world.broker(broker_id)
        assert set(broker.saturated_log_dirs) <= set(broker.log_dirs), broker


@pytest.mark.parametrize("keeps_elr", [False, True])
@given(script=steps)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_full_directories_lead_nothing_and_are_in_sync_nowhere(keeps_elr, script):
    """A replica in a full directory leads, or is in an ISR with others; or a report that says nothing new writes."""
    world = world_of(keeps_elr=keeps_elr)
    check(world)
    for step in script:
        again = take(world, step)
        check(world)
        if again is not None:
            assert world.do(again)[0] == [], step
