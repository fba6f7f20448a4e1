"""A node's disk, and what of it would survive if the power went now.

The file system is the one of the storage tests. This file adds what the checkers ask (is this batch, this vote, this
cluster id on the *platter*, not merely in the page cache) and the storage lane of a slow disk: while a job lasts the
node takes turns, and a crash loses what the job was to save.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache

from kraftpy.model.election import ElectionState
from kraftpy.model.errors import MalformedError, StorageError
from kraftpy.model.offsets import ORIGIN, Offset, OffsetAndEpoch
from kraftpy.model.replica_status import ReplicaStatus, VoterStatus
from kraftpy.records.batch import iterate_batches
from kraftpy.records.file_names import parse_snapshot_file_name, snapshot_file_name
from kraftpy.records.quorum_state import parse_quorum_state
from kraftpy.runtime.disk_executor import DiskExecutor
from kraftpy.storage.atomic_file import replace_file
from kraftpy.storage.durable_directory import make_directory_durably
from kraftpy.storage.filesystem import join
from kraftpy.storage.meta_properties import MetaProperties, parse_meta_properties
from kraftpy.storage.names import (
    META_PROPERTIES,
    METADATA_DIRECTORY,
    QUORUM_STATE,
    RECOVERY_POINT_CHECKPOINT,
    REPLICA_STATUS,
    segment_base_offset,
)
from kraftpy.storage.recovery_point import UnusableRecoveryPointError, read_recovery_point
from kraftpy.storage.replica_status import parse_replica_status
from tests.fakes.filesystem import SECTOR_BYTES, SimulatedFileSystem
from tests.simulator.bit_rot import Change, Harm, as_written, changes

NO_ELECTION = ElectionState()


@lru_cache(maxsize=256)
def _election(content: bytes) -> ElectionState:
    """Read a vote; the checkers ask for the same one after every turn."""
    return parse_quorum_state(content.decode())


@lru_cache(maxsize=256)
def _identity(content: bytes) -> MetaProperties | None:
    """Read who a directory is; ``None`` when that cannot be read."""
    try:
        return parse_meta_properties(content.decode("latin-1"))
    except MalformedError:
        return None


@lru_cache(maxsize=4_096)
def _represents(name: str) -> tuple[Offset | None, OffsetAndEpoch | None]:
    """Return the base offset of a segment's name, or the id of a snapshot's."""
    return segment_base_offset(name), parse_snapshot_file_name(name)


def _held_part(fs: SimulatedFileSystem, path: str, sector: int, batch: bytes) -> bool:
    """Return whether part of a batch was in a sector, of a file that this disk had."""
    if not fs.exists(path):
        return False
    at = bytes(fs._inode(path).live).find(batch)
    return at >= 0 and at < (sector + 1) * SECTOR_BYTES and at + len(batch) > sector * SECTOR_BYTES


class NotingFileSystem(SimulatedFileSystem):
    """Notes what is put in the place of every meta.properties: the world's own record of who each directory is."""

    def __init__(self, noted: dict[str, list[bytes]]) -> None:
        super().__init__()
        self._noted = noted

    def rename(self, source: str, target: str) -> None:
        super().rename(source, target)
        directory, _, name = target.rpartition("/")
        if name == META_PROPERTIES:
            self._noted.setdefault(directory, []).append(bytes(self._inode(target).live))


