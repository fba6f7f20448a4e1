"""Each fsync of a running controller fails once: it stops there, and what it had acknowledged is on the disk.

The run has every kind of fsync in it that a node makes: it opens an empty directory, is elected, writes until a
segment is full, stores the recovery point, makes a snapshot, cleans its log, and stops. It is repeated once for each of
its fsyncs, on a quick disk and on one that is waited for in a thread.
"""

from __future__ import annotations

import errno
import itertools
import os
import random
import re

import pytest

from kraftpy.controller.dedupe import NO_STAMP
from kraftpy.model.errors import StorageError, SyncFailedError
from kraftpy.model.features import SchemaSet
from kraftpy.records.metadata import ConfigRecord, decode_record
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.transport.node_api import Committed, WriteRequest
from tests.fakes.filesystem import SimulatedFileSystem
from tests.unit.controller.worlds import set_configs
from tests.unit.runtime.parts import LoneController, written
from tests.unit.storage.logs import ROOT, TINY

KIND_BROKER = 4
WRITES = 60
SYNCS_MIN = 50
"""The least number of fsyncs in the run: below it a step is missing, or no longer synced."""


class Story:
    """What happens, and what was acknowledged so far."""

    def __init__(self, fs, *, slow):
        self.fs = fs
        self.slow = slow
        self.node = None
        self.acknowledged = []

    def tell(self):
        self.node = LoneController(fs=self.fs, slow=self.slow)
        self.settle()
        for number in range(WRITES):
            self.write(str(number + 1))
        self.node.clock.value += 1_000
        self.settle()
        self.clean()
        self.node.driver.close()

    def settle(self):
        """Take turns, and let the thread do what it was given, until nothing is left to do."""
        node = self.node
        for _ in range(1_000):
            node.turn()
            if not node.lane.idle:
                node.lane.complete()
            elif node.driver.wait_ms() != 0 and not len(node.driver.inbox):
                return
        raise AssertionError("the node never comes to rest")

    def write(self, value):
        answers = self.node.submit(
            WriteRequest(set_configs(KIND_BROKER, "", ("log.cleaner.threads", value)), b"", None, NO_STAMP)
        )
        self.settle()
        assert [type(answer) for answer in answers] == [Committed]
        self.acknowledged.append(value)

    def clean(self):
        """Freeze a snapshot of all that there is, and let the log start at it, as snapshotter and cleaner do."""
        directory, lane = self.node.directory, self.node.lane
        log = directory.log
        snapshot_id = self.node.state_machine.image.provenance.snapshot_id
        writer = written(directory, snapshot_id)
        lane.put(writer.freeze_file, lambda _: directory.snapshots.add(snapshot_id))
        self.settle()
        before = log.start_offset
        lane.put(log.begin_advance_start(snapshot_id.offset), lambda _: None)
        self.settle()
        assert log.start_offset > before


def failing_at(fs, number):
    """Let one sync fail, and count those that were asked for."""
    asked = itertools.count()
    seen = []

    def before(operation, path):
        if operation.startswith("sync"):
            seen.append(path)
            if next(asked) == number:
                raise OSError(errno.EIO, os.strerror(errno.EIO), path)

    fs.before = before
    return seen


def refuses(node):
    """Return whether nothing can be done on the disk any more: the lane or the log rejects it."""
    try:
        node.lane.run(node.directory.log.sync)
    except StorageError:
        return True
    return False


def disk():
    fs = SimulatedFileSystem()
    fs.make_directory(ROOT)
    return fs


def values_on(fs):
    """The values that a log holds which is opened after a loss of power."""
    opened = MetadataDirectory.open(fs, ROOT, TINY, random.Random(2).randbytes)
    records = [
        decode_record(value, SchemaSet.for_level(40))
        for batch in opened.log.iterate(opened.log.start_offset)
        if not batch.is_control
        for value in batch.values()
    ]
    return [record.value for record in records if isinstance(record, ConfigRecord)], opened.log.start_offset


@pytest.mark.parametrize("slow", [False, True])
def test_a_node_stops_at_whichever_sync_fails(slow):
    """It takes no turn more, never syncs in its log again, and every acknowledged write survives the loss of power."""
    whole = disk()
    seen = failing_at(whole, None)
    Story(whole, slow=slow).tell()
    assert len(seen) >= SYNCS_MIN
    for number in range(len(seen)):
        fs = disk()
        asked = failing_at(fs, number)
        story = Story(fs, slow=slow)
        with pytest.raises(SyncFailedError, match=f"fsync of {re.escape(seen[number])} failed"):
            story.tell()
        assert len(asked) == number + 1, "nothing was synced after it"
        assert story.node is None or refuses(story.node), seen[number]
        fs.crash(random.Random(number))
        found, start = values_on(fs)
        assert start > 0 or found[: len(story.acknowledged)] == story.acknowledged, number
