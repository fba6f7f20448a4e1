"""The committed log becomes images, in slices and in order, and publishers hear of them once and in order."""

from __future__ import annotations

import gc

import pytest

from kraftpy.image import EMPTY, MetadataLoader, ReplayError
from kraftpy.model.errors import CorruptLogError
from kraftpy.model.invariant import InvariantViolation
from kraftpy.model.offsets import LeaderAndEpoch, OffsetAndEpoch
from kraftpy.records.batch import encode_batch, encode_control_batch
from kraftpy.records.control import LeaderChangeMessage
from kraftpy.records.metadata import (
    BeginTransactionRecord,
    ClusterIdRecord,
    ConfigRecord,
    EndTransactionRecord,
    RemoveTopicRecord,
    encode_for_level,
)
from kraftpy.runtime import state_machine as module
from kraftpy.runtime.state_machine import HookPublisher, StateMachine
from tests.unit.controller.worlds import level_record
from tests.unit.runtime.parts import CLUSTER, opened, written
from tests.unit.storage.logs import T0, batch

LEVEL = 40
BROKER_RESOURCE = 4


def setting(value, name="log.cleaner.threads"):
    return ConfigRecord(resource_type=BROKER_RESOURCE, resource_name="", name=name, value=str(value))


def start_records():
    return [level_record(LEVEL), ClusterIdRecord(cluster_id=CLUSTER)]


class World:
    """A directory to fill, and a state machine with two publishers that remember."""

    def __init__(self, directory=None):
        self.directory = directory or opened()
        self.heard = []
        self.machine = StateMachine(self.directory)
        self.machine.install([self.publisher("first"), self.publisher("second")])

    def publisher(self, name):
        return HookPublisher(
            name,
            lambda _delta, image, manifest: self.heard.append((name, image.provenance.offset, type(manifest).__name__)),
            lambda leader: self.heard.append((name, leader)),
        )

    @property
    def log(self):
        return self.directory.log

    @property
    def offsets(self):
        return [heard[1] for heard in self.heard if heard[0] == "first"]

    def append(self, *records, epoch=1):
        """Append one batch and flush it; return the end."""
        values = tuple(encode_for_level(record, LEVEL) for record in records)
        self.log.append([batch(self.log.end_offset, epoch, values)], T0)
        self.log.sync()
        return self.log.end_offset

    def load(self, high_watermark=None):
        """Load slices until there is no backlog; return how many it took."""
        end = self.log.end_offset if high_watermark is None else high_watermark
        count = 0
        while self.machine.has_backlog(end) or count == 0:
            self.machine.load_slice(end)
            count += 1
            assert count < 1_000
        return count

    def value(self):
        configs = self.machine.image.configs.of(BROKER_RESOURCE, "")
        return configs.get("log.cleaner.threads")


def filled(directory=None, *values):
    world = World(directory)
    world.append(*start_records())
    for value in values:
        world.append(setting(value))
    return world


def test_nothing_is_loaded_while_nothing_is_known_to_be_committed():
    """Without a high watermark nothing is loaded and nothing waits."""
    world = filled()
    assert not world.machine.has_backlog(None)
    world.machine.load_slice(None)
    assert world.machine.next_offset == 0
    assert world.heard == []


def test_only_what_is_committed_is_loaded():
    """Records at or above the high watermark change no image."""
    world = filled(None, 1, 2)
    world.load(3)
    assert (world.machine.next_offset, world.value()) == (3, "1")
    world.load(4)
    assert (world.machine.next_offset, world.value()) == (4, "2")


def test_catching_up_publishes_once(monkeypatch):
    """While a node catches up it loads slice by slice and publishes nothing; then it publishes everything at once."""
    monkeypatch.setattr(module, "LOAD_SLICE_BYTES", 300)
    world = filled(None, *range(20))
    assert not world.machine.caught_up_once
    assert world.load() > 3
    assert world.offsets == [21]
    assert world.machine.caught_up_once
    assert world.value() == "19"


