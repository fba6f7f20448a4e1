"""The amnesia guard: a voter that lost its log, or all that it had, counts only when nothing is missing any more.

A voter that lost its disk forgot two things: records that it helped to commit, and votes that it gave. If it went on as
a voter, a majority of such voters could elect each other over the data of the rest. Kafka leaves that to the operator
(``storage format``). There is no format step here, so the replica itself tells a lost disk from a first start.

What is kept
    A directory that held nothing when the process started (no vote, no segment, no snapshot but the bootstrap
    checkpoint; ``storage format`` proves nothing) is *unproven*. A marker file in it says so, written before anything
    else, with a fresh random *life* in it, and removed when the directory is proven. So a restart half-way, or a crash
    at any step, leaves it unproven. A replica that was refused (``duplicate_node_ids``) is unproven, too, but has no
    life: another directory is the voter, and may hold something, so this one never says that it is empty.

What an unproven voter does
    It gives no pre-vote and no vote, and its own vote does not count, but for a first start. It follows a leader, and
    becomes proven in one of two ways.

Proven by catching up
    It fetches, and its flushed log reaches a high watermark that the leader stated in this epoch in answer to a fetch
    under its own key: then it holds all that was acknowledged. There remain the votes that it forgot. A vote for epoch
    e', given before the disk was lost, is a promise to acknowledge nothing to older leaders. Say that C stood with it.
    C asks for at most 2T (T is the election timeout), and takes a vote that comes late for as long as it backs off
    after that; so its round is over within 2T and the longest back-off after the vote. If C won, a majority, this voter
    among it, has left every older leader by then, and without this voter such a leader misses its majority for 1.5
    fetch timeouts and resigns. So for

        probation = 1.25 x (2 x election timeout + election back-off + 1.5 x fetch timeout)

    after its start (a quarter is for clocks that differ) an unproven voter fetches *anonymously*, as a reader that is
    no replica: it loses no time, and nobody counts it, a Kafka leader neither. A tag of ours tells our leaders who it
    is, so that a twin is refused from the start. After that, whoever answers a fetch under its key is no leader that
    the forgotten vote had helped to replace, and its acknowledgements are truthful. (A leader looks at its check-quorum
    deadline before it looks at a request, so one that was stopped and goes on cannot be kept in office by it.)

Proven again after damage
    A log with damage in what was promised is set aside (``storage.quarantined``), and this replica fetches everything
    anew. It is unproven and has no life, so it never says that it is empty: it takes part in no first start. Its
    directory keeps epoch and vote, so it forgets no vote. What it no longer holds are records that it acknowledged.

    Say that r is committed. A majority M acknowledged it, and each later leader needs the votes of a majority, so of
    one of M *that counts*. Those of M without damage hold r and vote for no log without it. One with damage gives no
    vote from the moment on when its mark is durable, which is before the first file is moved; votes that it gave before
    were given while it held r. So a leader that is elected while some of M are unproven holds r; and if the unproven
    are a majority, nobody is elected, and that is said (``NoElectableVoter``). Nothing acknowledged is lost.

    It counts again when its flushed log reaches the high watermark that a leader stated in answer to a fetch under its
    key. That covers r, if r is committed by then: an elected leader's log holds what was committed before its epoch,
    and its high watermark is stated only when it includes a record of that epoch. What may come later is a commit that
    counts an *old* acknowledgement: a fetch of the former process that still is on its way to a leader which stood
    still. So it is on probation, too, at kraft.version 1 as well (its directory id, and its place in the voter set,
    are what they were): by the end of that, such a leader has read it, or has been without its majority for too long
    and resigns first. And its log must reach what its former one said was committed, as far as that could be read: a
    leader that states less has lost committed records, and is told so instead of being helped.

    The only voter of its quorum has nobody to fetch from: there damage stops the start (``node.repair``). It may look
    like the only voter half-way, when it has fetched the records of a time in which it was; it does not elect itself.

Proven again without a vote
    A directory that holds a log and no ``quorum-state`` (which is there before the first record is) lost its vote, and
    nothing of its log. Such a replica is unproven and has no life, too. It lacks the votes that it forgot, and the
    epochs that it led. The votes are what the probation above is about, at kraft.version 1 as well. It stands in no
    epoch before it is proven by a leader of its time, so it does not lead an epoch for a second time. The only voter of
    its quorum has no such leader, and gave its votes to itself; it stands far beyond the epochs of its log
    (``initial_role``).

Proven by a first start
    Somebody asks for pre-votes at t0. Each voter whose log is empty, and who neither leads, nor follows, nor stands,
    answers how long its process has been up, and its life if it is unproven. When *all* other voters answered so, each
    up for longer than the time since t0, then at t0 all processes of all voters were running, and each said afterwards
    that it holds nothing: no acknowledged record exists. The asker is proven by that, stands in the next epoch, and
    claims it towards each unproven voter by naming that voter's life. Who is claimed by its present life and is still
    empty votes as ever, and is proven by it: its life began before t0, so what it does not remember is not there; and
    every candidate that it may have voted for before was asked after t0 and is in no later epoch than the asker, thus
    in an earlier one than this vote. A disk that is lost once more in between has another life and is not claimed.

    A first start needs all voters once. From then on a majority is proven if any record exists: a leader that won under
    such claims was elected by a majority, all of whom are proven by their vote, before it wrote anything. So a first
    start that is killed half-way goes on: either nobody holds anything, or a majority is proven.

    A leader may lose its directory before anybody holds a record of its epoch. The others say then that it leads. Where
    the voter set names directories (kraft.version 1), that was this directory, which says like any other that it holds
    nothing; all voters together are a first start again. Where it does not, the leader may have been a twin on another
    disk, so who hears that it leads says no more that it is empty, and an operator has to decide.

    While an empty voter answers one directory of an id, it refuses others with that id for the check-quorum time, so
    that two twins do not both get a first start.

What it costs, what remains
    A cluster in which the majority of the directories was lost does not elect a leader while one that holds data is
    there, or may be. It says why (``NoElectableVoter``). If *all* directories are lost, that is a first start.
    Kafka's voters never say that they are empty: beside them an unproven voter waits for a leader, which is right.
    In a dynamic quorum a lost directory also lost its directory id and with it its place in the voter set; so there an
    unproven replica fetches under its key at once (its vote waits for catching up all the same).

Source: DESIGN D7; Raft §5.4 (what a vote promises); KIP-853 §Motivation; Viewstamped Replication Revisited §4.3 (a
replica that lost its state must not take part in a view change before it recovered).
"""

