"""What runs on the committed log of one node: the state machine, and on a controller the host of its decisions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import structlog

from kraftpy.model.digests import StateDigest
from kraftpy.model.ids import NodeId, uuid_to_text
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.model.replica_status import VoterStatus
from kraftpy.raft.ready import (
    DuplicateNodeIdRejected,
    Elected,
    ElectionLeftToOthers,
    EligibilityChanged,
    Event,
    LeaderLost,
    NoDigestMajority,
    NoElectableVoter,
    PeerRejected,
    RoleChanged,
    SnapshotInstalled,
    StateDigestMismatch,
    StateDigestVerified,
    Truncated,
    VoteNotCounted,
    VotersChanged,
    VotesSlow,
)
from kraftpy.raft.replica import Replica
from kraftpy.runtime.controller_loop import ControllerLoop
from kraftpy.runtime.reads import Reads
from kraftpy.runtime.sliced_publishing import SlicedPublishing
from kraftpy.runtime.snapshotter import Snapshotter
from kraftpy.runtime.state_machine import StateMachine

_log = structlog.get_logger("kraftpy.raft")

VOTER_ELIGIBLE: Final = "voter_eligible"
VOTER_INELIGIBLE: Final = "voter_ineligible"
OBSERVER_CAUGHT_UP: Final = "observer_caught_up"
"""Log events: a voter's vote counts again, or does not; a broker, which has no vote, holds what was committed."""


def duplicate_fields(event: DuplicateNodeIdRejected, own_id: NodeId) -> dict[str, object]:
    """Return the log fields of a duplicate node id: the id, both directories, and the remedy."""
    counts, refused = ("unknown" if each is None else uuid_to_text(each) for each in (event.bound, event.refused))
    this_one = event.node_id == own_id and event.by != own_id
    return {
        "node_id": event.node_id,
        "directory_that_counts": counts,
        "directory_refused": refused,
        "leader_digest": event.by,
        "what_it_means": (
            "this replica is refused: it gets no records, gives no vote and starts no election"
            if this_one
            else "the refused one gets no records and is not counted"
        ),
        "way_out": (
            f"stop the process that should not have node.id={event.node_id}, or give it another node.id and empty "
            "directories; one whose disk was replaced is taken in as soon as the other has been silent for 1.5 fetch "
            "timeouts"
        ),
    }


