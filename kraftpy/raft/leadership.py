"""A leader's duties beside replication: taking office, saying so, watching its majority, and resigning.

Taking office appends a LEADER_CHANGE record: only when a record of the *own* epoch is on a majority is everything
before it committed too (Raft §5.4.2), so without traffic a leader makes that record itself.

Source: KIP-595 §Leader Election, §Leader Progress Timeout, §BeginQuorumEpoch, §EndQuorumEpoch; KIP-853 §Leader changes.
"""

from __future__ import annotations

from typing import Final

from kraftpy.model.errors import LocalError, NotLeaderError
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Epoch
from kraftpy.model.voters import ReplicaKey, Voter, VoterSet
from kraftpy.raft.appending import append_control_batch
from kraftpy.raft.confirming import note_answer, send_question
from kraftpy.raft.core import Core
from kraftpy.raft.follower_progress import Progress
from kraftpy.raft.messages import BeginQuorumEpochRequest, BeginQuorumEpochResponse, EndQuorumEpochRequest
from kraftpy.raft.quorum_state import transition, transition_to_resigned
from kraftpy.raft.ready import Elected
from kraftpy.raft.roles import Leader, Resigned
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


STILL_THERE_MS: Final = 100
"""How often a leader that stops asks a voter that has heard of it."""


def become_leader(core: Core, granted_by: tuple[NodeId, ...]) -> None:
    """Take office: note where the epoch starts, append LEADER_CHANGE, and let everybody be told at once."""
    epoch, start_offset = core.epoch, core.log.end_offset
    others = core.other_voter_ids
    leader = Leader(
        epoch=epoch,
        epoch_start_offset=start_offset,
        progress=Progress(core.voters),
        begin_due_ms=dict.fromkeys(others, core.now_ms),
        is_leaving=not core.is_voter,
    )
    transition(core, leader, "a majority voted for it")
    restart_check_quorum(core, leader)
    core.requests_out.clear_back_offs()
    core.log.epochs.assign(epoch, start_offset)
    core.out.note_epoch_start(epoch, start_offset)
    core.out.events.append(Elected(epoch, start_offset, granted_by))
    append_control_batch(core, _first_records(core, granted_by))


def _first_records(core: Core, granted_by: tuple[NodeId, ...]) -> list[ControlRecord]:
    """LEADER_CHANGE, and the voter set where the log does not say it yet or says it wrongly of this leader."""
    records: list[ControlRecord] = [
        LeaderChangeMessage(
            leader_id=core.node_id,
            voters=[LeaderChangeMessageVoter(voter_id) for voter_id in core.voters.ids],
            granting_voters=[LeaderChangeMessageVoter(voter_id) for voter_id in granted_by],
        )
    ]
    corrected = _corrected_voters(core)
    only_bootstrapped = core.voter_set_history.offset == ZERO_CHECKPOINT_OFFSET
    if core.kraft_version >= 1 and (only_bootstrapped or corrected != core.voters):
        records += [KRaftVersionRecord(kraft_version=core.kraft_version), voter_set_to_record(corrected)]
    return records


def _corrected_voters(core: Core) -> VoterSet:
    """Return the voter set with the leader's own entry as it is running."""
    own = core.voters.by_id(core.node_id)
    if own is None or not core.config.own_endpoints:
        return core.voters
    running = Voter(own.key, core.config.own_endpoints, KRAFT_VERSION_MIN, KRAFT_VERSION_MAX)
    return VoterSet.of(running if voter is own else voter for voter in core.voters)


def send_begin_quorum_epoch(core: Core, leader: Leader) -> None:
    """Tell the voters that have not fetched for half a fetch timeout who leads."""
    for voter_id, due_ms in leader.begin_due_ms.items():
        if due_ms > core.now_ms or not core.requests_out.is_ready(voter_id, core.now_ms):
            continue
        postpone_begin(core, leader, voter_id)
        send_question(core, leader, voter_id)


def postpone_begin(core: Core, leader: Leader, voter_id: NodeId) -> None:
    """A voter has heard of this leader: it need not be told for half a fetch timeout."""
    if voter_id in leader.begin_due_ms:
        leader.begin_due_ms[voter_id] = core.now_ms + core.config.fetch_timeout_ms // 2


