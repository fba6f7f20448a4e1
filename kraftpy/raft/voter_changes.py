"""Change the voter set, one voter at a time; and transfer the leadership to a chosen voter.

A new set is one KRAFT_VOTERS record. It takes effect when it is appended, so its own commit is decided by the *new*
majority; and because two consecutive sets differ by one voter, any majority of one overlaps any majority of the other.
Both hold only while changes are sequential, each after the commit of the previous one, and under a leader that has
committed a record of its own epoch (Raft §4.1 and its erratum): :func:`_obstacle` checks all of it.

A voter is added in two steps: the leader requests the kraft.versions that it supports, and waits until it, as an
observer, has caught up; so a new voter never costs the quorum its majority during its first download. A leader that is
removed continues to lead, uncounted, until its removal is committed, and then resigns.

The followers' side is here, too: a voter whose description in the set is outdated sends an update to each leader, and
an observer that is configured to join does so by itself, unless it was removed.

Source: KIP-853 §Adding voters, §Removing voters, §UpdateRaftVoter; KIP-1186 (auto-join); Raft dissertation §3.10
(leadership transfer), §4.1, §4.2.1; Kafka ``AddVoterHandler``, ``RemoveVoterHandler``, ``UpdateVoterHandler``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from kraftpy.model.errors import ErrorCode, LocalError, NotLeaderError
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Epoch, Offset
from kraftpy.model.voters import Endpoint, Voter, VoterSet
from kraftpy.raft.appending import append_control_batch
from kraftpy.raft.error_responses import answer_change
from kraftpy.raft.guards import is_duplicate
from kraftpy.raft.leader_replication import check_leader, maybe_advance_high_watermark
from kraftpy.raft.leadership import KRAFT_VERSION_MAX, KRAFT_VERSION_MIN, restart_check_quorum
from kraftpy.raft.messages import (
    AddRaftVoterRequest,
    AddRaftVoterResponse,
    KRaftVersionsRequest,
    KRaftVersionsResponse,
    RaftRequest,
    RemoveRaftVoterRequest,
    RemoveRaftVoterResponse,
    UpdateRaftVoterRequest,
    UpdateRaftVoterResponse,
)
from kraftpy.raft.pending_voter_change import Transfer, VoterChange, VoterChangeKind
from kraftpy.raft.quorum_state import transition_to_resigned
from kraftpy.raft.replica_state import ReplicaState
from kraftpy.raft.roles import Follower, Leader
from kraftpy.records.control import ControlRecord, KRaftVersionRecord, voter_set_to_record

ENDPOINTS_MAX: Final = 64
"""How many endpoints a voter may have; controllers have one or two."""

LISTENER_NAME_BYTES_MAX: Final = 255
"""How long a voter's listener name may be, in upper case and in UTF-8."""

HOST_BYTES_MAX: Final = 255
"""How long a voter's host may be: as long as a name in the DNS. Source: RFC 1035 §2.3.4."""


def endpoints_fault(endpoints: Sequence[Endpoint]) -> str | None:
    """Return why a voter cannot have these endpoints; ``None`` when it can.

    Names come in upper case, which may be longer than what the wire's decoder saw; a set that no record holds must be
    refused before anything is changed.
    """
    if len(endpoints) > ENDPOINTS_MAX:
        return f"has {len(endpoints)} endpoints, at most {ENDPOINTS_MAX} are allowed"
    for endpoint in endpoints:
        name, host = len(endpoint.name.encode()), len(endpoint.host.encode())
        if name > LISTENER_NAME_BYTES_MAX:
            shown = endpoint.name[:20]
            return f"has a listener name {shown!r}... of {name} bytes, at most {LISTENER_NAME_BYTES_MAX} are allowed"
        if host > HOST_BYTES_MAX:
            return f"has a host {endpoint.host[:20]!r}... of {host} bytes, at most {HOST_BYTES_MAX} are allowed"
    return None


# The leader's side: requests.


