"""The voter set: each node acts by the last one of its log, committed ones follow each other by one voter at most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kraftpy.model.errors import StorageError
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Offset
from kraftpy.model.voters import ReplicaKey, VoterSet
from kraftpy.raft.ready import Event, SnapshotInstalled, Truncated
from kraftpy.records.batch import Batch
from kraftpy.runtime.recovered_state import voters_of
from tests.simulator.checkers.base import Checker

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode
    from tests.simulator.simulation import Simulation


class VotersChecker(Checker):
    """Reads the sets out of the logs, and out of what was committed.

    Attributes:
        committed: every set that was committed, with its offset, ascending.
    """

    name = "voters"

    def __init__(self, sim: Simulation) -> None:
        super().__init__(sim)
        self.committed: list[tuple[Offset, VoterSet]] = []
        self._seen: dict[NodeId, VoterSet] = {}
        self._due: set[NodeId] = set()
        self._reported: list[tuple[NodeId, ReplicaKey, bool]] = []

    def known_sets(self) -> list[VoterSet]:
        """Return all sets that a node may act by now; a set without voters is none."""
        sets = dict.fromkeys([self.sim.first_voters] if not self.committed else [self.committed[-1][1]])
        sets |= dict.fromkeys(node_set for node_id, node_set in sorted(self._seen.items()))
        sets |= dict.fromkeys(node.last_voters for node in self.sim.all_nodes() if not node.is_up)
        return [voters for voters in sets if len(voters)]

    def before(self, offset: Offset) -> VoterSet:
        """Return the last set that was committed below an offset."""
        return next((voters for at, voters in reversed(self.committed) if at < offset), self.sim.first_voters)

    # What nodes act by.

    def on_start(self, node: SimulatedNode) -> None:
        self._due.add(node.id)

    def on_event(self, node: SimulatedNode, event: Event) -> None:
        if isinstance(event, Truncated | SnapshotInstalled):
            self._due.add(node.id)

    def after_turn(self, node: SimulatedNode) -> None:
        voters = node.running.replica.voters
        if voters is not self._seen.get(node.id):
            self._seen[node.id] = voters
            self._due.add(node.id)
        driver = node.running.driver
        # What the replica decided is in the log once its disk has caught up.
        if node.id in self._due and driver.lane.idle and not driver._waiting and not node.running.replica.has_ready():
            self._due.discard(node.id)
            self._check(node)

    def _check(self, node: SimulatedNode) -> None:
        if not self.sim.options.dynamic:
            return
        log, snapshots = node.running.directory.log, node.running.directory.snapshots
        latest = snapshots.latest
        with node.disk.looking():
            try:
                found = [] if latest is None else [(-1, record) for record in snapshots.control_records(latest)]
                for batch in log.control_batches(log.start_offset):
                    found += enumerate(batch.control_records(), batch.base_offset)
            except StorageError:
                if node.disk.rotten:
                    return
                raise
        sets = voters_of(found)
        stored = sets[-1][1] if sets else None
        self.require(
            stored is None or stored == node.running.replica.voters,
            "a node acts by the last voter set of its log",
            f"node {node.id} acts by {node.running.replica.voters}, its log says {stored}",
        )

    # What was committed.

    def committed_batch(self, batch: Batch) -> None:
        """Hear of a batch that is committed from now on."""
        if not batch.is_control:
            return
        for offset, voters in voters_of(list(enumerate(batch.control_records(), batch.base_offset))):
            before = self.committed[-1][1] if self.committed else self.sim.first_voters
            old, new = ({voter.key for voter in each} for each in (before, voters))
            self.require(
                len(old - new) <= 1 and len(new - old) <= 1 and len(old ^ new) <= 1,
                "a voter set follows another by one voter",
                f"{before} at first, {voters} at {offset}",
            )
            self.committed.append((offset, voters))

    def on_voters_changed(self, node: SimulatedNode, key: ReplicaKey, *, is_voter: bool) -> None:
        self._reported.append((node.id, key, is_voter))

    def at_end(self) -> None:
        for node in self.sim.up():
            self._check(node)
        sets = [self.sim.first_voters, *(voters for _, voters in self.committed)]
        for node_id, key, is_voter in self._reported:
            done = any((key in {voter.key for voter in voters}) == is_voter for voters in sets)
            self.require(done, "a change that is called done is committed", node_id, key, is_voter)