from __future__ import annotations

from kraftpy.model.ids import NodeId, Uuid
from kraftpy.model.offsets import ORIGIN, Offset
from kraftpy.model.replica_status import ReplicaStatus, VoterStatus
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.messages import VoteResponse
from kraftpy.raft.ready import NoElectableVoter, VoteNotCounted
from kraftpy.raft.replica_state import ReplicaState
from kraftpy.raft.roles import Follower, Prospective, Unattached
from kraftpy.raft.vote_tally import Answer


def suspend(state: ReplicaState, status: ReplicaStatus) -> None:
    """Neither vote nor start elections until a leader has shown that this log can be counted, over restarts too.

    A replica that is recovering, or a duplicate, stays what it is.
    """
    if state.status.status in {VoterStatus.ELIGIBLE, VoterStatus.EMPTY}:
        state.set_status(status, status.reason)


def suspend_as_copy(state: ReplicaState, reason: str) -> None:
    """Become recovering, as a replica that lost its vote: this disk is a copy from an earlier time."""
    state.asks_first = False
    state.set_status(state.status.as_recovering(reason, vote_lost=True), reason)
    state.put_on_probation()


def restore(state: ReplicaState, reason: str) -> None:
    """Vote and be counted again, from the next ``Ready`` on."""
    if not state.status.is_eligible:
        state.set_status(state.status.as_eligible(), reason)


# Catching up.


def is_on_probation(state: ReplicaState) -> bool:
    """Return whether this replica may have given a vote that still has an effect and that it does not remember."""
    return not state.status.is_eligible and state.config.can_vote and state.now_ms < state.probation_ends_ms


def record_accepted_fetch(state: ReplicaState, follower: Follower, high_watermark: Offset | None) -> None:
    """The leader served a fetch under our key, as it does for one directory of an id: note what it calls committed."""
    if not state.status.is_eligible and follower.eligible_from is None:
        follower.eligible_from = high_watermark
    maybe_restore_eligibility(state)


