"""Elections: asking for pre-votes and votes, giving them, and when to ask again.

A replica that lost touch first asks whether it *would* win (Prospective, a pre-vote), which changes nothing anywhere;
only a majority of pre-votes lets it raise the epoch and ask for real votes (Candidate). So a replica that is cut off
does not disturb a healthy leader when it comes back.

A vote, once given, is stored before the answer leaves: the role changes here, and ``Ready`` puts ``election_state``
before ``messages``. A pre-vote is stored nowhere.

Source: Raft §5.2, §5.4.1; KIP-595 §Vote; KIP-996.
"""

from __future__ import annotations

from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import NodeId
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.error_responses import refusal
from kraftpy.raft.guards import (
    FIRST_START,
    admit_candidate,
    admit_first_start,
    admit_pre_vote,
    admit_vote,
    complete_vote,
    leaves_election_to_others,
    may_all_be_empty,
    maybe_report_blocked_election,
    maybe_report_election_left,
    observe_granted_vote,
    observe_pre_vote_response,
)
from kraftpy.raft.leadership import become_leader
from kraftpy.raft.messages import VoteRequest, VoteResponse
from kraftpy.raft.quorum_state import (
    fall_back_to_unattached,
    transition_to_candidate,
    transition_to_follower,
    transition_to_prospective,
    transition_to_unattached,
)
from kraftpy.raft.ready import VotesSlow
from kraftpy.raft.replica_state import ReplicaState
from kraftpy.raft.roles import Candidate, Follower, Prospective, Resigned, RoleState, Unattached
from kraftpy.raft.timing import (
    BACK_OFF_DOUBLINGS_MAX,
    ELECTION_STAGGER_MS,
    FIRST_BACK_OFF_MS,
    HASTY_ROUNDS,
    LEADER_LOST_JITTER_MS,
)
from kraftpy.raft.vote_tally import Answer


def start_election(state: ReplicaState, reason: str) -> None:
    """Start an election: ask for pre-votes first. A single voter is elected at once."""
    transition_to_prospective(state, reason)
    maybe_win(state)


def start_election_now(state: ReplicaState, reason: str) -> None:
    """Ask for real votes in the next epoch."""
    transition_to_candidate(state, reason)
    state.requests_out.clear_back_offs()
    maybe_win(state)


def maybe_win(state: ReplicaState) -> None:
    """Go one step up when a majority said yes."""
    role = state.role
    if isinstance(role, Prospective) and _has_won(state, role):
        start_election_now(state, "a majority would vote for it")
    elif isinstance(role, Prospective) and admit_first_start(state, role):
        start_election_now(state, FIRST_START)
    elif isinstance(role, Candidate) and role.tally.won:
        become_leader(state, role.tally.granted)


def send_votes(state: ReplicaState, role: Prospective | Candidate) -> None:
    """Ask every voter that has not answered and can be asked now; a lost election sends no more requests."""
    if isinstance(role, Candidate) and role.backing_off:
        return
    for voter_id in role.tally.unanswered:
        endpoint = state.pick(state.endpoints_of(voter_id))
        if endpoint is not None and state.requests_out.is_ready(voter_id, state.now_ms):
            state.send(voter_id, endpoint, _vote_request(state, voter_id, role))


def _vote_request(state: ReplicaState, voter_id: NodeId, role: Prospective | Candidate) -> VoteRequest:
    voter = state.voters.by_id(voter_id)
    return VoteRequest(
        cluster_id=state.cluster_id,
        voter=voter.key if voter else None,
        candidate=state.key,
        epoch=role.epoch,
        last=state.log.end,
        pre_vote=isinstance(role, Prospective),
        claimed_incarnation_id=role.claims.get(voter_id) if isinstance(role, Candidate) else None,
    )


