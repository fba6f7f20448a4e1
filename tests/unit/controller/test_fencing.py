"""Heartbeats, fencing and what they do to partitions. Sources: KIP-631, KIP-858, reference §10, §11, §12.9."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kraftpy.controller.config import ControllerConfig
from kraftpy.controller.heartbeats import TRANSITIONS, HeartbeatFacts, HeartbeatState, next_state
from kraftpy.controller.requests import UnregisterBroker
from kraftpy.controller.result import ControllerResult
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.features import DIRECTORIES_LEVEL
from kraftpy.records.metadata import (
    BrokerRegistrationChangeRecord,
    ConfigRecord,
    FeatureLevelRecord,
    NoOpRecord,
    PartitionChangeRecord,
)
from tests.unit.controller.worlds import World, beat, range_of, register, topic_records, uuid

F, U = HeartbeatState.FENCED, HeartbeatState.UNFENCED
C, S = HeartbeatState.CONTROLLED_SHUTDOWN, HeartbeatState.SHUTDOWN_NOW


def seen(flags):
    """Flags by letter: f want_fence, s want_shutdown, c caught_up, l leads, b others_behind."""
    return HeartbeatFacts(
        want_fence="f" in flags,
        want_shutdown="s" in flags,
        caught_up="c" in flags,
        leads="l" in flags,
        others_behind="b" in flags,
    )


@pytest.mark.parametrize(
    ("current", "flags", "following"),
    [
        (F, "s", S), (F, "sc", S), (F, "fs", S), (F, "c", U), (F, "fc", F), (F, "", F), (F, "f", F),
        (U, "fs", S), (U, "fsl", S), (U, "f", F), (U, "fl", F), (U, "sl", C), (U, "s", S), (U, "", U), (U, "c", U),
        (C, "l", C), (C, "sl", C), (C, "lb", C), (C, "s", S), (C, "", S), (C, "sb", C), (C, "b", C), (C, "f", S),
    ],
)  # fmt: skip
def test_transition_table(current, flags, following):
    """A heartbeat moves a broker as the table of §10.1 says."""
    assert next_state(current, seen(flags)) is following


def test_every_situation_has_a_row():
    """The table decides every situation, and every row of it decides some."""
    used = set()
    for state in (F, U, C):
        for number in range(32):
            flags = "".join(letter for bit, letter in enumerate("fsclb") if number >> bit & 1)
            used.add(next(row for row in TRANSITIONS if row.matches(state, seen(flags))))
    assert used == set(TRANSITIONS)


def two_brokers(*partitions, level=40):
    world = World(level=level, records=topic_records(*partitions))
    world.alive(1)
    world.alive(2)
    return world


def changes(records):
    return {r.partition_id: (r.leader, r.isr) for r in records if isinstance(r, PartitionChangeRecord)}


def test_a_caught_up_broker_is_unfenced():
    """A fenced broker that published its own registration and wants no fence is unfenced (§10.1)."""
    world = World()
    epoch = world.register()
    early, response = world.do(beat(1, epoch, world.offset - 1))
    assert early == []
    assert not response.is_caught_up
    assert response.is_fenced
    records, response = world.do(beat(1, epoch, world.offset))
    assert records == [BrokerRegistrationChangeRecord(broker_id=1, broker_epoch=epoch, fenced=-1)]
    assert response.is_caught_up
    assert not response.is_fenced
    assert world.do(beat(1, epoch, world.offset))[0] == []


def test_a_broker_that_wants_to_be_fenced_stays_fenced():
    """The wish to be fenced keeps a caught-up broker fenced (§10.1)."""
    world = World()
    records, response = world.do(beat(1, world.register(), want_fence=True))
    assert records == []
    assert response.is_caught_up
    assert response.is_fenced


@pytest.mark.parametrize("epoch_change", [-1, 1])
def test_a_stale_epoch_is_refused(epoch_change):
    """A heartbeat with another epoch is STALE_BROKER_EPOCH and is no sign of life (§9.3, §21.4)."""
    world = World()
    epoch = world.alive()
    world.now_ms = 5_000
    with pytest.raises(ApiError) as caught:
        world.controller.decide(world.now_ms, beat(1, epoch + epoch_change))
    assert caught.value.code is ErrorCode.STALE_BROKER_EPOCH
    assert world.controller.next_deadline_ms() == 9_000


def test_silent_brokers_are_fenced_one_per_tick():
    """Each tick fences one stale broker, the longest silent first (§7, §21.8)."""
    world = World()
    epochs = {n: world.alive(n) for n in (1, 2, 3)}
    world.now_ms = 10
    world.do(beat(1, epochs[1]))
    world.now_ms = 8_999
    assert world.ticks() == []
    world.now_ms = 9_010
    assert [[r.broker_id for r in records] for records in world.ticks()] == [[2], [3], [1]]
    assert all(world.broker(n).fenced for n in (1, 2, 3))
    assert world.controller.next_deadline_ms() is None


def test_a_tick_that_was_not_appended_comes_again():
    """A decision has no effect: as long as it is not appended, the next tick decides it again (D4)."""
    world = World()
    world.alive()
    world.now_ms = 9_000
    assert world.controller.tick(9_000).records == world.controller.tick(9_000).records


def test_fencing_moves_leaders_and_shrinks_isrs_first():
    """Fencing first moves partitions, in order, then fences (§10.2)."""
    world = two_brokers(([1, 2], [1, 2], 1), ([2, 1], [2, 1], 2))
    world.now_ms = 9_000
    world.do(beat(2, world.broker(2).broker_epoch))
    (fencing,) = world.ticks()
    assert changes(fencing) == {0: (2, [2]), 1: (-2, [2])}
    assert isinstance(fencing[-1], BrokerRegistrationChangeRecord)
    assert (world.partition(0).leader, world.partition(0).leader_epoch) == (2, 1)
    assert (world.partition(1).leader, world.partition(1).leader_epoch) == (2, 0)


def test_below_12_an_isr_shrink_bumps_the_leader_epoch():
    """Below metadata.version 12 a shrunken ISR names the leader again (§11.4.7)."""
    world = two_brokers(([2, 1], [2, 1], 2, {"directories": []}), level=11)
    world.now_ms = 9_000
    world.do(beat(2, world.broker(2).broker_epoch))
    world.ticks()
    assert (world.partition().leader, world.partition().leader_epoch) == (2, 1)


def test_the_last_isr_member_stays_and_leads_again():
    """When the last ISR member dies there is no leader and it stays in the ISR; back again it leads (§11.4)."""
    world = World(records=topic_records(([1], [1], 1)))
    epoch = world.alive()
    world.now_ms = 9_000
    (records,) = world.ticks()
    assert changes(records) == {0: (-1, None)}
    assert world.partition().isr == (1,)
    records, _ = world.do(beat(1, epoch))
    assert isinstance(records[0], BrokerRegistrationChangeRecord)
    assert changes(records) == {0: (1, None)}
    assert world.partition().leader == 1


def test_no_unclean_election():
    """A replica outside the ISR does not take over: no data is lost (partitions)."""
    world = two_brokers(([1, 2], [1], 1))
    world.now_ms = 9_000
    world.do(beat(2, world.broker(2).broker_epoch))
    world.ticks()
    assert world.partition().leader is None


def test_a_fenced_replica_is_never_elected():
    """A fenced broker in the ISR is passed over (§21.7)."""
    world = World(records=topic_records(([1, 2], [1, 2], 1)))
    world.alive(1)
    world.register(2)
    world.now_ms = 9_000
    world.ticks()
    assert world.partition().leader is None
    assert world.partition().isr == (2,)


def test_controlled_shutdown_waits_for_leadership_to_move_and_others_to_know():
    """A leader leaves in order: its leaderships move, then it waits until the others published that (§10.1)."""
    world = two_brokers(([1, 2], [1, 2], 1))
    epoch1, epoch2 = world.broker(1).broker_epoch, world.broker(2).broker_epoch
    world.do(beat(2, epoch2, world.offset))
    records, response = world.do(beat(1, epoch1, world.offset, want_shutdown=True))
    assert records[0].in_controlled_shutdown == 1
    assert changes(records) == {0: (2, [2])}
    assert response.in_controlled_shutdown
    assert not response.should_shut_down
    moved_at = world.offset
    _, response = world.do(beat(1, epoch1, world.offset, want_shutdown=True))
    assert not response.should_shut_down, "broker 2 has not yet published the move"
    world.do(beat(2, epoch2, moved_at))
    records, response = world.do(beat(1, epoch1, world.offset, want_shutdown=True))
    assert response.should_shut_down
    assert response.is_fenced
    assert world.broker(1).fenced
    assert records[-1].fenced == 1


def test_a_broker_without_leaderships_may_leave_at_once():
    """A broker without leaderships that wants to shut down is fenced and may stop (§10.1)."""
    world = World()
    records, response = world.do(beat(1, world.alive(), want_shutdown=True))
    assert response.should_shut_down
    assert [record.fenced for record in records] == [1]


def test_controlled_shutdown_goes_on_after_a_controller_failover():
    """The flag in the registration survives; the next wantShutDown enters the state without a second flag (§10.1)."""
    world = two_brokers(([1, 2], [1, 2], 1))
    epoch1 = world.broker(1).broker_epoch
    world.do(beat(1, epoch1, world.offset, want_shutdown=True))
    world.commit()
    world.controller.resign()
    world.activate()
    records, response = world.do(beat(1, epoch1, world.offset, want_shutdown=True))
    assert response.should_shut_down
    assert [record.fenced for record in records] == [1]


def test_failover_grants_every_broker_a_fresh_session():
    """A new controller counts every broker as heard of now, and writes nothing (§3, §21.9)."""
    world = World()
    world.alive()
    world.commit()
    world.controller.resign()
    world.now_ms = 8_000
    assert world.activate().records == ()
    world.now_ms = 16_999
    assert world.ticks() == []
    world.now_ms = 17_000
    assert len(world.ticks()) == 1


def test_an_offline_directory_loses_its_replicas():
    """A directory reported offline: its partitions move, then the registration names those that remain (§12.9)."""
    here, there = uuid(61), uuid(62)
    world = World(records=topic_records(([1, 2], [1, 2], 1, {"directories": [here, bytes(16)]})))
    epoch = world.alive(1, log_dirs=(here, there))
    world.alive(2)
    records, response = world.do(beat(1, epoch, offline_log_dirs=(here, uuid(99))))
    assert changes(records) == {0: (2, [2])}
    assert records[-1].log_dirs == [there]
    assert world.broker(1).log_dirs == (there,)
    assert not response.is_fenced
    assert world.do(beat(1, epoch, offline_log_dirs=(here,)))[0] == []


def test_the_last_directory_is_not_written_away():
    """An empty list would mean "unchanged": when all directories are lost no record says so (§12.9)."""
    world = World()
    epoch = world.alive(1, log_dirs=(uuid(61),))
    records, _ = world.do(beat(1, epoch, offline_log_dirs=(uuid(61),)))
    assert records == []


def test_idle_logs_are_left_alone_by_default():
    """An idle cluster writes nothing (divergence from metadata.max.idle.interval.ms=500)."""
    world = World()
    world.now_ms = 10**9
    assert world.ticks() == []
    assert world.controller.next_deadline_ms() is None


def test_no_op_records_when_configured():
    """With metadata.max.idle.interval.ms above 0 a NoOpRecord is written when nothing else was (§7)."""
    world = World(config=ControllerConfig(max_idle_interval_ms=500))
    world.now_ms = 499
    assert world.controller.tick(499) is None
    assert world.controller.next_deadline_ms() == 500
    world.now_ms = 500
    assert world.ticks() == [[NoOpRecord()]]
    assert world.controller.next_deadline_ms() == 1000


def test_fencing_a_broker_of_many_partitions_is_cut_into_appends():
    """More than 2,000 partition changes are appended in parts, in a transaction; the fence record is the last one."""
    world = World()
    world.append(ControllerResult(tuple(topic_records(*[([1], [1], 1)] * 2_500)), None, atomic=False))
    world.alive()
    world.now_ms = 9_000
    result = world.controller.tick(9_000)
    parts = list(result.parts())
    assert [len(part.records) for part in parts] == [2_000, 503]
    world.append(result)
    assert world.broker().fenced
    assert world.partition(2_499).leader is None


def leaving():
    """A world in which broker 1 is in controlled shutdown."""
    world = two_brokers(([1, 2], [1, 2], 1))
    world.do(beat(1, world.broker(1).broker_epoch, world.offset, want_shutdown=True))
    return world


def test_a_fenced_broker_is_no_longer_in_controlled_shutdown():
    """Being fenced ends the controlled shutdown: unfenced again, the broker is plainly unfenced (§10)."""
    world = leaving()
    epoch = world.broker(1).broker_epoch
    world.now_ms = 9_000
    world.do(beat(2, world.broker(2).broker_epoch))
    world.ticks()
    world.do(beat(1, epoch))
    _, response = world.do(beat(1, epoch))
    assert not response.in_controlled_shutdown
    assert not response.should_shut_down


def test_a_new_incarnation_knows_nothing_of_the_shutdown_of_the_old():
    """A new incarnation starts without a controlled shutdown and without published offsets (§9.2)."""
    world = leaving()
    world.now_ms = 9_000
    epoch = world.register(incarnation_id=uuid(77))
    assert world.controller._heartbeats[1].metadata_offset == -1
    world.do(beat(1, epoch))
    _, response = world.do(beat(1, epoch))
    assert not response.in_controlled_shutdown
    assert not response.should_shut_down


def test_a_heartbeat_that_only_asks_keeps_no_session_alive():
    """A heartbeat with validate_only is answered as usual and is no sign of life."""
    world = World()
    epoch = world.alive()
    world.commit()
    world.now_ms = 8_000
    result = world.controller.decide(world.now_ms, beat(1, epoch, validate_only=True))
    assert (result.records, result.response.is_fenced) == ((), False)
    world.now_ms = 9_000
    assert len(world.ticks()) == 1, "the session ended although it was asked about"


ELR = "eligible.leader.replicas.version"
WITH_ELR = (range_of(), range_of(ELR, 0, 1))


def test_with_elr_the_isr_empties_and_its_last_members_are_eligible():
    """KIP-966: who leaves an ISR below min ISR may still lead, and leads again when it returns."""
    elr = FeatureLevelRecord(ELR, 1)
    min_isr = ConfigRecord(resource_type=4, resource_name="", name="min.insync.replicas", value="2")
    world = World(level=30, records=[elr, min_isr, *topic_records(([1, 2], [1, 2], 1))])
    world.alive(1, features=WITH_ELR)
    second = world.alive(2, features=WITH_ELR)
    world.now_ms = 9_000
    assert len(world.ticks()) == 2
    assert (world.partition().isr, world.partition().elr, world.partition().leader) == ((), (1, 2), None)
    world.do(beat(2, second, world.offset))
    assert (world.partition().isr, world.partition().elr, world.partition().leader) == ((2,), (1,), 2)


def test_a_new_incarnation_after_an_unclean_shutdown_leaves_the_elr():
    """It may have lost what it had acknowledged; one that says where it stopped keeps its place (KIP-966)."""
    elr = FeatureLevelRecord(ELR, 1)
    for clean, expected in ((True, (1,)), (False, ())):
        world = World(level=30, config=ControllerConfig(min_insync_replicas=2), records=[elr])
        world.append(ControllerResult(tuple(topic_records(([1, 2], [1, 2], 1))), None))
        epoch = world.alive(1, features=WITH_ELR)
        world.alive(2, features=WITH_ELR)
        world.now_ms = 9_000
        world.do(beat(2, world.broker(2).broker_epoch))
        world.ticks()
        world.register(1, features=WITH_ELR, incarnation_id=uuid(77), previous_broker_epoch=epoch if clean else -1)
        assert world.partition().elr == expected, clean


def test_an_unclean_election_where_the_topic_allows_it():
    """unclean.leader.election.enable of the topic: the first live replica leads, and has to recover."""
    allowed = ConfigRecord(resource_type=2, resource_name="orders", name="unclean.leader.election.enable", value="true")
    world = two_brokers(([1, 2], [1], 1))
    world.append(ControllerResult((allowed,), None))
    world.now_ms = 9_000
    world.do(beat(2, world.broker(2).broker_epoch))
    world.ticks()
    partition = world.partition()
    assert (partition.leader, partition.isr, int(partition.leader_recovery_state)) == (2, (2,), 1)


MANY = [([1, 2], [1, 2], 1)] * 5
"""Partitions that broker 1 leads: more than fit a batch where a batch has four records."""

IN_BATCHES_OF_FOUR = ControllerConfig(records_per_part=4, session_timeout_ms=9_000)


def leader_of_many(*, level=40, config=IN_BATCHES_OF_FOUR):
    """Broker 1 leads five partitions, broker 2 follows."""
    partitions = MANY if level >= DIRECTORIES_LEVEL else [(*one, {"directories": []}) for one in MANY]
    world = World(config=config, level=level, records=topic_records(*partitions))
    world.epochs = {broker_id: world.alive(broker_id) for broker_id in (1, 2)}
    return world


def pass_session(world):
    """Let broker 1 be silent for as long as a session, and broker 2 not."""
    world.now_ms += 8_999
    world.do(beat(2, world.epochs[2]))
    world.now_ms += 1


def silent(world):
    """Broker 1 says nothing; a controller fences it by itself."""
    pass_session(world)
    return lambda: world.controller.tick(world.now_ms)


def asked(request, *, after_session=False):
    """Something is asked of the controller, again and again the same."""

    def prepare(world):
        if after_session:
            pass_session(world)
        return lambda: world.controller.decide(world.now_ms, request(world))

    return prepare


WAYS_TO_GO = {
    "ControllerTick": silent,
    "BrokerHeartbeat": asked(lambda world: beat(1, world.epochs[1], want_shutdown=True)),
    "UnregisterBroker": asked(lambda _world: UnregisterBroker(broker_id=1)),
    "RegisterBroker": asked(lambda _world: register(1, incarnation_id=uuid(77)), after_session=True),
}
"""By the name of the transaction: what happens before, and how it is decided."""


@pytest.mark.parametrize("name", WAYS_TO_GO)
def test_what_happens_to_a_broker_is_one_change(name):
    """Half of a broker's partitions have another leader and half of them do not, for as long as a disk takes."""
    world = leader_of_many()
    result = WAYS_TO_GO[name](world)()
    assert result.transaction == name
    *parts, last = result.parts(4)
    for part in parts:
        world.append(part)
        assert {world.partition(number).leader for number in range(5)} == {1}
        assert world.broker().is_active
    world.append(last)
    assert {world.partition(number).leader for number in range(5)} == {2}
    assert 1 not in world.controller.image.cluster.brokers or not world.broker().is_active


