"""The checks of what brokers and controllers ask for themselves, by the numbers in the docstrings of their modules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kraftpy.controller import broker_id_reservations, broker_ids, registration
from kraftpy.controller.broker_id_requests import AlterBrokerHost, AssignBrokerId
from kraftpy.controller.config import QuorumFacts
from kraftpy.controller.directory_reports import directory_changes
from kraftpy.controller.heartbeats import TRANSITIONS, HeartbeatState
from kraftpy.controller.requests import UnregisterBroker, UnregisterController
from kraftpy.controller.result import ControllerResult
from kraftpy.model.errors import ErrorCode as E
from kraftpy.model.ids import DIRECTORY_LOST, NODE_ID_MAX
from kraftpy.model.registrations import Listener
from tests.unit.controller.checks import Check, Tables, holds, parameters, refusals
from tests.unit.controller.worlds import (
    TOPIC_ID,
    UNSTABLE,
    World,
    beat,
    range_of,
    register,
    register_controller,
    topic_records,
    uuid,
)

SESSION_MS = UNSTABLE.session_timeout_ms
LONG = "x" * 32_768
"""One byte more than a string of a record holds."""


def limited(module, limit, value, ask):
    """Ask under a smaller limit."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, limit, value)
        return ask()


# ---------------------------------------------------------------- registration

GOOD = {
    "cluster_id": "the-cluster-with-an-old-id",
    "log_dirs": (uuid(700),),
    "listeners": (Listener("PLAINTEXT", "h", 9092, 0),),
    "rack": "r",
    "host": "h",
    "features": (range_of(),),
}
"""What no check refuses."""

BAD = {
    "cluster_id": None,
    "log_dirs": (),
    "listeners": (Listener(LONG, LONG, 70_000, 9), Listener(LONG, LONG, 70_000, 9)),
    "rack": LONG,
    "host": " ",
    "features": (range_of(LONG, 5, 4), range_of(LONG, 5, 4)),
}
"""What a check of each field refuses; they are in this order."""


def fields_from(name):
    """Every field is in order up to one, and not from there on."""
    bad = False
    found = {}
    for field in GOOD:
        bad = bad or field == name
        found[field] = (BAD if bad else GOOD)[field]
    return found


def registered(broker_id=2, *, first="", level=42, **changes):
    """Broker 1 is alive; another one registers, all of whose fields from the first one on are wrong."""
    world = World(level=level)
    world.alive(1, log_dirs=(uuid(501),))
    return refusals(world, register(broker_id, **{**fields_from(first), **changes}))


def reserved():
    """Another process got the id, and has not registered."""
    world = World(level=42)
    given = world.do(AssignBrokerId(host="h", incarnation_id=uuid(50)))[1].broker_id
    return refusals(world, register(given, **{**fields_from("log_dirs"), "incarnation_id": uuid(51)}))


def listener(*listeners):
    return {"first": "rack", "listeners": listeners}


def features(*ranges):
    return {"features": ranges}


ONE = Listener("A", "h", 9, 0)
CODE = E.INVALID_REGISTRATION
DUPLICATE = E.DUPLICATE_BROKER_REGISTRATION


def controller(level=42, controller_id=2, **fields):
    bad = {"listeners": BAD["listeners"], "features": BAD["features"], **fields}
    return refusals(World(level=level), register_controller(controller_id, **bad))


def unregistered(controller_id, *, level=33, voters=(1,)):
    world = World(level=level)
    world.controller.quorum_changed(QuorumFacts(frozenset(voters), 0))
    return refusals(world, UnregisterController(controller_id=controller_id))


