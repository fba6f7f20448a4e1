"""Promises rest on the platter: commits on a majority's, a voter's fetches on its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kraftpy.model.offsets import Offset
from kraftpy.raft.guards.duplicate_node_ids import registered_directory
from kraftpy.raft.messages import FetchRequest
from kraftpy.raft.ready import Role, Send
from kraftpy.raft.roles import Leader
from kraftpy.records.batch import Batch, split_batches
from kraftpy.runtime.recovered_state import voters_of
from tests.simulator.checkers.base import Checker

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode
    from tests.simulator.simulation import Simulation
    from tests.simulator.workload import Acknowledgement


class DurableChecker(Checker):
    """Looks at the disks as a loss of power would leave them."""

    name = "durable"

    def __init__(self, sim: Simulation) -> None:
        super().__init__(sim)
        self._fetched: dict[int, tuple[Offset, int]] = {}
        self._registered_duplicate: dict[int, SimulatedNode] = {}

    def check_majority(self, node: SimulatedNode, batch: Batch, why: str) -> None:
        """Require that a batch survives on a majority of the voters, running or not.

        A voter set counts from the offset where it is appended. What precedes it may have been committed by the
        previous set; and a node that learns of a commit may not have the set yet by which its leader counts. A turn
        may commit a set, the batch by it, and append the next one.
        """
        where = (batch.data, batch.base_offset, batch.next_offset)
        leaders = [each for each in self.sim.up() if each.running.replica.role is Role.LEADER]
        disks = [*self.sim.controllers(), *self._registered_duplicate.values()]
        holders = [each for each in disks if each.disk.holds(*where) or each.disk.held(*where)]
        holding = {each.replica_id for each in holders}
        sets = []
        for each in (node, *leaders):
            history = each.running.replica.state.voter_set_history
            sets.append(history.in_force)
            # The set that counted the batch, if the next one was appended later in the same turn.
            at_batch = history.at(batch.base_offset)
            sets += [] if at_batch is None else [at_batch]
            sets += [voters for offset, voters in history.entries if offset > batch.base_offset]
            if history.offset is not None and history.offset > batch.base_offset:
                sets.append(self.sim.voters.before(history.offset))
        if batch.is_control:
            # The next set may be appended in the turn that commits this one, which counts for its own record.
            sets += [voters for _, voters in voters_of(list(enumerate(batch.control_records(), batch.base_offset)))]
        sets = [voters for voters in sets if len(voters)]
        self.require(
            not sets or any(len(holding & set(voters.ids)) >= voters.majority for voters in sets),
            "what is committed is synced on a majority",
            f"[{batch.base_offset},{batch.next_offset}) is on {sorted(holding)} of",
            [list(voters.ids) for voters in sets],
            why,
        )
        self.sim.promises.committed_batch(batch, [each.id for each in holders])

    def after_turn(self, node: SimulatedNode) -> None:
        """Note whose directories a leader counts under another node's id: what it counted them for stays true."""
        state = node.running.replica.state
        if not self.sim.options.duplicate or not isinstance(state.role, Leader):
            return
        for duplicate in self.sim.up():
            key = duplicate.running.replica.state.key
            if (
                duplicate.duplicate_of is not None
                and registered_directory(state, state.role, duplicate.duplicate_of) == key.directory_id
            ):
                self._registered_duplicate[duplicate.id] = duplicate

    def on_start(self, node: SimulatedNode) -> None:
        self._fetched.pop(node.id, None)

    def on_send(self, node: SimulatedNode, message: Send) -> None:
        request = message.request
        if not isinstance(request, FetchRequest) or not node.is_controller or not node.is_up:
            return
        place = (request.fetch_offset, request.last_fetched_epoch)
        log = node.running.directory.log
        known = self._fetched.get(node.id) == place or request.fetch_offset <= log.start_offset
        if known or node.disk.rotten:
            return
        self._fetched[node.id] = place
        self.require(request.fetch_offset <= log.end_offset, "a fetch begins within the log", node.id, place)
        with node.disk.looking():
            batch = split_batches(log.read(request.fetch_offset - 1, 1, request.fetch_offset))[0]
        self.require(
            node.disk.holds(batch.data, batch.base_offset, batch.next_offset),
            "a fetch promises that all below it is synced",
            f"node {node.id} fetches from {place}",
        )

    def on_acknowledged(self, node: SimulatedNode, reported: Acknowledgement) -> None:
        log = node.running.directory.log
        if reported.offset < max(log.start_offset, self.sim.ledger.end) or node.disk.rotten:
            return
        self.require(
            reported.offset < log.end_offset, "what is acknowledged is in the log", node.id, reported, log.end_offset
        )
        with node.disk.looking():
            batch = split_batches(log.read(reported.offset, 1))[0]
        self.check_majority(node, batch, f"node {node.id} acknowledges {reported}")
