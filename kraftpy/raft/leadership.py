"""A leader's duties beside replication: becoming leader, announcing it, checking its quorum, and resigning.

A new leader appends a LEADER_CHANGE record: only when a record of the *own* epoch is on a majority is everything
before it committed too (Raft §5.4.2), so without traffic a leader makes that record itself.

Source: KIP-595 §Leader Election, §Leader Progress Timeout, §BeginQuorumEpoch, §EndQuorumEpoch; KIP-853 §Leader changes.
"""

from __future__ import annotations

from kraftpy.model.digests import StateDigest
from kraftpy.model.errors import LocalError, NotLeaderError
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Epoch
from kraftpy.model.voters import ReplicaKey, Voter, VoterSet
from kraftpy.raft.appending import append_control_batch
from kraftpy.raft.confirming import record_answer, send_question
from kraftpy.raft.follower_progress import Progress
from kraftpy.raft.messages import BeginQuorumEpochRequest, BeginQuorumEpochResponse, EndQuorumEpochRequest
from kraftpy.raft.quorum_state import transition, transition_to_resigned
from kraftpy.raft.ready import Elected
from kraftpy.raft.replica_state import ReplicaState
from kraftpy.raft.roles import Leader, Resigned
from kraftpy.raft.timing import RESIGNED_CHECK_MS
from kraftpy.raft.vote_tally import majority_of
from kraftpy.raft.voter_set_history import ZERO_CHECKPOINT_OFFSET
from kraftpy.records.control import (
    ControlRecord,
    KRaftVersionRecord,
    LeaderChangeMessage,
    LeaderChangeMessageVoter,
    voter_set_to_record,
)

KRAFT_VERSION_MIN = 0
KRAFT_VERSION_MAX = 1
"""The kraft.version levels that this code supports."""


def become_leader(state: ReplicaState, granted_by: tuple[NodeId, ...]) -> None:
    """Become leader: store where the epoch starts, append LEADER_CHANGE, and announce it to all voters at once."""
    epoch, start_offset = state.epoch, state.log.end_offset
    others = state.other_voter_ids
    leader = Leader(
        epoch=epoch,
        epoch_start_offset=start_offset,
        progress=Progress(state.voters),
        begin_due_ms=dict.fromkeys(others, state.now_ms),
        is_leaving=not state.is_voter,
    )
    transition(state, leader, "a majority voted for it")
    restart_check_quorum(state, leader)
    state.requests_out.clear_back_offs()
    state.log.epochs.assign(epoch, start_offset)
    state.out.record_epoch_start(epoch, start_offset)
    state.out.events.append(Elected(epoch, start_offset, granted_by))
    append_control_batch(state, _first_records(state, granted_by))


def _first_records(state: ReplicaState, granted_by: tuple[NodeId, ...]) -> list[ControlRecord]:
    """LEADER_CHANGE, and the voter set where the log does not say it yet or says it wrongly of this leader."""
    records: list[ControlRecord] = [
        LeaderChangeMessage(
            leader_id=state.node_id,
            voters=[LeaderChangeMessageVoter(voter_id) for voter_id in state.voters.ids],
            granting_voters=[LeaderChangeMessageVoter(voter_id) for voter_id in granted_by],
        )
    ]
    corrected = _corrected_voters(state)
    only_bootstrapped = state.voter_set_history.offset == ZERO_CHECKPOINT_OFFSET
    if state.kraft_version >= 1 and (only_bootstrapped or corrected != state.voters):
        records += [KRaftVersionRecord(kraft_version=state.kraft_version), voter_set_to_record(corrected)]
    return records


def _corrected_voters(state: ReplicaState) -> VoterSet:
    """Return the voter set with the leader's own entry as it is running."""
    own = state.voters.by_id(state.node_id)
    if own is None or not state.config.own_endpoints:
        return state.voters
    running = Voter(own.key, state.config.own_endpoints, KRAFT_VERSION_MIN, KRAFT_VERSION_MAX)
    if own.runs_like(running):
        return state.voters
    return VoterSet.of(running if voter is own else voter for voter in state.voters)


def send_begin_quorum_epoch(state: ReplicaState, leader: Leader) -> None:
    """Send BeginQuorumEpoch to the voters that have not fetched for half a fetch timeout."""
    for voter_id, due_ms in leader.begin_due_ms.items():
        if due_ms > state.now_ms or not state.requests_out.is_ready(voter_id, state.now_ms):
            continue
        postpone_begin(state, leader, voter_id)
        send_question(state, leader, voter_id)


def postpone_begin(state: ReplicaState, leader: Leader, voter_id: NodeId) -> None:
    """A voter knows this leader: it gets no BeginQuorumEpoch for half a fetch timeout."""
    if voter_id in leader.begin_due_ms:
        leader.begin_due_ms[voter_id] = state.now_ms + state.config.fetch_timeout_ms // 2


