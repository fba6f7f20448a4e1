"""What a stranger who reaches a port without TLS can do there, as docs/deploy.md describes it to operators.

These are no promises: a change that makes one of them fail has closed a hole, and must update that page. The same
requests change nothing where certificates name the nodes (tests/integration/test_tls_quorum.py).
"""

from __future__ import annotations

from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.messages import BeginQuorumEpochRequest, FetchRequest, RaftRequest
from kraftpy.raft.ready import RequestReceived
from tests.fakes.raft_cluster import Cluster

TOKEN = 999_000
PATIENCE_MS = 60_000


def print_progress(cluster: Cluster, node_id: int, request: RaftRequest) -> None:
    """Send a node a request that no node sends; the answer is ignored."""
    cluster.inject(node_id, RequestReceived(TOKEN, request))


def test_a_fetch_in_a_voters_name_commits_what_no_follower_has() -> None:
    """The leader counts requests in a voter's name; the write is acknowledged and is on one disk."""
    cluster = Cluster(check=False)
    leader = cluster.elect(1)
    cluster.settle()
    for other in (2, 3):
        cluster.cut |= {(1, other), (other, 1)}
    end = cluster.propose(b"on one disk") + 1
    before = leader.alive.high_watermark
    assert before is not None
    assert before < end
    fetch = FetchRequest(
        cluster_id=None,
        replica=ReplicaKey(2, cluster.nodes[2].key.directory_id),
        epoch=leader.alive.epoch,
        fetch_offset=end,
        last_fetched_epoch=leader.alive.epoch,
        max_wait_ms=0,
        max_bytes=1,
    )
    print_progress(cluster, 1, fetch)
    assert leader.alive.high_watermark == end


def test_claims_that_others_lead_silence_a_quorum_until_the_operator_decides() -> None:
    """Two voters hear from their peers that they lead epochs of which their disks know nothing, and vote no more."""
    cluster = Cluster(guarded=True)
    leader = cluster.elect(1)
    cluster.settle()
    epoch = leader.alive.epoch
    for rise, (asked, named) in enumerate(((1, 2), (3, 2), (1, 3), (2, 3)), 1):
        claim = BeginQuorumEpochRequest(
            cluster_id=leader.cluster_id, voter=None, leader_id=named, epoch=epoch + 10 * rise
        )
        print_progress(cluster, asked, claim)
        cluster.run(50)
    assert not cluster.run(PATIENCE_MS, lambda: cluster.leader() is not None), cluster.describe()