def handle_add_voter(state: ReplicaState, token: int, request: AddRaftVoterRequest) -> None:
    """Let a replica vote once it has caught up. Only its exact key, directory id included, will count."""
    change = VoterChange(
        kind=VoterChangeKind.ADD,
        token=token,
        key=request.voter,
        endpoints=request.endpoints,
        deadline_ms=state.now_ms + min(request.timeout_ms, state.config.request_timeout_ms),
        ack_when_committed=request.ack_when_committed,
    )
    leader = _accept(state, change)
    if leader is None:
        return
    fault = endpoints_fault(request.endpoints)
    if fault is not None:
        answer_change(state, change, ErrorCode.INVALID_REQUEST, f"{request.voter} {fault}")
        return
    if not any(endpoint.name == state.config.listener_name for endpoint in request.endpoints):
        text = f"{request.voter} has no endpoint of listener {state.config.listener_name}, which voters are reached by"
        answer_change(state, change, ErrorCode.INVALID_REQUEST, text)
        return
    known = state.voters.by_id(request.voter.node_id)
    if known is not None:
        text = f"{known.key} is a voter already; remove that one first if {request.voter} is to take its place"
        answer_change(state, change, ErrorCode.DUPLICATE_VOTER, text)
        return
    endpoint = state.pick(request.endpoints)
    if endpoint is None or not state.requests_out.is_ready(request.voter.node_id, state.now_ms):
        answer_change(
            state, change, ErrorCode.REQUEST_TIMED_OUT, f"{request.voter} cannot be asked just now; try again"
        )
        return
    leader.change = change
    state.send(request.voter.node_id, endpoint, KRaftVersionsRequest())


def handle_remove_voter(state: ReplicaState, token: int, request: RemoveRaftVoterRequest) -> None:
    """Take a voter out of the set; the remaining ones decide whether that holds."""
    change = VoterChange(
        kind=VoterChangeKind.REMOVE,
        token=token,
        key=request.voter,
        deadline_ms=state.now_ms + state.config.request_timeout_ms,
    )
    leader = _accept(state, change)
    if leader is None:
        return
    voter = state.voters.by_id(request.voter.node_id)
    if voter is None or voter.key != request.voter:
        text = f"{request.voter} is not a voter; the voters are {_shown(state.voters)}"
        answer_change(state, change, ErrorCode.VOTER_NOT_FOUND, text)
    elif len(state.voters) == 1:
        answer_change(state, change, ErrorCode.VOTER_NOT_FOUND, f"{request.voter} is the only voter, and one has to be")
    else:
        leader.change = change
        _append_set(state, leader, (each for each in state.voters if each is not voter))


def handle_update_voter(state: ReplicaState, request: UpdateRaftVoterRequest) -> UpdateRaftVoterResponse:
    """Note how a voter describes itself; below kraft.version 1 only in memory, for the upgrade."""
    error = check_leader(state, request.epoch)
    role = state.role
    if error is ErrorCode.NONE and isinstance(role, Leader):
        error = _update(state, role, request)
    return UpdateRaftVoterResponse(error=error, leader=state.leader, leader_endpoints=state.leader_endpoints)


def _update(state: ReplicaState, leader: Leader, request: UpdateRaftVoterRequest) -> ErrorCode:
    lowest, highest = request.kraft_version_min, request.kraft_version_max
    has_listener = any(endpoint.name == state.config.listener_name for endpoint in request.endpoints)
    if request.voter.node_id < 0 or request.voter.directory_id is None or not has_listener:
        return ErrorCode.INVALID_REQUEST
    if endpoints_fault(request.endpoints) is not None:
        return ErrorCode.INVALID_REQUEST
    if not 0 <= lowest <= state.kraft_version <= highest:
        return ErrorCode.INVALID_REQUEST
    if not state.voters.contains(request.voter):
        return ErrorCode.VOTER_NOT_FOUND
    if is_duplicate(state, leader, request.voter):
        return ErrorCode.DUPLICATE_VOTER
    described = Voter(request.voter, request.endpoints, lowest, highest)
    if state.kraft_version == 0:
        leader.described_voters[request.voter.node_id] = described
        return ErrorCode.NONE
    if _obstacle(state, leader) is not None:
        return ErrorCode.REQUEST_TIMED_OUT
    known = state.voters.by_id(request.voter.node_id)
    if known is None or not known.runs_like(described):
        others = (each for each in state.voters if each.key.node_id != request.voter.node_id)
        _append_set(state, leader, (*others, described))
    return ErrorCode.NONE


def _accept(state: ReplicaState, change: VoterChange) -> Leader | None:
    """Return the leader's state when a change may begin now; else answer why it may not."""
    error, text = (
        check_leader(state, state.epoch),
        f"node {state.node_id} does not lead; the leader is {state.leader_id}",
    )
    role = state.role
    if error is not ErrorCode.NONE or not isinstance(role, Leader):
        answer_change(state, change, error, text)
        return None
    if change.key.node_id < 0 or change.key.directory_id is None:
        text = f"{change.kind.value.capitalize()} voter request didn't include a valid voter"
        answer_change(
            state, change, ErrorCode.INVALID_REQUEST, f"{text}: {change.key} lacks a node id or a directory id"
        )
        return None
    obstacle = _obstacle(state, role)
    if obstacle is not None:
        answer_change(state, change, *obstacle)
        return None
    return role


