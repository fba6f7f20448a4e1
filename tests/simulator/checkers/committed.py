"""Committed data neither disappears nor changes: every node shows the same bytes below its high watermark, for ever.

The ledger holds every batch that any node ever called committed. Each node's log is compared with it as the node's high
watermark moves, from the start of its log after every restart. A new leader must hold all that was committed under
earlier epochs.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kraftpy.model.errors import CorruptLogError, MalformedError
from kraftpy.model.offsets import Epoch, Offset
from kraftpy.raft.ready import Elected, Event
from kraftpy.records.batch import Batch, split_batches
from tests.simulator.checkers.base import BeyondKnowing, Checker

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode
    from tests.simulator.simulation import Simulation

READ_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Entry:
    """A committed batch.

    Attributes:
        seen_in: the epoch in which it was first seen to be committed.
    """

    batch: Batch
    seen_in: Epoch


class Ledger:
    """All that was ever committed, in order."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.bases: list[Offset] = []

    @property
    def end(self) -> Offset:
        return self.entries[-1].batch.next_offset if self.entries else 0

    def at(self, offset: Offset) -> Entry | None:
        """Return the batch that holds an offset."""
        index = bisect_right(self.bases, offset) - 1
        return self.entries[index] if index >= 0 and offset < self.entries[index].batch.next_offset else None

    def same_state(self, offset: Offset, other: Offset) -> bool:
        """Return whether only the quorum's own records lie between an offset and another one."""
        return all(batch.is_control for batch in self.between(offset + 1, other + 1))

    def between(self, start: Offset, end: Offset) -> list[Batch]:
        """Return the batches from one boundary to another."""
        first = bisect_right(self.bases, start) - 1 if start else 0
        return [each.batch for each in self.entries[max(0, first) :] if start <= each.batch.base_offset < end]


class CommittedChecker(Checker):
    """Keeps the ledger, and compares."""

    name = "committed"

    def __init__(self, sim: Simulation) -> None:
        super().__init__(sim)
        self.ledger = Ledger()
        self._checked: dict[int, Offset] = {}

    def on_start(self, node: SimulatedNode) -> None:
        self._checked[node.id] = 0

    def after_turn(self, node: SimulatedNode) -> None:
        high_watermark = node.running.replica.high_watermark
        if high_watermark is None or high_watermark <= self._checked[node.id]:
            return
        log = node.running.directory.log
        start = max(self._checked[node.id], log.start_offset)
        self.require(start <= self.ledger.end, "a log starts within what is committed", node.id, start, self.ledger.end)
        # A slow disk takes what is committed some turns after it was heard of, with the news that it is.
        on_its_way = not node.running.driver.lane.idle
        self.require(
            on_its_way or high_watermark <= log.end_offset, "what is committed is in the log", node.id, high_watermark
        )
        high_watermark = min(high_watermark, log.end_offset)
        with node.disk.looking():
            try:
                while start < high_watermark:
                    data = log.read(start, READ_BYTES, high_watermark)
                    self.require(bool(data), "what is committed can be read", node.id, start, high_watermark)
                    for batch in split_batches(data):
                        self._compare(node, batch)
                        start = batch.next_offset
            except (MalformedError, CorruptLogError) as error:
                # Corrupted since the start: a reader gets an error, and the others have the record.
                self.require(bool(node.disk.rotten), "what is committed can be read", node.id, start, error)
                return
        self._checked[node.id] = high_watermark

    def _compare(self, node: SimulatedNode, batch: Batch) -> None:
        if batch.base_offset == self.ledger.end:
            self.ledger.bases.append(batch.base_offset)
            self.ledger.entries.append(Entry(batch, node.running.replica.epoch))
            self.sim.world.note(str(node.id), "committed", f"[{batch.base_offset},{batch.next_offset}) @{batch.epoch}")
            self.sim.durable.check_majority(node, batch, f"node {node.id} calls it committed")
            self.sim.voters.committed_batch(batch)
            return
        known = self.ledger.at(batch.base_offset)
        same = known is not None and known.batch.data == batch.data
        self.require(
            same,
            "what was committed never changes",
            f"node {node.id} has [{batch.base_offset},{batch.next_offset}) of epoch {batch.epoch},",
            "known is",
            None if known is None else f"[{known.batch.base_offset},{known.batch.next_offset}) of {known.batch.epoch}",
        )

    def on_event(self, node: SimulatedNode, event: Event) -> None:
        if not isinstance(event, Elected):
            return
        older = [entry for entry in self.ledger.entries if entry.seen_in < event.epoch]
        if not older:
            return
        last, log = older[-1].batch, node.running.directory.log
        complete = event.epoch_start_offset >= last.next_offset
        if complete and last.base_offset >= log.start_offset and not node.disk.rotten:
            with node.disk.looking():
                complete = log.read(last.base_offset, 1).startswith(last.data)
        lost = self.ledger.at(event.epoch_start_offset)
        if lost is not None and not complete and self.sim.promises.no_node_can_know(event.granted_by, lost.batch):
            raise BeyondKnowing(
                f"the end of the log from offset {lost.batch.base_offset} on, acknowledged by the disks and taken "
                f"back, by all of the voters {list(event.granted_by)} that had it"
            )
        self.require(complete, "a leader has all that was committed before", node.id, event, last.base_offset)

    def at_end(self) -> None:
        for node in self.sim.up():
            reached = node.running.replica.high_watermark or 0
            self.require(
                reached >= self.ledger.end, "what was committed never disappears", node.id, reached, self.ledger.end
            )