REGISTRATION = [
    Check(1, CODE, "node ids begin at 0", lambda: registered(-1, first="cluster_id")),
    Check(2, E.INCONSISTENT_CLUSTER_ID, "", lambda: registered(1, first="cluster_id", incarnation_id=uuid(2))),
    Check(3, DUPLICATE, "about to register", reserved),
    Check(
        4, DUPLICATE, "Another broker is registered", lambda: registered(1, first="log_dirs", incarnation_id=uuid(2))
    ),
    Check(5, CODE, "No directories", lambda: registered(first="log_dirs")),
    Check(
        6,
        CODE,
        "at most 10000",
        lambda: registered(first="listeners", log_dirs=(DIRECTORY_LOST,) * (registration.LOG_DIRS_MAX + 1)),
    ),
    Check(7, CODE, "Reserved directory", lambda: registered(first="listeners", log_dirs=(DIRECTORY_LOST,) * 2)),
    Check(8, CODE, "Duplicate directory", lambda: registered(first="listeners", log_dirs=(uuid(501),) * 2)),
    Check(9, CODE, "already registered with directory", lambda: registered(first="listeners", log_dirs=(uuid(501),))),
    Check(
        10,
        CODE,
        "at most 100",
        lambda: registered(first="listeners", listeners=BAD["listeners"] * registration.LISTENERS_MAX),
    ),
    Check(11, CODE, "A listener name", lambda: registered(first="listeners")),
    Check(11, CODE, "host of listener", lambda: registered(**listener(*(replace(ONE, host=LONG, port=-1),) * 2))),
    Check(12, CODE, "more than once", lambda: registered(**listener(*(replace(ONE, port=-1),) * 2))),
    Check(13, CODE, "port -1", lambda: registered(**listener(replace(ONE, port=-1, security_protocol=9)))),
    Check(13, CODE, "port 65536", lambda: registered(**listener(replace(ONE, port=65_536)))),
    Check(14, CODE, "security protocol 4", lambda: registered(**listener(replace(ONE, security_protocol=4)))),
    Check(15, CODE, "The rack has 32768 bytes", lambda: registered(first="rack")),
    Check(16, CODE, "no name of a host", lambda: registered(first="host")),
    Check(17, CODE, "at most 1000", lambda: registered(features=BAD["features"] * registration.FEATURES_MAX)),
    Check(18, CODE, "A feature name", lambda: registered(first="features")),
    Check(19, CODE, "more than once", lambda: registered(**features(range_of("a", 0, 1), range_of("a", 5, 4)))),
    Check(20, CODE, "impossible range 5 to 4", lambda: registered(**features(range_of("a", 5, 4)))),
    Check(20, CODE, "impossible range 0 to 32768", lambda: registered(**features(range_of("a", 0, 32_768)))),
    Check(21, E.UNSUPPORTED_VERSION, "finalized version 42", lambda: registered(**features(range_of(high=41)))),
    Check(22, E.BROKER_ID_NOT_REGISTERED, "", lambda: refusals(World(), UnregisterBroker(broker_id=9))),
    Check(23, E.UNSUPPORTED_VERSION, "too old", lambda: controller(14, -1)),
    Check(24, CODE, "node ids begin at 0", lambda: controller(controller_id=-1)),
    Check(25, CODE, "A listener name", controller),
    Check(26, CODE, "A feature name", lambda: controller(listeners=())),
    Check(27, E.INVALID_REQUEST, "cannot unregister itself", lambda: unregistered(1, level=32)),
    Check(28, E.INVALID_REQUEST, "part of the voter set", lambda: unregistered(2, level=32, voters=(1, 2))),
    Check(29, E.UNSUPPORTED_VERSION, "", lambda: unregistered(9, level=32)),
    Check(30, E.CONTROLLER_ID_NOT_REGISTERED, "", lambda: unregistered(9)),
]


# ---------------------------------------------------------------- broker_ids

WITH_MISSING = replace(UNSTABLE, missing_broker_id_recovery=True, broker_id_generation=False)


def asked(host="h", process=50, *, world=None, level=42, config=UNSTABLE):
    return refusals(world or World(level=level, config=config), AssignBrokerId(host=host, incarnation_id=uuid(process)))


def after_failover():
    """A controller that has just become active knows no reservation of the one before."""
    world = World(level=42, config=WITH_MISSING)
    world.commit()
    world.controller.resign()
    world.activate()
    return asked(world=world)


def on_one_host():
    """Another process has an id."""
    world = World(level=42)
    assert asked(process=49, world=world) == []
    return asked(world=world)


def may_still_run():
    """The host's broker was heard a moment ago, before the process asked."""
    world = World(level=42, config=WITH_MISSING)
    world.alive(5, host="h")
    return asked(world=world)


