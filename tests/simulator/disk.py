"""A node's disk, and what of it would survive if the power went now.

The file system is the one of the storage tests. This file adds what the checkers ask (is this batch, this vote, this
cluster id on the *platter*, not merely in the page cache) and the flush that takes its time: while it lasts the node
takes turns, and a crash loses what it was to save.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from kraftpy.model.election import ElectionState
from kraftpy.model.offsets import Offset
from kraftpy.records.quorum_state import parse_quorum_state
from kraftpy.records.snapshot import parse_snapshot_file_name
from kraftpy.runtime.syncer import Syncer
from kraftpy.storage.filesystem import join
from kraftpy.storage.meta_properties import MetaProperties, parse_meta_properties
from kraftpy.storage.names import META_PROPERTIES, METADATA_DIRECTORY, QUORUM_STATE, segment_base_offset
from tests.fakes.filesystem import SimulatedFileSystem


class SimulatedDisk:
    """One node's directories.

    Attributes:
        directories: the log directories; the first one holds the metadata log.
        faulty: whether a fault was injected that may stop the node.
    """

    def __init__(self, node_id: int, log_dirs: int) -> None:
        self.fs = SimulatedFileSystem()
        self.directories = tuple(f"/node{node_id}/d{number}" for number in range(log_dirs))
        self.log_path = join(self.directories[0], METADATA_DIRECTORY)
        self.faulty = False
        for directory in self.directories:
            self.fs.make_directory(directory)

    # Faults.

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

    def lose_process(self) -> None:
        """Keep everything written, durable or not."""
        self.fs.kill()

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
        """Return the votes that may be found after a loss of power; an empty file is a lost vote."""
        contents = self.possible_contents(join(self.log_path, QUORUM_STATE))
        return [parse_quorum_state(each.decode()) if each else ElectionState() for each in contents]

    def possible_meta_properties(self, directory: str) -> list[MetaProperties | None]:
        """Return the identities of a directory that may be found after a loss of power."""
        contents = self.possible_contents(join(directory, META_PROPERTIES))
        return [parse_meta_properties(each.decode()) if each else None for each in contents]

    def holds(self, batch: bytes, base_offset: Offset, next_offset: Offset) -> bool:
        """Say whether a batch survives: in a segment, or in the effect of a snapshot."""
        directory = self.fs.directories.get(self.log_path)
        names = [] if directory is None else list(directory.names)
        segment = None
        for name in names:
            base = segment_base_offset(name)
            if base is not None and base <= base_offset:
                segment = name if segment is None or name > segment else segment
            snapshot_id = parse_snapshot_file_name(name)
            if snapshot_id is not None and snapshot_id.offset >= next_offset and self._survives(name):
                return True
        content = self.durable_content(join(self.log_path, segment)) if segment else None
        return content is not None and batch in content

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


class SimulatedFlush:
    """A flush that goes on beside the node's turns; as much of a future as the driver uses."""

    def __init__(self) -> None:
        self._done = False
        self._error: BaseException | None = None
        self._callbacks: list[Callable[[SimulatedFlush], None]] = []

    def done(self) -> bool:
        return self._done

    def result(self) -> None:
        if self._error is not None:
            raise self._error

    def add_done_callback(self, callback: Callable[[SimulatedFlush], None]) -> None:
        self._callbacks.append(callback)

    def finish(self, error: BaseException | None) -> None:
        self._done, self._error = True, error
        for callback in self._callbacks:
            callback(self)


class SimulatedSyncer(Syncer):
    """Flushes inline, or slowly: then ``schedule`` calls ``complete`` when the time has come."""

    def __init__(self, sync: Callable[[], None], *, slow: bool, schedule: Callable[[Callable[[], None]], None]) -> None:
        super().__init__(sync)
        self._slow = slow
        self._schedule = schedule

    @property
    def inline(self) -> bool:
        return not self._slow

    def run_inline(self) -> None:
        self._sync()

    def start(self) -> SimulatedFlush:  # type: ignore[override]
        flush = SimulatedFlush()
        self._schedule(lambda: self._complete(flush))
        return flush

    def _complete(self, flush: SimulatedFlush) -> None:
        try:
            self._sync()
        except Exception as error:  # noqa: BLE001 - handed to whoever waits, as a future does
            flush.finish(error)
        else:
            flush.finish(None)

    def finished(self) -> None:
        pass

    def close(self) -> None:
        pass
