"""A broker's life. Sources: KIP-631, KIP-858, KIP-1262, broker reference B1."""

from __future__ import annotations

import pytest

from kraftpy.broker.lifecycle import BrokerLifecycle, LifecycleConfig
from kraftpy.broker.log_dirs import UntoldFailures
from kraftpy.broker.outputs import BrokerState, GiveUp, SendHeartbeat, SendRegistration, StateChanged
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY
from kraftpy.image.provenance import Provenance
from kraftpy.model.errors import ErrorCode
from kraftpy.model.invariant import InvariantViolation
from kraftpy.model.registrations import BrokerHeartbeatResponse, Listener, RegisterBrokerResponse, SupportedFeature
from kraftpy.records.metadata import ConfigRecord, FeatureLevelRecord, RegisterBrokerRecord

DIR_A, DIR_B = b"a" * 16, b"b" * 16
REFUSED = (ErrorCode.REQUEST_TIMED_OUT, "nobody answered")


class NoJitter:
    """Draws the middle, so that delays are exact."""

    def below(self, bound):
        return bound // 2


def answer(*, caught_up=True, fenced=True, leaving=False, go=False):
    return BrokerHeartbeatResponse(
        is_caught_up=caught_up, is_fenced=fenced, in_controlled_shutdown=leaving, should_shut_down=go
    )


def broker(**changes):
    fields = {
        "broker_id": 7,
        "incarnation_id": b"i" * 16,
        "listeners": (Listener("PLAINTEXT", "h", 9092),),
        "features": (SupportedFeature("metadata.version", 7, 42),),
        "rack": "r1",
        "log_dirs": (DIR_B, DIR_A),
        "previous_broker_epoch": 33,
    }
    return BrokerLifecycle(config=LifecycleConfig(**{**fields, **changes}), jitter=NoJitter())


def started(**changes):
    machine = broker(**changes)
    machine.cluster_id_known(0, "the-cluster")
    machine.start(0)
    return machine


def registered(**changes):
    """A broker that has sent its first heartbeat at 0."""
    machine = started(**changes)
    (beat,) = machine.registration_succeeded(0, RegisterBrokerResponse(broker_epoch=5))
    assert isinstance(beat, SendHeartbeat)
    return machine


def running(**changes):
    """A broker that runs, with nothing in flight; the next heartbeat is due at 2000."""
    machine = registered(**changes)
    machine.ready_to_unfence(0)
    machine.heartbeat_succeeded(0, answer())
    machine.heartbeat_succeeded(0, answer(fenced=False))
    assert machine.state is BrokerState.RUNNING
    assert machine.next_deadline_ms() == 2_000
    return machine


def test_registration_states_who_the_broker_is():
    """The registration carries ids, cluster, rack, previous epoch and the sorted directories (B1.3)."""
    machine = broker()
    machine.cluster_id_known(0, "the-cluster")
    changed, send = machine.start(0)
    assert changed == StateChanged(BrokerState.NOT_RUNNING, BrokerState.STARTING)
    request = send.request
    assert (request.broker_id, request.cluster_id, request.rack) == (7, "the-cluster", "r1")
    assert request.log_dirs == (DIR_A, DIR_B)
    assert request.previous_broker_epoch == 33
    assert send.timeout_ms == 4_500


def test_it_waits_for_the_cluster_id():
    """A broker that has not discovered the cluster id does not register (K1262-24)."""
    machine = broker()
    assert [type(output) for output in machine.start(0)] == [StateChanged]
    assert machine.tick(1_000) == ()
    assert machine.next_deadline_ms() == 60_000
    (send,) = machine.cluster_id_known(1_500, "found")
    assert send.request.cluster_id == "found"


def test_an_undiscovered_cluster_id_ends_in_giving_up():
    """Pointing at the wrong cluster ends in a startup timeout and exit, and says so (K1262-21)."""
    machine = broker()
    machine.start(0)
    give_up, changed = machine.tick(60_000)
    assert "cluster id was not discovered" in give_up.reason
    assert changed.after is BrokerState.SHUTTING_DOWN
    assert machine.next_deadline_ms() is None
    assert machine.cluster_id_known(60_001, "late") == ()


