"""Each file beside the log, written by its own code, with a loss of power at every step.

One table names the writer of each file. Whatever a kill leaves, with the power or without it, with the names in their
order or each by itself, the next start reads the old content or all of the new one; what was acknowledged is there; a
second attempt succeeds; and what a writer left half done is gone after the next start. Every sync that fails is
reported.
"""

from __future__ import annotations

import errno
import itertools
import os
import random
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from kraftpy.disaster_recovery.tar_bundle import open_bundle, write_bundle
from kraftpy.model.digests import DIGEST_BYTES, StateDigest
from kraftpy.model.election import ElectionState
from kraftpy.model.errors import StorageError
from kraftpy.model.ids import uuid_from_text
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.model.replica_status import Divergence, LogQuarantine
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter, VoterSet
from kraftpy.records.snapshot import SnapshotEncoder
from kraftpy.storage import names
from kraftpy.storage.atomic_file import replace_file
from kraftpy.storage.bootstrap import read_bootstrap
from kraftpy.storage.clean_shutdown import take_clean_shutdown, write_clean_shutdown
from kraftpy.storage.config import LogConfig
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.durable_directory import make_directory_durably
from kraftpy.storage.ensemble import MetaPropertiesEnsemble
from kraftpy.storage.epoch_checkpoint import read_epoch_checkpoint, write_epoch_checkpoint
from kraftpy.storage.filesystem import join, read_file
from kraftpy.storage.format import FormatRequest, format_directories
from kraftpy.storage.identity import ClusterIdStore, ensure_formatted
from kraftpy.storage.meta_properties import read_meta_properties
from kraftpy.storage.names import CLEAN_SHUTDOWN
from kraftpy.storage.partition_metadata import ensure_partition_metadata
from kraftpy.storage.quorum_state import QuorumStateFile, read_quorum_state
from kraftpy.storage.recovery_point import read_recovery_point, write_recovery_point
from kraftpy.storage.replica_status import ReplicaStatusFile
from kraftpy.storage.reserve import write_reserve
from kraftpy.storage.snapshots import SnapshotStore
from tests.fakes.filesystem import Killed, SimulatedFileSystem
from tests.unit.storage.logs import T0, batches

ROOT = "/node/data"
DIRECTORY = join(ROOT, names.METADATA_DIRECTORY)
NEW = "/node/made/by/the/start"
CLUSTER = "a-cluster"
D = uuid_from_text("EBESExQVRheYGRobHB0eHw")
VOTERS = VoterSet.of([Voter(ReplicaKey(1, D), (Endpoint("CONTROLLER", "localhost", 9093),), 0, 1)])
ZERO = "00000000000000000000-0000000000.checkpoint"
NOTE = LogQuarantine("then", 7, is_finished=False)
SEEDS = 8
STEPS_MAX = 1_000
LEFT_OVER = (".tmp", ".part", ".deleted")


def path(name):
    return join(DIRECTORY, name)


def content(name):
    """Return the content of a file; ``None`` when it is not there."""
    return lambda fs: read_file(fs, name) if fs.exists(name) else None


def nothing(_fs):
    pass


def without(name):
    def prepare(fs):
        if fs.exists(name):
            fs.unlink(name)

    return prepare


def voted(epoch):
    return lambda fs: QuorumStateFile(fs, path(names.QUORUM_STATE)).write(
        ElectionState(epoch=epoch, voted_key=ReplicaKey(2, D)), version=1
    )


def with_foreign_entry(fs):
    replace_file(fs, join(ROOT, names.RECOVERY_POINT_CHECKPOINT), b"0\n1\ntopic 3 44\n")
    write_recovery_point(fs, join(ROOT, names.RECOVERY_POINT_CHECKPOINT), 5)


def recovery_point(fs):
    place = join(ROOT, names.RECOVERY_POINT_CHECKPOINT)
    return read_recovery_point(fs, place), b"topic 3 44\n" in read_file(fs, place)