def _obstacle(state: ReplicaState, leader: Leader) -> tuple[ErrorCode, str] | None:
    """Return why the voter set may not be changed just now; see the module for why it must be asked."""
    if leader.change is not None:
        return ErrorCode.REQUEST_TIMED_OUT, f"another change is on its way: {leader.change}; try again"
    if leader.high_watermark is None:
        return ErrorCode.REQUEST_TIMED_OUT, f"epoch {leader.epoch} has committed nothing yet; try again"
    if state.kraft_version == 0:
        way_out = "upgrade it first (features upgrade --feature kraft.version=1)"
        return ErrorCode.UNSUPPORTED_VERSION, f"kraft.version is 0: the log does not contain the voters; {way_out}"
    offset = state.voter_set_history.offset
    if offset is None or not 0 <= offset < leader.high_watermark:
        return ErrorCode.REQUEST_TIMED_OUT, f"the voter set at offset {offset} is not committed yet; try again"
    return None


# The leader's side: what becomes of a change.


def handle_versions_response(state: ReplicaState, node_id: NodeId, response: KRaftVersionsResponse) -> None:
    """Hear which kraft.versions a replica knows that is to become a voter."""
    role = state.role
    change = role.change if isinstance(role, Leader) else None
    if not isinstance(role, Leader) or change is None or change.key.node_id != node_id or change.offset is not None:
        return
    if response.error is not ErrorCode.NONE:
        handle_versions_failure(state, node_id, response.error.name)
        return
    change.versions = (response.lowest, response.highest)
    if not response.lowest <= state.kraft_version <= response.highest:
        known = f"{change.key} knows the kraft.versions {response.lowest} to {response.highest}"
        _end_change(state, role, ErrorCode.INVALID_REQUEST, f"{known}, but {state.kraft_version} is in force")


def handle_versions_failure(state: ReplicaState, node_id: NodeId, why: str) -> None:
    """Hear that a replica that is to become a voter cannot be reached where it says it listens."""
    role = state.role
    change = role.change if isinstance(role, Leader) else None
    if isinstance(role, Leader) and change is not None and change.key.node_id == node_id and change.versions is None:
        text = f"{change.key} cannot be reached at {_listed(change.endpoints)}: {why}"
        _end_change(state, role, ErrorCode.REQUEST_TIMED_OUT, text)


def settle(state: ReplicaState) -> None:
    """Advance the leader's voter change or leadership transfer by one step, if possible now."""
    role = state.role
    if not isinstance(role, Leader):
        return
    if role.change is not None:
        _settle_change(state, role, role.change)
    if role.is_leaving and _set_is_committed(state, role):
        transition_to_resigned(state, "is no voter any longer")
    elif role.transfer is not None:
        _settle_transfer(state, role, role.transfer)


def _settle_change(state: ReplicaState, leader: Leader, change: VoterChange) -> None:
    if change.offset is not None:
        if leader.high_watermark is not None and leader.high_watermark > change.offset:
            _end_change(state, leader, ErrorCode.NONE)
        elif change.deadline_ms <= state.now_ms:
            text = f"the new voter set at offset {change.offset} is not committed yet; it may still be"
            _end_change(state, leader, ErrorCode.REQUEST_TIMED_OUT, text)
    elif change.versions is not None and _is_caught_up(state, leader, change):
        _append_set(state, leader, (*state.voters, Voter(change.key, change.endpoints, *change.versions)))
        if not change.ack_when_committed:
            _end_change(state, leader, ErrorCode.NONE)
    elif change.deadline_ms <= state.now_ms or (change.versions is not None and not change.ack_when_committed):
        # A requester that does not wait for the commit is the voter itself, and does not fetch while it waits for this
        # response.
        progress = leader.progress.observer(change.key)
        where = (
            "does not fetch" if progress is None else f"is at offset {progress.end_offset} of {state.log.end_offset}"
        )
        _end_change(state, leader, ErrorCode.REQUEST_TIMED_OUT, f"{change.key} has not caught up: it {where}")


