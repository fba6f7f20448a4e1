"""Clusters that the driver of a local master audits itself until Spark has started.

Starting the JVM takes some seconds, most of them on one core. Meanwhile a thread of the driver does what a task would
do (``cluster_tasks``), a piece of at most ``DRIVER_PIECE_BYTES`` of clusters after another. It finishes the piece that
it works on when Spark has started; Spark's tasks get the rest, unless that is no more than another piece: the start of
Spark's Python workers takes as long. Answers do not depend on where a cluster was audited.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Final, Self

from kraftpy.audit.engines.cluster_groups import weight
from kraftpy.audit.engines.cluster_tasks import ClusterTask, Part
from kraftpy.audit.engines.work_done import Amount, amount_of_files
from kraftpy.audit.reading.discovery import KraftFile
from kraftpy.audit.spark import JobError

DRIVER_PIECE_BYTES: Final = 96 * 1024 * 1024
"""The clusters of a piece have files of up to this many bytes; see ``cluster_groups.weight``. That is some two seconds
of work, a fourth of it for the rules' queries, which cost the same for each piece."""

PIECES_MAX: Final = 4
"""No more pieces are made: Spark starts in the time that two or three take."""

_LACKING: Final = (OSError, MemoryError, ImportError)
"""What the machine lacks; see ``spark.what_a_worker_lacks`` for tasks."""


class _GivenUpError(Exception):
    """The piece is not wanted any more: Spark did not start, or the audit was interrupted."""


class DriverShare:
    """Works on pieces in a thread, from entering this until :meth:`end` or until no piece is left.

    Leaving it waits for the thread, and gives up its piece if an exception is the reason.

    Attributes:
        parts: what was found in the pieces that are done.
        done: how much was in them.
    """

    def __init__(self, task: ClusterTask, pieces: Sequence[Sequence[KraftFile]]) -> None:
        self._task = task
        self._pieces = list(pieces)
        self._taking = threading.Lock()
        self._is_given_up = False
        self._failure: BaseException | None = None
        # ``Thread.join`` that a signal interrupts takes a thread for ended that still runs (CPython 3.11).
        self._has_ended = threading.Event()
        self.parts: list[Part] = []
        self.done: Amount = (0, 0)

    def __enter__(self) -> Self:
        threading.Thread(target=self._work, name="clusters of the driver").start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        try:
            if error is not None:
                self._is_given_up, self._pieces = True, []
            self._has_ended.wait()
        except BaseException:  # a signal
            self._is_given_up, self._pieces = True, []
            self._has_ended.wait()
            raise
        if error is None:
            self._check()

    def end(self, keep_bytes: int = 0) -> list[KraftFile]:
        """Take no further piece; return the files of those that were not taken.

        Args:
            keep_bytes: pieces that have up to this many bytes together are kept, and none is returned.

        Raises:
            JobError: the work on a piece has failed; an error of our own code is raised as it is.
        """
        with self._taking:
            left = [file for piece in self._pieces for file in piece]
            if sum(map(weight, left)) <= keep_bytes:
                left = []
            else:
                self._pieces = []
        self._check()
        return left

    def _check(self) -> None:
        if isinstance(self._failure, _LACKING):
            raise JobError(f"auditing clusters in the driver failed: {self._failure}") from self._failure
        if self._failure is not None:
            raise self._failure

    def _work(self) -> None:
        try:
            while piece := self._taken():
                self.parts += list(self._task.parts(piece, self._go_on))
                size, count = amount_of_files(piece)
                self.done = self.done[0] + size, self.done[1] + count
        except _GivenUpError:
            return
        except BaseException as failure:  # noqa: BLE001 - it is raised in the thread that waits for this one
            self._failure = failure
        finally:
            self._has_ended.set()

    def _taken(self) -> Sequence[KraftFile]:
        with self._taking:
            return self._pieces.pop(0) if self._pieces else ()

    def _go_on(self, what: str, done: int, total: int, files: int = 0, of_files: int = 0) -> None:
        """Take how far the work on a piece has come: a moment at which it can be given up."""
        del what, done, total, files, of_files
        if self._is_given_up:
            raise _GivenUpError


def pieces_of(files: Sequence[KraftFile]) -> tuple[list[list[KraftFile]], list[KraftFile]]:
    """Return the files of whole clusters for the driver, in pieces, and all others.

    A cluster goes to the first piece with room for it, the heaviest first.
    """
    by_cluster: dict[str, list[KraftFile]] = {}
    for file in files:
        by_cluster.setdefault(file.cluster, []).append(file)
    weights = {cluster: sum(map(weight, own)) for cluster, own in by_cluster.items()}
    pieces: list[list[KraftFile]] = [[] for _ in range(PIECES_MAX)]
    room = [DRIVER_PIECE_BYTES] * PIECES_MAX
    others: list[KraftFile] = []
    for cluster in sorted(by_cluster, key=lambda each: (-weights[each], each)):
        number = next((number for number, left in enumerate(room) if weights[cluster] <= left), None)
        if number is None:
            others += by_cluster[cluster]
        else:
            room[number] -= weights[cluster]
            pieces[number] += by_cluster[cluster]
    return [piece for piece in pieces if piece], others