class NodeApplication:
    """Satisfies ``runtime.driver.Application``."""

    def __init__(
        self,
        *,
        replica: Replica,
        state_machine: StateMachine,
        host: ControllerLoop | None,
        reads: Reads,
        snapshotter: Snapshotter,
        cleaner: Callable[[int], int],
        on_replica_event: Callable[[Event], None],
        sliced: SlicedPublishing | None = None,
        on_turn: Callable[[], None] = lambda: None,
        on_agreed: Callable[[StateDigest], None] = lambda _: None,
        on_diverged: Callable[[StateDigestMismatch], None] = lambda _: None,
    ) -> None:
        self._replica = replica
        self._state_machine = state_machine
        self._host = host
        self._reads = reads
        self._snapshotter = snapshotter
        self._cleaner = cleaner
        self._on_replica_event = on_replica_event
        self._sliced = sliced or SlicedPublishing(())
        self._on_turn = on_turn
        self._on_agreed = on_agreed
        self._on_diverged = on_diverged
        self._cleaning_due_ms = 0
        self._caught_up_ms: int | None = None
        # A replica that restarts as a follower follows the leader that its disk names, without an event.
        state_machine.leader_changed(replica.leader)

    def before_ready(self, now_ms: int) -> None:
        """Let the controller decide, and snapshots and cleaning happen when they are due."""
        self._on_turn()
        self._sliced.go_on()
        if self._host is not None:
            self._host.before_ready(now_ms)
        self._reads.settle(now_ms)
        self._snapshotter.maybe_begin(now_ms)
        if now_ms >= self._cleaning_due_ms:
            self._cleaning_due_ms = self._cleaner(now_ms)

    def clean_soon(self) -> None:
        """Clean in the coming turn.

        A new snapshot, or one that was vouched for, may make older ones, and the log before them, superfluous.
        """
        self._cleaning_due_ms = 0

    def on_event(self, event: Event) -> None:
        """Log, count and follow a fact about the replica."""
        self._on_replica_event(event)
        match event:
            case RoleChanged(before, after, leader, reason):
                _log.info(
                    "role_changed",
                    before=before.value,
                    after=after.value,
                    epoch=leader.epoch,
                    leader=leader.leader_id,
                    why=reason,
                )
                self._state_machine.leader_changed(leader)
            case Elected(epoch, start, granted_by):
                _log.info("elected", epoch=epoch, epoch_start_offset=start, granted_by=list(granted_by))
                self._state_machine.leader_changed(LeaderAndEpoch(self._replica.key.node_id, epoch))
            case SnapshotInstalled(snapshot_id):
                _log.info("snapshot_installed", snapshot=str(snapshot_id))
                self._state_machine.snapshot_installed(snapshot_id)
            case Truncated(from_offset, to_offset):
                _log.warning("log_truncated", from_offset=from_offset, to_offset=to_offset)
            case StateDigestVerified() | StateDigestMismatch() | NoDigestMajority():
                self._on_digests(event)
            case _:
                self._log_event(event)
        if self._host is not None:
            self._host.on_event(event)

    def _log_event(self, event: Event) -> None:
        """Log what nothing here follows from."""
        match event:
            case LeaderLost(leader_id, epoch):
                _log.warning("leader_process_gone", leader=leader_id, epoch=epoch)
            case VotersChanged(offset, voters):
                _log.info("voter_set_changed", offset=offset, voters=list(voters.ids))
            case PeerRejected(node_id, reason):
                _log.warning("peer_rejected", peer=node_id, reason=reason)
            case DuplicateNodeIdRejected():
                _log.error("duplicate_node_id", **duplicate_fields(event, self._replica.key.node_id))
            case NoElectableVoter():
                _log.error("no_electable_voter", reason=str(event))
            case ElectionLeftToOthers():
                _log.error("election_left_to_others", reason=str(event))
            case VoteNotCounted():
                _log.error("vote_not_counted", reason=str(event))
            case VotesSlow():
                _log.error("votes_slow", reason=str(event))
            case EligibilityChanged(before, after, reason):
                self._on_eligibility(before, after, reason)

    def _on_eligibility(self, before: VoterStatus, after: VoterStatus, reason: str) -> None:
        if after is not VoterStatus.ELIGIBLE:
            _log.warning(VOTER_INELIGIBLE, before=before.value, after=after.value, reason=reason)
        else:
            event = VOTER_ELIGIBLE if self._replica.is_voter else OBSERVER_CAUGHT_UP
            _log.info(event, before=before.value, reason=reason)

    def _on_digests(self, event: StateDigestVerified | StateDigestMismatch | NoDigestMajority) -> None:
        match event:
            case StateDigestVerified(digest):
                _log.debug("state_verified", offset=digest.end_offset, digest=digest.value.hex())
                self.clean_soon()
                self._on_agreed(digest)
            case StateDigestMismatch(replica, own, agreed, by):
                _log.error(
                    "state_diverged",
                    node_id=replica.node_id,
                    offset=own.end_offset,
                    digest=own.value.hex(),
                    majority=agreed.value.hex(),
                    leader_digest=by,
                )
                if replica == self._replica.key:
                    self._on_diverged(event)
            case NoDigestMajority(end_offset, digests_by_node):
                _log.error(
                    "state_without_majority",
                    meaning="nodes have different states, and no majority of the voters agrees on one (yet)",
                    offset=end_offset,
                    digests={str(node_id): digest for node_id, digest in digests_by_node},
                    way_out="unless a majority is reported later: compare the logs of the nodes (kraftpy audit diff)",
                )

    def on_commit(self, now_ms: int) -> None:
        """Load a slice of what is committed."""
        self._state_machine.load_slice(self._replica.high_watermark, self._replica.committed_elsewhere)
        if self._caught_up_ms is None or not self.has_backlog():
            self._caught_up_ms = now_ms
        self._reads.settle(now_ms)

    def lag_ms(self, now_ms: int) -> int:
        """Return for how long committed records have waited to be loaded without a break; 0 while none do."""
        if self._caught_up_ms is None or not self.has_backlog():
            return 0
        return max(0, now_ms - self._caught_up_ms)

    def has_backlog(self) -> bool:
        """Return whether committed records wait to be loaded."""
        return self._state_machine.has_backlog(self._replica.high_watermark)

    def next_deadline_ms(self) -> int | None:
        """Return when ``before_ready`` should be called again at the latest."""
        if self._sliced.is_behind:
            return 0
        deadlines = [self._cleaning_due_ms, self._snapshotter.next_deadline_ms(), self._reads.next_deadline_ms()]
        if self._host is not None:
            deadlines.append(self._host.next_deadline_ms())
        return min((deadline for deadline in deadlines if deadline is not None), default=None)