def test_nothing_is_shown_before_all_is_loaded_that_was_committed_at_first():
    """A slow disk, or a long log, has a follower hear of a committed end that its log reaches turns later."""
    world = World()
    world.machine.load_slice(2, 3)
    assert not world.machine.caught_up_once, "nothing is in the log yet: an empty state is not shown"
    world.append(*start_records())
    world.machine.load_slice(2, 3)
    assert (world.machine.next_offset, world.machine.caught_up_once) == (2, False), "the leader's log is longer"
    world.append(setting(1))
    world.machine.load_slice(3, 40)
    assert world.machine.caught_up_once, "what was committed in the meantime is not waited for"
    assert world.offsets == [2]


def test_a_committed_end_that_no_leader_states_any_more_is_not_waited_for():
    """A quorum that was recovered from a copy may have less than what its former leader called committed."""
    world = World()
    world.append(*start_records())
    world.machine.load_slice(2, 40)
    assert not world.machine.caught_up_once
    world.machine.load_slice(2, 2)
    assert world.machine.caught_up_once


def test_a_slice_is_bounded(monkeypatch):
    """One call loads a bounded number of bytes and one batch at most, so that peers are answered between two."""
    monkeypatch.setattr(module, "LOAD_SLICE_BYTES", 300)
    world = filled(None, *range(20))
    world.machine.load_slice(world.log.end_offset)
    assert 0 < world.machine.next_offset < 8
    assert world.machine.has_backlog(world.log.end_offset)


def test_every_publisher_hears_everything_in_order():
    """Each publication reaches all publishers, in the order in which they were installed."""
    world = filled()
    world.load()
    world.append(setting(1))
    world.load()
    assert world.heard == [
        ("first", 1, "SnapshotManifest"),
        ("second", 1, "SnapshotManifest"),
        ("first", 2, "LogDeltaManifest"),
        ("second", 2, "LogDeltaManifest"),
    ]


def test_the_leader_is_reported_after_the_first_image():
    """Publishers hear who leads after their first image, and then of every change, once."""
    world = filled()
    leader, next_leader = LeaderAndEpoch(2, 5), LeaderAndEpoch(3, 6)
    world.machine.leader_changed(leader)
    assert world.heard == []
    world.load()
    assert [entry[1] for entry in world.heard] == [1, 1, leader, leader]
    world.machine.leader_changed(next_leader)
    world.machine.leader_changed(next_leader)
    assert [entry[1] for entry in world.heard[4:]] == [next_leader, next_leader]


def test_publishers_have_different_names():
    """Two publishers of one name are a bug of the composition."""
    world = World()
    with pytest.raises(InvariantViolation):
        world.machine.install([world.publisher("same"), world.publisher("same")])


def test_publishers_are_closed_last_one_first():
    """At the end the publishers are closed in the opposite order."""
    closed = []
    world = World()
    publishers = [world.publisher(name) for name in ("a", "b", "c")]
    for publisher in publishers:
        publisher.close = lambda name=publisher.name: closed.append(name)
    world.machine.install(publishers)
    world.machine.close()
    assert closed == ["c", "b", "a"]


def test_control_batches_move_the_offset():
    """A batch without metadata is published too: a waiter for its offset must be notified."""
    world = filled()
    world.load()
    end = world.log.end_offset
    record = LeaderChangeMessage(leader_id=1, voters=[], granting_voters=[])
    world.log.append([encode_control_batch([record], base_offset=end, epoch=2, timestamp_ms=T0)], T0)
    world.load()
    assert world.offsets == [1, 2]


def test_a_transaction_is_published_at_its_end():
    """Nothing of a transaction is seen before its end."""
    world = filled()
    world.load()
    world.append(BeginTransactionRecord(name=None), setting(1))
    world.load()
    assert world.machine.in_transaction
    assert world.value() is None
    world.append(setting(2), EndTransactionRecord())
    world.load()
    assert not world.machine.in_transaction
    assert world.value() == "2"


# Snapshots.


def groups(*values):
    return [[encode_for_level(record, LEVEL)] for record in (*start_records(), *map(setting, values))]


def freeze(directory, snapshot_id, *values):
    writer = written(directory, snapshot_id, groups(*values))
    writer.freeze()


