"""The log's outline: epoch history, voter history, the view over both, and the outbox that nets changes of it."""

from __future__ import annotations

import pytest

from kraftpy.model.invariant import InvariantViolation
from kraftpy.model.offsets import ORIGIN, OffsetAndEpoch
from kraftpy.raft.config import RecoveredState
from kraftpy.raft.epoch_history import EpochHistory
from kraftpy.raft.log_view import Diverging, LogView, SnapshotNeeded
from kraftpy.raft.outbox import Outbox, PendingAppend
from kraftpy.raft.voter_set_history import OffsetHistory, VoterSetHistory
from tests.fakes.raft_cluster import voter_set

HISTORY = ((1, 0), (3, 5), (4, 8))


def test_end_offset_for_an_epoch_between_two() -> None:
    """An epoch that wrote nothing answers with the one before it."""
    history = EpochHistory(HISTORY)
    assert [history.end_offset_for(epoch, 10) for epoch in (0, 1, 2, 3, 4, 9)] == [
        None,
        OffsetAndEpoch(1, 5),
        OffsetAndEpoch(1, 5),
        OffsetAndEpoch(3, 8),
        OffsetAndEpoch(4, 10),
        OffsetAndEpoch(4, 10),
    ]


def test_an_empty_epoch_is_cut_at_the_log_end() -> None:
    """KAFKA-10706: a cut drops an epoch that begins at the cut, even if no record was written under it."""
    history = EpochHistory(HISTORY)
    history.truncate_to(8)
    assert history.entries == ((1, 0), (3, 5))


def test_a_later_start_keeps_the_epoch_in_force() -> None:
    """A log that starts later forgets older epochs and moves the one in force up to its start."""
    history = EpochHistory(HISTORY)
    history.start_at(6)
    assert history.entries == ((3, 6), (4, 8))


def test_epochs_must_rise() -> None:
    """An epoch that falls, or starts before its predecessor, is a bug."""
    for entry in ((3, 9), (5, 7)):
        with pytest.raises(InvariantViolation):
            EpochHistory((*HISTORY, entry))


def test_an_offset_history_is_cut_and_trimmed() -> None:
    """Cutting drops from the end, trimming keeps the entry in force at the snapshot."""
    history = OffsetHistory([(1, "a"), (4, "b"), (9, "c")])
    assert not history.truncate_to(10)
    history.trim_before(5)
    assert history.entries == ((4, "b"), (9, "c"))
    assert history.truncate_to(9)
    assert history.latest == (4, "b")


def test_the_static_set_lies_below_the_log() -> None:
    """Without a record the configured voters are in force, and they are again when the record is cut away."""
    history = VoterSetHistory(voter_set((1, 2)))
    history.add(3, voter_set((1, 2, 3)))
    assert (history.in_force.ids, history.offset) == ((1, 2, 3), 3)
    history.truncate_to(3)
    assert (history.in_force.ids, history.offset) == ((1, 2), None)


def view(**more: object) -> LogView:
    fields = {"log_end_offset": 10, "epochs": HISTORY} | more
    return LogView.from_recovered(RecoveredState(**fields))


def test_an_empty_log_takes_its_epoch_from_the_snapshot() -> None:
    """The last fetched epoch of a log that holds nothing is that of the snapshot it starts at, else 0."""
    started = LogView.from_recovered(
        RecoveredState(log_start_offset=7, log_end_offset=7, snapshots=(OffsetAndEpoch(2, 7),))
    )
    assert (started.end, LogView().end) == (OffsetAndEpoch(2, 7), ORIGIN)


@pytest.mark.parametrize(
    ("offset", "epoch", "expected"),
    [
        (0, 0, SnapshotNeeded(OffsetAndEpoch(3, 8))),
        (4, 1, SnapshotNeeded(OffsetAndEpoch(3, 8))),
        (6, 1, SnapshotNeeded(OffsetAndEpoch(3, 8))),
        (6, 3, None),
        (9, 3, Diverging(OffsetAndEpoch(3, 8))),
        (10, 4, None),
        (11, 4, Diverging(OffsetAndEpoch(4, 10))),
        (10, 9, Diverging(OffsetAndEpoch(4, 10))),
    ],
)
def test_positions_are_compared_with_snapshots_too(offset: int, epoch: int, expected: object) -> None:
    """A position below the start, or of an epoch before the earliest snapshot, needs the latest snapshot."""
    log = view(log_start_offset=6, epochs=((3, 6), (4, 8)), snapshots=(OffsetAndEpoch(3, 6), OffsetAndEpoch(3, 8)))
    assert log.compare(offset, epoch, log.snapshots) == expected


def test_a_log_counts_the_changes_of_its_start_and_its_snapshots() -> None:
    """Who keeps what follows from them asks again whenever one of them has changed."""
    log = view(snapshots=(OffsetAndEpoch(3, 6),))
    counts = [log.changes]
    log.add_snapshot(OffsetAndEpoch(3, 8))
    counts.append(log.changes)
    log.advance_start(6, (OffsetAndEpoch(3, 6), OffsetAndEpoch(3, 8)))
    counts.append(log.changes)
    log.restart_at(OffsetAndEpoch(4, 20))
    counts.append(log.changes)
    assert counts == sorted(set(counts))


def test_the_zero_checkpoint_is_never_offered() -> None:
    """A log that has only the zero checkpoint serves an empty fetcher from its first record."""
    assert view(snapshots=(ORIGIN,)).compare(0, 0, (ORIGIN,)) is None


def test_a_cut_eats_pending_appends_first() -> None:
    """A cut inside what has not left yet does not reach the disk; one below it does both."""
    outbox = Outbox(appends=[PendingAppend(5, 7, b"x"), PendingAppend(7, 9, b"y")])
    outbox.cut(7)
    assert (outbox.truncate_to, [append.data for append in outbox.appends]) == (None, [b"x"])
    outbox.cut(3)
    outbox.appends.append(PendingAppend(3, 4, b"z"))
    outbox.cut(4)
    assert (outbox.truncate_to, [append.data for append in outbox.appends]) == (3, [b"z"])


def test_two_cuts_are_the_lower_one() -> None:
    """Two cuts in one Ready are the lower one, and take back an epoch that starts in what is cut."""
    outbox = Outbox()
    outbox.record_epoch_start(4, 6)
    outbox.cut(8)
    outbox.cut(6)
    outbox.cut(7)
    assert (outbox.truncate_to, outbox.epoch_start) == (6, None)


def test_a_cut_inside_a_batch_is_a_bug() -> None:
    """Logs differ by whole batches."""
    with pytest.raises(InvariantViolation, match="between batches"):
        Outbox(appends=[PendingAppend(5, 8, b"x")]).cut(6)