def ensemble(fs, directory=ROOT):
    return MetaPropertiesEnsemble.load(fs, [directory], directory)


def format_new(fs):
    request = FormatRequest(
        node_id=1, directories=(NEW,), metadata_directory=NEW, metadata_version=40, cluster_id=CLUSTER,
        initial_voters=VOTERS,
    )  # fmt: skip
    if read_meta_properties(fs, NEW) is None:
        format_directories(fs, request, random.Random(1).randbytes)


def formatted(fs):
    """The identity is what makes a directory a formatted one: with it all the rest is there."""
    if read_meta_properties(fs, NEW) is None:
        return None
    zero = content(join(join(NEW, names.METADATA_DIRECTORY), ZERO))(fs)
    return read_meta_properties(fs, NEW), tuple(map(str, read_bootstrap(fs, NEW))), zero


def status(fs):
    return ReplicaStatusFile.read(fs, DIRECTORY).value


def changed(change):
    """A writer that replaces the status by another one."""

    def write(fs):
        file = ReplicaStatusFile.read(fs, DIRECTORY)
        file.write(change(file.value))

    return write


def diverged(*, is_refetched):
    own, agreed = (StateDigest(8, value * DIGEST_BYTES) for value in (b"a", b"b"))
    found = Divergence(own, agreed, is_refetched=is_refetched)
    return lambda fs: ReplicaStatusFile.read(fs, DIRECTORY).write_divergence(found)


def reserved(size, name=names.RESERVE):
    return lambda fs: write_reserve(fs, ROOT, size, random.Random(1).randbytes, name)


def is_empty(value):
    return value.as_empty(D)


def snapshot_bytes():
    encoder = SnapshotEncoder(epoch=1, timestamp_ms=0, last_contained_log_timestamp_ms=0)
    return b"".join(encoder.encode([]))


def freeze(fs):
    store = SnapshotStore.open(fs, DIRECTORY, random.Random(3).randbytes)
    snapshot_id = OffsetAndEpoch(epoch=1, offset=10)
    if snapshot_id not in store.ids:
        writer = store.create(snapshot_id)
        writer.append(snapshot_bytes())
        writer.freeze()


def snapshots(fs):
    store = SnapshotStore(fs, DIRECTORY, bytes)
    store.load()
    return tuple((one, store.validate(one)) for one in store.ids)


def bundled(fs):
    write_bundle(fs, "/node/backup.tar", {"kind": "test"}, [("one", b"1" * 900), ("two", b"2" * 900)])


def read_bundle(fs):
    if not fs.exists("/node/backup.tar"):
        return None
    return tuple(open_bundle(fs, "/node/backup.tar").read(name) for name in ("one", "two"))


@dataclass(frozen=True)
class Writer:
    """The writer of one file.

    Attributes:
        prepare: makes the content before the write.
        write: the code under test.
        read: what the next start takes from it; it fails where the start would be refused.
    """

    prepare: Callable[[SimulatedFileSystem], object]
    write: Callable[[SimulatedFileSystem], object]
    read: Callable[[SimulatedFileSystem], object]