def _end_change(state: ReplicaState, leader: Leader, error: ErrorCode, message: str | None = None) -> None:
    change, leader.change = leader.change, None
    if change is not None:
        answer_change(state, change, error, message)


def _is_caught_up(state: ReplicaState, leader: Leader, change: VoterChange) -> bool:
    """Return whether an observer has all that the leader had a moment ago, and is still there."""
    progress = leader.progress.observer(change.key)
    return (
        progress is not None
        and progress.last_caught_up_ms is not None
        and state.now_ms - progress.last_caught_up_ms <= state.config.fetch_timeout_ms
    )


def _append_set(state: ReplicaState, leader: Leader, voters: Iterable[Voter]) -> None:
    """Append a new set and lead by it from now on."""
    _append(state, leader, [voter_set_to_record(VoterSet.of(voters))])


def _append(state: ReplicaState, leader: Leader, records: list[ControlRecord]) -> None:
    offset = state.log.end_offset + len(records) - 1
    append_control_batch(state, records)
    if leader.change is not None:
        leader.change.offset = offset
    leader.is_leaving = not state.is_voter
    leader.begin_due_ms = {node_id: leader.begin_due_ms.get(node_id, state.now_ms) for node_id in state.other_voter_ids}
    restart_check_quorum(state, leader)
    state.fetch_purgatory.wake()
    maybe_advance_high_watermark(state, leader)


def _set_is_committed(state: ReplicaState, leader: Leader) -> bool:
    offset = state.voter_set_history.offset
    return offset is not None and leader.high_watermark is not None and offset < leader.high_watermark


# The leader's side: what its own operator asks for.


def upgrade_kraft_version(
    state: ReplicaState, epoch: Epoch, level: int, *, validate_only: bool = False
) -> Offset | None:
    """Let the log say who votes (kraft.version 0 to 1): one batch with the level and the set as it runs.

    Returns:
        The offset of the set; ``None`` when the level is in force already or nothing is to be changed.

    Raises:
        NotLeaderError: this replica does not lead ``epoch``.
        LocalError: the level cannot be gone to, or not yet; the text says why.
    """
    role = state.role
    if not isinstance(role, Leader) or role.epoch != epoch:
        raise NotLeaderError(f"node {state.node_id} does not lead epoch {epoch}: it is {role.role.value}")
    if level == state.kraft_version:
        return None
    if not state.kraft_version < level <= KRAFT_VERSION_MAX:
        raise LocalError(
            f"kraft.version {level} cannot be gone to: {state.kraft_version} is in force, 1 is the highest"
        )
    if role.high_watermark is None:
        raise LocalError(f"epoch {epoch} has committed nothing yet; try again")
    voters = VoterSet.of(_described(state, role))
    unfit = [voter.key.node_id for voter in voters if not voter.kraft_version_min <= level <= voter.kraft_version_max]
    if unfit:
        raise LocalError(f"the voters {unfit} do not know kraft.version {level}; upgrade their software first")
    if validate_only:
        return None
    _append(state, role, [KRaftVersionRecord(kraft_version=level), voter_set_to_record(voters)])
    return state.voter_set_history.offset


def _described(state: ReplicaState, leader: Leader) -> list[Voter]:
    """Return all voters of a static set as they run, with their directory ids."""
    own = Voter(state.key, state.config.own_endpoints, KRAFT_VERSION_MIN, KRAFT_VERSION_MAX)
    known = leader.described_voters | {state.node_id: own}
    missing = [node_id for node_id in state.voters.ids if node_id not in known]
    if missing:
        raise LocalError(
            f"the voters {missing} have not reported yet which directory they run on (they do so "
            f"{state.config.fetch_timeout_ms} ms after a new leader); start them, or try again in a moment"
        )
    return [known[node_id] for node_id in state.voters.ids]


