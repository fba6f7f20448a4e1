"""Limit how far an epoch may be ahead of ours: no further than elections can have raised it.

An epoch is stored as soon as it is accepted, never decreases, and is an int32. A peer that could raise it without limit
would end all elections permanently with a few thousand messages. So each source of a higher epoch has an allowance: a
headroom for what this replica missed before its process started, and :data:`EPOCHS_PER_ELECTION_TIMEOUT` for each
election timeout since. Every accepted rise is deducted from it; nothing is credited back. So an epoch rises by less
than headroom + rate x time, regardless of the sender, and a replica that really lags far accepts the true epoch after a
while, because real elections are slower than the rate. (After back-off they are at most one per second and voter, see
``election``; the headroom covers bursts.)

a response, :data:`EPOCH_JUMP_MAX`
    It comes from an address that this replica chose, of a voter or of a bootstrap server. Requests do not use up the
    allowance of responses. An empty replica has no epoch to compare with: its limit is :data:`FIRST_EPOCH_MAX`, because
    a quorum that was recovered several times exceeds the other headrooms.
a request of a voter, :data:`EPOCH_JUMP_MAX`
    A Vote, BeginQuorumEpoch or EndQuorumEpoch under a voter's key. A replica that was down may encounter a recovered
    quorum (``disaster_recovery.epochs``), whose addresses changed.
a request of any other peer, :data:`STRANGER_JUMP_MAX`
    A voter that was added may be unknown here, because its record was not replicated to here; and it may need this
    replica's vote (Raft dissertation §4.1). It is one epoch ahead then, not thousands.

A restart gives no new headroom for accepted epochs that had no leader: no leader has confirmed the difference between
the stored epoch and the epoch of the log's last record, so it is deducted from the headroom when a process starts, down
to :data:`UNCONFIRMED_JUMP_MAX`.

No other request raises the epoch: Fetch, FetchSnapshot and UpdateRaftVoter with a higher one are rejected with
UNKNOWN_LEADER_EPOCH; the fetcher rejects batches and snapshots of a higher epoch than the leader's (``appending``,
``snapshots``).

At the end of the range no election starts any more: :data:`EPOCH_LAST` is the highest epoch that is accepted, or that a
candidate uses.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Final

from kraftpy.model.offsets import Epoch

EPOCH_LAST: Final[Epoch] = 2**31 - 2
"""The highest epoch that a replica takes part in; the one above it is the last that an int32 can hold."""

EPOCHS_PER_ELECTION_TIMEOUT: Final = 10
"""How many epochs are accepted for each election timeout that passes: some more than a quorum of seven gets through
that never elects anybody. At Kafka's second the range lasts for 6.8 years of an attack that never pauses."""

EPOCH_JUMP_MAX: Final = 1_000_000
"""How many more are accepted while a process runs: more elections than a quorum holds in a week."""

UNCONFIRMED_JUMP_MAX: Final = 10_000
"""The minimum headroom after a restart, however far the stored epoch is ahead of the log."""

FIRST_EPOCH_MAX: Final = 2**30
"""The highest epoch that an empty replica accepts from a response: it leaves half of the range."""

FORGOTTEN_EPOCHS: Final = 1_000
"""How many epochs after its log's last one a sole voter may have led without a record on its disk; and how many the
quorum may have had of which a majority lost its directories."""

STRANGER_JUMP_MAX: Final = 100
"""How many more the requests of those may bring that are no known voters."""


class EpochSource(enum.Enum):
    """The source of a higher epoch."""

    ANSWER = enum.auto()
    VOTER = enum.auto()
    STRANGER = enum.auto()


@dataclass(slots=True)
class EpochLimit:
    """By how much each source may raise the epoch.

    Attributes:
        since_ms: when the process started.
        interval_ms: the election timeout.
        stored: the epoch that was stored then.
        confirmed: the epoch of the log's last record then; 0 for none.
    """

    since_ms: int
    interval_ms: int
    stored: Epoch = 0
    confirmed: Epoch = 0
    _headroom: dict[EpochSource, int] = field(init=False)

    def __post_init__(self) -> None:
        jump = max(UNCONFIRMED_JUMP_MAX, EPOCH_JUMP_MAX - max(0, self.stored - self.confirmed))
        answered = FIRST_EPOCH_MAX if self.stored == self.confirmed == 0 else jump
        self._headroom = {
            EpochSource.ANSWER: answered,
            EpochSource.VOTER: jump,
            EpochSource.STRANGER: STRANGER_JUMP_MAX,
        }

    def left(self, source: EpochSource, now_ms: int) -> int:
        """Return by how much this source may raise the epoch now."""
        elapsed_ms = max(0, now_ms - self.since_ms)
        return self._headroom[source] + elapsed_ms * EPOCHS_PER_ELECTION_TIMEOUT // max(1, self.interval_ms)

    def may_rise(self, source: EpochSource, now_ms: int, before: Epoch, after: Epoch) -> bool:
        """Return whether an epoch is accepted, without changing anything; one that is not above ours always is."""
        return after <= before or (after <= EPOCH_LAST and after - before <= self.left(source, now_ms))

    def wait_ms(self, source: EpochSource, now_ms: int, before: Epoch, after: Epoch) -> int:
        """Return after how long an epoch that is rejected now will be accepted."""
        missing = max(0, after - before - self.left(source, now_ms))
        return -(-missing * self.interval_ms // EPOCHS_PER_ELECTION_TIMEOUT)

    def note_risen(self, source: EpochSource, before: Epoch, after: Epoch) -> None:
        """Deduct an accepted rise from the allowance of its source."""
        self._headroom[source] -= max(0, after - before)


def no_epoch_left(epoch: Epoch) -> str:
    """Return why no election starts at the end of the range."""
    return (
        f"epoch {epoch} is the end of the range (the last is {EPOCH_LAST}), so no election can be held. "
        "Elections alone never get there: something wrote that epoch. The way out is a backup from before it (kraftpy "
        "restore; docs/disasters.md)"
    )
