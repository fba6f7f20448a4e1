"""The gauges say what the node is at the moment they are read; the counters count facts."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from prometheus_client import generate_latest

from kraftpy import __commit__, __version__
from kraftpy.broker.log_dirs import LogDirState
from kraftpy.broker.outputs import BrokerState
from kraftpy.controller.config import supported_features
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.slices import finished
from kraftpy.image import EMPTY, MetadataDelta
from kraftpy.image.provenance import Provenance
from kraftpy.model.digests import StateDigest
from kraftpy.model.ids import uuid_to_text
from kraftpy.model.offsets import LeaderAndEpoch, OffsetAndEpoch
from kraftpy.model.voters import ReplicaKey
from kraftpy.node.metrics import NodeMetrics
from kraftpy.node.raft_metrics import RECENT_ELECTIONS_MAX
from kraftpy.raft.messages import ReplicaProgress
from kraftpy.raft.ready import (
    Elected,
    LeaderLost,
    NoDigestMajority,
    PeerRejected,
    Role,
    RoleChanged,
    SnapshotInstalled,
    Truncated,
)
from kraftpy.runtime.controller_figures import ControllerFigures
from kraftpy.runtime.durations import DurationCounts
from kraftpy.runtime.failover_phases import FailoverPhase, FailoverPhases
from kraftpy.runtime.snapshotter import SnapshotFacts
from tests.unit.controller.worlds import World as ControllerWorld
from tests.unit.controller.worlds import beat, image_of, topic_records

LEADER = LeaderAndEpoch(2, 7)
NOW_MS = 1_000_000


@pytest.fixture(autouse=True)
def wall_clock(monkeypatch):
    """Let the wall clock show the node's time."""
    monkeypatch.setattr("kraftpy.node.metrics.wall_ms", lambda: NOW_MS)


def config(**parts):
    log = SimpleNamespace(record_bytes_between_snapshots=20_000)
    return SimpleNamespace(**{"voters": (), "features": supported_features(unstable=False), "log": log, **parts})


def flushed(*times_ms):
    times = DurationCounts()
    for time_ms in times_ms:
        times.add(time_ms)
    return times


def node(**parts):
    replica = SimpleNamespace(
        role=Role.FOLLOWER,
        leader=LEADER,
        high_watermark=41,
        log_end_offset=43,
        log_start_offset=5,
        voters=(1, 2, 3),
        cluster_id="c",
        vote_counts=False,
        vote_store_ms=3,
        agreed_state=StateDigest(17, bytes([1] * 16)),
        log_end_epoch=6,
        vote=ReplicaKey(2, bytes([2] * 16)),
        kraft_version=1,
        count_observers=lambda now_ms: None,
        changes_voters=None,
        describe=lambda now_ms: SimpleNamespace(voters=(), observers=()),
    )
    for name in tuple(parts):
        if hasattr(replica, name):
            setattr(replica, name, parts.pop(name))
    return SimpleNamespace(
        **{
            "replica": replica,
            "now_ms": NOW_MS,
            "state_lag_ms": 0,
            "config": config(),
            "driver": SimpleNamespace(
                idle_ms=12,
                appended_records=13,
                fetched_records=14,
                flush_times=flushed(3, 7),
                append_times=SimpleNamespace(durations=flushed(4, 9)),
                directory=SimpleNamespace(log=SimpleNamespace(size_bytes=8_192)),
            ),
            "beside_metrics": list,
            "state_machine": SimpleNamespace(snapshots_loaded=3),
            "host": None,
            "published_image": EMPTY,
            "broker_state": None,
            "log_dir_states": {},
            "halted_offset": None,
            "waiting_writes": 3,
            "waiting_reads": 2,
            "digest_counts": (5, 2),
            "request_error_counts": {"SetConfigs": 2},
            "snapshot_interval_bytes": 20_000,
            "snapshot_facts": SnapshotFacts(
                error_count=4, latest_bytes=900, age_ms=None, unfrozen_bytes=70, times=flushed(40, 700)
            ),
            **parts,
        }
    )


