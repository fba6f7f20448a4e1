"""What replicas said about their state: a replica's own digests, and a leader's list of everybody's.

Both are bounded: old offsets fall out. See :mod:`kraftpy.raft.guards.state_digests` for what is done with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from kraftpy.model.digests import StateDigest
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Offset, OffsetAndEpoch
from kraftpy.model.voters import ReplicaKey, VoterSet

OFFSETS_KEPT: Final = 8
"""At how many offsets digests are remembered; a replica that is further behind than the oldest is not judged."""

REPORTED_MAX: Final = 1_000
"""How many replicas' digests are remembered of an offset that nothing is agreed on."""


MATCHING_DIGESTS_MIN: Final = 2
"""This many replicas must have made a digest before another one is called wrong."""


class DigestPosition(NamedTuple):
    """Where digests can be compared: at one offset, and made in one way."""

    end_offset: Offset
    scheme: int


def place_of(digest: StateDigest) -> DigestPosition:
    """Return where a digest can be compared."""
    return DigestPosition(digest.end_offset, digest.scheme)


@dataclass(slots=True)
class LocalDigests:
    """A replica's own.

    Attributes:
        made: the newest ones, by where they can be compared.
        unjudged: the newest one that no leader has judged yet.
        agreed: the newest one of which a leader said that a majority made the same.
        disputed_to: the highest offset at which voters were found to disagree, by this leader or by another; -1 for
            none.
        changes: how often anything but ``unjudged`` may have changed, for who keeps what follows from it.
    """

    made: dict[DigestPosition, StateDigest] = field(default_factory=dict)
    unjudged: StateDigest | None = None
    agreed: StateDigest | None = None
    disputed_to: Offset = -1
    changes: int = 0

    def add(self, digest: StateDigest) -> None:
        """Take note of a new one."""
        self.made[place_of(digest)] = self.unjudged = digest
        _forget_oldest(self.made)
        self.changes += 1

    def agree(self, digest: StateDigest) -> None:
        """A majority made the same; an answer that comes late takes nothing back."""
        if self.agreed is None or digest.end_offset >= self.agreed.end_offset:
            self.agreed = digest
            self.changes += 1

    def dispute(self, offset: Offset) -> None:
        """Voters disagree at an offset."""
        self.disputed_to = max(self.disputed_to, offset)
        self.changes += 1

    def are_agreed_after(self, offset: Offset) -> bool:
        """Return whether a majority had this replica's state after an offset."""
        return self.agreed is not None and self.agreed.end_offset > offset

    def made_from(self, offset: Offset) -> int:
        """Count the digests that were made at an offset or behind it; never more than are remembered."""
        return sum(place.end_offset >= offset for place in self.made)

    def judged(self, digest: StateDigest) -> None:
        """Digests up to there need not be reported any more."""
        if self.unjudged is not None and self.unjudged.end_offset <= digest.end_offset:
            self.unjudged = None


@dataclass(slots=True)
class ServableSnapshots:
    """The snapshots that others may have, kept because every fetch asks for them and they seldom change.

    Attributes:
        as_of: how many changes of the log and of the digests they take into account.
        ids: ascending.
    """

    as_of: tuple[int, int] = (-1, -1)
    ids: Sequence[OffsetAndEpoch] = ()


@dataclass(slots=True)
class ReportedDigests:
    """What was said at one place.

    Attributes:
        by: who said what.
        agreed: what a majority said.
        disputed: it was reported that voters disagree.
    """

    by: dict[ReplicaKey, StateDigest] = field(default_factory=dict)
    agreed: StateDigest | None = None
    disputed: bool = False

    def majority(self, voters: VoterSet) -> StateDigest | None:
        """Return the digest of a majority, so that no other majority can report another; one replica alone is none.

        The only voter of a quorum is a majority, but cannot verify itself: its digest counts when an observer reports
        the same.
        """
        stated = Counter(self.of_voters(voters).values()).most_common(1)
        if not stated or stated[0][1] < voters.majority:
            return None
        digest = stated[0][0]
        return digest if sum(each == digest for each in self.by.values()) >= MATCHING_DIGESTS_MIN else None

    def is_disputed_among(self, voters: VoterSet) -> bool:
        """Return whether voters disagree, and no majority is right yet.

        Where there is only one, observers that report digests count too, as long as none of them is.
        """
        stated = self.by if len(voters) == 1 else self.of_voters(voters)
        return self.agreed is None and len(set(stated.values())) > 1

    def of_voters(self, voters: VoterSet) -> dict[NodeId, StateDigest]:
        """Return what the voters said."""
        return {key.node_id: digest for key, digest in self.by.items() if voters.contains(key)}


@dataclass(slots=True)
class DigestTracker:
    """A leader's list of what everybody said."""

    places: dict[DigestPosition, ReportedDigests] = field(default_factory=dict)

    def note(self, key: ReplicaKey, digest: StateDigest) -> ReportedDigests | None:
        """Write down what a replica said; ``None`` when it is too old, or there is no room for it."""
        place = place_of(digest)
        statements = self.places.setdefault(place, ReportedDigests())
        _forget_oldest(self.places)
        if place not in self.places or (len(statements.by) >= REPORTED_MAX and key not in statements.by):
            return None
        statements.by[key] = digest
        return statements

    def agreed_at(self, place: DigestPosition) -> StateDigest | None:
        """Return what is agreed there."""
        statements = self.places.get(place)
        return None if statements is None else statements.agreed


def _forget_oldest(kept: dict[DigestPosition, StateDigest] | dict[DigestPosition, ReportedDigests]) -> None:
    while len(kept) > OFFSETS_KEPT:
        del kept[min(kept)]


def shown(digests: Iterable[tuple[NodeId, StateDigest]]) -> tuple[tuple[NodeId, str], ...]:
    """Say who said what, ascending by id."""
    return tuple(sorted((node_id, digest.value.hex()) for node_id, digest in digests))