def test_the_cluster_id_never_changes():
    """A second, different cluster id is our bug (K1262-29)."""
    machine = started()
    with pytest.raises(InvariantViolation):
        machine.cluster_id_known(1, "another")


def test_one_call_is_in_flight_at_most():
    """While a call is out nothing is sent, however often the machine is stepped (B1.2)."""
    machine = registered()
    assert machine.tick(50_000) == ()
    assert machine.ready_to_unfence(50_000) == ()
    assert machine.log_dir_failed(50_000, DIR_A) == ()


def test_failures_back_off_up_to_the_session_timeout():
    """Delays after failures are 100 ms times 2^n, at most the session timeout (B1.4)."""
    machine, now_ms, delays = started(), 0, []
    for _ in range(9):
        assert machine.registration_failed(now_ms, *REFUSED) == ()
        delays.append(machine.next_deadline_ms() - now_ms)
        now_ms += delays[-1]
        (send,) = machine.tick(now_ms)
        assert isinstance(send, SendRegistration)
    assert delays == [100, 200, 400, 800, 1_600, 3_200, 6_400, 9_000, 9_000]


def test_the_jitter_is_two_percent():
    """The delay varies by two per cent to either side (B1.4)."""

    class Extreme:
        def __init__(self, high):
            self.high = high

        def below(self, bound):
            return bound - 1 if self.high else 0

    for high, expected in ((False, 98), (True, 102)):
        machine = started()
        machine._calls._jitter = Extreme(high)
        machine.registration_failed(0, *REFUSED)
        assert machine.next_deadline_ms() == expected


def test_it_gives_up_after_the_initial_timeout():
    """No registration within 60 s: give up, with the last refusal in the reason (B1.5)."""
    machine = started()
    machine.registration_failed(59_000, ErrorCode.DUPLICATE_BROKER_REGISTRATION, "another one lives")
    assert machine.tick(59_999)[0].request.broker_id == 7
    give_up = machine.tick(60_000)[0]
    assert isinstance(give_up, GiveUp)
    assert "unable to register" in give_up.reason
    assert "another one lives" in give_up.reason


def test_the_first_heartbeat_follows_at_once_then_every_10_ms_while_starting():
    """After the registration a heartbeat goes out at once; a starting broker asks every 10 ms (B1.6)."""
    machine = registered()
    assert machine.heartbeat_succeeded(3, answer(caught_up=False)) == ()
    assert machine.next_deadline_ms() == 13
    (beat,) = machine.tick(13)
    assert beat.request.want_fence
    assert beat.request.broker_epoch == 5


def test_catching_up_leads_to_recovery_and_the_long_interval():
    """An answer isCaughtUp moves STARTING to RECOVERY, from where heartbeats come every 2 s (B1)."""
    machine = registered()
    (changed,) = machine.heartbeat_succeeded(0, answer())
    assert changed == StateChanged(BrokerState.STARTING, BrokerState.RECOVERY)
    assert machine.next_deadline_ms() == 2_000


def test_being_unfenced_leads_to_running():
    """An answer that says "not fenced" moves RECOVERY to RUNNING, even right from STARTING (B1)."""
    machine = registered()
    first, second = machine.heartbeat_succeeded(0, answer(fenced=False))
    assert (first.after, second.after) == (BrokerState.RECOVERY, BrokerState.RUNNING)


def test_ready_to_unfence_is_reported_at_once():
    """Readiness to be unfenced is sent at once, and stops wanting the fence (B1.8)."""
    machine = registered()
    machine.heartbeat_succeeded(0, answer())
    (beat,) = machine.ready_to_unfence(5)
    assert not beat.request.want_fence


def test_what_was_asked_during_a_call_follows_its_answer_at_once():
    """If something is to be reported while a call is out, the next call follows its answer without delay (B1.2)."""
    machine = registered()
    assert machine.ready_to_unfence(1) == ()
    outputs = machine.heartbeat_succeeded(2, answer())
    assert not outputs[-1].request.want_fence


