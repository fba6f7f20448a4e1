"""Comparing this node's state with that of the others while it runs, and fencing it when it is the wrong one.

Digests of the state are made beside the loop and given to the replica, which compares them with its peers'
(``raft.digests``). Told that a majority agrees on another one, the node answers nobody any more, decides nothing,
writes the divergence to its disk and ends; the next start finds out what was wrong (``node.divergence``). Told that a
majority agrees again after everything was fetched anew, it logs what had been wrong, and forgets the divergence.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import structlog

from kraftpy.model.digests import StateDigest
from kraftpy.model.errors import StorageError
from kraftpy.model.replica_status import Divergence
from kraftpy.node.divergence import StateDivergedError, what_was_wrong
from kraftpy.raft.ready import StateDigestMismatch
from kraftpy.runtime.driver import Driver
from kraftpy.runtime.state_digest_worker import StateDigestWorker
from kraftpy.storage.filesystem import FileSystem
from kraftpy.storage.replica_status import ReplicaStatusFile

_log = structlog.get_logger("kraftpy.node")


class StateGuard:
    """The digests of one node, and what follows from them.

    Args:
        fs: the disk.
        driver: the node's; what is found reaches the replica, and the disk, through it.
        on_diverged: called with what was found: the node must answer no request and decide nothing.
        on_end: called with the reason why the node has to end.
        on_failed: called with an unexpected error.
        is_stopping: says whether the node ends.

    Attributes:
        digester: makes the digests.
        fenced: what was found to be wrong, if something was.
    """

    def __init__(
        self,
        fs: FileSystem,
        driver: Driver,
        *,
        on_diverged: Callable[[StateDivergedError], None],
        on_end: Callable[[Exception], None],
        on_failed: Callable[[BaseException], None],
        is_stopping: Callable[[], bool],
    ) -> None:
        self._fs = fs
        self._driver = driver
        self._on_diverged = on_diverged
        self._on_end = on_end
        self._on_failed = on_failed
        self._is_stopping = is_stopping
        self._comparison: asyncio.Future[str] | None = None
        self.digester = StateDigestWorker(on_digest=self._digested, on_failed=on_failed)
        self.fenced: StateDivergedError | None = None

    def _digested(self, digest: StateDigest) -> None:
        replica = self._driver.replica
        self._driver.inbox.put_unbounded(lambda now_ms: replica.record_state_digest(now_ms, digest))

    def agreed(self, digest: StateDigest) -> None:
        """Take it that a majority has this node's state."""
        self.digester.agreed(digest)
        noted = self._driver.directory.status.value.divergence
        if noted is not None and noted.is_refetched and self._comparison is None:
            fs, path = self._fs, self._driver.directory.path
            self._comparison = asyncio.get_running_loop().run_in_executor(None, what_was_wrong, fs, path)
            self._comparison.add_done_callback(self._compared)

    def _compared(self, comparison: asyncio.Future[str]) -> None:
        """A majority agrees with what was fetched anew: say what was wrong before, and forget it."""
        if comparison.cancelled() or self._is_stopping():
            return
        try:
            text = comparison.result()
        except (StorageError, OSError) as error:
            text = f"what was wrong cannot be found out any more: {error}"
        except BaseException as error:  # noqa: BLE001 - a callback's exception would only be logged: it is passed on
            self._on_failed(error)
            return
        _log.error("a majority has the same state again", what_was_wrong=text)
        self._driver.lane.put(partial(self._driver.directory.status.write_divergence, None), lambda _: None)

    def diverged(self, event: StateDigestMismatch) -> None:
        """Fence this node: answer nobody any more, decide nothing, and end; the next start finds out what was wrong."""
        if self.fenced is not None:
            return
        noted = self._driver.directory.status.value.divergence
        found = Divergence(event.own, event.agreed, is_refetched=noted is not None and noted.is_refetched)
        self.fenced = StateDivergedError(found, self.digester.image_of(event.own))
        self._on_diverged(self.fenced)
        _log.critical(
            "this node's state is not that of the majority: it is fenced, and ends",
            offset=event.own.end_offset,
            digest=event.own.value.hex(),
            majority=event.agreed.value.hex(),
            said_by_leader=event.by,
        )
        self._on_end(self.fenced)

    def note_for_next_start(self) -> None:
        """Let the next start find out what was wrong, if the node was fenced; the directory must be closed."""
        if self.fenced is None:
            return
        try:
            # Read again: what a failed write left on the disk may be more than this process knows.
            ReplicaStatusFile.read(self._fs, self._driver.directory.path).write_divergence(self.fenced.found)
        except StorageError as error:
            _log.error("the next start will not know that this node's state had diverged", reason=str(error))