def test_a_log_that_starts_later_begins_with_its_snapshot(monkeypatch):
    """A node whose log was cut loads the snapshot first, piece by piece, and then the log from its end."""
    monkeypatch.setattr(module, "LOAD_SLICE_BYTES", 100)
    directory = opened()
    snapshot = OffsetAndEpoch(epoch=1, offset=50)
    freeze(directory, snapshot, *range(300))
    directory.log.reset_to(snapshot)
    world = World(directory)
    world.append(setting("last"), epoch=2)
    assert world.load() > 2
    assert world.offsets == [50]
    assert (world.machine.next_offset, world.value()) == (51, "last")


def test_a_fresh_node_prefers_its_snapshot_to_a_replay():
    """At the start the newest snapshot saves the replay of what it holds, even if the log still has it all."""
    world = filled(None, 1, 2)
    freeze(world.directory, OffsetAndEpoch(epoch=1, offset=4), 2)
    reopened = World(world.directory)
    reopened.machine.load_slice(4)
    assert (reopened.machine.next_offset, reopened.value()) == (4, "2")
    assert (reopened.machine.snapshots_loaded, world.machine.snapshots_loaded) == (1, 0)


def test_a_snapshot_made_here_is_not_loaded():
    """A running node does not load the snapshots that it makes."""
    world = filled(None, 1)
    world.load()
    freeze(world.directory, OffsetAndEpoch(epoch=1, offset=3), "other")
    world.append(setting(2))
    world.load()
    assert world.offsets == [2, 3]
    assert world.value() == "2"


def install(world, snapshot, *values):
    """Replace the log by a snapshot, as the driver does."""
    freeze(world.directory, snapshot, *values)
    world.log.reset_to(snapshot)


@pytest.mark.parametrize("reported", ["before", "during", "after", "never"])
def test_an_installed_snapshot_is_loaded_once(monkeypatch, reported):
    """A snapshot that replaced a running node's log is loaded and published once, whenever the node is notified."""
    monkeypatch.setattr(module, "LOAD_SLICE_BYTES", 100)
    world = filled(None, 1)
    world.load()
    world.heard.clear()
    snapshot = OffsetAndEpoch(epoch=2, offset=40)
    install(world, snapshot, *range(100))
    world.append(setting("after"), epoch=2)
    if reported == "before":
        world.machine.snapshot_installed(snapshot)
    world.machine.load_slice(41)
    if reported == "during":
        world.machine.snapshot_installed(snapshot)
    world.load()
    if reported == "after":
        world.machine.snapshot_installed(snapshot)
        world.load()
    assert world.offsets == [39, 40], "the image never goes back"
    assert (world.value(), world.machine.snapshots_loaded) == ("after", 1)


def test_a_newer_snapshot_replaces_the_one_that_is_being_loaded(monkeypatch):
    """A second download that comes while the first is loaded is the one that counts."""
    monkeypatch.setattr(module, "LOAD_SLICE_BYTES", 100)
    world = filled(None, 1)
    world.load()
    first, second = OffsetAndEpoch(epoch=2, offset=40), OffsetAndEpoch(epoch=3, offset=60)
    install(world, first, *range(100))
    world.machine.snapshot_installed(first)
    world.machine.load_slice(40)
    install(world, second, "newest")
    world.machine.snapshot_installed(second)
    world.load(60)
    assert (world.machine.next_offset, world.value()) == (60, "newest")
    assert world.offsets == [2, 59]


def test_a_corrupt_snapshot_is_not_published():
    """A snapshot whose file is corrupt while it is loaded stops the node; nothing of it is seen."""
    world = filled(None, 1)
    world.load()
    snapshot = OffsetAndEpoch(epoch=2, offset=40)
    writer = written(world.directory, snapshot, groups("bad"))
    writer._file.pwrite(b"corrupt", writer.size - 30)
    writer.freeze()
    world.log.reset_to(snapshot)
    with pytest.raises(CorruptLogError):
        world.load(40)
    assert world.value() == "1"


# The collector.


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_left_as_it_was_found(monkeypatch, enabled):
    """Loading pauses the garbage collector and puts it back, also when a record does not replay."""
    world = filled(None, 1)
    seen = []

    def catch_up(_loader, _batches):
        seen.append(gc.isenabled())
        raise ReplayError("record", "does not fit", 3)

    monkeypatch.setattr(MetadataLoader, "catch_up", catch_up)
    try:
        if not enabled:
            gc.disable()
        with pytest.raises(ReplayError):
            world.load()
        assert seen == [False]
        assert gc.isenabled() is enabled
    finally:
        gc.enable()


