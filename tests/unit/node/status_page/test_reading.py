"""From a node to the state of the page: what is known to whom, what is listed first, and how much of it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from kraftpy.broker.log_dirs import LogDirState
from kraftpy.broker.outputs import BrokerState
from kraftpy.controller.slices import finished
from kraftpy.image import EMPTY, MetadataDelta, Provenance
from kraftpy.image.partition_counts import PartitionCounts
from kraftpy.model.offsets import LeaderAndEpoch, OffsetAndEpoch
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter
from kraftpy.node.disk_space import Space
from kraftpy.node.raft_metrics import ElectionsSeen
from kraftpy.node.status_page import reading
from kraftpy.node.status_page.reading import StateReader
from kraftpy.raft.messages import DescribeQuorumResponse, ReplicaProgress
from kraftpy.raft.ready import Role, RoleChanged
from kraftpy.records.metadata import (
    PartitionRecord,
    RegisterBrokerRecord,
    RegisterBrokerRecordBrokerEndpoint,
    TopicRecord,
)
from kraftpy.runtime.snapshotter import SnapshotFacts
from kraftpy.transport.administrative_changes import AdministrativeChanges, RecentChange
from tests.fakes.page_states import NOW_MS

OWN = ReplicaKey(1, bytes(15) + b"\1")
LONG = "x" * 1_000


def endpoint(node_id, host=None):
    return Endpoint("CONTROLLER", host or f"c{node_id}", 9093)


def progress(node_id, *, end=100, fetched_ms=NOW_MS, caught_up_ms=NOW_MS):
    key = ReplicaKey(node_id, bytes(15) + bytes([node_id % 256]))
    return ReplicaProgress(
        key=key,
        log_end_offset=end,
        last_fetch_ms=fetched_ms,
        last_caught_up_ms=caught_up_ms,
        endpoints=(endpoint(node_id),),
    )


def broker(broker_id, *, fenced=False, leaves=False, rack=None, host="b"):
    return RegisterBrokerRecord(
        broker_id=broker_id,
        incarnation_id=bytes(15) + b"\7",
        broker_epoch=broker_id + 100,
        end_points=[RegisterBrokerRecordBrokerEndpoint(name="PLAINTEXT", host=host, port=9092, security_protocol=0)],
        rack=rack,
        fenced=fenced,
        in_controlled_shutdown=leaves,
    )


def topic(name, *isrs):
    """Records of a topic on brokers 1 to 3: the ISR of each partition, the first of which leads."""
    topic_id = name.encode()[:16].ljust(16)
    yield TopicRecord(name=name, topic_id=topic_id)
    for number, isr in enumerate(isrs):
        yield PartitionRecord(
            partition_id=number,
            topic_id=topic_id,
            replicas=[1, 2, 3],
            isr=list(isr),
            leader=isr[0] if isr else -1,
            directories=[bytes(16)] * 3,
        )


class Replica(SimpleNamespace):
    """The replica of node 1 in a quorum of three; ``progresses`` are what it knows as the leader."""

    def describe(self, now_ms):
        assert now_ms == NOW_MS
        own = progress(1, end=self.log_end_offset)
        return DescribeQuorumResponse(
            leader=self.leader, voters=(own, *self.progresses), observers=tuple(self.observers)
        )


class World:
    """A controller that leads, with no brokers and no topics; tests change what they are about."""

    def __init__(self):
        self.replica = Replica(
            role=Role.LEADER,
            key=OWN,
            vote_counts=True,
            cluster_id="abc",
            leader=LeaderAndEpoch(1, 4),
            leader_endpoints=(endpoint(1),),
            high_watermark=99,
            log_start_offset=10,
            log_end_offset=100,
            kraft_version=1,
            progresses=[progress(2), progress(3)],
            observers=[],
            voters=tuple(Voter(progress(number).key, (endpoint(number),)) for number in (1, 2, 3)),
        )
        self.silences_ms = {}
        controller = SimpleNamespace(broker_silences_ms=lambda now_ms: self.silences_ms)
        directory = SimpleNamespace(
            snapshots=SimpleNamespace(latest=OffsetAndEpoch(epoch=3, offset=50)), log=SimpleNamespace(size_bytes=4_096)
        )
        self.node = SimpleNamespace(
            config=SimpleNamespace(node_id=1, is_controller=True, is_broker=False),
            replica=self.replica,
            driver=SimpleNamespace(directory=directory),
            host=SimpleNamespace(controller=controller),
            metrics=SimpleNamespace(partitions=PartitionCounts(), elections_seen=ElectionsSeen()),
            now_ms=NOW_MS,
            published_image=EMPTY,
            broker_state=None,
            log_dir_states={},
            snapshot_facts=SnapshotFacts(0, 77, 5, 300, NOW_MS - 5),
            disk_space={},
            not_ready_because=lambda: None,
            trouble=lambda: None,
        )
        self.changes = []

    def publish(self, *records):
        delta = MetadataDelta(self.node.published_image)
        delta.replay_all(records)
        image = delta.apply(Provenance(delta.image.provenance.offset + 1, 1, -1, batch_aligned=True))
        self.node.metrics.partitions.update(delta, image)
        self.node.published_image = image

    def steps(self):
        return StateReader(self.node, lambda: self.changes).steps()

    def read(self):
        """Return the state, and in how many steps it was read."""
        steps, count = self.steps(), 1
        while True:
            try:
                next(steps)
            except StopIteration as end:
                return end.value, count
            count += 1


@pytest.fixture
def world():
    return World()


def test_a_leader_knows_the_progress_of_all(world):
    world.replica.progresses[0] = progress(2, end=90, fetched_ms=NOW_MS - 40, caught_up_ms=NOW_MS - 700)
    world.replica.progresses[1] = progress(3, end=None, fetched_ms=None, caught_up_ms=None)
    world.replica.observers = [progress(4, end=101, fetched_ms=NOW_MS + 5)]
    state, _ = world.read()
    rows = state.replicas.rows
    assert [(one.node_id, one.replica_kind, one.is_leader, one.vote_counts) for one in rows] == [
        (1, "voter", True, True),
        (2, "voter", False, None),
        (3, "voter", False, None),
        (4, "observer", False, None),
    ]
    assert [(one.lag, one.lag_ms, one.last_fetch_age_ms) for one in rows] == [
        (0, 0, 0),
        (10, 700, 40),
        (None, None, None),
        (0, 0, 0),
    ], "what was told by a clock that is ahead, or of a log that has grown since, is no negative age or lag"
    assert rows[1].endpoint == "CONTROLLER://c2:9093"
    assert state.replicas.total == 4
    assert state.warnings == ("Voter 3 does not fetch from the leader.",)


def test_a_follower_knows_the_voters_and_itself(world):
    world.replica.role, world.replica.leader = Role.FOLLOWER, LeaderAndEpoch(2, 4)
    world.replica.vote_counts = False
    world.node.host = None
    world.publish(broker(7))
    state, _ = world.read()
    assert [(one.node_id, one.is_leader, one.log_end_offset, one.vote_counts) for one in state.replicas.rows] == [
        (1, False, 100, False),
        (2, True, None, None),
        (3, False, None, None),
    ]
    assert state.replicas.total is None, "only a leader knows the observers"
    assert state.brokers.listed.rows[0].last_heartbeat_age_ms is None
    assert state.node.raft_role == "follower"
    assert state.warnings == ("The vote of this node, voter 1, does not count until it has caught up with a leader.",)


def test_replicas_are_listed_up_to_a_limit(world, monkeypatch):
    monkeypatch.setattr(reading, "REPLICAS_LISTED_MAX", 2)
    state, _ = world.read()
    assert (state.replicas.total, [one.node_id for one in state.replicas.rows]) == (3, [1, 2])
    world.replica.role = Role.FOLLOWER
    assert [one.node_id for one in world.read()[0].replicas.rows] == [1, 2]


def test_brokers_that_are_not_active_come_first_and_all_are_counted(world, monkeypatch):
    monkeypatch.setattr(reading, "BROKERS_LISTED_MAX", 4)
    active = [broker(number) for number in (1, 2, 3)]
    world.publish(*active, broker(9, fenced=True), broker(8, leaves=True, rack="r1"), broker(7, fenced=True))
    world.silences_ms = {7: 12_000, 1: 3}
    brokers = world.read()[0].brokers
    assert [(one.broker_id, one.broker_state, one.last_heartbeat_age_ms) for one in brokers.listed.rows] == [
        (7, "fenced", 12_000),
        (9, "fenced", None),
        (8, "controlled_shutdown", None),
        (1, "active", 3),
    ]
    assert (brokers.active_count, brokers.controlled_shutdown_count, brokers.fenced_count) == (3, 1, 2)
    assert brokers.listed.total == 6
    assert brokers.listed.rows[2].rack == "r1"
    assert brokers.listed.rows[2].endpoint == "PLAINTEXT://b:9092"


def test_a_walk_yields_between_its_steps(world, monkeypatch):
    assert world.read()[1] == 2
    monkeypatch.setattr(reading, "BROKERS_PER_STEP", 10)
    world.publish(*map(broker, range(35)))
    assert world.read()[1] == 2 + 3


def test_what_is_of_one_moment_stays_so_while_the_node_goes_on(world, monkeypatch):
    """Counts, lists and offsets are of the image of the beginning, whatever is published between two steps."""
    monkeypatch.setattr(reading, "BROKERS_PER_STEP", 1)
    world.publish(broker(1), broker(2), *topic("a", (1, 2), (1, 2, 3)))
    steps = world.steps()
    next(steps)
    world.publish(broker(3), *topic("b", ()))
    world.replica.high_watermark = 1_000
    state = finished(steps)
    assert state.quorum.high_watermark == 99
    assert state.quorum.last_applied_offset == EMPTY.provenance.offset + 1
    assert state.brokers.listed.total == 2
    partitions = state.partitions
    assert (partitions.topic_count, partitions.partition_count, partitions.offline_count) == (1, 2, 0)
    assert [(one.topic, one.partition, one.trouble) for one in partitions.listed.rows] == [("a", 0, "underReplicated")]
    assert partitions.listed.total == 1


def test_partitions_are_listed_up_to_a_limit(world, monkeypatch):
    monkeypatch.setattr(reading, "PARTITIONS_LISTED_MAX", 2)
    world.publish(*topic("a", (1,), (), (1, 2), ()))
    listed = world.read()[0].partitions.listed
    assert listed.total == 4
    assert [(one.partition, one.leader_id, one.isr, one.min_isr) for one in listed.rows] == [
        (1, None, (), 1),
        (3, None, (), 1),
    ]


def test_texts_of_others_are_shortened_and_have_no_control_characters(world):
    evil = f"\x1b[2J\n{LONG}"
    world.publish(broker(1, rack=evil, host=evil))
    world.replica.leader_endpoints = (endpoint(1, evil),)
    world.node.trouble = lambda: evil
    world.node.not_ready_because = lambda: evil
    world.node.disk_space = {evil: None}
    facts = {"principal": evil, "client": evil, "request": "CreateTopics", "about": [evil, evil], "outcome": evil}
    world.changes.append(RecentChange(NOW_MS, facts))
    world.node.metrics.elections_seen.role_changed(
        RoleChanged(Role.CANDIDATE, Role.LEADER, world.replica.leader, evil), NOW_MS
    )
    state, _ = world.read()
    [row], [change], [election] = state.brokers.listed.rows, state.changes.rows, state.elections.rows
    texts = [
        *(row.rack, row.endpoint, state.quorum.leader_endpoint, state.node.not_ready_because, *state.warnings),
        *(change.principal, change.client, change.about, change.outcome, election.reason),
        state.disk.directories[0].directory,
    ]
    assert len(state.warnings) == 2
    for text in texts:
        assert len(text) <= reading.TEXT_CHARACTERS_MAX + len("...")
        assert text.isprintable()


def test_elections_and_changes_are_listed_with_the_newest_first(world):
    assert (world.read()[0].elections.total, world.read()[0].changes.rows) == (0, ())
    seen = world.node.metrics.elections_seen
    for number in range(1, 30):
        seen.role_changed(RoleChanged(Role.FOLLOWER, Role.FOLLOWER, LeaderAndEpoch(2, number), "vote"), NOW_MS + number)
    recent = AdministrativeChanges().recent
    for number in range(1, 30):
        facts = {"principal": "User:a", "client": "h", "request": "R", "about": [], "outcome": "ok", "offset": number}
        recent.append(RecentChange(NOW_MS + number, facts))
    world.changes = recent
    state, _ = world.read()
    assert (state.elections.total, len(state.elections.rows), len(state.changes.rows)) == (29, 20, 20)
    assert [one.leader_epoch for one in state.elections.rows[:2]] == [29, 28]
    assert [one.offset for one in state.changes.rows[:2]] == [29, 28]
    assert state.changes.rows[0].about == ""


def test_the_disk_of_a_broker(world, monkeypatch):
    monkeypatch.setattr(reading, "DIRECTORIES_LISTED_MAX", 2)
    node = world.node
    node.config = SimpleNamespace(node_id=1, is_controller=False, is_broker=True)
    node.broker_state = BrokerState.RUNNING
    node.disk_space = {"/a": Space(5, 100, NOW_MS), "/b": None, "/c": None}
    node.log_dir_states = {"/b": LogDirState.OFFLINE}
    state, _ = world.read()
    assert (state.node.roles, state.node.broker_state) == (("broker",), "running")
    assert [(one.directory, one.free_bytes, one.directory_state) for one in state.disk.directories] == [
        ("/a", 5, None),
        ("/b", None, "offline"),
    ]
    assert state.warnings == (
        "Less than a 10th of the disk is free where /a is.",
        "The log directory /b is offline.",
    )
    assert (state.disk.snapshot_end_offset, state.disk.snapshot_bytes, state.disk.log_bytes) == (50, 77, 4_096)


def test_a_snapshot_of_another_process_has_no_size_and_no_time(world):
    world.node.snapshot_facts = SnapshotFacts(0, 0, None, 300)
    disk = world.read()[0].disk
    assert (disk.snapshot_end_offset, disk.snapshot_bytes, disk.snapshot_timestamp) == (50, None, None)
    world.node.driver.directory.snapshots.latest = None
    assert world.read()[0].disk.snapshot_end_offset is None
