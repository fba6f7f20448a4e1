"""What has been decided since the last ``Ready`` and is to become the next one.

The outbox keeps one ``Ready`` consistent: a cut after un-emitted appends first eats those appends and only then, if it
must, the disk's log; a role change takes back requests that have not left yet, since their answers would be ignored.

Source: etcd raft ``unstable`` (the idea of netting before writing).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kraftpy.model.invariant import invariant
from kraftpy.model.offsets import Epoch, Offset, OffsetAndEpoch
from kraftpy.model.replica_status import ReplicaStatus
from kraftpy.raft.ready import Download, Event, Message, Reply, Send


@dataclass(slots=True)
class PendingAppend:
    """A framed batch that the next ``Ready`` writes."""

    base_offset: Offset
    next_offset: Offset
    data: bytes


@dataclass(slots=True)
class Outbox:
    """The parts of the next ``Ready``, in its own order; see :mod:`kraftpy.raft.ready`.

    Attributes:
        election_changed: the role changed, so what is stored of it may have to be replaced.
        replica_status: the status that the next ``Ready`` stores; ``None`` when it did not change.
        proposed_bytes: how many proposed bytes are in the appends; released when they are flushed.
    """

    truncate_to: Offset | None = None
    downloads: list[Download] = field(default_factory=list)
    election_changed: bool = False
    replica_status: ReplicaStatus | None = None
    epoch_start: OffsetAndEpoch | None = None
    appends: list[PendingAppend] = field(default_factory=list)
    proposed_bytes: int = 0
    early: list[Message] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    high_watermark: Offset | None = None
    events: list[Event] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Return whether nothing is to be done."""
        return not (
            self.messages
            or self.appends
            or self.early
            or self.events
            or self.downloads
            or self.election_changed
            or self.high_watermark is not None
            or self.truncate_to is not None
            or self.epoch_start is not None
            or self.replica_status is not None
        )

    def cut(self, end_offset: Offset) -> None:
        """Net a truncation against the appends that have not left yet.

        Cuts fall on batch boundaries: two logs that share an epoch hold the same batches of it.
        """
        emitted_end = self.appends[0].base_offset if self.appends else None
        for append in self.appends:
            inside = append.base_offset < end_offset < append.next_offset
            invariant(not inside, "a log is cut between batches", end_offset, append.base_offset, append.next_offset)
        self.appends = [append for append in self.appends if append.next_offset <= end_offset]
        if emitted_end is None or end_offset < emitted_end:
            self.truncate_to = end_offset if self.truncate_to is None else min(self.truncate_to, end_offset)
        if self.epoch_start is not None and self.epoch_start.offset >= end_offset:
            self.epoch_start = None

    def take_before_epoch(self) -> Outbox | None:
        """Take what the log has to hold before our own epoch begins, if both would fall into one ``Ready``.

        A follower that takes over alone (its leader's removal made it the only voter) may have fetched batches since
        the last ``Ready``. The epoch's start is noted before any append, so they go first, in a ``Ready`` of their own.
        Everything that promises something waits for the second one.
        """
        start = self.epoch_start
        if start is None or not self.appends or self.appends[0].base_offset >= start.offset:
            return None
        appends = [append for append in self.appends if append.base_offset < start.offset]
        before = Outbox(truncate_to=self.truncate_to, downloads=self.downloads, appends=appends)
        self.truncate_to, self.downloads, self.appends = None, [], self.appends[len(appends) :]
        return before

    def record_epoch_start(self, epoch: Epoch, start_offset: Offset) -> None:
        """Store the first offset of an epoch that this replica leads; a follower's epochs are in its batches."""
        self.epoch_start = OffsetAndEpoch(epoch=epoch, offset=start_offset)

    def take_back_sends(self) -> None:
        """Drop requests that have not left: the role they were sent in is over."""
        self.messages = [message for message in self.messages if isinstance(message, Reply)]
        self.early = [message for message in self.early if isinstance(message, Reply)]

    def send(self, message: Send) -> None:
        """Queue a request behind the fsync line."""
        self.messages.append(message)

    def reply(self, message: Reply) -> None:
        """Queue an answer behind the fsync line."""
        self.messages.append(message)

    def reply_early(self, message: Reply) -> None:
        """Queue an answer that promises nothing about this disk but an epoch, which is stored before it leaves."""
        self.early.append(message)