def values(metrics):
    """Read the registry as Prometheus does: name with labels to value; without the process, which changes by itself."""
    lines = [one for one in generate_latest(metrics.registry).decode().splitlines() if one[0] != "#"]
    found = {name: float(value) for name, _, value in (one.rpartition(" ") for one in lines)}
    return {name: value for name, value in found.items() if not name.startswith(("process_", "python_"))}


def test_gauges_read_the_node():
    """Each gauge shows the node's value under its name."""
    found = values(NodeMetrics(node()))
    assert found['kraft_current_state{state="follower"}'] == 1
    assert found['kraft_current_state{state="leader"}'] == 0
    assert (found["kraft_current_leader"], found["kraft_current_epoch"]) == (2, 7)
    assert (found["kraft_high_watermark"], found["kraft_log_end_offset"], found["kraft_log_start_offset"]) == (
        41,
        43,
        5,
    )
    assert (found["kraft_voters"], found["kraft_active_controller"]) == (3, 0)
    assert (found["kraft_cluster_id_known"], found["kraft_waiting_writes"]) == (1, 3)
    assert found["kraft_waiting_reads"] == 2
    assert (found["kraft_state_digests_total"], found["kraft_state_digests_skipped_total"]) == (5, 2)
    assert found["kraft_state_digest_agreed_offset"] == 17
    assert not [name for name in found if name.startswith("kraft_broker_state")], "no broker, no state"


def test_how_wrong_the_nodes_time_is_by_the_wall_clock_is_shown(monkeypatch):
    """A node whose wall clock was set after it started goes on with its own time; operators see by how much."""
    monkeypatch.setattr("kraftpy.node.metrics.wall_ms", lambda: NOW_MS - 86_400_000)
    found = values(NodeMetrics(node()))
    assert found["kraft_wall_clock_ahead_ms"] == -86_400_000
    assert found["kraft_node_time_ms"] == node().now_ms


def test_the_replica_is_read_to_its_details():
    """Whom it voted for, the epoch of its last record, and of a leader its observers and the change under way."""
    found = values(NodeMetrics(node()))
    directory = uuid_to_text(bytes([2] * 16))
    assert found[f'kraft_current_vote{{directory_id="{directory}"}}'] == 2
    assert found["kraft_log_end_epoch"] == 6
    assert not {"kraft_observers", "kraft_uncommitted_voter_change"} & set(found), "only a leader knows"
    found = values(NodeMetrics(node(vote=None, count_observers={NOW_MS: 5}.get, changes_voters=True)))
    assert found['kraft_current_vote{directory_id=""}'] == -1
    assert (found["kraft_observers"], found["kraft_uncommitted_voter_change"]) == (5, 1)


@pytest.mark.parametrize(("voters", "kraft_version", "is_ignored"), [((1,), 1, 1), ((1,), 0, 0), ((), 1, 0)])
def test_static_voters_are_ignored_once_the_log_names_the_voters(voters, kraft_version, is_ignored):
    found = values(NodeMetrics(node(config=config(voters=voters, features=()), kraft_version=kraft_version)))
    assert found["kraft_ignored_static_voters"] == is_ignored


def test_what_the_driver_and_the_state_machine_counted_is_shown():
    found = values(NodeMetrics(node()))
    assert (found["kraft_poll_idle_ms_total"], found["kraft_snapshots_loaded_total"]) == (12, 3)
    assert (found["kraft_appended_records_total"], found["kraft_fetched_records_total"]) == (13, 14)
    assert (found["kraft_log_flush_time_ms_count"], found["kraft_log_flush_time_ms_sum"]) == (2, 10)
    assert (found["kraft_metadata_log_bytes"], found["kraft_snapshot_interval_bytes"]) == (8_192, 20_000)


