"""Fetches that wait at the leader, as data.

A valid fetch is not answered where it is handled but when the next ``Ready`` is built: only then is it known which
whole batches are in the log, and one answer carries everything proposed since. Until something is due nothing is
scanned.

Source: KIP-595 §Fetch (long polling); KIP-1166 (a rising high watermark answers too); Kafka ``FetchPurgatory``.
"""

from __future__ import annotations

from dataclasses import dataclass

from kraftpy.raft.config import PENDING_FETCHES_MAX
from kraftpy.raft.messages import FetchRequest


@dataclass(frozen=True, slots=True)
class PendingFetch:
    """One fetch and when it must be answered, with records or without."""

    token: int
    request: FetchRequest
    deadline_ms: int


class FetchPurgatory:
    """Waiting fetches by token, in the order in which they came; at most PENDING_FETCHES_MAX wait.

    Attributes:
        due: something happened that may answer one of them.
        next_deadline_ms: not later than the earliest deadline; ``None`` when nothing waits, or when it has come and
            the next ``Ready`` looks at all of them anyway.
    """

    __slots__ = ("_fetches", "due", "next_deadline_ms")

    def __init__(self) -> None:
        self._fetches: dict[int, PendingFetch] = {}
        self.due = False
        self.next_deadline_ms: int | None = None

    def __len__(self) -> int:
        return len(self._fetches)

    def park(self, token: int, request: FetchRequest, now_ms: int, wait_ms: int) -> None:
        """Let a fetch wait for so long (ms) at most; one too many is given no time to."""
        if len(self._fetches) >= PENDING_FETCHES_MAX:
            wait_ms = 0
        fetch = PendingFetch(token, request, now_ms + wait_ms)
        self._fetches[token] = fetch
        if self.next_deadline_ms is None or fetch.deadline_ms < self.next_deadline_ms:
            self.next_deadline_ms = fetch.deadline_ms
        if wait_ms == 0:
            self.due = True

    def forget(self, token: int) -> None:
        """Drop a fetch whose sender is gone."""
        self._fetches.pop(token, None)

    def wake(self) -> None:
        """Have all waiting fetches looked at when the next ``Ready`` is built."""
        self.due = bool(self._fetches)

    def wake_expired(self, now_ms: int) -> None:
        """Do as :meth:`wake`, if a deadline has come."""
        if self.next_deadline_ms is not None and self.next_deadline_ms <= now_ms:
            # A deadline that stayed while a slow flush holds up the next Ready would have the driver spin.
            self.next_deadline_ms = None
            self.due = bool(self._fetches)

    def take_all(self) -> list[PendingFetch]:
        """Hand out every waiting fetch; what must wait on is put back with :meth:`keep`."""
        fetches = list(self._fetches.values())
        self._fetches = {}
        self.due = False
        self.next_deadline_ms = None
        return fetches

    def keep(self, fetches: list[PendingFetch]) -> None:
        """Let these wait on, with the deadlines they had."""
        self._fetches = {fetch.token: fetch for fetch in fetches}
        self.next_deadline_ms = min((fetch.deadline_ms for fetch in fetches), default=None)
