"""Quorum arithmetic, the epoch history and the cut of a log against deliberately naive models."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.raft.epoch_history import EpochHistory
from kraftpy.raft.vote_tally import Answer, VoteTally, majority_end_offset, majority_of

offsets = st.one_of(st.none(), st.integers(0, 20))


@given(st.lists(offsets, min_size=1, max_size=9))
def test_the_majority_end_offset(ends: list[int | None]) -> None:
    """It is the largest offset that more than half of the voters have reached."""
    reached = [
        offset for offset in range(21) if sum(1 for end in ends if end is not None and end >= offset) > len(ends) / 2
    ]
    assert majority_end_offset(ends) == max(reached, default=None)


@given(st.integers(1, 9), st.data())
def test_a_tally(size: int, data: st.DataObject) -> None:
    """A round is won by more than half, and lost when a voter refused and the rest cannot be more than half."""
    answers = data.draw(st.lists(st.sampled_from([None, *Answer]), min_size=size, max_size=size))
    tally = VoteTally(tuple(range(size)))
    for voter_id, answer in enumerate(answers):
        if answer is not None:
            tally.record(voter_id, answer)
    possible = sum(1 for answer in answers if answer in {None, Answer.GRANTED})
    assert tally.won == (answers.count(Answer.GRANTED) * 2 > size)
    refused = Answer.REJECTED in answers or Answer.EMPTY in answers
    assert tally.lost == (refused and possible * 2 <= size)
    assert not (tally.won and tally.lost)


@given(st.integers(1, 50))
def test_two_majorities_share_a_voter(size: int) -> None:
    """Any two majorities overlap."""
    assert 2 * majority_of(size) > size


epochs_of_records = st.lists(st.integers(1, 6), max_size=15).map(sorted)


@given(epochs_of_records, st.integers(0, 7))
def test_the_end_of_an_epoch(epochs: list[int], asked: int) -> None:
    """The history says of a log, given as one epoch per record, where the largest epoch not above ends."""
    history = EpochHistory()
    for offset, epoch in enumerate(epochs):
        history.assign(epoch, offset)
    below = [(offset + 1, epoch) for offset, epoch in enumerate(epochs) if epoch <= asked]
    expected = OffsetAndEpoch(epoch=below[-1][1], offset=below[-1][0]) if below else None
    assert history.end_offset_for(asked, len(epochs)) == expected


@given(epochs_of_records, st.integers(0, 15))
def test_cutting_a_history(epochs: list[int], end: int) -> None:
    """A history that is cut is that of the log that is cut; one that starts later is that of the rest."""
    cut, rest = EpochHistory(), EpochHistory()
    for offset, epoch in enumerate(epochs):
        cut.assign(epoch, offset)
        rest.assign(epoch, offset)
    cut.truncate_to(end)
    assert cut.entries == tuple((epoch, epochs.index(epoch)) for epoch in sorted(set(epochs[:end])))
    if epochs and end < len(epochs):
        rest.start_at(end)
        expected = tuple((epoch, max(end, epochs.index(epoch))) for epoch in sorted(set(epochs[end:])))
        assert rest.entries == expected