def progress(node_id, end, caught_up_ms, *, fetched_ms=NOW_MS, directory=b"d"):
    return ReplicaProgress(
        key=ReplicaKey(node_id, directory * 16),
        log_end_offset=end,
        last_fetch_ms=fetched_ms,
        last_caught_up_ms=caught_up_ms,
    )


def test_a_leader_shows_how_far_replicas_are_behind():
    """Voters, and observers that are registered: a stranger makes no series, and two directories of one id make one.

    A voter that has not been heard of lacks the whole log.
    """
    world = ControllerWorld()
    world.alive(4)
    world.commit()
    view = SimpleNamespace(
        voters=(progress(1, 43, NOW_MS), progress(2, 40, NOW_MS - 700), progress(3, None, None)),
        observers=(
            progress(4, 43, NOW_MS),
            progress(4, 2, 5, fetched_ms=NOW_MS - 9_000, directory=b"e"),
            progress(77, 1, None),
        ),
    )
    parts = {"describe": {NOW_MS: view}.get, "published_image": world.committed_image}
    found = values(NodeMetrics(node(role=Role.LEADER, **parts)))
    assert {name: value for name, value in found.items() if name.startswith("kraft_replica_lag_offsets")} == {
        'kraft_replica_lag_offsets{replica="1",role="voter"}': 0,
        'kraft_replica_lag_offsets{replica="2",role="voter"}': 3,
        'kraft_replica_lag_offsets{replica="3",role="voter"}': 43,
        'kraft_replica_lag_offsets{replica="4",role="observer"}': 0,
    }
    lags = [found[f'kraft_replica_lag_ms{{replica="{one}",role="voter"}}'] for one in (1, 2, 3)]
    assert lags == [0, 700, -1]
    assert not [name for name in values(NodeMetrics(node(**parts))) if "replica_lag" in name], "only a leader knows"


def test_the_build_and_the_lags_of_the_loop_are_shown():
    """A callback that ran early, by a clock's rounding, was not late."""
    metrics = NodeMetrics(node())
    for late_s in (-0.0001, 0.003, 0.25):
        metrics.process.count_loop_lag(late_s)
    found = values(metrics)
    assert (found["kraft_event_loop_lag_ms_count"], found["kraft_event_loop_lag_ms_sum"]) == (3, 253)
    (build,) = (name for name in found if name.startswith("kraft_build_info"))
    assert f'version="{__version__}"' in build
    assert f'commit="{__commit__}"' in build


@pytest.mark.parametrize("counts", [True, False])
def test_whether_the_vote_counts_is_shown(counts):
    """A voter that lost its log is 0 until it has caught up."""
    assert values(NodeMetrics(node(vote_counts=counts)))["kraft_voter_eligible"] == counts


def test_what_is_unknown_is_minus_one():
    """A leader or a high watermark that is not known is -1, never 0."""
    found = values(
        NodeMetrics(node(leader=LeaderAndEpoch(None, 7), high_watermark=None, cluster_id=None, agreed_state=None))
    )
    assert found["kraft_state_digest_agreed_offset"] == -1
    assert found["kraft_current_leader"] == found["kraft_high_watermark"] == -1
    assert found["kraft_cluster_id_known"] == 0


def test_leaders_and_brokers_report_it():
    """A leader is the active controller; a broker shows exactly one of its states."""
    found = values(NodeMetrics(node(role=Role.LEADER, broker_state=BrokerState.RUNNING)))
    assert found["kraft_active_controller"] == 1
    states = {name: value for name, value in found.items() if name.startswith("kraft_broker_state")}
    assert len(states) == len(BrokerState)
    assert [name for name, value in states.items() if value] == ['kraft_broker_state{state="running"}']