def handle_vote(state: ReplicaState, request: VoteRequest) -> VoteResponse:
    """Answer a vote or pre-vote request whose cluster id was checked.

    The epoch moves before the voter key is looked at.

    Source: KIP-595 §Vote handling; KIP-853 §Vote; KIP-996.
    """
    last, limit = request.last, request.epoch + 1 if request.pre_vote else request.epoch
    if last.offset < 0 or not 0 <= last.epoch < limit:
        return refusal(state, VoteResponse, ErrorCode.INVALID_REQUEST)
    if request.epoch < state.epoch:
        return refusal(state, VoteResponse, ErrorCode.FENCED_LEADER_EPOCH)
    if request.candidate.node_id < 0:
        return refusal(state, VoteResponse, ErrorCode.INVALID_REQUEST)
    if not admit_candidate(state, request.candidate):
        state.report_rejection(
            request.candidate.node_id, f"{request.candidate} asks for votes, but another replica has its id"
        )
        return refusal(state, VoteResponse, ErrorCode.DUPLICATE_VOTER)
    if request.epoch > state.epoch:
        transition_to_unattached(state, request.epoch, f"{request.candidate.node_id} asks for votes in a higher epoch")
    if not state.is_me(request.voter):
        state.report_rejection(
            request.candidate.node_id, f"it asks voter {request.voter} to vote, but this is {state.key}"
        )
        return refusal(state, VoteResponse, ErrorCode.INVALID_VOTER_KEY)
    if request.pre_vote and not admit_pre_vote(state, request.candidate):
        state.report_rejection(
            request.candidate.node_id, f"{request.candidate} asks for votes, but another replica has its id"
        )
        return refusal(state, VoteResponse, ErrorCode.DUPLICATE_VOTER)
    granted = _decide(state, request)
    response = VoteResponse(leader=state.leader, leader_endpoints=state.leader_endpoints, granted=granted)
    return complete_vote(state, response)


def _decide(state: ReplicaState, request: VoteRequest) -> bool:
    """Decide, and note a vote that is given for the first time."""
    if not state.config.can_vote or state.installing is not None:
        return False
    if not admit_vote(state, request):
        return False
    up_to_date = request.last >= state.log.end
    if request.pre_vote:
        return up_to_date and grants_pre_votes(state.role)
    role = state.role
    if not up_to_date or not isinstance(role, Unattached | Prospective):
        return False
    if role.voted_key is not None:
        # A quorum-state of version 0 has no room for a directory id, so after a restart a vote may be known by its node
        # id only. It is granted to no other then: a duplicate of the one that has it would get a second vote. A
        # candidate whose disk lost the end of its log asks again with less than it had when it got this vote.
        is_same = role.voted_key == request.candidate
        if is_same:
            observe_granted_vote(state)
        return is_same
    if role.leader_id is not None:
        return False
    _grant_vote(state, request.candidate)
    return True


def _grant_vote(state: ReplicaState, candidate: ReplicaKey) -> None:
    observe_granted_vote(state)
    deadline_ms = state.now_ms + state.election_timeout_ms() if state.is_electable else None
    transition_to_unattached(
        state,
        state.epoch,
        f"votes for {candidate.node_id}",
        voted_key=candidate,
        deadline_ms=deadline_ms,
    )


def grants_pre_votes(role: RoleState) -> bool:
    """Return whether a replica in this role grants pre-votes: it has no leader, or has reason to think it is gone.

    Divergence: a resigned leader grants them, which Kafka's refuses to. It votes in no election of its own epoch, but a
    pre-vote asks about the next one. Two voters, or the last two of three, have no majority without it.
    """
    if isinstance(role, Follower):
        return role.leader_lost or not role.has_fetched
    return isinstance(role, Unattached | Prospective | Candidate | Resigned)


def handle_vote_response(state: ReplicaState, node_id: NodeId, request: VoteRequest, response: VoteResponse) -> None:
    """Count an answer in the round it belongs to."""
    role = state.role
    if request.pre_vote and isinstance(role, Prospective):
        role.tally.record(node_id, observe_pre_vote_response(state, role, node_id, response))
        after_answer(state)
    elif not request.pre_vote and isinstance(role, Candidate):
        role.tally.record(node_id, Answer.GRANTED if response.granted else Answer.REJECTED)
        after_answer(state)


def handle_unreachable(state: ReplicaState, node_id: NodeId) -> None:
    """Note that a voter cannot be asked just now; it is asked again while the round lasts."""
    role = state.role
    if isinstance(role, Prospective | Candidate):
        role.tally.record(node_id, Answer.UNREACHABLE)
        after_answer(state)


def handle_no_pre_vote(state: ReplicaState, request: VoteRequest) -> None:
    """Become candidate at once: that peer does not support pre-votes, so they cannot be required.

    Source: KIP-996 §Compatibility.
    """
    role = state.role
    if not request.pre_vote or not isinstance(role, Prospective) or leaves_election_to_others(state, role):
        return
    if state.may_start_election:
        start_election_now(state, "a voter does not know pre-votes")