def appended_until(world, result, count):
    """Append the first records of a transaction, one by one."""
    for record in result.log_records[:count]:
        world.append(ControllerResult((record,), None, atomic=False))


@pytest.mark.parametrize("count", range(1, 8))
@pytest.mark.parametrize("name", WAYS_TO_GO)
def test_a_transaction_that_is_aborted_is_decided_again(name, count):
    """What a record of it changed beside the image stays: a session that was not renewed, or one that is forgotten."""
    world = leader_of_many()
    decide = WAYS_TO_GO[name](world)
    first = decide()
    assert count < len(first.log_records)
    appended_until(world, first, count)
    world.append(world.controller.abort("a test"))
    again = decide()
    assert again.records == first.records or name == "RegisterBroker"
    world.append(again)
    assert {world.partition(number).leader for number in range(5)} == {2}


@pytest.mark.parametrize("name", WAYS_TO_GO)
def test_a_broker_that_an_aborted_transaction_leaves_is_fenced_when_it_is_silent(name):
    """The controller has forgotten a broker that is registered, and its partitions have no leader for ever."""
    world = leader_of_many()
    first = WAYS_TO_GO[name](world)()
    appended_until(world, first, len(first.log_records) - 1)
    world.append(world.controller.abort("a test"))
    pass_session(world)
    world.ticks()
    assert world.broker().fenced
    assert {world.partition(number).leader for number in range(5)} == {2}