def two_missing():
    world = World(level=42, config=WITH_MISSING)
    for broker_id in (5, 6):
        world.alive(broker_id, host=f"h{broker_id}")
    world.append(ControllerResult(tuple(topic_records(([5, 6], [5, 6], 5))), None))
    world.now_ms += SESSION_MS
    world.ticks()
    return asked(world=world)


def no_id_left():
    world = World(level=42)
    world.register(NODE_ID_MAX)
    return asked(world=world)


def mapped(host="h", broker_id=5, *, level=42):
    """Broker 7 runs on host h7; 1 and 3 are controllers."""
    world = World(level=level)
    world.controller.quorum_changed(QuorumFacts(frozenset({1, 3}), 0))
    world.alive(7, host="h7" if level >= 41 else None)
    return refusals(world, AlterBrokerHost(host=host, broker_id=broker_id))


BROKER_IDS = [
    Check(1, E.UNSUPPORTED_VERSION, "41 is needed", lambda: asked(" ", level=40)),
    Check(2, E.INVALID_REQUEST, "no name of a host", lambda: asked(" ", config=WITH_MISSING)),
    Check(
        3,
        E.THROTTLING_QUOTA_EXCEEDED,
        "",
        lambda: limited(broker_id_reservations, "RESERVATIONS_MAX", 0, lambda: asked(config=WITH_MISSING)),
    ),
    Check(4, E.BROKER_NOT_AVAILABLE, "became active a moment ago", after_failover),
    Check(5, E.BROKER_NOT_AVAILABLE, "another process on host h", on_one_host),
    Check(6, E.BROKER_NOT_AVAILABLE, "its session has not ended", may_still_run),
    Check(7, CODE, "may be any of the brokers 5, 6", two_missing),
    Check(8, CODE, "broker.id.generation.enable is false", lambda: asked(config=WITH_MISSING)),
    Check(9, CODE, f"ids end at {NODE_ID_MAX}", no_id_left),
    Check(10, E.UNSUPPORTED_VERSION, "41 is needed", lambda: mapped(" ", -1, level=40)),
    Check(11, E.INVALID_REQUEST, "no name of a host", lambda: mapped(" ", -1)),
    Check(12, E.RESOURCE_NOT_FOUND, "has no broker id", lambda: mapped("h", None)),
    Check(13, E.INVALID_REQUEST, "-1 is no broker id", lambda: mapped("h", -1)),
    Check(14, E.INVALID_REQUEST, "is a controller's", lambda: mapped("h", 3)),
    Check(
        15,
        E.INVALID_REQUEST,
        "is running, on host h7",
        lambda: limited(broker_ids, "HOSTS_MAX", 1, lambda: mapped("h", 7)),
    ),
    Check(16, E.POLICY_VIOLATION, "1 hosts have", lambda: limited(broker_ids, "HOSTS_MAX", 1, mapped)),
]


# ---------------------------------------------------------------- heartbeats


def stale(broker_id, epoch):
    world = World()
    world.alive(1)
    return refusals(world, beat(broker_id, epoch, want_fence=True, want_shutdown=True))


HEARTBEATS = [
    Check(1, E.STALE_BROKER_EPOCH, "not registered", lambda: stale(9, 1)),
    Check(1, E.STALE_BROKER_EPOCH, "Expected broker epoch", lambda: stale(1, 1_000)),
]

FENCED, UNFENCED, LEAVING = "fenced", "unfenced", "in controlled shutdown"
NEXT = {
    2: (FENCED, {"want_shutdown": True}, (True, False, True)),
    3: (FENCED, {}, (False, False, False)),
    4: (FENCED, {"want_fence": True}, (True, False, False)),
    5: (UNFENCED, {"want_fence": True, "want_shutdown": True}, (True, False, True)),
    6: (UNFENCED, {"want_fence": True}, (True, False, False)),
    7: (UNFENCED, {"want_shutdown": True}, (False, True, False)),
    8: ("unfenced without partitions", {"want_shutdown": True}, (True, False, True)),
    9: (UNFENCED, {}, (False, False, False)),
    10: ("in controlled shutdown with partitions", {}, (False, True, False)),
    11: ("in controlled shutdown, all others have read that", {}, (True, False, True)),
    12: (LEAVING, {}, (False, True, False)),
}
"""Number of the row: broker 1 before the heartbeat, what it wants; fenced, in controlled shutdown, may shut down."""


