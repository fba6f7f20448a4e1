"""The follower's side of replication: fetching, appending, cutting what differs; and looking for a leader.

The next fetch leaves in the same ``Ready`` that appends what the last one brought, behind the fsync line: that is what
makes a fetch an acknowledgement.

Source: KIP-595 §Fetch; KIP-630 §Fetch; KIP-1166; Kafka ``KafkaRaftClient.handleFetchResponse``.
"""

from __future__ import annotations

from kraftpy.model.errors import ErrorCode, MalformedError
from kraftpy.model.ids import NodeId
from kraftpy.model.invariant import invariant
from kraftpy.model.offsets import Offset, OffsetAndEpoch
from kraftpy.model.voters import Endpoint
from kraftpy.raft.appending import append_fetched, truncate
from kraftpy.raft.guards import is_on_probation, observe_fetch_response
from kraftpy.raft.leader_replication import raise_high_watermark
from kraftpy.raft.messages import FetchRequest, FetchResponse
from kraftpy.raft.replica_state import ReplicaState
from kraftpy.raft.roles import Follower
from kraftpy.raft.snapshots import snapshot_request, start_download
from kraftpy.raft.timing import DISCOVERY_PAUSE_MS, REJECTED_PAUSE_MS

FIRST_BOOTSTRAP_ID: NodeId = -2
"""Bootstrap servers, whose ids are not known yet, are numbered downwards from here."""


def send_fetch(state: ReplicaState, follower: Follower) -> None:
    """Ask the leader for what comes next: records, or the next chunk of a snapshot."""
    leader_id = follower.leader_id
    if state.installing is not None or (state.shutting_down and state.is_voter):
        return
    endpoint = state.pick(follower.leader_endpoints)
    if endpoint is not None and state.requests_out.is_ready(leader_id, state.now_ms):
        request = snapshot_request(state, follower.download) if follower.download else fetch_request(state)
        state.send(leader_id, endpoint, request)


def fetch_request(state: ReplicaState) -> FetchRequest:
    """Build the fetch for our log's end: it acknowledges everything below, unless we are not to be counted yet."""
    on_probation = is_on_probation(state)
    return FetchRequest(
        cluster_id=state.cluster_id,
        replica=None if on_probation else state.key,
        on_probation=state.key if on_probation else None,
        epoch=state.epoch,
        fetch_offset=state.log.end_offset,
        last_fetched_epoch=state.log.last_epoch,
        max_wait_ms=state.config.fetch_max_wait_ms,
        max_bytes=state.config.fetch_max_bytes,
        high_watermark=state.high_watermark or 0,
        state=None if on_probation else state.digests.unjudged,
    )


def discover_leader(state: ReplicaState) -> None:
    """Ask one peer after the other, from a random one on, who leads; a fetch is the question."""
    if state.shutting_down or state.installing is not None:
        return
    if state.now_ms < state.discover_at_ms or state.requests_out.any_in_flight:
        return
    peers = [peer for peer in discovery_peers(state) if state.requests_out.is_ready(peer[0], state.now_ms)]
    if peers:
        node_id, endpoint = peers[state.jitter.below(len(peers))]
        state.discover_at_ms = state.now_ms + DISCOVERY_PAUSE_MS
        state.send(node_id, endpoint, fetch_request(state))


def discovery_peers(state: ReplicaState) -> list[tuple[NodeId, Endpoint]]:
    """List the peers for discovery: the bootstrap servers, and the voters that the log or the configuration names.

    The bootstrap servers alone do not suffice: all of them may have left the voter set since, and then know no leader.
    Only the voter set changes while the process runs, so the list is rebuilt for a new set only.
    """
    known, voters = state.discovery_peers, state.voters
    if known is None or known[0] is not voters:
        state.discovery_peers = known = (voters, _list_discovery_peers(state))
    return known[1]


def _list_discovery_peers(state: ReplicaState) -> list[tuple[NodeId, Endpoint]]:
    peers: list[tuple[NodeId, Endpoint]] = [
        (FIRST_BOOTSTRAP_ID - index, server)
        for index, server in enumerate(state.config.bootstrap_servers)
        if server not in state.config.own_endpoints
    ]
    for node_id in sorted({*state.other_voter_ids, *state.config.static_voters.ids} - {state.node_id}):
        endpoint = state.pick(state.endpoints_of(node_id))
        if endpoint is not None and (state.is_voter or endpoint not in state.config.bootstrap_servers):
            peers.append((node_id, endpoint))
    return peers


def handle_fetch_response(state: ReplicaState, node_id: NodeId, request: FetchRequest, response: FetchResponse) -> None:
    """Take what the leader of our epoch answered without an error."""
    role = state.role
    if not isinstance(role, Follower) or role.leader_id != response.leader.leader_id:
        return
    reset_fetch_timer(state, role)
    if response.diverging is not None:
        _cut_to_divergence(state, response.diverging)
    elif response.snapshot_id is not None:
        start_download(state, role, response.snapshot_id)
    else:
        role.leader_high_watermark = response.high_watermark
        _append(state, node_id, response.records)
        _learn_high_watermark(state, response.high_watermark)
        observe_fetch_response(state, role, request, response)


def reset_fetch_timer(state: ReplicaState, follower: Follower) -> None:
    """The leader answered: it lives, and has a whole fetch timeout again."""
    follower.deadline_ms = state.fetch_deadline_ms(follower.leader_id)
    follower.heard_ms = state.now_ms
    follower.has_fetched = True
    follower.leader_lost = False
    follower.last_failure = None


def _append(state: ReplicaState, node_id: NodeId, records: bytes) -> None:
    try:
        appended = append_fetched(state, records)
    except MalformedError as error:
        state.report_rejection(node_id, f"{ErrorCode.CORRUPT_MESSAGE.name}: {error}")
        state.back_off(node_id, REJECTED_PAUSE_MS)
        return
    if records and not appended:
        state.report_rejection(node_id, f"its answer of {len(records)} bytes does not hold one whole batch")
        state.back_off(node_id, REJECTED_PAUSE_MS)


def _learn_high_watermark(state: ReplicaState, leader_high_watermark: Offset | None) -> None:
    """Follow the leader's high watermark as far as our own log reaches."""
    if leader_high_watermark is not None:
        raise_high_watermark(state, min(state.log.end_offset, leader_high_watermark))


def _cut_to_divergence(state: ReplicaState, diverging: OffsetAndEpoch) -> None:
    """Cut our log where it stops being the leader's. What is committed is never cut: that would be a broken promise."""
    committed = state.high_watermark or 0
    invariant(diverging.offset >= committed, "committed records are never truncated", diverging, committed)
    end_offset = _common_end(state, diverging)
    invariant(end_offset >= committed, "committed records are never truncated", end_offset, committed)
    truncate(state, max(end_offset, state.log.start_offset))


def _common_end(state: ReplicaState, diverging: OffsetAndEpoch) -> Offset:
    """Find the end offset up to which both logs may agree, given where the leader's log ends for an epoch.

    Source: KIP-595 §Fetch; Kafka ``ReplicatedLog.truncateToEndOffset``.
    """
    if diverging.epoch == 0:
        return min(diverging.offset, state.log.end_offset)
    own = state.log.end_offset_for(diverging.epoch)
    return min(own.offset, diverging.offset) if own.epoch == diverging.epoch else own.offset
