"""KIP-426 at the controller, by the numbers of docs/kip-426.md: which id a broker gets, and the mappings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kraftpy.controller.broker_id_requests import AlterBrokerHost, AssignBrokerId, BrokerIdSource
from kraftpy.controller.broker_id_reservations import RESERVATIONS_MAX
from kraftpy.controller.config import QuorumFacts
from kraftpy.controller.replica_index import ReplicaIndex
from kraftpy.controller.requests import UnregisterBroker
from kraftpy.controller.topic_requests import DeleteTopics, TopicRef
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY
from kraftpy.image.writer import image_records
from kraftpy.model.errors import ApiError, BusyError, ErrorCode
from kraftpy.model.ids import NO_NODE, NODE_ID_MAX
from kraftpy.records.metadata import BrokerHostRecord, PartitionRecord, RegisterBrokerRecord, TopicRecord
from tests.unit.controller.worlds import UNSTABLE, World, beat, register, topic_records, uuid

SESSION_MS = UNSTABLE.session_timeout_ms
WITH_MISSING = replace(UNSTABLE, missing_broker_id_recovery=True)


def world_of(config=UNSTABLE, **more):
    return World(config=config, level=41, **more)


def ask(host="h1", process=50, **more):
    return AssignBrokerId(host=host, incarnation_id=uuid(process), **more)


def assigned(world, *args, **more):
    """Ask for an id; return it and where it comes from. Nothing is written."""
    records, response = world.do(ask(*args, **more))
    assert records == []
    return response.broker_id, response.source


def refused(world, request):
    before = world.controller.image
    with pytest.raises(ApiError) as caught:
        world.controller.decide(world.now_ms, request)
    assert world.controller.image is before
    return caught.value


def is_asked_again(world, *args):
    return refused(world, ask(*args)).code is ErrorCode.BROKER_NOT_AVAILABLE


def ids(world):
    return dict(world.controller.image.broker_hosts.ids)


def on_host(world, broker_id, host, **more):
    """Let a broker with an id of its own run on a host; return its epoch."""
    return world.alive(broker_id, host=host, **more)


def lost(world):
    """Let the sessions of all brokers end."""
    world.now_ms += SESSION_MS
    world.ticks()


def test_k426_05_a_host_gets_the_id_that_it_had():
    """The broker that was lost is not running any more: its id is the host's."""
    world = world_of()
    on_host(world, 5, "h1")
    lost(world)
    assert assigned(world) == (5, BrokerIdSource.HOST)
    assert world.register(5, incarnation_id=uuid(50), host="h1") > 0
    assert ids(world) == {"h1": 5}


@pytest.mark.parametrize(
    ("config", "expected"), [(UNSTABLE, (1001, BrokerIdSource.GENERATED)), (WITH_MISSING, (9, BrokerIdSource.MISSING))]
)
def test_k426_06_an_id_in_use_is_not_given_twice(config, expected):
    """A running broker keeps the id of its host; the second one on that host goes on to the next step."""
    world = world_of(config, records=topic_records(((9, 5), (9, 5), 5)))
    epoch = on_host(world, 5, "h1")
    assert is_asked_again(world), "the running broker was not heard since"
    world.now_ms += 1
    world.do(beat(5, epoch))
    assert assigned(world) == expected


def test_k426_07_the_missing_id_is_a_switch():
    """Without the switch a missing id is not looked for; with it, it is."""
    missing = topic_records(((7,), (7,), 7))
    assert assigned(world_of(records=missing)) == (1001, BrokerIdSource.GENERATED)
    assert assigned(world_of(WITH_MISSING, records=missing)) == (7, BrokerIdSource.MISSING)


def test_k426_08_the_only_missing_id_is_used():
    """Broker 1 runs and broker 2 does not."""
    world = world_of(WITH_MISSING, records=topic_records(((1, 2), (1, 2), 1), ((2, 1), (1, 2), 1)))
    epoch = world.alive(1)
    assert is_asked_again(world, "h2")
    world.now_ms += 1
    world.do(beat(1, epoch))
    assert assigned(world, "h2") == (2, BrokerIdSource.MISSING)