def test_a_heartbeat_inside_the_transaction_that_unregisters_its_broker_leaves_no_trace():
    """The controller reports for ever how long a broker is silent that it does not have."""
    world = leader_of_many()
    result = WAYS_TO_GO["UnregisterBroker"](world)()
    appended_until(world, result, len(result.log_records) - 1)
    world.controller.decide(world.now_ms, beat(1, world.epochs[1]))
    world.append(ControllerResult(result.log_records[-1:], None, atomic=False))
    assert set(world.controller.broker_silences_ms(world.now_ms)) == {2}


def test_own_decisions_are_cut_after_one_was_aborted():
    """What cannot be written as a whole is written and aborted again for ever, and no partition ever has a leader."""
    world = leader_of_many()
    decide = WAYS_TO_GO["ControllerTick"](world)
    assert decide().transaction
    world.controller.cut_own_decisions()
    assert not decide().transaction
    world.commit()
    world.controller.resign()
    world.activate()
    world.now_ms += 9_000
    assert world.controller.tick(world.now_ms).transaction, "the next leadership begins without that"


@pytest.mark.parametrize(("level", "allowed"), [(12, 200_000), (40, 5)])
@pytest.mark.parametrize("name", WAYS_TO_GO)
def test_where_no_transaction_holds_it_a_broker_goes_in_several_changes(name, level, allowed):
    """A broker with more partitions than a transaction holds is refused its end, and leads without being there."""
    world = leader_of_many(level=level, config=replace(IN_BATCHES_OF_FOUR, transaction_records_max=allowed))
    result = WAYS_TO_GO[name](world)()
    assert (result.transaction, result.is_divisible) == ("", True)
    *parts, last = result.parts(4)
    for part in parts:
        world.append(part)
    assert {world.partition(number).leader for number in range(3)} == {2}
    world.append(last)
    assert {world.partition(number).leader for number in range(5)} == {2}