@pytest.mark.parametrize(("role", "lag_ms"), [(Role.FOLLOWER, 250), (Role.LEADER, 0)])
def test_where_the_state_is_in_the_log_is_shown(role, lag_ms):
    """A leader lags behind none; of the others the lag is the node's, however old the last record is."""
    image = replace(EMPTY, provenance=Provenance(38, 7, NOW_MS - 9_000, batch_aligned=True))
    found = values(NodeMetrics(node(published_image=image, role=role, state_lag_ms=250)))
    assert found["kraft_last_applied_record_offset"] == 38
    assert found["kraft_last_applied_record_timestamp_ms"] == NOW_MS - 9_000
    assert found["kraft_last_applied_record_lag_ms"] == lag_ms
    assert found["kraft_last_committed_record_offset"] == 40


def test_features_are_shown_by_name():
    """The levels in force, that of the quorum among them, and what this node supports."""
    world = ControllerWorld(level=40)
    world.commit()
    found = values(NodeMetrics(node(published_image=world.committed_image)))
    assert found['kraft_finalized_level{feature="metadata.version"}'] == 40
    assert found['kraft_finalized_level{feature="kraft.version"}'] == 1
    for one in supported_features(unstable=False):
        assert found[f'kraft_minimum_supported_level{{feature="{one.name}"}}'] == one.min_level
        assert found[f'kraft_maximum_supported_level{{feature="{one.name}"}}'] == one.max_level


def controlling(figures, silences_ms):
    """A node whose controller has these figures."""
    controller = SimpleNamespace(broker_silences_ms=silences_ms)
    return node(host=SimpleNamespace(figures=figures, failovers=FailoverPhases(), controller=controller))


def test_a_controller_shows_what_it_measured():
    """Histograms are cumulative, as Prometheus wants them; the last bucket has everything."""
    figures = ControllerFigures()
    for duration_ms in (0, 1, 2, 31_000):
        figures.queue_times.add(duration_ms)
    figures.processing_times.add(3)
    figures.commit_latencies.add(10)
    figures.own_decisions, figures.timed_out, figures.timed_out_heartbeats, figures.defects = 3, 7, 6, 2
    metrics = NodeMetrics(controlling(figures, {NOW_MS: {4: 1_500}}.get))
    metrics.count_halt()
    found = values(metrics)
    name = "kraft_event_queue_time_ms"
    buckets = [found[f'{name}_bucket{{le="{bound}"}}'] for bound in ("1.0", "2.0", "5.0", "30000.0", "+Inf")]
    assert buckets == [2, 3, 3, 3, 4]
    assert (found[f"{name}_sum"], found[f"{name}_count"]) == (31_003, 4)
    assert found["kraft_event_queue_processing_time_ms_sum"] == 3
    assert found["kraft_commit_latency_ms_sum"] == 10
    assert found["kraft_event_queue_operations_started_total"] == 7
    assert found["kraft_event_queue_operations_timed_out_total"] == 7
    assert found["kraft_timed_out_broker_heartbeats_total"] == 6
    assert found["kraft_metadata_errors_total"] == 3
    assert found['kraft_time_since_last_heartbeat_received_ms{broker="4"}'] == 1_500


def test_the_phases_of_failovers_are_shown_in_seconds():
    """All four from the start on, so that a first failover is an increase; bounds and sums are seconds."""
    shown = controlling(ControllerFigures(), lambda now_ms: {})
    metrics = NodeMetrics(shown)
    name = "kraftpy_failover_phase_seconds"
    assert [values(metrics)[f'{name}_count{{phase="{phase.value}"}}'] for phase in FailoverPhase] == [0, 0, 0, 0]
    shown.host.failovers.times[FailoverPhase.DETECT].add(150)
    found = values(metrics)
    buckets = [found[f'{name}_bucket{{le="{bound}",phase="detect"}}'] for bound in ("0.1", "0.2", "30.0", "+Inf")]
    assert buckets == [0, 1, 1, 1]
    assert found[f'{name}_sum{{phase="detect"}}'] == 0.15
    assert found[f'{name}_count{{phase="elect"}}'] == 0


def test_a_broker_has_no_queue():
    """A node that is no controller shows nothing of one, as in Kafka; its own errors are counted."""
    metrics = NodeMetrics(node())
    metrics.count_halt()
    found = values(metrics)
    assert found["kraft_metadata_errors_total"] == 1
    assert not [name for name in found if "event_queue" in name or "heartbeat" in name]