def test_after_a_failure_nothing_is_sent_at_once():
    """A failed call is followed by a pause, even if something is urgent (B1.2)."""
    machine = registered()
    machine.ready_to_unfence(1)
    assert machine.heartbeat_failed(2, *REFUSED) == ()
    assert machine.next_deadline_ms() == 102
    assert machine.log_dir_failed(3, DIR_A) == ()
    assert machine.next_deadline_ms() == 102


def test_a_running_broker_ignores_being_fenced():
    """RUNNING takes no notice of isFenced: it heartbeats on without wanting the fence (B1.13)."""
    machine = running()
    (beat,) = machine.tick(2_000)
    assert machine.heartbeat_succeeded(2_000, answer(fenced=True)) == ()
    assert machine.state is BrokerState.RUNNING
    assert not beat.request.want_fence


def test_heartbeats_report_what_is_published():
    """The offset in a heartbeat is what every publisher has seen, and never goes back (B1.7)."""
    machine = running()
    machine.metadata_published(10, 120, EMPTY)
    machine.metadata_published(11, 110, EMPTY)
    (beat,) = machine.tick(2_000)
    assert beat.request.metadata_offset == 120


def test_controlled_shutdown_asks_soon_once_then_at_the_interval():
    """A leaving broker says so at once, asks again after 50 ms, later every 2 s, until it may go (B1.6)."""
    machine = running()
    changed, beat = machine.begin_controlled_shutdown(100)
    assert changed.after is BrokerState.PENDING_CONTROLLED_SHUTDOWN
    assert beat.request.want_shutdown
    machine.heartbeat_succeeded(100, answer(leaving=True))
    assert machine.next_deadline_ms() == 150
    machine.tick(150)
    machine.heartbeat_succeeded(150, answer(leaving=True))
    assert machine.next_deadline_ms() == 2_150
    machine.tick(2_150)
    (changed,) = machine.heartbeat_succeeded(2_150, answer(go=True))
    assert changed.after is BrokerState.SHUTTING_DOWN
    assert machine.tick(9_999_999) == ()


def test_controlled_shutdown_of_a_broker_that_does_not_run_is_immediate():
    """In any other state the broker shuts down at once (B1.9); a late answer is taken and ignored."""
    machine = registered()
    (changed,) = machine.begin_controlled_shutdown(1)
    assert changed.after is BrokerState.SHUTTING_DOWN
    assert machine.heartbeat_succeeded(2, answer()) == ()


def test_a_stale_epoch_leads_to_a_new_registration():
    """STALE_BROKER_EPOCH: register again, same incarnation, after a pause, same state ([OURS], B1.12)."""
    machine = running()
    machine.tick(2_000)
    assert machine.heartbeat_failed(2_000, ErrorCode.STALE_BROKER_EPOCH, "who?") == ()
    (send,) = machine.tick(2_100)
    assert isinstance(send, SendRegistration)
    assert send.request.incarnation_id == b"i" * 16
    assert send.request.previous_broker_epoch == 5
    (beat,) = machine.registration_succeeded(2_100, RegisterBrokerResponse(broker_epoch=9))
    assert beat.request.broker_epoch == 9
    assert machine.state is BrokerState.RUNNING


def test_a_new_registration_that_is_refused_ends_in_giving_up():
    """A broker whose id was taken over gives up after the registration timeout ([OURS])."""
    machine = running()
    machine.tick(2_000)
    machine.heartbeat_failed(2_000, ErrorCode.STALE_BROKER_EPOCH, "who?")
    machine.tick(2_100)
    machine.registration_failed(61_900, ErrorCode.DUPLICATE_BROKER_REGISTRATION, "taken")
    assert "taken" in machine.tick(62_000)[0].reason


