"""Operators: they change the voter set, transfer the leadership, make snapshots, and replace broken disks."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

from kraftpy.model.errors import ErrorCode, LocalError, NotLeaderError
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.messages import (
    AddRaftVoterRequest,
    AddRaftVoterResponse,
    RaftResponse,
    RemoveRaftVoterRequest,
    RemoveRaftVoterResponse,
)

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode
    from tests.simulator.simulation import Simulation

CHANGE_TIMEOUT_MS = 2_000
PORT = 9_093


class Operator:
    """The operator of the cluster, who acts at the worst of moments."""

    def __init__(self, sim: Simulation) -> None:
        self._sim = sim

    # ---------------------------------------------------------------- the voter set

    def change_voters(self, rng: random.Random) -> None:
        """Ask for a voter more, or less, or let one come back at another port; mostly the leader is asked."""
        leader = self._sim.leader()
        asked = leader if leader is not None and rng.random() < 0.9 else rng.choice(self._sim.controllers())
        if not asked.is_up:
            return
        node = rng.choice(self._sim.controllers())
        kind = rng.choice(("move", "change", "change", "change"))
        if kind == "move":
            self._move(node, rng)
        elif asked.running.replica.voters.by_id(node.id) is not None:
            self._remove(asked, node, rng)
        else:
            self._add(asked, node, rng)

    def _move(self, node: SimulatedNode, rng: random.Random) -> None:
        """Restart a controller that listens elsewhere from then on; it says so to the leader by itself."""
        (endpoint,) = node.config.own_endpoints
        self._sim.world.fault(str(node.id), "voter moved")
        node.config = replace(node.config, own_endpoints=(replace(endpoint, port=PORT + rng.randrange(1, 1_000)),))
        node.die(powered_off=rng.random() < 0.5)

    def _add(self, asked: SimulatedNode, node: SimulatedNode, rng: random.Random) -> None:
        key = node.key
        if key is None:
            return
        request = AddRaftVoterRequest(
            cluster_id=asked.running.replica.cluster_id,
            voter=key,
            endpoints=node.config.own_endpoints,
            timeout_ms=CHANGE_TIMEOUT_MS,
            ack_when_committed=rng.random() < 0.8,
        )
        self._sim.world.fault(str(asked.id), "voter added", str(node.id))

        def heard(response: RaftResponse) -> None:
            assert isinstance(response, AddRaftVoterResponse)
            if response.error is ErrorCode.NONE and request.ack_when_committed:
                self._sim.checkers.on_voters_changed(asked, key, is_voter=True)

        self._sim.network.ask(asked, request, heard)

    def _remove(self, asked: SimulatedNode, node: SimulatedNode, rng: random.Random) -> None:
        voter = asked.running.replica.voters.by_id(node.id)
        assert voter is not None
        key = voter.key
        if rng.random() < 0.05:
            key = ReplicaKey(key.node_id, rng.randbytes(16))
        request = RemoveRaftVoterRequest(cluster_id=asked.running.replica.cluster_id, voter=key)
        self._sim.world.fault(str(asked.id), "voter removed", str(node.id))

        def heard(response: RaftResponse) -> None:
            assert isinstance(response, RemoveRaftVoterResponse)
            if response.error is ErrorCode.NONE:
                self._sim.checkers.on_voters_changed(asked, key, is_voter=False)

        self._sim.network.ask(asked, request, heard)

    def transfer(self, rng: random.Random) -> None:
        """Ask the leader to hand over to any controller."""
        leader = self._sim.leader()
        if leader is None:
            return
        successor = rng.choice(self._sim.controllers()).replica_id
        self._sim.world.fault(str(leader.id), "transfer", f"to {successor}")
        replica = leader.running.replica

        def begin(now_ms: int) -> None:
            try:
                replica.begin_transfer(now_ms, replica.epoch, successor)
            except (LocalError, NotLeaderError) as error:
                self._sim.world.note(str(leader.id), "refused", str(error))

        leader.running.driver.inbox.put_nowait(begin)
        leader.schedule_turn(0)

    # ---------------------------------------------------------------- disks

    def snapshot(self, rng: random.Random) -> None:
        """Let a node make a snapshot now."""
        node = rng.choice(self._sim.all_nodes())
        if node.is_up:
            self._sim.world.fault(str(node.id), "snapshot at once")
            node.beside_turns(0, node.running.snapshotter.begin_at_once)

    def replace_disk(self, node: SimulatedNode) -> None:
        """Follow the error text of a node that cannot start: move the log away, let it fetch everything again."""
        self._sim.world.note(str(node.id), "operator", "moves the log away")
        node.replace_disk()