def after_answer(state: ReplicaState) -> None:
    """Win, lose or go on."""
    maybe_win(state)
    role = state.role
    if isinstance(role, Prospective) and _would_not_win(state, role):
        give_up_prospect(state, role, "would not win")
    elif isinstance(role, Candidate) and role.tally.lost and not role.backing_off:
        _back_off(state, role, since_ms=state.now_ms)


def end_round(state: ReplicaState, candidate: Candidate) -> None:
    """Act on the end of a candidate's time, or of its pause after a round that it did not win.

    A round that was not decided in time failed, too: were the next one to begin at once, it would overtake the votes
    that are on their way to the disks of others. One that arrives during the pause counts. The pause begins where the
    round ended, so a machine that was paused for longer does not count what waited in its sockets
    (``voter_eligibility``).
    """
    if not candidate.backing_off:
        _back_off(state, candidate, since_ms=candidate.deadline_ms)
    if candidate.deadline_ms <= state.now_ms:
        transition_to_prospective(state, "backed off")


def _back_off(state: ReplicaState, candidate: Candidate, *, since_ms: int) -> None:
    """Send no more requests, and pause before the next round, at random and for longer after each one that failed.

    Source: Kafka ``KafkaRaftClient.pollCandidate`` (binary exponential election back-off).
    """
    candidate.backing_off = True
    candidate.deadline_ms = since_ms + back_off_ms(state, candidate.rounds_lost)
    candidate.rounds_lost += 1


def record_vote_stored(state: ReplicaState, took_ms: int) -> None:
    """Learn how long a vote takes on this disk; say so when elections are likely to fail for it."""
    state.vote_store.note(took_ms)
    timeout_ms = state.config.election_timeout_ms
    if state.vote_store.is_too_slow(timeout_ms) and state.log_rate_limiter.should_log(
        state.node_id, "slow votes", state.now_ms
    ):
        state.out.events.append(VotesSlow(state.vote_store.usual_ms, timeout_ms))


def _has_won(state: ReplicaState, role: Prospective) -> bool:
    return state.may_start_election and role.tally.won and not leaves_election_to_others(state, role)


def _would_not_win(state: ReplicaState, role: Prospective) -> bool:
    if may_all_be_empty(state, role):
        return False
    if state.may_start_election and not role.tally.won:
        return role.tally.lost
    return all(voter_id in role.tally.answers for voter_id in state.other_voter_ids)


def give_up_prospect(state: ReplicaState, role: Prospective, reason: str) -> None:
    """Go back to the leader if there is reason to think that it lives; else wait a little and ask again."""
    is_blocked = maybe_report_blocked_election(state, role) or maybe_report_election_left(state, role)
    if role.leader_id is not None and role.leader_endpoints and not role.leader_lost:
        transition_to_follower(state, role.epoch, role.leader_id, role.leader_endpoints, reason)
        return
    # Waiting for lost voters, or for the others of a first start, may take long.
    is_patient = is_blocked and role.rounds_lost >= HASTY_ROUNDS
    pause_ms = state.election_timeout_ms() if is_patient else back_off_ms(state, role.rounds_lost)
    fall_back_to_unattached(
        state,
        reason,
        deadline_ms=state.now_ms + pause_ms,
        ignore_leader_until_ms=role.ignore_leader_until_ms,
        rounds_lost=role.rounds_lost + 1,
    )


def back_off_ms(state: ReplicaState, rounds_lost: int) -> int:
    """Draw the pause after a lost election: random, short at first, never over the configured most."""
    bound = min(FIRST_BACK_OFF_MS << min(rounds_lost, BACK_OFF_DOUBLINGS_MAX), state.config.election_backoff_max_ms)
    return 1 + state.jitter.below(bound)


def schedule_election(state: ReplicaState, follower: Follower, notice_ms: int = 0) -> None:
    """Bring a follower's election forward, staggered by its rank among the voters that are left.

    For ``notice_ms`` the field is left to a better informed successor.
    """
    rank = state.rank_without(follower.leader_id)
    pause_ms = notice_ms + rank * ELECTION_STAGGER_MS + state.jitter.below(LEADER_LOST_JITTER_MS)
    follower.deadline_ms = min(follower.deadline_ms, state.now_ms + pause_ms)