def begin_transfer(state: ReplicaState, epoch: Epoch, successor: NodeId, *, validate_only: bool = False) -> None:
    """Hand the leadership of ``epoch`` to a voter: stop proposing, let it catch up, resign in its favour.

    It ends by itself after an election timeout, with this replica leading on, when the voter does not catch up. With
    ``validate_only`` nothing begins.

    Raises:
        NotLeaderError: this replica does not lead ``epoch``.
        LocalError: the successor is not another voter that fetches, or a transfer is on its way.
    """
    role = state.role
    if not isinstance(role, Leader) or role.epoch != epoch:
        raise NotLeaderError(f"node {state.node_id} does not lead epoch {epoch}: it is {role.role.value}")
    if successor == state.node_id:
        raise LocalError(f"node {successor} leads already")
    if successor not in state.voters.ids:
        raise LocalError(f"node {successor} is not a voter; the voters are {_shown(state.voters)}")
    if role.transfer is not None or role.change is not None:
        raise LocalError(f"something else is on its way: {role.transfer or role.change}; try again")
    last_fetch_ms = role.progress.voter(successor).last_fetch_ms
    if last_fetch_ms is None or state.now_ms - last_fetch_ms > state.config.fetch_timeout_ms:
        raise LocalError(f"node {successor} does not follow: it fetched nothing for {state.config.fetch_timeout_ms} ms")
    if validate_only:
        return
    role.transfer = Transfer(successor, state.now_ms + state.config.election_timeout_ms)
    settle(state)


def _settle_transfer(state: ReplicaState, leader: Leader, transfer: Transfer) -> None:
    if transfer.successor not in state.voters.ids:
        leader.transfer = None
    elif leader.progress.end_offset_of(transfer.successor) == state.log.end_offset:
        transition_to_resigned(state, f"hands over to {transfer.successor}", first=transfer.successor)
    elif transfer.deadline_ms <= state.now_ms:
        leader.transfer = None


# The followers' side.


def send_update_voter(state: ReplicaState, follower: Follower) -> bool:
    """Say to the leader what the voter set says wrongly of this replica, in place of a fetch; return whether it did."""
    if state.now_ms < follower.describe_at_ms or not follower.has_fetched or state.shutting_down:
        return False
    endpoint = state.pick(follower.leader_endpoints)
    if endpoint is None or not state.requests_out.is_ready(follower.leader_id, state.now_ms):
        return False
    follower.describe_at_ms = state.now_ms + state.config.fetch_timeout_ms
    request = _introduction(state, follower)
    if request is None:
        return False
    state.send(follower.leader_id, endpoint, request)
    return True


def _introduction(state: ReplicaState, follower: Follower) -> RaftRequest | None:
    if not state.config.can_vote or not state.config.own_endpoints:
        return None
    if state.is_voter:
        described = Voter(state.key, state.config.own_endpoints, KRAFT_VERSION_MIN, KRAFT_VERSION_MAX)
        known = state.voters.by_id(state.node_id)
        is_known = known is not None and known.runs_like(described)
        if state.kraft_version == 0:
            is_known = follower.described_voters
        return None if is_known else _update_request(state, described)
    return _join_request(state)


def _update_request(state: ReplicaState, described: Voter) -> UpdateRaftVoterRequest:
    return UpdateRaftVoterRequest(
        cluster_id=state.cluster_id,
        epoch=state.epoch,
        voter=described.key,
        endpoints=described.endpoints,
        kraft_version_min=described.kraft_version_min,
        kraft_version_max=described.kraft_version_max,
    )


def _join_request(state: ReplicaState) -> AddRaftVoterRequest | RemoveRaftVoterRequest | None:
    """Ask to be made a voter, having first had the voter removed that this replica was before it lost its disk."""
    if not state.config.auto_join or state.kraft_version == 0 or state.is_removed:
        return None
    former = state.voters.by_id(state.node_id)
    if former is not None:
        return RemoveRaftVoterRequest(cluster_id=state.cluster_id, voter=former.key)
    return AddRaftVoterRequest(
        cluster_id=state.cluster_id,
        voter=state.key,
        endpoints=state.config.own_endpoints,
        timeout_ms=state.config.request_timeout_ms,
        ack_when_committed=False,
    )


def handle_update_voter_response(state: ReplicaState) -> None:
    """The leader knows now how this replica runs."""
    if isinstance(state.role, Follower):
        state.role.described_voters = True


def handle_join_response(
    state: ReplicaState, node_id: NodeId, response: AddRaftVoterResponse | RemoveRaftVoterResponse
) -> None:
    """A rejected join is retried after a while; errors that do not resolve by themselves are logged."""
    if response.error in {ErrorCode.INVALID_REQUEST, ErrorCode.UNSUPPORTED_VERSION, ErrorCode.INCONSISTENT_CLUSTER_ID}:
        state.report_rejection(
            node_id, f"it does not let {state.key} join the voters: {response.error.name} {response.message}"
        )


def _shown(voters: VoterSet) -> str:
    return ", ".join(str(voter.key) for voter in voters)


def _listed(endpoints: Iterable[object]) -> str:
    return ", ".join(str(endpoint) for endpoint in endpoints)
