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
from kraftpy.raft.core import ELECTION_STAGGER_MS, Core
from kraftpy.raft.duplicate_node_ids import is_duplicate
from kraftpy.raft.error_responses import refusal
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
from kraftpy.raft.roles import Candidate, Follower, Leader, Prospective, RoleState, Unattached
from kraftpy.raft.vote_tally import Answer
from kraftpy.raft.voter_eligibility import (
    all_are_empty,
    empty_for_ms,
    is_claimed,
    is_second_asker,
    may_all_be_empty,
    note_condition,
    note_election_blocked,
    restore_eligibility,
)

FIRST_BACK_OFF_MS = 50
"""The pause after a first lost election is drawn below this; each further loss doubles it."""

BACK_OFF_DOUBLINGS_MAX = 10
HASTY_ROUNDS = 5
"""After so many rounds in which unproven voters were in the way, the next ones are an election timeout apart."""
LEADER_LOST_JITTER_MS = 10


def start_election(core: Core, reason: str) -> None:
    """Start an election: ask for pre-votes first. A single voter is elected at once."""
    transition_to_prospective(core, reason)
    maybe_win(core)


def start_election_now(core: Core, reason: str) -> None:
    """Ask for real votes in the next epoch."""
    transition_to_candidate(core, reason)
    core.requests_out.clear_back_offs()
    maybe_win(core)


def maybe_win(core: Core) -> None:
    """Go one step up when a majority said yes."""
    role = core.role
    if isinstance(role, Prospective) and core.may_start_election and role.tally.won:
        start_election_now(core, "a majority would vote for it")
    elif isinstance(role, Prospective) and all_are_empty(core, role):
        restore_eligibility(core)
        start_election_now(core, "all voters are empty: a first start")
    elif isinstance(role, Candidate) and role.tally.won:
        become_leader(core, role.tally.granted)


def send_votes(core: Core, role: Prospective | Candidate) -> None:
    """Ask every voter that has not answered and can be asked now; a lost election asks nobody any more."""
    if isinstance(role, Candidate) and role.backing_off:
        return
    for voter_id in role.tally.unanswered:
        endpoint = core.pick(core.endpoints_of(voter_id))
        if endpoint is not None and core.requests_out.is_ready(voter_id, core.now_ms):
            core.send(voter_id, endpoint, _vote_request(core, voter_id, role))


def _vote_request(core: Core, voter_id: NodeId, role: Prospective | Candidate) -> VoteRequest:
    voter = core.voters.by_id(voter_id)
    return VoteRequest(
        cluster_id=core.cluster_id,
        voter=voter.key if voter else None,
        candidate=core.key,
        epoch=role.epoch,
        last=core.log.end,
        pre_vote=isinstance(role, Prospective),
        claimed_incarnation_id=role.claims.get(voter_id) if isinstance(role, Candidate) else None,
    )


def handle_vote(core: Core, request: VoteRequest) -> VoteResponse:
    """Answer a vote or pre-vote request whose cluster id was checked.

    The epoch moves before the voter key is looked at.

    Source: KIP-595 §Vote handling; KIP-853 §Vote; KIP-996.
    """
    last, limit = request.last, request.epoch + 1 if request.pre_vote else request.epoch
    if last.offset < 0 or not 0 <= last.epoch < limit:
        return refusal(core, VoteResponse, ErrorCode.INVALID_REQUEST)
    if request.epoch < core.epoch:
        return refusal(core, VoteResponse, ErrorCode.FENCED_LEADER_EPOCH)
    if request.candidate.node_id < 0:
        return refusal(core, VoteResponse, ErrorCode.INVALID_REQUEST)
    if _is_duplicate(core, request.candidate):
        core.refused(request.candidate.node_id, f"{request.candidate} asks for votes, but another replica has its id")
        return refusal(core, VoteResponse, ErrorCode.DUPLICATE_VOTER)
    if request.epoch > core.epoch:
        transition_to_unattached(core, request.epoch, f"{request.candidate.node_id} asks for votes in a higher epoch")
    if not core.is_me(request.voter):
        core.refused(request.candidate.node_id, f"it asks voter {request.voter} to vote, but this is {core.key}")
        return refusal(core, VoteResponse, ErrorCode.INVALID_VOTER_KEY)
    if request.pre_vote and is_second_asker(core, request.candidate):
        core.refused(request.candidate.node_id, f"{request.candidate} asks for votes, but another replica has its id")
        return refusal(core, VoteResponse, ErrorCode.DUPLICATE_VOTER)
    granted = _decide(core, request)
    return VoteResponse(
        leader=core.leader,
        leader_endpoints=core.leader_endpoints,
        granted=granted,
        unproven=core.ineligible_because is not None,
        incarnation_id=core.incarnation_id,
        empty_for_ms=empty_for_ms(core),
    )