def test_k426_09_several_missing_ids_are_for_a_human():
    """The error lists the candidates, and says what to do."""
    world = world_of(WITH_MISSING, records=topic_records(((3, 2), (3, 2), 3)))
    error = refused(world, ask())
    assert error.code is ErrorCode.INVALID_REGISTRATION
    assert "any of the brokers 2, 3, which" in error.message
    many = topic_records((tuple(range(100, 140)), (100,), 100))
    assert "107, 108, 109 and 30 more, which" in refused(world_of(WITH_MISSING, records=many), ask()).message


def test_k426_10_the_last_broker_to_come_back_gets_the_last_missing_id():
    """Two brokers were down; the one that has its disks returns, and then the choice is plain."""
    world = world_of(WITH_MISSING, records=topic_records(((3, 2), (3, 2), 3)))
    assert refused(world, ask()).code is ErrorCode.INVALID_REGISTRATION
    epoch = world.alive(3)
    world.now_ms += 1
    world.do(beat(3, epoch))
    assert assigned(world) == (2, BrokerIdSource.MISSING)


def test_k426_11_with_nothing_missing_the_id_is_new():
    """Every id in the assignments runs."""
    world = world_of(WITH_MISSING, records=topic_records(((1,), (1,), 1)))
    epoch = world.alive(1)
    assert is_asked_again(world)
    world.now_ms += 1
    world.do(beat(1, epoch))
    assert assigned(world) == (1001, BrokerIdSource.GENERATED)


def test_k426_12_without_the_switch_an_unknown_host_gets_a_new_id():
    """Whatever ids are missing, and at once."""
    world = world_of(records=topic_records(((1, 2), (1, 2), 1)))
    world.alive(1)
    assert assigned(world) == (1001, BrokerIdSource.GENERATED)


def test_k426_13_new_ids_are_above_the_reserved_ones_and_above_all_others():
    """1001 first; then above ids of brokers, assignments, hosts and voters; or not at all, if so configured."""
    world = world_of()
    assert assigned(world) == (1001, BrokerIdSource.GENERATED)
    assert assigned(world, "h2", 51) == (1002, BrokerIdSource.GENERATED)
    assert assigned(world_of(replace(UNSTABLE, reserved_broker_id_max=7))) == (8, BrokerIdSource.GENERATED)
    world.alive(1500)
    assert assigned(world, "h3", 52)[0] == 1501
    world.do(AlterBrokerHost(host="other", broker_id=1600))
    assert assigned(world, "h4", 53)[0] == 1601
    assert assigned(world_of(records=topic_records(((1700,), (1700,), 1700))))[0] == 1701
    world.controller.quorum_changed(QuorumFacts(frozenset({1800}), 0))
    assert assigned(world, "h5", 54)[0] == 1801
    world.alive(NODE_ID_MAX)
    assert "No broker id can be generated" in refused(world, ask("h6", 55)).message
    without = refused(world_of(replace(UNSTABLE, broker_id_generation=False)), ask())
    assert without.code is ErrorCode.INVALID_REGISTRATION
    assert "broker.id.generation.enable is false" in without.message


def test_k426_14_the_mapping_is_written_with_the_registration_and_not_before():
    """Asking writes nothing; the registration writes both, the mapping after the registration."""
    world = world_of()
    assert assigned(world) == (1001, BrokerIdSource.GENERATED)
    assert ids(world) == {}
    records, _ = world.do(register(1001, incarnation_id=uuid(50), host="h1"))
    assert [type(record) for record in records] == [RegisterBrokerRecord, BrokerHostRecord]
    assert ids(world) == {"h1": 1001}
    assert world.do(register(1001, incarnation_id=uuid(50), host="h1"))[0] == [], "nothing is new"
    assert refused(world, register(1002, host="h2", log_dirs=())).code is ErrorCode.INVALID_REGISTRATION
    assert ids(world) == {"h1": 1001}


