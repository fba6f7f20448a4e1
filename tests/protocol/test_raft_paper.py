"""The Raft paper (Ongaro, Ousterhout): the five properties of its Figure 3, and the story of its Figure 8."""

from __future__ import annotations

from kraftpy.model.election import ElectionState
from kraftpy.raft.ready import Role, Truncated
from tests.fakes.raft_cluster import Cluster


def five_voters() -> Cluster:
    cluster = Cluster(range(1, 6))
    cluster.elect(1)
    cluster.settle()
    return cluster


def test_election_safety() -> None:
    """Figure 3, Election Safety: at most one leader can be elected in a given term."""
    cluster = five_voters()
    for node_id in (2, 3, 4):
        cluster.elect(node_id)
    epochs = [node.disk.election_state for node in cluster.running()]
    assert len({(state.epoch, state.leader_id) for state in epochs if state.leader_id is not None}) <= len(
        {state.epoch for state in epochs}
    )
    assert cluster.replica(4).role is Role.LEADER


def test_leader_append_only() -> None:
    """Figure 3, Leader Append-Only: a leader never overwrites or deletes entries in its log; it only appends."""
    cluster = five_voters()
    before = list(cluster.nodes[2].disk.batches)
    cluster.elect(2)
    cluster.propose(b"x")
    cluster.settle()
    assert cluster.nodes[2].disk.batches[: len(before)] == before
    assert not [event for event in cluster.nodes[2].events if isinstance(event, Truncated)]


def test_log_matching() -> None:
    """Figure 3, Log Matching: logs with an entry of the same index and term are identical up to it."""
    cluster = five_voters()
    cluster.isolate(1)
    cluster.propose(b"lost", node_id=1)
    cluster.elect(2)
    cluster.propose(b"kept", node_id=2)
    cluster.heal()
    cluster.settle()
    logs = [[(batch.base_offset, batch.epoch, batch.data) for batch in node.disk.batches] for node in cluster.running()]
    assert all(log == logs[0] for log in logs)
    assert (2, 2, b"kept") in cluster.nodes[1].disk.values()


def test_leader_completeness() -> None:
    """Figure 3, Leader Completeness: who lacks a committed entry cannot become leader (§5.4.1)."""
    cluster = five_voters()
    cluster.isolate(5)
    cluster.propose(b"committed")
    cluster.run(100)
    cluster.heal()
    cluster.crash(1)
    cluster.start_election(5)
    leader = cluster.elect()
    assert leader.id != 5
    assert (1, 1, b"committed") in leader.disk.values()


def test_state_machine_safety() -> None:
    """Figure 3, State Machine Safety: no two servers apply different entries at one index, over three leaders."""
    cluster = five_voters()
    for node_id in (2, 3, 4):
        cluster.isolate(cluster.leader().id)
        cluster.propose(f"lost under {node_id}".encode())
        cluster.elect(node_id)
        cluster.propose(f"kept under {node_id}".encode())
        cluster.heal()
        cluster.settle()
    values = [value for _, value in cluster.committed.values()]
    assert values == [b"kept under 2", b"kept under 3", b"kept under 4"]


def test_figure_8() -> None:
    """§5.4.2, Figure 8: an entry of an older term on a majority is not committed by counting; it may be overwritten."""
    cluster = five_voters()
    for node_id in (3, 4, 5):
        cluster.crash(node_id)
    cluster.propose(b"of term 1", node_id=1)
    cluster.deliver_all()
    assert cluster.nodes[1].committed == 1
    assert (1, 1, b"of term 1") in cluster.nodes[2].disk.values()
    cluster.crash(1)
    cluster.crash(2)
    for node_id in (3, 4, 5):
        cluster.start(node_id)
    cluster.elect()
    cluster.propose(b"of term 2")
    cluster.settle()
    cluster.start(1)
    cluster.start(2)
    cluster.settle()
    assert [value for _, value in cluster.committed.values()] == [b"of term 2"]
    assert [value for _, _, value in cluster.nodes[1].disk.values()] == [b"of term 2"]


def test_followers_redirect_to_the_leader_of_their_term() -> None:
    """§5.1: current terms are exchanged whenever servers communicate; a stale leader reverts to follower."""
    cluster = five_voters()
    cluster.isolate(1)
    cluster.elect(2)
    cluster.heal()
    cluster.settle()
    assert cluster.replica(1).role is Role.FOLLOWER
    assert cluster.nodes[1].disk.election_state == ElectionState(2, 2)