def test_state_that_grows_is_frozen_now_and_then(monkeypatch):
    """What a serving node loads is collected and frozen by the bytes, so that no collection walks through all of it."""
    steps = []
    monkeypatch.setattr(gc, "collect", lambda: steps.append("collect"))
    monkeypatch.setattr(gc, "freeze", lambda: steps.append("freeze"))
    world = filled()
    world.load()
    monkeypatch.setattr(module, "FREEZE_AFTER_BYTES", 500)
    for value in range(30):
        world.append(setting(value))
        world.load()
    assert steps[:4] == ["collect", "freeze"] * 2
    assert len(steps) < 30, "not at every publication"


def test_a_large_load_is_frozen_once(monkeypatch):
    """What was loaded in bulk is frozen before it is published; small things and later publications are not."""
    frozen = []
    monkeypatch.setattr(gc, "freeze", lambda: frozen.append(True))
    monkeypatch.setattr(module, "FREEZE_AFTER_BYTES", 500)
    small = filled()
    small.load()
    assert frozen == []
    large = filled(None, *range(20))
    large.load()
    large.append(setting(1))
    large.load()
    assert frozen == [True]
    install(large, OffsetAndEpoch(epoch=2, offset=99), *range(50))
    large.load(99)
    assert frozen == [True, True], "a snapshot that is loaded while running, too"


def test_a_replay_error_surfaces_and_publishes_nothing():
    """A committed record that cannot be applied is raised to the driver; the published image stays."""
    world = filled(None, 1)
    world.load()
    published = world.machine.image
    world.append(EndTransactionRecord())
    for _ in range(2):
        with pytest.raises(ReplayError):
            world.load()
    assert world.machine.image is published
    assert published is not EMPTY


# Halting.

POISON = RemoveTopicRecord(topic_id=b"t" * 16)


class Halting(World):
    """A world whose machine halts instead of raising."""

    def __init__(self, directory=None):
        super().__init__(directory)
        self.halts = []
        self.machine = StateMachine(self.directory, self.halts.append)
        self.machine.install([self.publisher("first")])


def poisoned(directory=None):
    """A log of good batches, then one with a bad record in its middle, then more good ones; and where it begins."""
    world = Halting(directory)
    world.append(*start_records())
    for value in range(5):
        world.append(setting(value))
    begins = world.append(setting("last good"))
    world.append(setting("not seen"), POISON, setting("not seen either"))
    world.append(setting("nor this"))
    return world, begins


@pytest.mark.parametrize("slice_bytes", [1, 150, 400, 1 << 20])
@pytest.mark.parametrize("running_from", [0, 3, 8])
def test_every_node_halts_at_the_same_place(monkeypatch, slice_bytes, running_from):
    """However the log is cut into slices, and whether the node was running or starts: the same offset, one image."""
    monkeypatch.setattr(module, "LOAD_SLICE_BYTES", slice_bytes)
    world, begins = poisoned()
    if running_from:
        world.load(running_from)
    world.load()
    assert world.halts == [world.machine.halted]
    assert (world.machine.halted.offset, world.machine.halted.record_offset) == (begins, begins + 1)
    assert world.machine.image.provenance.offset == begins - 1
    assert world.value() == "last good"
    assert world.offsets[-1] == begins - 1
    assert "cannot replay RemoveTopicRecord" in str(world.machine.halted)


@pytest.mark.parametrize("slice_bytes", [1, 300, 1 << 20])
def test_a_bad_record_inside_a_transaction_leaves_the_state_before_it(monkeypatch, slice_bytes):
    """What an open transaction did so far is visible at no node."""
    monkeypatch.setattr(module, "LOAD_SLICE_BYTES", slice_bytes)
    world = Halting()
    world.append(*start_records())
    world.append(setting("before"))
    world.append(BeginTransactionRecord(name="t"), setting("inside"))
    begins = world.append(setting("inside too"))
    world.append(POISON)
    world.append(EndTransactionRecord())
    world.load()
    assert (world.machine.halted.offset, world.value()) == (begins, "before")