def test_k426_16_the_mapping_outlives_the_broker():
    """Its death and its unregistration; and its next registration changes nothing about it."""
    world = world_of()
    on_host(world, 5, "h1")
    lost(world)
    world.do(UnregisterBroker(broker_id=5))
    assert ids(world) == {"h1": 5}
    assert assigned(world) == (5, BrokerIdSource.HOST)


def test_k426_17_mappings_are_set_and_removed_by_request():
    """The replacement machine has another name: its mapping is set, and the old one goes with the registration."""
    world = world_of()
    on_host(world, 5, "h1")
    lost(world)
    assert world.do(AlterBrokerHost(host="h2", broker_id=5, validate_only=True))[0] == []
    assert world.do(AlterBrokerHost(host="h2", broker_id=5))[0] == [BrokerHostRecord(host="h2", broker_id=5)]
    assert world.do(AlterBrokerHost(host="h2", broker_id=5))[0] == []
    assert ids(world) == {"h1": 5, "h2": 5}
    assert assigned(world, "h2") == (5, BrokerIdSource.HOST)
    world.do(AlterBrokerHost(host="h2", broker_id=None))
    assert ids(world) == {"h1": 5}
    for wrong, code, text in (
        (AlterBrokerHost(host="h2", broker_id=None), ErrorCode.RESOURCE_NOT_FOUND, "h2 has no broker id"),
        (AlterBrokerHost(host="h2", broker_id=-1), ErrorCode.INVALID_REQUEST, "from 0 to 2147483647"),
        (AlterBrokerHost(host="h2", broker_id=NODE_ID_MAX + 1), ErrorCode.INVALID_REQUEST, "from 0 to 2147483647"),
        (AlterBrokerHost(host="h2", broker_id=1), ErrorCode.INVALID_REQUEST, "is a controller's"),
        (AlterBrokerHost(host="", broker_id=5), ErrorCode.INVALID_REQUEST, "1 to 255 bytes"),
        (AlterBrokerHost(host="ä" * 128, broker_id=5), ErrorCode.INVALID_REQUEST, "1 to 255 bytes"),
        (AlterBrokerHost(host="a\nb", broker_id=5), ErrorCode.INVALID_REQUEST, "printable"),
        (AlterBrokerHost(host=" a", broker_id=5), ErrorCode.INVALID_REQUEST, "no spaces"),
        (AlterBrokerHost(host="\ud800", broker_id=5), ErrorCode.INVALID_REQUEST, "printable"),
    ):
        error = refused(world, wrong)
        assert error.code is code
        assert text in error.message


def test_k426_18_missing_are_the_ids_in_assignments_that_are_not_registered():
    """An id leaves the assignments with its last replica."""
    world = world_of(WITH_MISSING, records=topic_records(((1, 2), (1, 2), 1), ((1, 3), (1, 3), 1)))
    assert "brokers 1, 2, 3, which" in refused(world, ask()).message
    world.alive(1)
    world.now_ms += SESSION_MS - 1
    world.do(beat(1, world.broker(1).broker_epoch))
    assert "brokers 2, 3, which" in refused(world, ask()).message
    world.do(DeleteTopics(topics=(TopicRef(name="orders"),)))
    assert assigned(world) == (1001, BrokerIdSource.GENERATED)


@pytest.mark.parametrize("is_fenced", [False, True])
def test_k426_19_a_registration_counts_as_long_as_its_session(is_fenced):
    """Fenced or not, a broker that is heard has its id; a registration that is left over from a dead one does not."""
    world = world_of()
    epoch = on_host(world, 5, "h1") if not is_fenced else world.register(5, host="h1")
    assert world.broker(5).fenced is is_fenced
    assert is_asked_again(world)
    world.now_ms += SESSION_MS - 1
    assert is_asked_again(world), "its session has not ended"
    world.do(beat(5, epoch, want_fence=is_fenced))
    assert assigned(world) == (1001, BrokerIdSource.GENERATED)
    lost(world)
    assert assigned(world, process=51) == (5, BrokerIdSource.HOST)


def test_k426_20_ids_without_replicas_are_not_missing():
    """A registered broker that is down and has no replica."""
    world = world_of(WITH_MISSING, records=topic_records(((2,), (2,), 2)))
    world.alive(1)
    lost(world)
    assert assigned(world) == (2, BrokerIdSource.MISSING)