def _is_duplicate(core: Core, candidate: ReplicaKey) -> bool:
    """Say whether a candidate's id is our own, or that of a voter which this leader hears under another directory."""
    role = core.role
    return candidate.node_id == core.node_id or (isinstance(role, Leader) and is_duplicate(core, role, candidate))


def _decide(core: Core, request: VoteRequest) -> bool:
    """Decide, and note a vote that is given for the first time."""
    if not core.config.can_vote or core.installing is not None:
        return False
    if core.ineligible_because is not None and (
        request.pre_vote or not is_claimed(core, request.claimed_incarnation_id)
    ):
        return False
    up_to_date = request.last >= core.log.end
    if request.pre_vote:
        return up_to_date and grants_pre_votes(core.role)
    role = core.role
    if not isinstance(role, Unattached | Prospective):
        return False
    if role.voted_key is not None:
        # A quorum-state of version 0 has no room for a directory id, so after a restart a vote may be known by its node
        # id only. It is given again to nobody then: a twin of the one that has it would get a second vote in the epoch.
        return role.voted_key == request.candidate and _vote_counts(core)
    if role.leader_id is not None or not up_to_date:
        return False
    _give_vote(core, request.candidate)
    return True


def _vote_counts(core: Core) -> bool:
    """Let a vote that is given again prove its voter as the first time: a death may have come between vote and mark."""
    restore_eligibility(core)
    return True


def _give_vote(core: Core, candidate: ReplicaKey) -> None:
    restore_eligibility(core)
    deadline_ms = core.now_ms + core.election_timeout_ms() if core.is_electable else None
    transition_to_unattached(
        core,
        core.epoch,
        f"votes for {candidate.node_id}",
        voted_key=candidate,
        deadline_ms=deadline_ms,
    )


def grants_pre_votes(role: RoleState) -> bool:
    """Say whether a replica in this role may wish a better leader: it has none, or has reason to think it is gone."""
    if isinstance(role, Follower):
        return role.leader_lost or not role.has_fetched
    return isinstance(role, Unattached | Prospective | Candidate)


def handle_vote_response(core: Core, node_id: NodeId, request: VoteRequest, response: VoteResponse) -> None:
    """Count an answer in the round it belongs to."""
    role = core.role
    if request.pre_vote and isinstance(role, Prospective):
        note_condition(core, role, node_id, response)
        refused = Answer.EMPTY if response.empty_for_ms is not None else Answer.REJECTED
        role.tally.record(node_id, Answer.GRANTED if response.granted else refused)
        after_answer(core)
    elif not request.pre_vote and isinstance(role, Candidate):
        role.tally.record(node_id, Answer.GRANTED if response.granted else Answer.REJECTED)
        after_answer(core)


def handle_unreachable(core: Core, node_id: NodeId) -> None:
    """Note that a voter cannot be asked just now; it is asked again while the round lasts."""
    role = core.role
    if isinstance(role, Prospective | Candidate):
        role.tally.record(node_id, Answer.UNREACHABLE)
        after_answer(core)


def handle_no_pre_vote(core: Core, request: VoteRequest) -> None:
    """Stand at once: that peer does not know pre-votes, so they cannot be insisted on.

    Source: KIP-996 §Compatibility.
    """
    if request.pre_vote and isinstance(core.role, Prospective) and core.may_start_election:
        start_election_now(core, "a voter does not know pre-votes")