class SimulatedDisk:
    """One node's directories.

    Attributes:
        directories: the log directories; the first one holds the metadata log.
        former: the disks that were lost, and this one as it was before it rotted.
        harmed: what it returns that was never written there, in words.
        lost_power: whether it lost power since the node last started.
        rotten: the same, as far as nothing has been started on it since.
        undone: what was acknowledged and taken back: the disk before that, the file, and the sector of it.
        condemned: a process refused to start on it.
        faulty: whether a fault was injected that may stop the node.
        written_identities: by directory, every content that was put in the place of its meta.properties, in order.
    """

    def __init__(self, node_id: int, log_dirs: int) -> None:
        self.written_identities: dict[str, list[bytes]] = {}
        self.fs: SimulatedFileSystem = NotingFileSystem(self.written_identities)
        self.former: list[SimulatedFileSystem] = []
        self.directories = tuple(f"/node{node_id}/d{number}" for number in range(log_dirs))
        self.log_path = join(self.directories[0], METADATA_DIRECTORY)
        self.faulty = False
        self.harmed: list[str] = []
        self.lost_power = False
        self.rotten: list[str] = []
        self.undone: list[tuple[SimulatedFileSystem, str, int]] = []
        self.condemned = False
        self._changes: list[Change] = []
        self._sound = self.fs
        self._elections: tuple[SimulatedFileSystem, tuple[int, int, int], list[ElectionState]] | None = None
        for directory in self.directories:
            make_directory_durably(self.fs, directory)

    # Faults.

    def bit_rot(self, harm: Harm) -> str:
        """Let something be read that was not written."""
        self.former.append(self.fs.copy())
        if not self.harmed:
            self._sound = self.former[-1]
        if harm.undone is not None:
            self.undone.append((self.former[-1], *harm.undone))
        stated = harm.do()
        self._changes += changes(self.former[-1], self.fs)
        self.harmed.append(stated)
        self.rotten.append(stated)
        return stated

    def fail_syncs(self) -> None:
        """Let every sync fail from now on."""
        self.fs.failing_syncs, self.faulty = {"*"}, True

    def fill(self) -> None:
        """Leave no room."""
        self.fs.capacity, self.faulty = 0, True

    def repair(self) -> None:
        """Replace what is broken; what was lost stays lost."""
        self.fs.failing_syncs, self.fs.capacity, self.faulty = set(), 1 << 40, False

    def lose_power(self, rng: random.Random) -> None:
        """Keep of the unsynced what chance keeps."""
        self.fs.crash(rng)
        self.lost_power = True

    def lose_process(self) -> None:
        """Keep everything written, durable or not."""
        self.fs.kill()

    def before_start(self) -> None:
        """Remember what is on the disk, corruption included: a start may quarantine it."""
        status = self.status
        if self.rotten or (status is not None and status.divergence is not None):
            self.former.append(self.fs.copy())

    def wipe(self, *, keep_identity: bool) -> None:
        """Put an empty disk in this one's place, or one with nothing but what a format writes."""
        paths = [join(directory, META_PROPERTIES) for directory in self.directories] if keep_identity else []
        paths += [join(self.log_path, snapshot_file_name(ORIGIN))] if keep_identity else []
        if self.harmed:
            self.former.append(self.fs)
            self.fs = self._sound
        kept = {path: content for path in paths if (content := self.durable_content(path)) is not None}
        self.former.append(self.fs)
        self.harmed, self.rotten, self.undone, self.condemned = [], [], [], False
        self.fs = NotingFileSystem(self.written_identities)
        for directory in self.directories:
            make_directory_durably(self.fs, directory)
        if any(path.startswith(self.log_path) for path in kept):
            make_directory_durably(self.fs, self.log_path)
        for path, content in kept.items():
            replace_file(self.fs, path, content)

    def lose_vote(self) -> None:
        """Remove quorum-state, for good, and keep the log beside it; no process runs."""
        directory = self.fs.directories[self.log_path]
        if directory.names.pop(QUORUM_STATE, None) is not None:
            directory.sync()
            self._elections = None

    @property
    def status(self) -> ReplicaStatus | None:
        """What a start would read of the replica's status; ``None`` when it could not."""
        directory = self.fs.directories.get(self.log_path)
        if directory is None or REPLICA_STATUS not in directory.names:
            return ReplicaStatus()
        path = join(self.log_path, REPLICA_STATUS)
        with contextlib.suppress(StorageError):
            return parse_replica_status(path, bytes(self.fs._inode(path).live))
        return None

    @property
    def counts(self) -> bool:
        """Whether a voter on this disk would be one whose vote counts."""
        directory = self.fs.directories.get(self.log_path)
        status = self.status
        holds_vote = directory is not None and QUORUM_STATE in directory.names
        return holds_vote and status is not None and status.is_eligible

    @property
    def abstains(self) -> bool:
        """Whether a voter on this disk was refused, so that it never says that it is empty."""
        status = self.status
        return status is not None and status.status in {VoterStatus.RECOVERING, VoterStatus.DUPLICATE_ID}

    @property
    def holds_records(self) -> bool:
        """Whether a log or a snapshot with anything in it would be found at the next start."""
        directory = self.fs.directories.get(self.log_path)
        names = [] if directory is None else list(directory.names)
        snapshots = [parse_snapshot_file_name(name) for name in names]
        segments = [name for name in names if segment_base_offset(name) is not None]
        return any(each is not None and each.offset > 0 for each in snapshots) or any(
            any(self.fs._inode(join(self.log_path, name)).live[:64]) for name in segments
        )

    def holds_identity(self, directory: str) -> bool:
        """Return whether a meta.properties would be found in a directory at the next start."""
        return META_PROPERTIES in self.fs.directories[directory].names

    # Questions about the platter.

    def possible_contents(self, path: str) -> list[bytes | None]:
        """Return what a file may surely be found to hold after a loss of power: one for each state of its name."""
        parent, _, name = path.rpartition("/")
        directory = self.fs.directories.get(parent)
        if directory is None:
            return [None]
        inodes = [state.get(name) for state in (directory.durable, *directory.pending)]
        return [None if inode is None else inode.durable for inode in inodes]

    def durable_content(self, path: str) -> bytes | None:
        """Return the one content that a file surely has after a loss of power, ``None`` when there is no such thing."""
        contents = self.possible_contents(path)
        return contents[0] if all(content == contents[0] for content in contents) else None

    def possible_elections(self) -> list[ElectionState]:
        """Return the votes that may be found after a loss of power; an empty file is a lost vote.

        The same list is returned for as long as nothing touches the disk; checkers ask after every turn.
        """
        stamp = (self.fs.operations, self.fs.generation, len(self.harmed))
        if self._elections is None or self._elections[0] is not self.fs or self._elections[1] != stamp:
            contents = self.possible_contents(join(self.log_path, QUORUM_STATE))
            self._elections = (self.fs, stamp, [_election(each) if each else NO_ELECTION for each in contents])
        return self._elections[2]

    def possible_meta_properties(self, directory: str) -> list[MetaProperties | None]:
        """Return the identities of a directory that may be found after a loss of power."""
        contents = self.possible_contents(join(directory, META_PROPERTIES))
        return [_identity(each) if each else None for each in contents]

    def holds(self, batch: bytes, base_offset: Offset, next_offset: Offset) -> bool:
        """Return whether a batch survives: in a segment, or in the effect of a snapshot.

        A loss of power may keep a batch and lose one before it; then the next start cuts off both. A batch that was
        written after one that the disk returns wrongly was durable all the same.
        """
        directory = self.fs.directories.get(self.log_path)
        names = [] if directory is None else list(directory.names)
        segment = None
        for name in names:
            base, snapshot_id = _represents(name)
            if base is not None and base <= base_offset:
                segment = name if segment is None or name > segment else segment
            if snapshot_id is not None and snapshot_id.offset >= next_offset and self._survives(name):
                return True
        content = self.durable_content(join(self.log_path, segment)) if segment else None
        at = -1 if content is None else content.find(batch)
        if segment is None or content is None or at < 0:
            return False
        return not self.lost_power or _reads(as_written(join(self.log_path, segment), content[:at], self._changes))

    def held(self, batch: bytes, base_offset: Offset, next_offset: Offset) -> bool:
        """Return whether a batch survived on a disk that was lost since."""
        present = self.fs
        try:
            for former in self.former:
                self.fs = former
                if self.holds(batch, base_offset, next_offset):
                    return True
        finally:
            self.fs = present
        return False

    def forgot(self, batch: bytes, base_offset: Offset, next_offset: Offset) -> bool:
        """Return whether it lost a batch whose write it had acknowledged, and nothing on the disk shows the loss.

        The recovery point would show it: everything below it was durable and committed. So would an unreadable one.
        """
        if self.holds(batch, base_offset, next_offset) or not any(_held_part(*one, batch) for one in self.undone):
            return False
        with self.looking():
            try:
                point = read_recovery_point(self.fs, join(self.directories[0], RECOVERY_POINT_CHECKPOINT))
            except UnusableRecoveryPointError:
                return False
        return point <= base_offset

    def _survives(self, name: str) -> bool:
        content = self.durable_content(join(self.log_path, name))
        return content is not None and bytes(self.fs._inode(join(self.log_path, name)).live) == content

    @contextmanager
    def looking(self) -> Iterator[None]:
        """Let a checker read through the node's own code without meeting the faults meant for the node."""
        fs = self.fs
        before, operations = fs.before, fs.operations
        fs.before = lambda _operation, _path: None
        try:
            yield
        finally:
            fs.before, fs.operations = before, operations