def test_k426_21_two_brokers_that_ask_at_once_get_two_ids():
    """The id is reserved: another process cannot register with it. It lapses if its process does not register."""
    world = world_of(WITH_MISSING, records=topic_records(((7,), (7,), 7)))
    assert assigned(world, "h1", 50) == (7, BrokerIdSource.MISSING)
    assert assigned(world, "h2", 51) == (1001, BrokerIdSource.GENERATED)
    assert assigned(world, "h1", 50) == (7, BrokerIdSource.MISSING), "asked again, the same"
    assert assigned(world, "h2", 51) == (1001, BrokerIdSource.GENERATED)
    error = refused(world, register(7, incarnation_id=uuid(99)))
    assert error.code is ErrorCode.DUPLICATE_BROKER_REGISTRATION
    assert "is assigned to a broker on host h1" in error.message
    assert world.register(7, incarnation_id=uuid(50), host="h1") > 0
    assert assigned(world, "h1", 50) == (7, BrokerIdSource.HOST), "its answer was lost"
    world.now_ms += SESSION_MS
    assert assigned(world, "h3", 52) == (7, BrokerIdSource.MISSING), "that process died; 1001 has no replicas"
    assert assigned(world, "h4", 53) == (1002, BrokerIdSource.GENERATED), "1001 was given out, and may be in use"


def test_k426_21_a_process_on_the_same_host_waits_for_the_first_one():
    """Both were restarted on h1: one of them is the broker that h1 had, and the other one waits until it registers."""
    world = world_of()
    on_host(world, 5, "h1")
    lost(world)
    assert assigned(world, "h1", 50) == (5, BrokerIdSource.HOST)
    assert is_asked_again(world, "h1", 51)
    world.now_ms += 1
    epoch = world.register(5, incarnation_id=uuid(50), host="h1")
    assert assigned(world, "h1", 51) == (1001, BrokerIdSource.GENERATED)
    assert epoch > 0


def test_k426_21_an_id_that_was_taken_meanwhile_is_decided_again():
    """A broker whose configuration names the id came first: the loser is judged by the new state."""
    world = world_of()
    on_host(world, 5, "h1")
    lost(world)
    assert assigned(world) == (5, BrokerIdSource.HOST)
    world.now_ms += SESSION_MS
    assert world.register(5, incarnation_id=uuid(5)) > 0, "the reservation has lapsed"
    assert is_asked_again(world)
    world.now_ms += 1
    world.do(beat(5, world.broker(5).broker_epoch))
    assert assigned(world) == (1001, BrokerIdSource.GENERATED)


def test_k426_21_a_new_controller_assigns_nothing_that_the_one_before_may_have_assigned():
    """It knows of no reservation, so it waits as long as one lasts; only a new cluster has had no other controller."""
    world = world_of()
    on_host(world, 5, "h1")
    world.commit()
    world.now_ms += 100 * SESSION_MS
    world.controller.resign()
    world.activate()
    assert is_asked_again(world, "h2")
    world.now_ms += SESSION_MS - 1
    assert "became active a moment ago" in refused(world, ask("h2")).message
    world.now_ms += 1
    assert assigned(world, "h2") == (1001, BrokerIdSource.GENERATED)
    assert assigned(world, "h1", 51) == (5, BrokerIdSource.HOST)


def test_k426_21_as_many_processes_as_the_limit_wait():
    """One more is refused as busy; those that stop asking make room."""
    world = world_of()
    for number in range(RESERVATIONS_MAX):
        assigned(world, f"h{number}", number + 100)
    with pytest.raises(BusyError, match=str(RESERVATIONS_MAX)):
        world.controller.decide(world.now_ms, ask("one more", 99))
    assert assigned(world, "one more", 99, validate_only=True)[0] > 1000
    world.now_ms += SESSION_MS
    assert assigned(world, "one more", 99)[0] == 1001 + RESERVATIONS_MAX