def test_elections_are_seen_from_a_candidacy_to_a_leader():
    """Each leader of an epoch counts once; the time is that of the whole election, however many rounds it takes."""
    part = node()
    metrics = NodeMetrics(part)

    def becomes(role, leader_id, epoch, after_ms=0):
        part.now_ms += after_ms
        metrics.count_event(RoleChanged(Role.FOLLOWER, role, LeaderAndEpoch(leader_id, epoch), "why"))
        found = values(metrics)
        names = (
            "kraft_new_active_controllers_total",
            "kraft_election_latency_ms_count",
            "kraft_election_latency_ms_sum",
        )
        return tuple(found[name] for name in names)

    assert becomes(Role.FOLLOWER, 2, 7) == (1, 0, 0)
    assert becomes(Role.FOLLOWER, 2, 7) == (1, 0, 0)
    assert becomes(Role.PROSPECTIVE, 2, 7, 1_000) == (1, 0, 0)
    assert becomes(Role.FOLLOWER, 2, 7, 50) == (1, 0, 0)
    assert becomes(Role.PROSPECTIVE, 2, 7, 1_000) == (1, 0, 0)
    assert becomes(Role.CANDIDATE, None, 8, 20) == (1, 0, 0)
    assert becomes(Role.PROSPECTIVE, None, 8, 100) == (1, 0, 0)
    assert becomes(Role.CANDIDATE, None, 9, 10) == (1, 0, 0)
    assert becomes(Role.LEADER, 1, 9, 5) == (2, 1, 135)
    assert becomes(Role.RESIGNED, 1, 9, 500) == (2, 1, 135)
    assert becomes(Role.UNATTACHED, None, 10) == (2, 1, 135)
    assert becomes(Role.FOLLOWER, 1, 10) == (3, 1, 135)
    recent = metrics.elections_seen.recent
    assert [(one.leader, one.latency_ms) for one in recent] == [
        (LeaderAndEpoch(2, 7), None),
        (LeaderAndEpoch(1, 9), 135),
        (LeaderAndEpoch(1, 10), None),
    ]
    assert (recent[1].reason, recent[1].at_ms, recent.maxlen) == ("why", part.now_ms - 500, RECENT_ELECTIONS_MAX)


def test_brokers_are_counted_in_the_published_image():
    """Registered brokers are counted as the published image has them: fenced and active."""
    world = ControllerWorld()
    world.alive(1)
    world.register(2)
    world.commit()
    found = values(NodeMetrics(node(published_image=world.committed_image)))
    assert (found['kraft_brokers{state="active"}'], found['kraft_brokers{state="fenced"}']) == (1, 1)
    assert found["kraft_metadata_version"] == 40


@pytest.mark.parametrize(
    ("event", "name"),
    [
        (Elected(7, 3, (1,)), "kraft_elections_won_total"),
        (RoleChanged(Role.FOLLOWER, Role.UNATTACHED, LeaderAndEpoch(None, 8), "why"), "kraft_role_changes_total"),
        (LeaderLost(2, 7), "kraft_leaders_lost_total"),
        (Truncated(9, 7), "kraft_log_truncations_total"),
        (SnapshotInstalled(OffsetAndEpoch(1, 5)), "kraft_snapshots_installed_total"),
        (NoDigestMajority(17, ((1, "01"), (2, "02"))), "kraft_state_digest_mismatches_total"),
    ],
)
def test_each_fact_has_its_counter(event, name):
    """An event raises its own counter by one, and no other; one without a counter raises none."""
    metrics = NodeMetrics(node())
    before = values(metrics)
    assert not [name for name in before if name.endswith("_created")], "when a counter was made is nobody's business"
    metrics.count_event(PeerRejected(2, "why"))
    assert values(metrics) == before
    metrics.count_event(event)
    after = values(metrics)
    assert {key for key in before if before[key] != after[key]} == {name}
    assert after[name] == before[name] + 1


