"""Strangers: processes that reach a port. They send in a voter's name, and request more than a node can do.

In the clusters with identities every connection shows a certificate, and what a stranger sends in another node's name
changes nothing, however plausible it is. In the others a stranger is believed, so it claims there what no elections
can have led to (see :mod:`kraftpy.raft.epoch_limit`).
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from kraftpy.model.digests import StateDigest
from kraftpy.model.identity import ANONYMOUS, Principal, principal_of
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.messages import (
    AddRaftVoterRequest,
    BeginQuorumEpochRequest,
    DescribeQuorumRequest,
    EndQuorumEpochRequest,
    FetchRequest,
    RaftRequest,
    RemoveRaftVoterRequest,
    UpdateRaftVoterRequest,
    VoteRequest,
)
from kraftpy.raft.replica import Replica
from kraftpy.transport.kafka.identity import PeerIdentity
from tests.fakes.raft_cluster import endpoint_of

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode
    from tests.simulator.simulation import Simulation

FORGED_EPOCH = 2**30
"""What strangers claim: more epochs than a quorum has in years."""

NO_ONE = 9_999
"""A node id that no node has."""

WRONG_DIGEST = b"\x01" * 16


def principal_of_node(node: SimulatedNode) -> Principal:
    """Return whom a node's certificate names."""
    role = "controller" if node.is_controller else "broker"
    return principal_of(f"CN=node {node.id}", [f"kraft:///{role}/{node.replica_id}"])


def operator() -> Principal:
    """Return whom an operator's certificate names: no node."""
    return principal_of("CN=operator", [])


def forge(sim: Simulation, rng: random.Random) -> None:
    """Send a node a request under a voter's name."""
    asked, named = rng.choice(sim.all_nodes()), rng.choice(sim.controllers())
    if not asked.is_up or named.key is None:
        return
    epoch = rng.choice((FORGED_EPOCH, 2 * FORGED_EPOCH - 2, 2 * FORGED_EPOCH - 1))
    cluster_id = rng.choice((None, asked.running.replica.cluster_id))
    last = OffsetAndEpoch(epoch=epoch - 1, offset=FORGED_EPOCH)
    request: RaftRequest = rng.choice(
        (
            VoteRequest(cluster_id=cluster_id, voter=None, candidate=named.key, epoch=epoch, last=last),
            BeginQuorumEpochRequest(cluster_id=cluster_id, voter=None, leader_id=named.replica_id, epoch=epoch),
            EndQuorumEpochRequest(cluster_id=cluster_id, leader_id=named.replica_id, epoch=epoch),
        )
    )
    if sim.options.identity:
        request = _plausible(asked, named.key, cluster_id, rng)
    sim.world.fault(str(asked.id), "forged request", type(request).__name__)
    sim.network.forge(asked, request, _stranger(named.key, rng))


def _stranger(named: ReplicaKey, rng: random.Random) -> Principal:
    """Draw a peer that is not the node: without a certificate, another node, or one whose certificate is misspelt."""
    return rng.choice(
        (
            ANONYMOUS,
            principal_of("CN=another", [f"kraft:///controller/{named.node_id + 1}"]),
            principal_of("CN=a broker", [f"kraft:///broker/{NO_ONE}"]),
            principal_of("CN=misspelt", [f"kraft:///controller/{named.node_id}/"]),
        )
    )


def _plausible(asked: SimulatedNode, named: ReplicaKey, cluster_id: str | None, rng: random.Random) -> RaftRequest:
    """Draw what would do harm if the node believed it: it fits the node's own epoch and log."""
    replica = asked.running.replica
    epoch, end = replica.epoch, replica.log_end_offset
    last = OffsetAndEpoch(epoch=epoch, offset=end + 1)
    fetch = FetchRequest(
        cluster_id=cluster_id,
        replica=named,
        epoch=epoch,
        fetch_offset=end,
        last_fetched_epoch=epoch,
        max_wait_ms=100,
        max_bytes=1_000,
        state=StateDigest(end, WRONG_DIGEST),
    )
    return rng.choice(
        (
            VoteRequest(cluster_id=cluster_id, voter=None, candidate=named, epoch=epoch + 1, last=last),
            BeginQuorumEpochRequest(cluster_id=cluster_id, voter=None, leader_id=named.node_id, epoch=epoch + 1),
            EndQuorumEpochRequest(cluster_id=cluster_id, leader_id=named.node_id, epoch=epoch + 1),
            fetch,
            RemoveRaftVoterRequest(cluster_id=cluster_id, voter=named),
            AddRaftVoterRequest(
                cluster_id=cluster_id, voter=named, endpoints=(endpoint_of(named.node_id),), timeout_ms=1_000
            ),
            UpdateRaftVoterRequest(
                cluster_id=cluster_id,
                epoch=epoch,
                voter=named,
                endpoints=(endpoint_of(NO_ONE),),
                kraft_version_min=0,
                kraft_version_max=1,
            ),
        )
    )


class CertifiedPeers(PeerIdentity):
    """The listener's own judgement of certificates, without a line in the log for each refusal."""

    def refused(self, text: str) -> None:
        del text


def flood(sim: Simulation, rng: random.Random) -> None:
    """Send a node, mostly the leader, thousands of requests at once: without a name, or in a voter's name."""
    leader, named = sim.leader(), rng.choice(sim.controllers())
    asked = leader if leader is not None and rng.random() < 0.8 else rng.choice(sim.all_nodes())
    in_a_name = rng.random() < 0.3 and not sim.options.identity
    if not asked.is_up:
        return
    replica = asked.running.replica
    request = rng.choice((_reading(replica, named.key if in_a_name else None), DescribeQuorumRequest()))
    items = sim.options.flood_items
    sim.world.fault(str(asked.id), "flood", f"{items} {type(request).__name__}")
    sim.network.flood(asked, request, items)
    sim.checkers.on_flood(asked)


def _reading(replica: Replica, name: ReplicaKey | None) -> FetchRequest:
    """Make a fetch that changes nothing, whatever name it carries: its epoch is over."""
    return FetchRequest(
        cluster_id=replica.cluster_id,
        replica=name,
        epoch=max(0, replica.epoch - 1),
        fetch_offset=0,
        last_fetched_epoch=0,
        max_wait_ms=0,
        max_bytes=1,
    )