WRITERS = {
    names.QUORUM_STATE: Writer(voted(3), voted(4), lambda fs: read_quorum_state(fs, path(names.QUORUM_STATE))),
    names.LEADER_EPOCH_CHECKPOINT: Writer(
        lambda fs: write_epoch_checkpoint(fs, path(names.LEADER_EPOCH_CHECKPOINT), [(1, 0)]),
        lambda fs: write_epoch_checkpoint(fs, path(names.LEADER_EPOCH_CHECKPOINT), [(1, 0), (2, 5)]),
        lambda fs: tuple(read_epoch_checkpoint(fs, path(names.LEADER_EPOCH_CHECKPOINT))),
    ),
    names.RECOVERY_POINT_CHECKPOINT: Writer(
        with_foreign_entry,
        lambda fs: write_recovery_point(fs, join(ROOT, names.RECOVERY_POINT_CHECKPOINT), 9),
        recovery_point,
    ),
    names.PARTITION_METADATA: Writer(
        without(path(names.PARTITION_METADATA)),
        lambda fs: ensure_partition_metadata(fs, path(names.PARTITION_METADATA)),
        content(path(names.PARTITION_METADATA)),
    ),
    names.META_PROPERTIES: Writer(
        nothing,
        lambda fs: ClusterIdStore(fs, ensemble(fs)).persist(CLUSTER),
        lambda fs: read_meta_properties(fs, ROOT),
    ),
    "meta.properties of a new directory": Writer(
        nothing,
        lambda fs: ensure_formatted(fs, ensemble(fs, NEW), 1, random.Random(1).randbytes),
        lambda fs: read_meta_properties(fs, NEW),
    ),
    names.BOOTSTRAP_CHECKPOINT: Writer(nothing, format_new, formatted),
    names.REPLICA_STATUS: Writer(nothing, changed(is_empty), status),
    "the status of a duplicate": Writer(changed(is_empty), changed(lambda value: value.as_duplicate("why")), status),
    "the status of a corrupt log": Writer(nothing, changed(lambda value: value.as_quarantined(NOTE)), status),
    "no status any more": Writer(changed(is_empty), changed(lambda value: value.as_eligible()), status),
    "the status of a removed one": Writer(nothing, changed(lambda value: replace(value, removed=D)), status),
    "no removal any more": Writer(
        changed(lambda value: replace(value, removed=D)), changed(lambda value: replace(value, removed=None)), status
    ),
    "a divergence": Writer(changed(is_empty), diverged(is_refetched=False), status),
    "a divergence whose log was fetched again": Writer(
        diverged(is_refetched=False), diverged(is_refetched=True), status
    ),
    "no divergence any more": Writer(
        diverged(is_refetched=False),
        lambda fs: ReplicaStatusFile.read(fs, DIRECTORY).write_divergence(None),
        status,
    ),
    CLEAN_SHUTDOWN: Writer(nothing, lambda fs: write_clean_shutdown(fs, ROOT, 6), content(join(ROOT, CLEAN_SHUTDOWN))),
    names.RESERVE: Writer(nothing, reserved(5_000), content(join(ROOT, names.RESERVE))),
    names.METADATA_RESERVE: Writer(
        nothing, reserved(5_000, names.METADATA_RESERVE), content(join(ROOT, names.METADATA_RESERVE))
    ),
    "no reserve any more": Writer(reserved(5_000), reserved(0), content(join(ROOT, names.RESERVE))),
    "a snapshot": Writer(nothing, freeze, snapshots),
    "a backup": Writer(nothing, bundled, read_bundle),
}

NO_FILES = {names.METADATA_DIRECTORY, names.QUARANTINE, names.PROBE, names.SYNC_PROBE}


def start(fs, root=ROOT):
    """Open a node's directory, as far as storage does."""
    make_directory_durably(fs, root)
    ensure_formatted(fs, ensemble(fs, root), 1, random.Random(4).randbytes)
    return MetadataDirectory.open(fs, root, LogConfig(), random.Random(5).randbytes)


def start_all(fs):
    """Start, and write nothing that is not needed for that: a clean stop would sync once more."""
    for root in (ROOT, NEW):
        if fs.is_directory(root):
            start(fs, root).log.abandon()


def prepared(writer):
    """A node's directory, with its content before the write."""
    fs = SimulatedFileSystem()
    fs.make_directory("/node")
    opened = start(fs)
    opened.log.append(batches(0, 10), T0)
    opened.close()
    voted(1)(fs)
    changed(lambda value: value.as_eligible())(fs)
    fs.make_directory(join(path(names.QUARANTINE), NOTE.name))
    writer.prepare(fs)
    for directory in fs.directories:
        fs.sync_directory(directory)
    return fs


