"""The image is the log: every node's state = replay from empty = replay from any of its snapshots."""

from __future__ import annotations

from kraftpy.image import EMPTY, MetadataImage, MetadataLoader, snapshot_groups
from kraftpy.model.errors import CorruptLogError
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.records.batch import Batch
from kraftpy.storage.snapshots import SnapshotStore
from tests.simulator.checkers.base import Checker


class ReplayChecker(Checker):
    """Replays the ledger at the end, in several ways."""

    name = "replay"

    def at_end(self) -> None:
        whole = self._content(self._replayed(MetadataLoader(EMPTY), 0, self.sim.ledger.end))
        known: dict[OffsetAndEpoch, list[list[bytes]]] = {}
        for node in self.sim.up():
            image = node.running.state_machine.image
            self.require(self._content(image) == whole, "a node's image is the replay of the log", node.id)
            store = node.running.directory.snapshots
            with node.disk.looking():
                for snapshot_id in store.replicable:
                    try:
                        known[snapshot_id] = self._check_snapshot(store, snapshot_id, known.get(snapshot_id), whole)
                    except CorruptLogError:
                        # An older snapshot's corruption is met when it is read.
                        if not node.disk.harmed:
                            raise

    def _replayed(self, loader: MetadataLoader, start: int, end: int) -> MetadataImage:
        batches: list[Batch] = self.sim.ledger.between(start, end)
        loader.load_batches(batches)
        return loader.image

    def _content(self, image: MetadataImage) -> list[list[bytes]]:
        return [list(group) for group in snapshot_groups(image)]

    def _check_snapshot(
        self,
        store: SnapshotStore,
        snapshot_id: OffsetAndEpoch,
        known: list[list[bytes]] | None,
        whole: list[list[bytes]],
    ) -> list[list[bytes]]:
        end = self.sim.ledger.end
        self.require(snapshot_id.offset <= end, "a snapshot holds only what is committed", snapshot_id, end)
        loader = MetadataLoader(EMPTY)
        loader.load_snapshot(snapshot_id, store.batches(snapshot_id), 0)
        prefix = known or self._content(self._replayed(MetadataLoader(EMPTY), 0, snapshot_id.offset))
        # One that a wrong memory wrote may be used when the log behind it has put that right.
        may_differ = any(node.memory_harmed for node in self.sim.all_nodes())
        same = self._content(loader.image) == prefix
        self.require(same or may_differ, "a snapshot is the replay of what it holds", snapshot_id)
        if (known is None or not same) and snapshot_id.offset < end:
            self.require(
                self._content(self._replayed(loader, snapshot_id.offset, end)) == whole,
                "the log replayed on a snapshot leads to the same image",
                snapshot_id,
            )
        return prefix
