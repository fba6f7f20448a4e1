"""What a replica gets at its start: who it is, its limits and timers, what recovery found on its disk.

Source: Kafka ``QuorumConfig`` (names and defaults), KIP-853 (voters), KIP-1262 (an unset cluster id).
"""

from __future__ import annotations

from dataclasses import dataclass

from kraftpy.model.election import ElectionState
from kraftpy.model.offsets import Epoch, Offset, OffsetAndEpoch
from kraftpy.model.replica_status import ReplicaStatus
from kraftpy.model.voters import Endpoint, ReplicaKey, VoterSet

FETCH_BYTES_MAX = 8 * 1024 * 1024
"""How much one Fetch or FetchSnapshot answer carries at most (plus, for records, one whole batch)."""

NO_VOTERS = VoterSet()
NOTHING_KNOWN = ElectionState()
NOTHING_LOST = ReplicaStatus()

PENDING_FETCHES_MAX = 1_000
"""How many fetches wait at a leader; one more is answered at once, empty."""

PENDING_APPEND_BYTES_MAX = 64 * 1024 * 1024
"""How many proposed bytes may wait for the disk; a proposal beyond is refused as busy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RaftConfig:
    """Timers and switches. Defaults are Kafka's ``controller.quorum.*``."""

    election_timeout_ms: int = 1_000
    fetch_timeout_ms: int = 2_000
    election_backoff_max_ms: int = 1_000
    request_timeout_ms: int = 2_000
    retry_backoff_ms: int = 20
    fetch_max_wait_ms: int = 500
    fetch_max_bytes: int = FETCH_BYTES_MAX
    high_watermark_delay_ms: int = 0
    """How long a leader waits for records before it answers a voter with nothing but a higher high watermark."""
    listener_name: str = "CONTROLLER"
    static_voters: VoterSet = NO_VOTERS
    bootstrap_servers: tuple[Endpoint, ...] = ()
    can_vote: bool = True
    """False for a broker and for ``observe``: such a replica starts no election, even if a voter set names its id."""
    auto_join: bool = False
    """Whether an observer that could vote asks to be made a voter (KIP-1186)."""
    trusts_empty_directory: bool = False
    """Whether an operator lets this voter count although its directory is empty; while it holds nothing it leaves
    elections to voters with records (``kraftpy.raft.guards.voter_eligibility``)."""
    compares_state: bool = False
    """Whether this replica's state machine makes digests; then a snapshot of its own has to be vouched for before
    others get it (``kraftpy.raft.guards.state_digests``)."""
    own_endpoints: tuple[Endpoint, ...] = ()
    """Where it listens, as a leader announces it; the first is the default listener."""

    @property
    def check_quorum_ms(self) -> int:
        """How long a leader goes without a majority before it resigns (KIP-595): one and a half fetch timeouts."""
        return self.fetch_timeout_ms * 3 // 2


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoveredState:
    """What recovery found on disk.

    Attributes:
        epochs: ascending (epoch, first offset written under it), as in leader-epoch-checkpoint.
        voters: ascending (offset, set) of every KRAFT_VOTERS record in the latest snapshot (offset = its end
            offset - 1; -1 for the zero checkpoint) and in the log, the uncommitted tail included.
        kraft_versions: the same for KRAFT_VERSION records.
        replica_status: whether this replica may vote and be counted, and what it has to remember.
        snapshots: ids of all frozen snapshots, ascending; the zero checkpoint included.
    """

    election_state: ElectionState = NOTHING_KNOWN
    log_start_offset: Offset = 0
    log_end_offset: Offset = 0
    epochs: tuple[tuple[Epoch, Offset], ...] = ()
    snapshots: tuple[OffsetAndEpoch, ...] = ()
    voters: tuple[tuple[Offset, VoterSet], ...] = ()
    kraft_versions: tuple[tuple[Offset, int], ...] = ()
    replica_status: ReplicaStatus = NOTHING_LOST


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Who this replica is. ``cluster_id`` may become known later (KIP-1262)."""

    key: ReplicaKey
    cluster_id: str | None = None