def test_a_halted_node_rests_and_goes_on_with_a_snapshot():
    """Nothing waits to be loaded; a snapshot from beyond the bad record replaces the state, and applying goes on."""
    world, begins = poisoned()
    world.load()
    assert not world.machine.has_backlog(world.log.end_offset + 100)
    world.append(setting("later"))
    world.load()
    assert (len(world.halts), world.machine.next_offset) == (1, begins)
    install(world, OffsetAndEpoch(epoch=2, offset=99), "of the snapshot")
    world.load(99)
    assert (world.machine.halted, world.value()) == (None, "of the snapshot")
    world.append(setting("after"), epoch=2)
    world.load()
    assert world.value() == "after"


def test_a_log_that_begins_with_a_bad_record_serves_nothing():
    """There is no state before it."""
    world = Halting()
    world.append(POISON)
    world.load()
    assert (world.machine.halted.offset, world.machine.image) == (0, EMPTY)


# Places where nodes compare their states.


class Compared(World):
    """A world that compares every second of the log's clock."""

    def __init__(self, directory=None):
        super().__init__(directory)
        self.found = []
        self.machine = StateMachine(
            self.directory, checkpoint_ms=1_000, on_checkpoint=lambda image: self.found.append(image.provenance.offset)
        )
        self.machine.install([self.publisher("first")])

    def append_at(self, time_ms, *records, epoch=1):
        values = [encode_for_level(record, LEVEL) for record in records]
        data = encode_batch(values, base_offset=self.log.end_offset, epoch=epoch, timestamp_ms=time_ms)
        self.log.append([data], T0)
        self.log.sync()
        return self.log.end_offset - 1


def test_images_are_made_where_the_logs_clock_ticks():
    """However much is loaded at once, an image ends with each batch of another second; no other is compared."""
    world = Compared()
    world.append_at(500, *start_records())
    world.load()
    world.append_at(900, setting(1))
    first = world.append_at(1_100, setting(2), setting(3))
    world.append_at(1_200, setting(4))
    second = world.append_at(3_000, setting(5))
    world.append_at(3_999, setting(6))
    world.load()
    assert world.found == [first, second]
    assert {first, second, world.log.end_offset - 1} <= set(world.offsets)


def test_every_node_compares_at_the_same_places():
    """A node that loads batch by batch compares at the same offsets as one that loads all at once."""
    at_once, one_by_one = Compared(), Compared()
    for world in (at_once, one_by_one):
        world.append_at(500, *start_records())
        world.load()
    for time_ms in (700, 1_500, 1_600, 2_100, 2_050, 1_990, 4_000, 9_000):
        at_once.append_at(time_ms, setting(time_ms))
        one_by_one.append_at(time_ms, setting(time_ms))
        one_by_one.load()
    at_once.load()
    assert at_once.found == one_by_one.found
    assert len(at_once.found) == 5, "the clock that is set back ticks, too"


def test_a_node_that_catches_up_compares_nothing():
    """What was loaded before anything was published has no images on its way; from then on it is compared."""
    world = Compared()
    world.append_at(500, *start_records())
    world.append_at(1_500, setting(1))
    world.load()
    assert world.found == []
    last = world.append_at(2_500, setting(2))
    world.load()
    assert world.found == [last]


def test_there_is_no_state_within_a_transaction():
    """A tick inside a transaction is passed over: no node has an image of that place."""
    world = Compared()
    world.append_at(500, *start_records())
    world.load()
    world.append_at(700, BeginTransactionRecord(name="t"))
    world.append_at(1_500, setting(1))
    world.append_at(1_600, EndTransactionRecord())
    last = world.append_at(2_500, setting(2))
    world.load()
    assert world.found == [last]


def test_a_fenced_state_does_not_change():
    """A state that is wrong is not changed, and not published."""
    world = Compared()
    world.append_at(500, *start_records())
    world.load()
    world.append_at(1_500, setting(1))
    heard = list(world.heard)
    world.machine.fence()
    assert not world.machine.has_backlog(world.log.end_offset)
    world.machine.load_slice(world.log.end_offset)
    assert (world.heard, world.found, world.value()) == (heard, [], None)