@pytest.mark.parametrize("number", NEXT)
def test_a_row_of_the_heartbeats(number):
    """A row is left out, another one comes before it, or the answer and the state do not go together."""
    state, wants, (fenced, leaving, may_go) = NEXT[number]
    world = World()
    epoch = world.register(1) if state == FENCED else world.alive(1)
    world.alive(2)
    if "without" not in state and state != FENCED:
        # A partition that broker 2 cannot take over stays with broker 1.
        others = [2] if "controlled" in state and "with partitions" not in state else []
        world.append(ControllerResult(tuple(topic_records(([1, *others], [1, *others], 1))), None))
    if "controlled" in state:
        world.do(beat(1, epoch, want_shutdown=True))
        world.do(beat(2, world.broker(2).broker_epoch, world.offset if "read" in state else 0))
    answer = world.do(beat(1, epoch, **wants))[1]
    assert (answer.is_fenced, answer.in_controlled_shutdown, answer.should_shut_down) == (fenced, leaving, may_go)
    assert world.broker(1).fenced is fenced


def test_the_rows_are_those_of_the_table():
    """The table has a row that the list lacks, or in another place."""
    assert sorted(NEXT) == list(range(2, len(TRANSITIONS) + 2))
    before = {
        FENCED: HeartbeatState.FENCED,
        UNFENCED: HeartbeatState.UNFENCED,
        LEAVING: HeartbeatState.CONTROLLED_SHUTDOWN,
    }
    for number, (state, _, (fenced, _, _)) in NEXT.items():
        row = TRANSITIONS[number - 2]
        assert state.startswith(next(name for name, each in before.items() if each is row.current))
        assert row.following.is_fenced is fenced


# ---------------------------------------------------------------- directory_reports

LISTS = {
    1: ({"offline_log_dirs": (uuid(501), uuid(900))}, 17, "log_dirs", (uuid(502),)),
    2: ({"saturated_log_dirs": (uuid(501), uuid(900))}, 42, "saturated_log_dirs", (uuid(501),)),
    3: ({"cordoned_log_dirs": (uuid(501), uuid(900))}, 30, "cordoned_log_dirs", (uuid(501),)),
}
"""Number of the list: what is reported, the lowest level at which it counts, and what the registration has then."""


@pytest.mark.parametrize("number", LISTS)
def test_a_list_of_directories_in_a_heartbeat(number):
    """A list counts below its level, what is not registered gets in, or what is known is written again."""
    reported, level, field, expected = LISTS[number]
    for present in (level - 1, level):
        world = World(level=present)
        epoch = world.alive(1, log_dirs=(uuid(501), uuid(502)))
        before = getattr(world.broker(1), field)
        world.do(beat(1, epoch, **reported))
        assert getattr(world.broker(1), field) == (expected if present == level else before)
        again = directory_changes(world.controller.image, beat(1, epoch, **reported), world.broker(1))
        assert again.records == ()


def test_what_is_offline_never_becomes_saturated():
    """The list of offline directories is looked at first."""
    world = World(level=42)
    epoch = world.alive(1, log_dirs=(uuid(501), uuid(502)))
    world.append(ControllerResult(tuple(topic_records(([1], [1], 1, {"directories": [uuid(501)]}))), None))
    world.do(beat(1, epoch, offline_log_dirs=(uuid(501),), saturated_log_dirs=(uuid(501), uuid(502))))
    assert (world.broker(1).log_dirs, world.broker(1).saturated_log_dirs) == ((uuid(502),), (uuid(502),))
    assert world.controller.image.topics.partition(TOPIC_ID, 0).leader is None


TABLES: Tables = {"registration": REGISTRATION, "broker_ids": BROKER_IDS, "heartbeats": HEARTBEATS}
ROWS = {"heartbeats": set(NEXT), "directory_reports": set(LISTS)}
"""The numbers that have a test of their own, because nothing is refused."""


@pytest.mark.parametrize("check", parameters(TABLES))
def test_a_check_refuses_what_it_is_there_for(check):
    """A check is left out, comes later, or answers with another code."""
    holds(check)