def test_another_heartbeat_error_does_not_register_again():
    """Any other error only backs off (B1.4)."""
    machine = running()
    machine.tick(2_000)
    machine.heartbeat_failed(2_000, ErrorCode.NOT_CONTROLLER, "moved")
    (send,) = machine.tick(2_100)
    assert isinstance(send, SendHeartbeat)


def test_a_lost_directory_is_reported_at_once_and_for_ever():
    """A failed directory is named at once and in every later heartbeat (B1.7, B1.10)."""
    machine = running()
    (beat,) = machine.log_dir_failed(100, DIR_A)
    assert beat.request.offline_log_dirs == (DIR_A,)
    machine.heartbeat_succeeded(100, answer(fenced=False))
    (beat,) = machine.tick(2_100)
    assert beat.request.offline_log_dirs == (DIR_A,)
    assert machine.log_dir_failed(2_100, DIR_A) == ()
    assert machine.directories.online == (DIR_B,)


def test_a_directory_lost_in_mid_flight_is_not_taken_as_reported():
    """Only directories in the answered heartbeat count as reported; each has its own deadline ([OURS], B1.10)."""
    machine = running(log_dirs=(DIR_A, DIR_B, b"c" * 16))
    machine.log_dir_failed(100, DIR_A)
    machine.log_dir_failed(20_000, DIR_B)
    machine.heartbeat_succeeded(20_001, answer(fenced=False))
    assert machine.tick(30_100) == (), "directory a was told"
    (give_up, _) = machine.tick(50_000)
    assert "couldn't communicate offline log dir" in give_up.reason


def test_a_directory_that_cannot_be_reported_ends_in_giving_up():
    """A failure that the controller does not hear of within 30 s ends the process (B1.10)."""
    machine = running()
    machine.log_dir_failed(100, DIR_A)
    assert machine.tick(30_099) == ()
    assert isinstance(machine.tick(30_100)[0], GiveUp)


def test_the_last_directory_ends_the_process():
    """No directory left that works: give up at once (B5.4)."""
    machine = running(log_dirs=(DIR_A,))
    assert "no log directory is left" in machine.log_dir_failed(100, DIR_A)[0].reason


def image_with(level, *dirs):
    delta = MetadataDelta(EMPTY)
    delta.replay(FeatureLevelRecord(name="metadata.version", feature_level=level))
    delta.replay(RegisterBrokerRecord(broker_id=7, broker_epoch=5, incarnation_id=b"i" * 16, log_dirs=list(dirs)))
    return delta.apply(Provenance(9, 1, -1, batch_aligned=True))


@pytest.mark.parametrize(("level", "dirs", "expected"), [(16, (), 0), (17, (), 1), (17, (DIR_A,), 0)])
def test_directories_are_registered_once_the_level_knows_them(level, dirs, expected):
    """Crossing metadata.version 17 with a registration without directories: register again (B1.11)."""
    outputs = running().metadata_published(100, 9, image_with(level, *dirs))
    assert [type(output) for output in outputs] == [SendRegistration] * expected


def test_an_answer_without_a_waiter_is_a_bug():
    """The shell answers each call once, with the right kind of answer."""
    with pytest.raises(InvariantViolation):
        running().heartbeat_succeeded(0, answer())


def test_success_forgets_earlier_failures():
    """After a success the first pause is short again (B1.4)."""
    machine = started()
    for now_ms in (0, 100, 300):
        machine.registration_failed(now_ms, *REFUSED)
        machine.tick(now_ms + 1_000)
    machine.registration_succeeded(2_000, RegisterBrokerResponse(broker_epoch=5))
    machine.heartbeat_failed(2_000, *REFUSED)
    assert machine.next_deadline_ms() == 2_100


def test_a_second_report_does_not_restart_the_clock():
    """The deadline of a lost directory counts from its first report (B1.10)."""
    untold = UntoldFailures(timeout_ms=100)
    untold.add(DIR_A, 0)
    untold.add(DIR_A, 50)
    assert untold.next_deadline_ms() == 100
    assert untold.overdue(100) == (DIR_A,)
    untold.reported((DIR_A,))
    assert untold.overdue(200) == ()