def test_every_file_of_a_directory_is_in_the_table():
    """A file that is new gets its row."""
    files = {value for key, value in vars(names).items() if key.isupper() and isinstance(value, str)}
    assert {name for name in files if not name.startswith(".") or name == CLEAN_SHUTDOWN} - NO_FILES <= set(WRITERS)


@pytest.mark.parametrize("name", WRITERS)
def test_a_kill_at_every_step_leaves_old_or_new(name):
    """Never half of it, never none of both; acknowledged it is there; the next attempt gets through."""
    writer = WRITERS[name]
    base = prepared(writer)
    written = base.copy()
    writer.write(written)
    old, new = writer.read(base), writer.read(written)
    assert old != new
    seen, finished = set(), False
    for step in itertools.count():
        for loses_power, seed in itertools.product((None, True, False), range(SEEDS)):
            fs = base.copy()
            fs.kill_at(step)
            try:
                writer.write(fs)
                finished = True
            except Killed:
                pass
            if loses_power is None:
                fs.kill()
            else:
                fs.crash(random.Random(seed), in_order=loses_power)
            found = writer.read(fs)
            assert found in (old, new), (step, loses_power, seed)
            assert not finished or found == new, ("what was acknowledged is durable", loses_power, seed)
            seen.add(found == new)
            if seed == 0:
                writer.write(fs)
                assert writer.read(fs) == new, (step, "again")
                start_all(fs)
                relied_upon = writer.read(fs)
                fs.crash(random.Random(step), in_order=step % 2 == 0)
                assert writer.read(fs) == relied_upon, (step, "what a start has read is durable")
        if finished:
            break
    assert seen == {False, True}


@pytest.mark.parametrize("name", WRITERS)
def test_what_a_kill_left_half_done_is_gone_after_the_next_start(name):
    """It does not hinder the start, and does not stay."""
    writer = WRITERS[name]
    base = prepared(writer)
    for step in itertools.count():
        fs = base.copy()
        fs.kill_at(step)
        try:
            writer.write(fs)
            break
        except Killed:
            fs.kill()
        start_all(fs)
        # Nothing starts on what a backup is written beside: the next one of that name replaces it.
        places = [place for place in fs.directories if place.startswith((ROOT, NEW))]
        assert [one for place in places for one in fs.list_directory(place) if one.endswith(LEFT_OVER)] == [], step


@pytest.mark.parametrize("name", WRITERS)
def test_a_sync_that_fails_is_reported(name):
    """Whichever it is, of a file or of a directory's names, the writer does not return as if all were well."""
    writer = WRITERS[name]
    base = prepared(writer)
    reported = []
    for failing in itertools.count():
        fs = base.copy()
        syncs = itertools.count()

        def before(operation, place, failing=failing, syncs=syncs):
            if operation.startswith("sync") and next(syncs) == failing:
                raise OSError(errno.EIO, os.strerror(errno.EIO), place)

        fs.before = before
        try:
            writer.write(fs)
        except StorageError as error:
            reported.append(str(error))
        else:
            assert next(syncs) == failing, "a failed sync was told to nobody"
            break
    assert reported
    assert all("fsync of" in text for text in reported), reported


def test_the_clean_shutdown_file_is_taken_away_for_good():
    """The next start hears of it once: after that it does not come back, whenever the power goes."""
    base = prepared(WRITERS[CLEAN_SHUTDOWN])
    write_clean_shutdown(base, ROOT, 6)
    for step, seed in itertools.product(range(STEPS_MAX), range(SEEDS)):
        fs = base.copy()
        fs.kill_at(step)
        try:
            assert take_clean_shutdown(fs, [ROOT]).broker_epoch == 6
        except Killed:
            fs.crash(random.Random(seed))
            assert take_clean_shutdown(fs, [ROOT]).broker_epoch in {6, -1}
            continue
        fs.crash(random.Random(seed))
        assert take_clean_shutdown(fs, [ROOT]).broker_epoch == -1
        if seed == SEEDS - 1:
            return
    pytest.fail("it never came to its end")
