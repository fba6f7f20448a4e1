"""Quorum arithmetic: counting votes, and the offset that a majority has reached.

Small, pure and tested against a naive second implementation, because everything else depends on it.

Source: Raft §5.2, §5.4; KIP-595 §Leader Election; Kafka ``EpochElection``, ``LeaderState.maybeUpdateHighWatermark``.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kraftpy.model.ids import NodeId
from kraftpy.model.invariant import invariant
from kraftpy.model.offsets import Offset


class Answer(enum.Enum):
    """What a voter said, or that it cannot be asked just now."""

    GRANTED = "granted"
    REJECTED = "rejected"
    UNREACHABLE = "unreachable"
    EMPTY = "empty"
    """It holds nothing, and does not count yet (``voter_eligibility``)."""


def majority_of(size: int) -> int:
    """Return how many of ``size`` voters decide."""
    return size // 2 + 1


def majority_end_offset(ends: Sequence[Offset | None]) -> Offset | None:
    """Return the largest offset that a majority of the voters has reached; ``None`` while it is unknown.

    Args:
        ends: each voter's log end offset, ``None`` for a voter that has not been heard of.
    """
    if not ends:
        return None
    descending = sorted((-1 if end is None else end for end in ends), reverse=True)
    reached = descending[len(descending) // 2]
    return None if reached < 0 else reached


@dataclass(slots=True)
class VoteTally:
    """The votes of one round.

    Attributes:
        voter_ids: who may vote, ascending.
        answers: what was heard; a voter that is absent has not answered.
    """

    voter_ids: tuple[NodeId, ...]
    answers: dict[NodeId, Answer] = field(default_factory=dict)

    def record(self, voter_id: NodeId, answer: Answer) -> None:
        """Count an answer; one of a replica that is no voter is ignored, and a vote given is never taken back."""
        if voter_id not in self.voter_ids:
            return
        before = self.answers.get(voter_id)
        if answer is Answer.UNREACHABLE and before is not None:
            return
        changed_mind = {before, answer} == {Answer.GRANTED, Answer.REJECTED}
        invariant(not changed_mind, "a voter answers one way in an epoch", voter_id, before, answer)
        self.answers[voter_id] = answer

    @property
    def granted(self) -> tuple[NodeId, ...]:
        """Who granted, ascending."""
        return self._who(Answer.GRANTED)

    @property
    def unanswered(self) -> Iterable[NodeId]:
        """Who is still to be asked, ascending: the silent and the unreachable."""
        settled = (Answer.GRANTED, Answer.REJECTED, Answer.EMPTY)
        return [voter_id for voter_id in self.voter_ids if self.answers.get(voter_id) not in settled]

    @property
    def won(self) -> bool:
        """A majority granted."""
        return bool(self.voter_ids) and len(self.granted) >= majority_of(len(self.voter_ids))

    @property
    def lost(self) -> bool:
        """A voter refused, and those that granted or may still do so are no majority.

        The unreachable do not count as hope once a voter refused: a new round soon is better than to wait for a dead
        voter's answer. Without a refusal waiting costs nothing, so nothing is lost.
        """
        rejected = self._who(Answer.REJECTED) + self._who(Answer.EMPTY)
        hope = len(self.voter_ids) - len(rejected) - len(self._who(Answer.UNREACHABLE))
        return bool(rejected) and not self.won and hope < majority_of(len(self.voter_ids))

    def _who(self, answer: Answer) -> tuple[NodeId, ...]:
        return tuple(voter_id for voter_id in self.voter_ids if self.answers.get(voter_id) is answer)
