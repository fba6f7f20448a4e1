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
from kraftpy.raft.core import Core
from kraftpy.raft.leader_replication import raise_high_watermark
from kraftpy.raft.messages import FetchRequest, FetchResponse
from kraftpy.raft.roles import Follower
from kraftpy.raft.snapshots import snapshot_request, start_download
from kraftpy.raft.state_digests import handle_agreed
from kraftpy.raft.voter_eligibility import is_on_probation, note_accepted

DISCOVERY_PAUSE_MS = 50
"""How long a replica without a leader waits between two questions to its peers."""

FIRST_BOOTSTRAP_ID: NodeId = -2
"""Bootstrap servers, whose ids are not known yet, are numbered downwards from here."""

REFUSED_PAUSE_MS = 500
"""How long a peer is left alone that refused us for a reason which time alone will not heal."""


def send_fetch(core: Core, follower: Follower) -> None:
    """Ask the leader for what comes next: records, or the next chunk of a snapshot."""
    leader_id = follower.leader_id
    if core.installing is not None or (core.shutting_down and core.is_voter):
        return
    endpoint = core.pick(follower.leader_endpoints)
    if endpoint is not None and core.requests_out.is_ready(leader_id, core.now_ms):
        request = snapshot_request(core, follower.download) if follower.download else fetch_request(core)
        core.send(leader_id, endpoint, request)


def fetch_request(core: Core) -> FetchRequest:
    """Build the fetch for our log's end: it acknowledges everything below, unless we are not to be counted yet."""
    on_probation = is_on_probation(core)
    return FetchRequest(
        cluster_id=core.cluster_id,
        replica=None if on_probation else core.key,
        on_probation=core.key if on_probation else None,
        epoch=core.epoch,
        fetch_offset=core.log.end_offset,
        last_fetched_epoch=core.log.last_epoch,
        max_wait_ms=core.config.fetch_max_wait_ms,
        max_bytes=core.config.fetch_max_bytes,
        high_watermark=core.high_watermark or 0,
        state=None if on_probation else core.digests.unjudged,
    )


def discover_leader(core: Core) -> None:
    """Ask one peer after the other, from a random one on, who leads; a fetch is the question."""
    if core.shutting_down or core.installing is not None:
        return
    if core.now_ms < core.discover_at_ms or core.requests_out.any_in_flight:
        return
    peers = [peer for peer in discovery_peers(core) if core.requests_out.is_ready(peer[0], core.now_ms)]
    if peers:
        node_id, endpoint = peers[core.jitter.below(len(peers))]
        core.discover_at_ms = core.now_ms + DISCOVERY_PAUSE_MS
        core.send(node_id, endpoint, fetch_request(core))


def discovery_peers(core: Core) -> list[tuple[NodeId, Endpoint]]:
    """List whom to ask: the bootstrap servers, and the voters as far as the log, or the configuration, names them.

    The bootstrap servers alone would not do: all of them may have left the voter set since, and then know no leader.
    All but the voter set stays as it is while the process lives, so the list is made anew for a new set only.
    """
    known, voters = core.discovery_peers, core.voters
    if known is None or known[0] is not voters:
        core.discovery_peers = known = (voters, _list_discovery_peers(core))
    return known[1]


def _list_discovery_peers(core: Core) -> list[tuple[NodeId, Endpoint]]:
    peers: list[tuple[NodeId, Endpoint]] = [
        (FIRST_BOOTSTRAP_ID - index, server)
        for index, server in enumerate(core.config.bootstrap_servers)
        if server not in core.config.own_endpoints
    ]
    for node_id in sorted({*core.other_voter_ids, *core.config.static_voters.ids} - {core.node_id}):
        endpoint = core.pick(core.endpoints_of(node_id))
        if endpoint is not None and (core.is_voter or endpoint not in core.config.bootstrap_servers):
            peers.append((node_id, endpoint))
    return peers


def handle_fetch_response(core: Core, node_id: NodeId, request: FetchRequest, response: FetchResponse) -> None:
    """Take what the leader of our epoch answered without an error."""
    role = core.role
    if not isinstance(role, Follower) or role.leader_id != response.leader.leader_id:
        return
    reset_fetch_timer(core, role)
    if response.diverging is not None:
        _cut_to_divergence(core, response.diverging)
    elif response.snapshot_id is not None:
        start_download(core, role, response.snapshot_id)
    else:
        role.leader_high_watermark = response.high_watermark
        _append(core, node_id, response.records)
        _learn_high_watermark(core, response.high_watermark)
        if request.replica is not None:
            note_accepted(core, role, response.high_watermark)
        if response.agreed is not None:
            handle_agreed(core, role.leader_id, response.agreed)


def reset_fetch_timer(core: Core, follower: Follower) -> None:
    """The leader answered: it lives, and has a whole fetch timeout again."""
    follower.deadline_ms = core.fetch_deadline_ms(follower.leader_id)
    follower.heard_ms = core.now_ms
    follower.has_fetched = True
    follower.leader_lost = False
    follower.last_failure = None


def _append(core: Core, node_id: NodeId, records: bytes) -> None:
    try:
        appended = append_fetched(core, records)
    except MalformedError as error:
        core.refused(node_id, f"{ErrorCode.CORRUPT_MESSAGE.name}: {error}")
        core.back_off(node_id, REFUSED_PAUSE_MS)
        return
    if records and not appended:
        core.refused(node_id, f"its answer of {len(records)} bytes does not hold one whole batch")
        core.back_off(node_id, REFUSED_PAUSE_MS)


def _learn_high_watermark(core: Core, leader_high_watermark: Offset | None) -> None:
    """Follow the leader's high watermark as far as our own log reaches."""
    if leader_high_watermark is not None:
        raise_high_watermark(core, min(core.log.end_offset, leader_high_watermark))


def _cut_to_divergence(core: Core, diverging: OffsetAndEpoch) -> None:
    """Cut our log where it stops being the leader's. What is committed is never cut: that would be a broken promise."""
    committed = core.high_watermark or 0
    invariant(diverging.offset >= committed, "committed records are never truncated", diverging, committed)
    end_offset = _common_end(core, diverging)
    invariant(end_offset >= committed, "committed records are never truncated", end_offset, committed)
    truncate(core, max(end_offset, core.log.start_offset))


def _common_end(core: Core, diverging: OffsetAndEpoch) -> Offset:
    """Find the end offset up to which both logs may agree, given where the leader's log ends for an epoch.

    Source: KIP-595 §Fetch; Kafka ``ReplicatedLog.truncateToEndOffset``.
    """
    if diverging.epoch == 0:
        return min(diverging.offset, core.log.end_offset)
    own = core.log.end_offset_for(diverging.epoch)
    return min(own.offset, diverging.offset) if own.epoch == diverging.epoch else own.offset