def maybe_restore_eligibility(state: ReplicaState) -> None:
    """Count again once all that the leader called committed, when it first served us, is flushed here."""
    role = state.role
    if state.status.is_eligible or not isinstance(role, Follower) or role.eligible_from is None:
        return
    if role.eligible_from < state.status.committed:
        state.report_rejection(
            role.leader_id,
            f"it calls records committed up to offset {role.eligible_from}, but the log quarantined here knew of "
            f"committed ones up to {state.status.committed}: was the quorum recovered from a copy that had less? If "
            "that is intended, remove this node's kraftpy.replica-status while it is stopped; its vote counts then",
        )
    if state.log.flushed_offset >= max(role.eligible_from, state.status.committed):
        reached = state.log.flushed_offset
        restore(state, f"caught up with leader {role.leader_id} of epoch {role.epoch} to offset {reached}")


# A first start.


def is_empty(state: ReplicaState) -> bool:
    """Say whether this replica, as the voter that it is, holds nothing, and is about nothing that would change that."""
    if state.status.status not in {VoterStatus.ELIGIBLE, VoterStatus.EMPTY} or state.installing is not None:
        return False
    holds_nothing = state.log.end_offset == 0 and all(snapshot == ORIGIN for snapshot in state.log.snapshots)
    return holds_nothing and state.config.can_vote and isinstance(state.role, Unattached | Prospective)


def may_ask(state: ReplicaState) -> bool:
    """Say whether this replica may ask for pre-votes: as a voter that counts, or to find out if all are empty."""
    return state.may_start_election or (state.is_voter and is_empty(state) and state.has_next_epoch)


def empty_for_ms(state: ReplicaState) -> int | None:
    """Say how long this process has been up, if it holds nothing."""
    return max(0, state.now_ms - state.started_ms) if is_empty(state) else None


def is_second_candidate(state: ReplicaState, candidate: ReplicaKey) -> bool:
    """Say whether an empty voter answers another directory of this candidate's id just now; else note this one."""
    if not is_empty(state):
        return False
    known = state.recent_candidates.get(candidate.node_id)
    if known is not None and known[0] != candidate and state.now_ms - known[1] < state.config.check_quorum_ms:
        return True
    if candidate.node_id in state.voters.ids:
        state.recent_candidates[candidate.node_id] = (candidate, state.now_ms)
    return False


def record_condition(state: ReplicaState, role: Prospective, node_id: NodeId, response: VoteResponse) -> None:
    """Take note of what a voter said of itself in its answer to a pre-vote."""
    if response.ineligible:
        role.ineligible.append(node_id)
    up_ms = response.empty_for_ms
    if up_ms is not None and up_ms >= state.now_ms - role.began_ms:
        role.empty[node_id] = response.incarnation_id


def all_are_empty(state: ReplicaState, role: Prospective) -> bool:
    """Say whether this is a first start: nobody held anything when this round began."""
    return is_empty(state) and set(state.other_voter_ids) <= set(role.empty)


def may_all_be_empty(state: ReplicaState, role: Prospective) -> bool:
    """Say whether the answers that are not there yet can still make this a first start."""
    answered = (node_id for node_id in state.other_voter_ids if node_id in role.tally.answers)
    return is_empty(state) and all(node_id in role.empty for node_id in answered)


def is_claimed(state: ReplicaState, claimed_incarnation_id: Uuid | None) -> bool:
    """Say whether a candidate knows of this very life, and it still holds nothing."""
    return (
        claimed_incarnation_id is not None and claimed_incarnation_id == state.status.incarnation_id and is_empty(state)
    )


def maybe_report_blocked_election(state: ReplicaState, role: Prospective) -> bool:
    """Say, now and then, that nobody can be elected because of voters that lost their directories, or may have.

    Returns:
        Whether that is so.
    """
    unproven = set(role.ineligible) | (set() if state.status.is_eligible else {state.node_id})
    if not unproven:
        return False
    answers = role.tally.answers
    silent = {voter for voter in state.other_voter_ids if answers.get(voter, Answer.UNREACHABLE) is Answer.UNREACHABLE}
    holding = set(state.voters.ids) - silent - set(role.empty) - unproven
    _withhold(state, NoElectableVoter(tuple(sorted(unproven)), tuple(sorted(holding)), tuple(sorted(silent))))
    return True


def report_vote_not_counted(state: ReplicaState) -> None:
    """Say, now and then, that this voter knows of no leader, and may neither stand nor ask."""
    if not state.status.is_eligible and state.is_voter:
        _withhold(state, VoteNotCounted(state.status.reason, state.other_voter_ids))


def _withhold(state: ReplicaState, why: NoElectableVoter | VoteNotCounted) -> None:
    state.election_blocked_reason = why
    if state.log_rate_limiter.should_log(state.node_id, str(why), state.now_ms):
        state.out.events.append(why)