def restart_check_quorum(state: ReplicaState, leader: Leader) -> None:
    """Give a new leader, or a new voter set, one and a half fetch timeouts to show itself."""
    leader.counting_since_ms = state.now_ms
    before = leader.heard_ms
    leader.heard_ms = {voter_id: before.get(voter_id, state.now_ms) for voter_id in state.other_voter_ids}
    _count_majority(state, leader)


def record_voter_fetch(state: ReplicaState, leader: Leader, key: ReplicaKey) -> None:
    """Count a voter as in touch from now on."""
    if not state.voters.contains(key) or key.node_id == state.node_id:
        return
    postpone_begin(state, leader, key.node_id)
    leader.heard_ms[key.node_id] = state.now_ms
    _count_majority(state, leader)


def _count_majority(state: ReplicaState, leader: Leader) -> None:
    """Find out since when a majority is in touch; one and a half fetch timeouts later this leader is none.

    Of five voters, two others are needed. The newest fetch of the one that fetched second last says when both had been
    heard of; what the others said before that is not added up.
    """
    needed = _voices_needed(state)
    if needed <= 0:
        leader.in_touch_ms = leader.check_quorum_deadline_ms = None
        return
    leader.in_touch_ms = sorted(leader.heard_ms.values(), reverse=True)[needed - 1]
    since_ms = max(leader.in_touch_ms, leader.counting_since_ms)
    leader.check_quorum_deadline_ms = since_ms + state.config.check_quorum_ms


def _voices_needed(state: ReplicaState) -> int:
    """How many *other* voters must be heard: a majority, less this leader if it is one of the voters."""
    return majority_of(len(state.voters)) - (1 if state.is_voter else 0)


def resign(state: ReplicaState, epoch: Epoch) -> None:
    """Give up the leadership of ``epoch``; an epoch that is over is ignored.

    Raises:
        LocalError: the epoch is negative or has not begun.
        NotLeaderError: this replica does not lead it.
    """
    if epoch < 0 or epoch > state.epoch:
        raise LocalError(f"cannot resign from epoch {epoch}: the current epoch is {state.epoch}")
    if epoch < state.epoch or isinstance(state.role, Resigned):
        return
    if not isinstance(state.role, Leader):
        raise NotLeaderError(f"cannot resign from epoch {epoch}: node {state.node_id} is {state.role.role.value} in it")
    transition_to_resigned(state, "was asked to resign")


def send_end_quorum_epoch(state: ReplicaState, resigned: Resigned) -> None:
    """Send EndQuorumEpoch, with the preferred successors, to the voters that have not acknowledged it."""
    for voter_id in resigned.unacknowledged:
        endpoint = state.pick(state.endpoints_of(voter_id))
        if endpoint is not None and state.requests_out.is_ready(voter_id, state.now_ms):
            request = EndQuorumEpochRequest(
                cluster_id=state.cluster_id,
                leader_id=state.node_id,
                epoch=resigned.epoch,
                preferred_successors=resigned.preferred_successors,
                leader_endpoints=state.config.own_endpoints,
            )
            state.send_early(voter_id, endpoint, request)


def resign_with_wrong_state(state: ReplicaState, own: StateDigest) -> None:
    """Resign because the majority has another state than this leader: nothing more is decided on a wrong one."""
    if isinstance(state.role, Leader):
        transition_to_resigned(state, f"its state at offset {own.end_offset} is not that of the majority")


def handle_begin_response(
    state: ReplicaState, node_id: NodeId, request: BeginQuorumEpochRequest, response: BeginQuorumEpochResponse
) -> None:
    """A voter knows its leader now."""
    if isinstance(state.role, Leader):
        postpone_begin(state, state.role, node_id)
        record_answer(state, state.role, node_id, request, response)


def record_successor_gone(state: ReplicaState, resigned: Resigned, node_id: NodeId) -> None:
    """A voter's process is dead, so it cannot take over; when too few are left there is no successor to wait for."""
    if node_id in state.voters.ids and node_id not in resigned.gone:
        resigned.gone.append(node_id)
        state.report_rejection(node_id, "cannot take over: connection refused")


def handle_end_response(state: ReplicaState, node_id: NodeId) -> None:
    """A voter knows that the epoch is over.

    A node that is shutting down keeps sending requests to it: so it notices when the voter stopped, too, and there is
    no successor to wait for.
    """
    if not isinstance(state.role, Resigned) or node_id not in state.role.unacknowledged:
        return
    if state.shutting_down:
        state.back_off(node_id, RESIGNED_CHECK_MS)
    else:
        state.role.unacknowledged.remove(node_id)