def test_a_new_leader_is_called_without_the_pauses_of_the_one_before():
    """However long the pause has become, a new leader is called after the first one; one call stays in flight."""
    machine = running()
    (beat,) = machine.tick(2_000)
    now_ms = 2_000
    for _ in range(6):
        machine.heartbeat_failed(now_ms, *REFUSED)
        pause_ms, now_ms = machine.next_deadline_ms() - now_ms, machine.next_deadline_ms()
        (beat,) = machine.tick(now_ms)
        assert isinstance(beat, SendHeartbeat)
    assert pause_ms == 3_200
    assert machine.leader_changed(now_ms) == (), "one call is in flight"
    machine.heartbeat_failed(now_ms, *REFUSED)
    assert machine.next_deadline_ms() == now_ms + 200, "pauses begin again"
    assert machine.leader_changed(now_ms) == ()
    assert machine.next_deadline_ms() == now_ms + 100
    (beat,) = machine.tick(now_ms + 100)
    assert isinstance(beat, SendHeartbeat)


def test_a_new_leader_changes_nothing_where_nothing_failed():
    """The interval of a broker whose heartbeats are answered stays; so does the wait for the cluster id."""
    machine = running()
    assert machine.leader_changed(1_000) == ()
    assert machine.next_deadline_ms() == 2_000
    waiting = broker()
    waiting.start(0)
    assert waiting.leader_changed(5) == ()


def published(machine, level, *records, now_ms=100):
    image = image_at(level, *records)
    return machine.metadata_published(now_ms, image.provenance.offset, image)


def image_at(level, *records):
    delta = MetadataDelta(EMPTY)
    delta.replay_all([FeatureLevelRecord("metadata.version", level), *records])
    return delta.apply(Provenance(40, 1, -1, batch_aligned=True))


def answered(machine, now_ms=100):
    """Answer the heartbeat in flight; return the next one, which was asked for meanwhile."""
    return [one.request for one in machine.heartbeat_succeeded(now_ms, answer(fenced=False))]


def test_a_saturated_directory_is_reported_at_once_and_in_every_heartbeat():
    """The broker lives on; the directory is in its registrations, too (KIP-928)."""
    machine = running()
    assert published(machine, 42) == ()
    (beat,) = machine.log_dir_saturated(100, DIR_A)
    request = beat.request
    assert (request.saturated_log_dirs, request.cordoned_log_dirs, request.offline_log_dirs) == ((DIR_A,), (), ())
    assert answered(machine) == []
    (again,) = machine.tick(2_100)
    assert again.request.saturated_log_dirs == (DIR_A,)
    (registration,) = machine.heartbeat_failed(2_100, ErrorCode.STALE_BROKER_EPOCH, "") or machine.tick(9_999)
    assert (registration.request.log_dirs, registration.request.saturated_log_dirs) == ((DIR_A, DIR_B), (DIR_A,))


def test_a_broker_runs_on_when_all_directories_are_saturated():
    """Unlike one whose directories all failed (K928-17); the last one that fails ends it."""
    machine = running()
    published(machine, 42)
    machine.log_dir_saturated(100, DIR_A)
    machine.log_dir_saturated(100, DIR_B)
    assert not machine.is_over
    machine.log_dir_failed(100, DIR_A)
    assert not machine.is_over
    give_up, _ = machine.log_dir_failed(100, DIR_B)
    assert "no log directory is left" in give_up.reason


def test_saturated_to_offline_but_never_back():
    """Another error makes a saturated directory fail; an offline one stays so (K928-19)."""
    machine = running()
    published(machine, 42)
    machine.log_dir_saturated(100, DIR_A)
    machine.log_dir_failed(100, DIR_A)
    assert (machine.directories.saturated, machine.directories.offline) == ((), (DIR_A,))
    machine.log_dir_saturated(100, DIR_A)
    machine.log_dir_has_space(100, DIR_A)
    assert machine.directories.offline == (DIR_A,)
    (request,) = answered(machine)
    assert (request.saturated_log_dirs, request.offline_log_dirs) == ((), (DIR_A,))


