"""How long appends wait for their commit: each is counted once, and a limited number is measured at a time."""

from __future__ import annotations

from kraftpy.runtime import append_times
from kraftpy.runtime.append_times import AppendTimes


def test_an_append_is_counted_when_the_high_watermark_reaches_its_end():
    times = AppendTimes()
    times.appended(5, 1, 100)
    times.appended(9, 1, 130)
    for high_watermark, now_ms, expected in (
        (None, 140, (0, 0)),
        (4, 150, (0, 0)),
        (8, 160, (1, 60)),
        (9, 200, (2, 130)),
    ):
        times.committed(high_watermark, now_ms)
        assert (times.durations.count, times.durations.sum_ms) == expected


def test_one_high_watermark_commits_many():
    times = AppendTimes()
    for number in range(1, 4):
        times.appended(number, 1, number)
    times.committed(3, 10)
    assert (times.durations.count, times.durations.sum_ms) == (3, 24)


def test_what_waits_is_bounded(monkeypatch):
    """Without a majority the leader appends for a while, and commits nothing: the first ones are measured."""
    monkeypatch.setattr(append_times, "WAITING_MAX", 2)
    times = AppendTimes()
    for number in range(1, 4):
        times.appended(number, 1, 0)
    times.committed(3, 7)
    assert times.durations.sum_ms == 14
    times.appended(4, 1, 10)
    times.committed(4, 11)
    assert times.durations.count == 3


def test_what_was_appended_in_another_epoch_is_not_counted():
    """The time of an election counts, and after a truncation an end beyond the log's holds back all behind it."""
    times = AppendTimes()
    times.appended(9, 1, 0)
    times.appended(5, 3, 4_000)
    times.committed(9, 4_002)
    assert (times.durations.count, times.durations.sum_ms) == (1, 2)


def test_what_is_forgotten_is_not_counted():
    times = AppendTimes()
    times.appended(1, 1, 0)
    times.forget()
    times.committed(1, 5)
    assert times.durations.count == 0