def restart_check_quorum(core: Core, leader: Leader) -> None:
    """Give a new leader, or a new voter set, one and a half fetch timeouts to show itself."""
    leader.counting_since_ms = core.now_ms
    before = leader.heard_ms
    leader.heard_ms = {voter_id: before.get(voter_id, core.now_ms) for voter_id in core.other_voter_ids}
    _count_majority(core, leader)


def note_voter_fetch(core: Core, leader: Leader, key: ReplicaKey) -> None:
    """Count a voter as in touch from now on."""
    if not core.voters.contains(key) or key.node_id == core.node_id:
        return
    postpone_begin(core, leader, key.node_id)
    leader.heard_ms[key.node_id] = core.now_ms
    _count_majority(core, leader)


def _count_majority(core: Core, leader: Leader) -> None:
    """Find out since when a majority is in touch; one and a half fetch timeouts later this leader is none.

    Of five voters, two others are needed. The newest fetch of the one that fetched second last says when both had been
    heard of; what the others said before that is not added up.
    """
    needed = _voices_needed(core)
    if needed <= 0:
        leader.in_touch_ms = leader.check_quorum_deadline_ms = None
        return
    leader.in_touch_ms = sorted(leader.heard_ms.values(), reverse=True)[needed - 1]
    since_ms = max(leader.in_touch_ms, leader.counting_since_ms)
    leader.check_quorum_deadline_ms = since_ms + core.config.check_quorum_ms


def _voices_needed(core: Core) -> int:
    """How many *other* voters must be heard: a majority, less this leader if it is one of the voters."""
    return majority_of(len(core.voters)) - (1 if core.is_voter else 0)


def resign(core: Core, epoch: Epoch) -> None:
    """Give up the leadership of ``epoch``; an epoch that is over is ignored.

    Raises:
        LocalError: the epoch is negative or has not begun.
        NotLeaderError: this replica does not lead it.
    """
    if epoch < 0 or epoch > core.epoch:
        raise LocalError(f"cannot resign from epoch {epoch}: the current epoch is {core.epoch}")
    if epoch < core.epoch or isinstance(core.role, Resigned):
        return
    if not isinstance(core.role, Leader):
        raise NotLeaderError(f"cannot resign from epoch {epoch}: node {core.node_id} is {core.role.role.value} in it")
    transition_to_resigned(core, "was asked to resign")


def send_end_quorum_epoch(core: Core, resigned: Resigned) -> None:
    """Tell the voters that have not confirmed it that the epoch is over, and who should stand first."""
    for voter_id in resigned.unacknowledged:
        endpoint = core.pick(core.endpoints_of(voter_id))
        if endpoint is not None and core.requests_out.is_ready(voter_id, core.now_ms):
            request = EndQuorumEpochRequest(
                cluster_id=core.cluster_id,
                leader_id=core.node_id,
                epoch=resigned.epoch,
                preferred_successors=resigned.preferred_successors,
                leader_endpoints=core.config.own_endpoints,
            )
            core.send_early(voter_id, endpoint, request)


def handle_begin_response(
    core: Core, node_id: NodeId, request: BeginQuorumEpochRequest, response: BeginQuorumEpochResponse
) -> None:
    """A voter knows its leader now."""
    if isinstance(core.role, Leader):
        postpone_begin(core, core.role, node_id)
        note_answer(core, core.role, node_id, request, response)


def note_successor_gone(core: Core, resigned: Resigned, node_id: NodeId) -> None:
    """A voter's process is dead, so it cannot take over; when too few are left there is nobody to wait for."""
    if node_id in core.voters.ids and node_id not in resigned.gone:
        resigned.gone.append(node_id)
        core.refused(node_id, "cannot take over: connection refused")


def handle_end_response(core: Core, node_id: NodeId) -> None:
    """A voter knows that the epoch is over.

    A node that is stopping goes on asking it now and then: that is how it notices that the voter stopped, too, and that
    there is nobody to wait for.
    """
    if not isinstance(core.role, Resigned) or node_id not in core.role.unacknowledged:
        return
    if core.shutting_down:
        core.back_off(node_id, STILL_THERE_MS)
    else:
        core.role.unacknowledged.remove(node_id)