def test_k426_21_no_process_keeps_an_id_by_asking():
    """A broker that names the id itself can register after one session timeout, however often another one asks."""
    world = world_of()
    on_host(world, 5, "h1")
    lost(world)
    assert assigned(world) == (5, BrokerIdSource.HOST)
    for _ in range(3):
        assert refused(world, register(5, incarnation_id=uuid(5))).code is ErrorCode.DUPLICATE_BROKER_REGISTRATION
        world.now_ms += SESSION_MS // 3
        if world.now_ms < 2 * SESSION_MS:
            assert assigned(world) == (5, BrokerIdSource.HOST)
    assert world.register(5, incarnation_id=uuid(5)) > 0


def test_k426_21_a_dry_run_reserves_nothing():
    """It says what would be assigned."""
    world = world_of()
    assert assigned(world, validate_only=True) == (1001, BrokerIdSource.GENERATED)
    assert assigned(world, "h2", 51) == (1001, BrokerIdSource.GENERATED)


def test_k426_22_a_running_broker_has_one_host():
    """When broker 5 registers from another host, the mapping of the host before is garbage and goes."""
    world = world_of()
    on_host(world, 5, "h1")
    on_host(world, 6, "h6")
    lost(world)
    records, _ = world.do(register(5, incarnation_id=uuid(50), host="h2"))
    assert records[1:] == [BrokerHostRecord(host="h1", broker_id=NO_NODE), BrokerHostRecord(host="h2", broker_id=5)]
    assert ids(world) == {"h2": 5, "h6": 6}


def test_k426_23_nothing_is_left_for_a_periodic_collection():
    """Each record that makes a mapping garbage comes with its removal, and a tool cannot make garbage of a live one."""
    world = world_of()
    on_host(world, 5, "h1")
    error = refused(world, AlterBrokerHost(host="h2", broker_id=5))
    assert "Broker 5 is running, on host h1" in error.message
    lost(world)
    world.do(AlterBrokerHost(host="h2", broker_id=5))
    on_host(world, 5, "h1", incarnation_id=uuid(50))
    assert ids(world) == {"h1": 5}


def test_k426_24_the_mapping_of_a_broker_that_is_down_stays():
    """Whatever others register: only its own registration removes it, in the same records."""
    world = world_of()
    on_host(world, 5, "h1")
    lost(world)
    on_host(world, 6, "h6")
    assert ids(world) == {"h1": 5, "h6": 6}
    lost(world)
    on_host(world, 6, "h1", incarnation_id=uuid(60))
    assert ids(world) == {"h1": 6}, "the last registration from a host wins"


def test_k426_25_a_replacement_with_the_same_name_gets_the_id_and_empty_directories():
    """Its replicas are not in sync until they have caught up."""
    world = world_of(records=topic_records(((5, 6), (5, 6), 5)))
    on_host(world, 5, "h1")
    on_host(world, 6, "h6")
    world.now_ms += SESSION_MS
    world.do(beat(6, world.broker(6).broker_epoch))
    world.ticks()
    assert assigned(world) == (5, BrokerIdSource.HOST)
    world.register(5, incarnation_id=uuid(50), host="h1", log_dirs=(uuid(999),))
    assert world.partition().isr == (6,)


def test_k426_26_a_renamed_host_is_a_new_broker():
    """Weak case: without the missing id a host that changes its name gets a new id, unless its mapping is set."""
    world = world_of()
    on_host(world, 5, "h1")
    lost(world)
    assert assigned(world, "h1-renamed") == (1001, BrokerIdSource.GENERATED)


def test_k426_26_a_new_broker_takes_the_id_of_a_restarting_one():
    """Weak case with the missing id: it is its switch's price; the one that comes back is refused, for a human."""
    world = world_of(WITH_MISSING, records=topic_records(((5,), (5,), 5)))
    on_host(world, 5, "h1")
    lost(world)
    assert assigned(world, "new") == (5, BrokerIdSource.MISSING)
    epoch = world.register(5, incarnation_id=uuid(50), host="new")
    world.do(beat(5, epoch, world.offset))
    assert refused(world, register(5, incarnation_id=uuid(51), host="h1")).code is (
        ErrorCode.DUPLICATE_BROKER_REGISTRATION
    )