def test_a_directory_with_space_is_reported_well():
    """The list of the next heartbeat is empty, which is not the same as absent."""
    machine = running()
    published(machine, 42)
    assert machine.log_dir_has_space(100, DIR_A) == ()
    machine.log_dir_saturated(100, DIR_A)
    machine.log_dir_has_space(100, DIR_A)
    (request,) = answered(machine)
    assert request.saturated_log_dirs == ()
    assert machine.directories.online == (DIR_A, DIR_B)


@pytest.mark.parametrize("level", [30, 41])
def test_below_42_a_full_directory_fails(level):
    """No record could express it, so the broker does what Kafka does: whether the level is known before or after."""
    machine = running()
    published(machine, level)
    (beat,) = machine.log_dir_saturated(100, DIR_A)
    request = beat.request
    assert machine.directories.offline == (DIR_A,)
    assert (request.saturated_log_dirs, request.offline_log_dirs) == (None, (DIR_A,))
    early = running(saturated_log_dirs=(DIR_A,))
    assert early.directories.saturated == (DIR_A,)
    published(early, level)
    assert early.directories.offline == (DIR_A,)


def test_a_directory_that_was_full_at_the_start_is_registered_so():
    """The controller places nothing there, not even before the first heartbeat."""
    (send,) = [one for one in _starting(saturated_log_dirs=(DIR_A,)) if isinstance(one, SendRegistration)]
    assert (send.request.log_dirs, send.request.saturated_log_dirs) == ((DIR_A, DIR_B), (DIR_A,))
    (send,) = [one for one in _starting() if isinstance(one, SendRegistration)]
    assert send.request.saturated_log_dirs is None


def _starting(**changes):
    machine = broker(**changes)
    machine.cluster_id_known(0, "the-cluster")
    return machine.start(0)


@pytest.mark.parametrize(
    ("configured", "dynamic", "expected"),
    [
        ((), None, ()),
        (("/a", "/c"), None, (DIR_A,)),
        (("*",), None, (DIR_A, DIR_B)),
        (("*",), "", ()),
        ((), "/b", (DIR_B,)),
        (("/a",), "/b, *", (DIR_A, DIR_B)),
    ],
)
def test_cordoned_directories_are_reported_by_their_ids(configured, dynamic, expected):
    """The value in the log counts, else the one in the file; ``*`` is all of them (KIP-1066)."""
    machine = running(paths={"/a": DIR_A, "/b": DIR_B}, cordoned_log_dirs=configured)
    records = () if dynamic is None else (ConfigRecord(4, "7", "cordoned.log.dirs", dynamic),)
    beats = published(machine, 30, *records)
    assert len(beats) == (expected != ()), "it is in a hurry when something is cordoned"
    (beat,) = beats or machine.tick(2_000)
    assert beat.request.cordoned_log_dirs == expected


def test_cordoned_directories_are_not_reported_below_30():
    """No record could contain them; nor before the level is known."""
    machine = running(paths={"/a": DIR_A}, cordoned_log_dirs=("*",))
    (beat,) = machine.tick(2_000)
    assert (beat.request.cordoned_log_dirs, beat.request.saturated_log_dirs) == (None, None)
    published(machine, 29)
    assert answered(machine, 2_000) == []
    (beat,) = machine.tick(4_000)
    assert beat.request.cordoned_log_dirs is None


@pytest.mark.parametrize(
    ("before", "after", "again"), [(40, 41, True), (40, 42, True), (41, 42, False), (39, 40, False)]
)
def test_it_registers_again_when_its_host_can_be_remembered(before, after, again):
    """The registration before was not mapped to its host, because the log had no record for that (KIP-426)."""
    machine = running(host="h1")
    published(machine, before)
    outputs = published(machine, after, now_ms=200)
    requests = [one.request for one in outputs if isinstance(one, SendRegistration)]
    assert [one.host for one in requests] == (["h1"] if again else [])