def after_answer(core: Core) -> None:
    """Win, lose or go on."""
    maybe_win(core)
    role = core.role
    if isinstance(role, Prospective) and _would_not_win(core, role):
        give_up_prospect(core, role, "would not win")
    elif isinstance(role, Candidate) and role.tally.lost and not role.backing_off:
        _back_off(core, role, since_ms=core.now_ms)


def end_round(core: Core, candidate: Candidate) -> None:
    """Act on the end of a candidate's time, or of its pause after a round that it did not win.

    A round that nobody decided in time failed, too: were the next one to begin at once, it would overtake the votes
    that are on their way to the disks of others. One that arrives during the pause counts. The pause begins where the
    round ended, so a machine that stood still for longer does not count what waited in its sockets
    (``voter_eligibility``).
    """
    if not candidate.backing_off:
        _back_off(core, candidate, since_ms=candidate.deadline_ms)
    if candidate.deadline_ms <= core.now_ms:
        transition_to_prospective(core, "backed off")


def _back_off(core: Core, candidate: Candidate, *, since_ms: int) -> None:
    """Ask nobody any more, and pause before the next round, at random and for longer after each one that failed.

    Source: Kafka ``KafkaRaftClient.pollCandidate`` (binary exponential election back-off).
    """
    candidate.backing_off = True
    candidate.deadline_ms = since_ms + back_off_ms(core, candidate.rounds_lost)
    candidate.rounds_lost += 1


def note_vote_stored(core: Core, took_ms: int) -> None:
    """Learn how long a vote takes on this disk; say so when elections are likely to fail for it."""
    core.vote_store.note(took_ms)
    timeout_ms = core.config.election_timeout_ms
    if core.vote_store.is_too_slow(timeout_ms) and core.log_rate_limiter.should_log(
        core.node_id, "slow votes", core.now_ms
    ):
        core.out.events.append(VotesSlow(core.vote_store.usual_ms, timeout_ms))


def _would_not_win(core: Core, role: Prospective) -> bool:
    if may_all_be_empty(core, role):
        return False
    if core.may_start_election:
        return role.tally.lost
    return all(voter_id in role.tally.answers for voter_id in core.other_voter_ids)


def give_up_prospect(core: Core, role: Prospective, reason: str) -> None:
    """Go back to the leader if there is reason to think that it lives; else wait a little and ask again."""
    election_blocked_reason = note_election_blocked(core, role)
    if role.leader_id is not None and role.leader_endpoints and not role.leader_lost:
        transition_to_follower(core, role.epoch, role.leader_id, role.leader_endpoints, reason)
        return
    # Whoever waits for lost voters, or for the others of a first start, may have to do so for long.
    is_patient = election_blocked_reason and role.rounds_lost >= HASTY_ROUNDS
    pause_ms = core.election_timeout_ms() if is_patient else back_off_ms(core, role.rounds_lost)
    fall_back_to_unattached(
        core,
        reason,
        deadline_ms=core.now_ms + pause_ms,
        ignore_leader_until_ms=role.ignore_leader_until_ms,
        rounds_lost=role.rounds_lost + 1,
    )


def back_off_ms(core: Core, rounds_lost: int) -> int:
    """Draw the pause after a lost election: random, short at first, never over the configured most."""
    bound = min(FIRST_BACK_OFF_MS << min(rounds_lost, BACK_OFF_DOUBLINGS_MAX), core.config.election_backoff_max_ms)
    return 1 + core.jitter.below(bound)


def schedule_election(core: Core, follower: Follower, notice_ms: int = 0) -> None:
    """Bring a follower's election forward, staggered by its rank among the voters that are left.

    For ``notice_ms`` the field is left to a better informed successor.
    """
    rank = core.rank_without(follower.leader_id)
    pause_ms = notice_ms + rank * ELECTION_STAGGER_MS + core.jitter.below(LEADER_LOST_JITTER_MS)
    follower.deadline_ms = min(follower.deadline_ms, core.now_ms + pause_ms)
