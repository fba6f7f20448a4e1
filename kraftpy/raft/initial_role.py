"""The first role of a replica, by what its disk remembers.

The only voter of a quorum that lost its vote may have led epochs after its log's last one; an observer may hold records
of them. It begins beyond those. So does a voter with a trusted empty directory: a majority of the quorum is given up
then, and one of the others may hold records of its epochs.

A node that led when it stopped comes back *resigned*: records that it had appended may not have been flushed, so it
must not append under the same epoch again, nor vote in it. A node that voted for itself may go on asking: its vote is
stored.

Source: Kafka ``QuorumState.initialize``; raft-protocol §5.
"""

from __future__ import annotations

from kraftpy.model.election import ElectionState
from kraftpy.raft.election import maybe_win, start_election
from kraftpy.raft.epoch_limit import EPOCH_LAST, FORGOTTEN_EPOCHS
from kraftpy.raft.follower_fetch import discovery_peers
from kraftpy.raft.guards import is_empty, restore
from kraftpy.raft.replica_state import ReplicaState
from kraftpy.raft.roles import Candidate, Follower, Resigned, RoleState, Unattached
from kraftpy.raft.vote_tally import Answer, VoteTally


def start(state: ReplicaState) -> None:
    """Take the initial role; a replica that is the only voter elects itself.

    One whose log was quarantined does not: the set may be an older one, as far as fetching has come. The log itself may
    be an older one, too (a copy from when this was the only voter). So where the configuration names other nodes, they
    are queried for one election timeout first: a response that names the leader of a higher epoch proves that this disk
    lacks records (``responses``), and the replica follows that leader.
    """
    state.role = first_role(state, state.stored)
    state.out.election_changed = True
    if not is_only_voter(state) or state.status.quarantine is not None:
        return
    if discovery_peers(state):
        state.asks_first = True
        held, deadline_ms = state.election_state, state.now_ms + state.config.election_timeout_ms
        state.role = Unattached(
            epoch=held.epoch, leader_id=held.leader_id, voted_key=held.voted_key, deadline_ms=deadline_ms
        )
    else:
        start_alone(state)


def is_only_voter(state: ReplicaState) -> bool:
    """Return whether this replica is the only one in the voter set in force."""
    return state.is_voter and len(state.voters) == 1


def start_alone(state: ReplicaState) -> None:
    """Elect the only voter. If it led before, it is candidate in the next epoch at once: no other replica can lead.

    No other replica could know of records that it lost, either.
    """
    state.asks_first = False
    lost_vote = state.status.vote_lost
    restore(state, "it is the only voter")
    if not state.check_next_epoch():
        return
    if isinstance(state.role, Resigned):
        state.role = Unattached(epoch=state.role.epoch, leader_id=state.node_id)
    elif lost_vote and state.epoch < state.log.last_epoch + FORGOTTEN_EPOCHS:
        state.role = Unattached(epoch=min(state.log.last_epoch + FORGOTTEN_EPOCHS, EPOCH_LAST - 1))
    if isinstance(state.role, Unattached | Follower):
        start_election(state, "is the only voter")
    else:
        maybe_win(state)


def first_role(state: ReplicaState, stored: ElectionState) -> RoleState:
    """Choose by the first rule that fits."""
    if state.config.trusts_empty_directory and is_empty(state) and stored.epoch < FORGOTTEN_EPOCHS:
        # Beyond the epochs of records that may turn up again: two logs with one epoch cannot be distinguished.
        return _unattached(state, ElectionState(FORGOTTEN_EPOCHS))
    if stored.epoch < state.log.last_epoch:
        return _unattached(state, ElectionState(state.log.last_epoch))
    if stored.leader_id == state.node_id:
        return Resigned(
            epoch=stored.epoch,
            deadline_ms=state.now_ms + state.election_timeout_ms(),
            unacknowledged=list(state.other_voter_ids),
        )
    if stored.leader_id is not None:
        return _follower(state, stored) or _unattached(state, stored)
    if state.may_start_election and stored.voted_key is not None and stored.voted_key.accepts(state.key):
        return _candidate(state, stored)
    return _unattached(state, stored)


def _unattached(state: ReplicaState, stored: ElectionState) -> Unattached:
    deadline_ms = state.now_ms + state.election_timeout_ms() if state.is_electable else None
    return Unattached(
        epoch=stored.epoch, leader_id=stored.leader_id, voted_key=stored.voted_key, deadline_ms=deadline_ms
    )


def _follower(state: ReplicaState, stored: ElectionState) -> Follower | None:
    endpoints = state.endpoints_of(stored.leader_id) if stored.leader_id is not None else ()
    if stored.leader_id is None or not endpoints:
        return None
    return Follower(
        epoch=stored.epoch,
        leader_id=stored.leader_id,
        leader_endpoints=endpoints,
        deadline_ms=state.fetch_deadline_ms(stored.leader_id),
        heard_ms=state.now_ms,
        voted_key=stored.voted_key,
    )


def _candidate(state: ReplicaState, stored: ElectionState) -> Candidate:
    tally = VoteTally(state.voters.ids)
    tally.record(state.node_id, Answer.GRANTED)
    return Candidate(epoch=stored.epoch, deadline_ms=state.now_ms + state.election_round_ms(), tally=tally)
