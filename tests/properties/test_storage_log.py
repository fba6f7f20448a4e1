"""The log against a model, through crashes that keep any subset of what was not synced, and through flipped bits."""

from __future__ import annotations

import contextlib
import random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from kraftpy.model.errors import CorruptLogError, DiskFullError, StorageError, SyncFailedError
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.records.batch import encode_batch
from kraftpy.storage.config import LogConfig
from kraftpy.storage.log_open import open_metadata_log
from tests.fakes.filesystem import Killed, SimulatedFileSystem

ROOT = "/data"
DIRECTORY = f"{ROOT}/__cluster_metadata-0"
T0 = 1_700_000_000_000


class LogMachine(RuleBasedStateMachine):
    """Do everything to a log that can be done, and keep the truth beside it.

    The truth is a list of batches (base offset, next offset, bytes); ``synced`` is the offset below which they may
    not be lost, ``committed`` the recovery point.
    """

    @initialize(
        segment_bytes=st.sampled_from([700, 2048, 6000]),
        preallocate=st.sampled_from([0, 512, 3000]),
        cache=st.sampled_from([0, 500, 1 << 20]),
    )
    def start(self, segment_bytes, preallocate, cache):
        self.config = LogConfig(
            segment_bytes=segment_bytes, preallocate_bytes=preallocate, index_interval_bytes=200, tail_cache_bytes=cache
        )
        self.fs = SimulatedFileSystem()
        self.fs.make_directory(ROOT)
        self.truth: list[tuple[int, int, bytes]] = []
        self.start_offset = self.end = self.synced = self.committed = 0
        self.epoch = 1
        self.snapshot = None
        self.log = self.open(self.fs)

    def open(self, fs):
        return open_metadata_log(fs, DIRECTORY, self.config, snapshot=self.snapshot)

    def frame(self, sizes, count, fill):
        framed, offset = [], self.end
        for size in sizes:
            values = [bytes([fill]) * max(1, size // count)] * count
            data = encode_batch(values, base_offset=offset, epoch=self.epoch, timestamp_ms=T0)
            framed.append((offset, offset + count, data))
            offset += count
        return framed

    sizes = st.lists(st.sampled_from([1, 40, 300, 600, 1500]), min_size=1, max_size=4)
    fills = st.sampled_from([0, 1, 2, 255])

    @rule(sizes=sizes, count=st.integers(1, 3), fill=fills)
    def append(self, sizes, count, fill):
        self.flush_all()
        framed = self.frame(sizes, count, fill)
        self.log.append([data for _, _, data in framed], T0)
        self.truth += framed
        self.end = framed[-1][1]

    @rule(sizes=sizes, count=st.integers(1, 3), fill=fills)
    def stage(self, sizes, count, fill):
        framed = self.frame(sizes, count, fill)
        self.log.stage([data for _, _, data in framed], T0)
        self.truth += framed
        self.end = framed[-1][1]

    @rule()
    def flush(self):
        """What is staged while the flush is on the disk is covered by the next one."""
        flush = self.log.begin_flush()
        framed = self.frame([40], 1, 3)
        self.log.stage([framed[0][2]], T0)
        self.truth += framed
        self.end = framed[-1][1]
        flush.on_disk()
        flush.done()
        assert self.log.flushed_offset < self.end
        self.synced = self.log.flushed_offset

    @rule(seed=st.integers(0, 2**32))
    def die_before_a_flush_is_heard_of(self, seed):
        self.log.begin_flush().on_disk()
        self.crash(seed, power=True)

    def flush_all(self):
        while self.log.flushed_offset < self.end:
            flush = self.log.begin_flush()
            flush.on_disk()
            flush.done()
        self.synced = self.end

    @rule()
    def sync(self):
        self.flush_all()
        self.log.sync()
        self.synced = self.end

    @rule()
    def preallocate(self):
        self.log.maybe_preallocate()

    @rule(back=st.integers(0, 5))
    def note_durable(self, back):
        durable = [self.start_offset, *(end for _, end, _ in self.truth if end <= self.log.flushed_offset)]
        offset = durable[max(0, len(durable) - 1 - back)]
        if offset >= self.committed:
            self.log.note_durable(offset)
            self.committed = offset
            self.synced = max(self.synced, offset)

    @rule(more=st.integers(1, 3))
    def elect(self, more):
        self.epoch += more
        self.log.assign_epoch(self.epoch, self.end)

    @rule(back=st.integers(0, 8))
    def truncate(self, back):
        self.flush_all()
        floor = max(self.committed, self.start_offset)
        cuts = [base for base, _, _ in self.truth if base >= floor] or [self.end]
        offset = cuts[max(0, len(cuts) - 1 - back)]
        self.log.truncate_to(offset)
        self.truth = [b for b in self.truth if b[1] <= offset]
        self.end = offset
        self.synced = offset
        self.epoch += 1

    @rule(ahead=st.integers(0, 50))
    def download_snapshot(self, ahead):
        self.flush_all()
        offset = self.end + ahead
        self.epoch += 1
        self.snapshot = OffsetAndEpoch(epoch=self.epoch, offset=offset)
        self.log.reset_to(self.snapshot)
        self.truth, self.start_offset, self.end, self.synced = [], offset, offset, offset

    @precondition(lambda self: self.committed > self.start_offset)
    @rule()
    def snapshot_and_advance(self):
        epoch = next(e for e, start in reversed(self.log.epoch_entries) if start < self.committed)
        self.snapshot = OffsetAndEpoch(epoch=epoch, offset=self.committed)
        self.log.advance_start(self.committed)
        self.start_offset = self.committed

    @rule()
    def reopen(self):
        self.log.close()
        self.synced = self.end
        self.log = self.open(self.fs)
        self.reconcile()

    @rule(seed=st.integers(0, 2**32), power=st.booleans())
    def crash(self, seed, power):
        written = next((staged.heads[0][0] for staged in self.log._staged), self.end)
        self.fs.crash(random.Random(seed)) if power else self.fs.kill()
        self.log = self.open(self.fs)
        if not power:
            assert self.log.end_offset == written, "a killed process loses nothing that it wrote"
        self.reconcile()

    @rule(seed=st.integers(0, 2**32), steps=st.integers(0, 12), sizes=sizes, fill=fills)
    def crash_in_append(self, seed, steps, sizes, fill):
        self.flush_all()
        framed = self.frame(sizes, 1, fill)
        self.fs.kill_at(steps)
        try:
            self.log.append([data for _, _, data in framed], T0)
            self.log.sync()
            self.synced = framed[-1][1]
        except Killed:
            pass
        self.truth += framed
        self.end = framed[-1][1]
        self.fs.crash(random.Random(seed))
        self.log = self.open(self.fs)
        self.reconcile()

    @rule(seed=st.integers(0, 2**32), steps=st.integers(0, 12))
    def crash_in_recovery(self, seed, steps):
        rng = random.Random(seed)
        self.fs.crash(rng)
        self.fs.kill_at(steps)
        with contextlib.suppress(Killed):
            self.open(self.fs)
        self.fs.crash(rng)
        self.log = self.open(self.fs)
        self.reconcile()

    @rule(room=st.integers(0, 800), sizes=sizes)
    def append_to_a_full_disk(self, room, sizes):
        self.flush_all()
        framed = self.frame(sizes, 1, 7)
        capacity = self.fs.capacity
        self.fs.capacity = capacity - self.fs.free_bytes(ROOT) + room
        try:
            self.log.append([data for _, _, data in framed], T0)
            self.truth += framed
            self.end = framed[-1][1]
        except DiskFullError:
            pass
        self.fs.capacity = capacity

    @precondition(lambda self: self.end > self.log.flushed_offset)
    @rule(seed=st.integers(0, 2**32))
    def fail_a_sync(self, seed):
        self.fs.failing_syncs.add("*")
        for _ in range(2):
            try:
                self.log.begin_flush().on_disk()
            except (SyncFailedError, StorageError):
                continue
            raise AssertionError("a failed sync was taken back")
        self.fs.failing_syncs.clear()
        self.crash(seed, power=True)

    @rule(data=st.data(), power=st.booleans(), seed=st.integers(0, 2**32))
    def flip_a_bit_in_a_copy(self, data, power, seed):
        """Corruption below the recovery point is reported; anywhere else nothing is invented."""
        fs = self.fs.copy()
        fs.crash(random.Random(seed)) if power else fs.kill()
        logs = [n for n in fs.list_directory(DIRECTORY) if n.endswith(".log") and fs.size(f"{DIRECTORY}/{n}")]
        if not logs:
            return
        path = f"{DIRECTORY}/{data.draw(st.sampled_from(logs))}"
        position = data.draw(st.integers(0, fs.size(path) - 1))
        fs.flip_bit(path, position, data.draw(st.integers(0, 7)))
        try:
            log = self.open(fs)
        except CorruptLogError:
            return
        assert log.end_offset >= self.committed, "committed records vanished without a word"
        true_bytes = {base: framed for base, _, framed in self.truth}
        for batch in log.iterate(log.start_offset):
            if batch.base_offset in true_bytes:
                true = true_bytes[batch.base_offset]
                # An epoch has no checksum. Below the recovery point it has second evidence; above, what vouches for it
                # is that none falls, and it may be wrong between its neighbours'.
                no_evidence = batch.base_offset >= log.recovery_point
                assert batch.data == true or (
                    no_evidence and (batch.data[:12], batch.data[16:]) == (true[:12], true[16:])
                )

    def reconcile(self):
        """After a crash: what was synced is there, what is there was written, and the truth is what is there."""
        assert self.log.end_offset >= self.synced, "synced records are missing"
        assert self.log.end_offset <= self.end, "records appeared that were never written"
        assert self.log.start_offset <= max(self.start_offset, self.log.end_offset)
        assert self.log.recovery_point <= self.committed
        self.end = self.synced = self.log.end_offset
        self.truth = [b for b in self.truth if b[1] <= self.end]
        self.log.advance_start(self.start_offset)
        self.committed = max(self.log.recovery_point, min(self.committed, self.end))
        self.epoch = max(self.epoch, self.log.last_epoch)

    @invariant()
    def the_log_is_the_truth(self):
        if not hasattr(self, "log"):
            return
        assert (self.log.start_offset, self.log.end_offset) == (self.start_offset, self.end)
        wanted = [b for b in self.truth if b[1] > self.start_offset]
        if not wanted:
            return
        found = b""
        offset = self.start_offset
        while data := self.log.read(offset, 300):
            found += data
            offset = self.log_next(data)
        assert found == b"".join(b[2] for b in wanted)
        starts = [start for _, start in self.log.epoch_entries]
        assert starts == sorted(set(starts))

    @staticmethod
    def log_next(data):
        position, offset = 0, 0
        while position < len(data):
            length = int.from_bytes(data[position + 8 : position + 12], "big") + 12
            base = int.from_bytes(data[position : position + 8], "big")
            offset = base + int.from_bytes(data[position + 23 : position + 27], "big") + 1
            position += length
        return offset


TestLog = LogMachine.TestCase
TestLog.settings = settings(
    max_examples=150, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True
)
