"""Compare this node's state with its peers' while it runs, and fence the node when its state is wrong.

Digests of the state are computed outside the loop and passed to the replica, which compares them with its peers'
(``raft.digests``). When a majority agrees on another one, the node answers no more requests, decides nothing, writes
the divergence to its disk and stops; the next start finds out what was wrong (``node.divergence``). When a majority
agrees again after re-replication, it logs what had been wrong, and clears the divergence.
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
    """The digests of one node, and the reaction to a mismatch.

    Args:
        fs: the disk.
        driver: the node's; results reach the replica and the disk through it.
        on_diverged: called with the error: the node must answer no request and decide nothing.
        on_end: called with the reason why the node has to stop.
        on_failed: called with an unexpected error.
        is_stopping: returns whether the node is stopping.

    Attributes:
        digester: computes the digests.
        fenced: the error for which the node was fenced, if any.
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
        """A majority agrees with the re-replicated state: log what was wrong before, and clear the divergence."""
        if comparison.cancelled() or self._is_stopping():
            return
        try:
            text = comparison.result()
        except (StorageError, OSError) as error:
            text = f"what was wrong cannot be found out any more: {error}"
        except BaseException as error:  # noqa: BLE001 - a callback's exception would only be logged: it is passed on
            self._on_failed(error)
            return
        _log.error("state_agreed_again", reason=text)
        self._driver.lane.put(partial(self._driver.directory.status.write_divergence, None), lambda _: None)

    def diverged(self, event: StateDigestMismatch) -> None:
        """Fence this node: answer no requests, decide nothing, and stop; the next start finds out what was wrong."""
        if self.fenced is not None:
            return
        noted = self._driver.directory.status.value.divergence
        found = Divergence(event.own, event.agreed, is_refetched=noted is not None and noted.is_refetched)
        self.fenced = StateDivergedError(found, self.digester.image_of(event.own))
        self._on_diverged(self.fenced)
        _log.critical(
            "node_fenced",
            reason="the state of this node is not that of the majority: it is fenced, and stops",
            offset=event.own.end_offset,
            digest=event.own.value.hex(),
            majority=event.agreed.value.hex(),
            leader_digest=event.by,
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
            _log.error("divergence_not_stored", reason=str(error))