class SimulatedJob:
    """A job that goes on beside the node's turns; as much of a future as the lane uses."""

    def __init__(self, job: Callable[[], object], failed: Callable[[], None]) -> None:
        self._job: Callable[[], object] | None = job
        self._failed = failed
        self._finished = False
        self._result: object = None
        self._error: BaseException | None = None
        self._callbacks: list[Callable[[SimulatedJob], object]] = []

    def done(self) -> bool:
        return self._finished

    def result(self) -> object:
        if self._error is not None:
            raise self._error
        return self._result

    def add_done_callback(self, callback: Callable[[SimulatedJob], object], /) -> None:
        self._callbacks.append(callback)

    def run(self) -> None:
        """Touch the disk, once; the result is not reported yet."""
        job, self._job = self._job, None
        if job is None:
            return
        try:
            self._result = job()
        except Exception as error:  # noqa: BLE001 - passed to the waiting caller, as a future does
            self._error = error
            self._failed()

    def end(self) -> None:
        """Be heard of."""
        self.run()
        self._finished = True
        for callback in self._callbacks:
            callback(self)


class SimulatedLane(DiskExecutor):
    """Jobs run inline, or slowly: then the disk is touched and the job ends at times of the world.

    The first may come before or after what the node does meanwhile, as ``draw`` has it: what is written while a flush
    runs may be covered by it or not, and a death in between finds the job begun, half done, done or not.
    """

    def __init__(
        self,
        *,
        slow: bool,
        schedule: Callable[[int, Callable[[], None]], None],
        draw: Callable[[int], int],
        failed: Callable[[], None],
    ) -> None:
        super().__init__()
        self._failed = failed
        self._slow = slow
        self._schedule = schedule
        self._draw = draw

    def put(self, job, then, *, on_failed=None, cpu_bound=False) -> None:
        # A simulated processor is never busy.
        super().put(job, then, on_failed=on_failed)

    def _timed(self, job):
        return job()

    def _note(self, started: float) -> None:
        pass

    def _judge(self, queued) -> None:
        pass

    def _hand_over(self, job: Callable[[], object]) -> SimulatedJob:
        running = SimulatedJob(job, self._failed)
        begins, lasts = self._draw(2), self._draw(2)
        self._schedule(begins, running.run)
        self._schedule(begins + lasts, running.end)
        return running


def _reads(content: bytes) -> bool:
    """Return whether the beginning of a segment is whole batches and nothing else."""
    try:
        return all(batch.size for batch in iterate_batches(content))
    except MalformedError:
        return False