def test_publications_are_counted():
    """Every publication counts, and the last offset that is applied is the image's."""
    world = ControllerWorld()
    world.commit()
    metrics = NodeMetrics(node(published_image=world.committed_image))
    finished(metrics.update_in_slices(MetadataDelta.between(EMPTY, world.committed_image), world.committed_image))
    found = values(metrics)
    assert found["kraft_publications_total"] == 1
    assert found["kraft_last_applied_record_offset"] == world.committed_image.provenance.offset


def test_what_went_wrong_is_counted():
    """Errors of requests by kind, and snapshots that could not be made: the log grows meanwhile."""
    found = values(NodeMetrics(node()))
    assert found['kraftpy_request_errors_total{request="SetConfigs"}'] == 2
    assert found["kraft_snapshot_errors_total"] == 4
    assert found["kraft_latest_snapshot_generated_bytes"] == 900
    assert found["kraft_latest_snapshot_generated_age_ms"] == -1
    assert found["kraft_bytes_since_snapshot"] == 70
    assert (found["kraft_snapshot_time_ms_count"], found["kraft_snapshot_time_ms_sum"]) == (2, 740)


def test_partitions_are_counted_by_their_health():
    """One partition of two has lost its leader's broker, and with it its only replica in sync."""
    image = image_of(*topic_records(([1, 2], [1, 2], 1), ([2, 1], [2], -1)))
    metrics = NodeMetrics(node(published_image=image))
    finished(metrics.update_in_slices(MetadataDelta.between(EMPTY, image), image))
    found = values(metrics)
    assert (found["kraft_topics"], found["kraft_partitions"]) == (1, 2)
    assert found["kraft_offline_partitions"] == found["kraft_under_replicated_partitions"] == 1
    assert found["kraft_under_min_isr_partitions"] == found["kraft_preferred_replica_imbalance"] == 1
    assert found["kraft_at_min_isr_partitions"] == found["kraft_unclean_leader_elections_total"] == 0


def test_brokers_are_counted_by_state():
    """A broker that is being shut down is neither active nor fenced."""
    world = ControllerWorld()
    epochs = {broker: world.alive(broker) for broker in (1, 2, 3)}
    world.append(ControllerResult(tuple(topic_records(([2, 1], [2, 1], 2))), None))
    world.register(4)
    world.do(beat(2, epochs[2], want_shutdown=True))
    world.commit()
    found = values(NodeMetrics(node(published_image=world.committed_image)))
    states = {
        state: found[f'kraft_brokers{{state="{state}"}}'] for state in ("fenced", "controlled_shutdown", "active")
    }
    assert states == {"fenced": 1, "controlled_shutdown": 1, "active": 2}
    each = {broker: found[f'kraft_broker_registration_state{{broker="{broker}"}}'] for broker in (1, 2, 3, 4)}
    assert each == {1: 30, 2: 20, 3: 30, 4: 10}


def test_log_directories_are_counted_by_their_states():
    """Offline and saturated ones apart from each other, and each for itself (KIP-928)."""
    states = {"/a": LogDirState.ONLINE, "/b": LogDirState.SATURATED, "/c": LogDirState.OFFLINE}
    found = values(NodeMetrics(node(broker_state=BrokerState.RUNNING, log_dir_states=states)))
    assert (found["kraft_offline_log_directory_count"], found["kraft_saturated_log_directory_count"]) == (1, 1)
    for path, is_offline, is_saturated in (("/a", 0, 0), ("/b", 0, 1), ("/c", 1, 0)):
        label = f'{{log_directory="{path}"}}'
        assert found[f"kraft_log_directory_offline{label}"] == is_offline
        assert found[f"kraft_log_directory_saturated{label}"] == is_saturated
    assert not [name for name in values(NodeMetrics(node())) if "log_directory" in name], "no broker, no directories"