@pytest.mark.parametrize("level", [40, 41])
def test_k426_27_a_broker_that_knows_nothing_of_it_works_as_before(level):
    """It sends no host, and no mapping is written; its id is known and not assigned to another broker."""
    world = World(config=UNSTABLE, level=level)
    assert world.alive(5) > 0
    assert ids(world) == {}


def test_k426_27_below_41_nothing_of_it_exists():
    """A host in a registration is ignored, and requests name the level."""
    world = World(config=UNSTABLE, level=40)
    on_host(world, 5, "h1")
    assert ids(world) == {}
    for request in (ask(), AlterBrokerHost(host="h1", broker_id=5)):
        error = refused(world, request)
        assert error.code is ErrorCode.UNSUPPORTED_VERSION
        assert "41 is needed" in error.message


def test_k426_28_the_feature_is_a_switch():
    """Off: no mapping is written or looked at, and a broker without an id gets a new one."""
    world = world_of(replace(WITH_MISSING, broker_id_recovery=False), records=topic_records(((7,), (7,), 7)))
    on_host(world, 5, "h1")
    assert ids(world) == {}
    world.do(AlterBrokerHost(host="h1", broker_id=8))
    assert assigned(world) == (1001, BrokerIdSource.GENERATED)


@pytest.mark.parametrize("host", ["", "x" * 256, "a\tb", "a "])
def test_k426_30_the_key_is_any_printable_text(host):
    """A host name, a MAC address or a configured name; what no mapping can have as its key is refused."""
    world = world_of()
    for name in ("broker-7.example.org", "00:1B:44:11:3A:B7", "rack 3, slot 7", "x" * 255):
        assert world.do(AlterBrokerHost(host=name, broker_id=5))[0]
    assert refused(world, ask(host)).code is ErrorCode.INVALID_REQUEST
    assert refused(world, register(5, host=host)).code is ErrorCode.INVALID_REGISTRATION


def test_k426_31_missing_ids_come_from_an_index(monkeypatch):
    """One partition of each id is looked at, however many there are; bench/micro_broker_ids.py has the times."""
    looked_at = []
    present = ReplicaIndex._present
    monkeypatch.setattr(ReplicaIndex, "_present", lambda *args: looked_at.append(args) or present(*args))
    for count in (40, 4_000):
        looked_at.clear()
        assert ReplicaIndex().broker_ids(image_with_partitions(count)) == list(range(1, 11))
        assert len(looked_at) == 10


def image_with_partitions(count):
    delta = MetadataDelta(EMPTY)
    delta.replay(TopicRecord(name="t", topic_id=uuid(1)))
    for number in range(count):
        replicas = [1 + (number + k) % 10 for k in range(3)]
        delta.replay(
            PartitionRecord(
                partition_id=number, topic_id=uuid(1), replicas=replicas, isr=replicas, leader=replicas[0],
                leader_epoch=0, partition_epoch=0,
            )
        )  # fmt: skip
    return delta.apply(EMPTY.provenance)


def test_k426_34_a_snapshot_has_the_mappings():
    """What is written to a snapshot is what is read from it."""
    world = world_of()
    on_host(world, 5, "h1")
    image = world.controller.image
    delta = MetadataDelta(EMPTY)
    delta.replay_all(list(image_records(image)))
    assert dict(delta.apply(EMPTY.provenance).broker_hosts.ids) == {"h1": 5}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"cluster_id": "another"}, ErrorCode.INCONSISTENT_CLUSTER_ID),
        ({"log_dirs": ()}, ErrorCode.INVALID_REGISTRATION),
        ({"log_dirs": (uuid(506),)}, ErrorCode.INVALID_REGISTRATION),
    ],
)
def test_k426_35_a_registration_with_an_assigned_id_is_checked_like_any_other(change, code):
    """Cluster, incarnation and directories."""
    world = world_of()
    on_host(world, 6, "h6")
    broker_id, _ = assigned(world)
    assert refused(world, register(broker_id, incarnation_id=uuid(50), host="h1", **change)).code is code
