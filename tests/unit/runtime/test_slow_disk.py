"""Whether a leader's disk is the slowest of its quorum, by its own flushes and what was committed before they ended."""

from __future__ import annotations

import pytest

from kraftpy.runtime.slow_disk import FLUSHES_MIN, OVERTAKEN_PERCENT, SLOW_FLUSH_MS, WINDOW_MS, SlowDiskDetector

T0 = 50_000
STEP_MS = 500
LONG = WINDOW_MS // STEP_MS


def judged(flushes, *, step_ms=STEP_MS):
    """Let flushes end one after the other; return whether the disk is the slowest at the end of each."""
    detector = SlowDiskDetector()
    found = []
    for number, (took_ms, is_overtaken) in enumerate(flushes):
        now_ms = T0 + number * step_ms
        detector.flushed(now_ms, took_ms, is_overtaken=is_overtaken)
        found.append(detector.is_slowest(now_ms))
    return found


SLOW, QUICK = (float(SLOW_FLUSH_MS), True), (SLOW_FLUSH_MS - 1.0, True)
NOT_ALONE = (float(SLOW_FLUSH_MS), False)


def test_a_leader_is_judged_after_the_whole_window():
    """Not by its first flushes, however slow they are."""
    assert judged([SLOW] * (LONG + 2)) == [False] * LONG + [True] * 2


def test_half_of_the_flushes_have_to_be_slow():
    assert judged([QUICK, SLOW] * LONG)[-1]
    assert not judged([QUICK, QUICK, SLOW] * LONG)[-1]
    assert not judged([QUICK] * 3 * LONG)[-1]


def test_a_disk_is_not_the_slowest_while_others_are_no_faster():
    """A majority has to be faster at nearly all flushes: two slow disks do not hand over to each other."""
    few, step_ms = 100 - OVERTAKEN_PERCENT, WINDOW_MS // 100
    assert judged([SLOW] + [NOT_ALONE] * few + [SLOW] * (100 - few), step_ms=step_ms)[-1]
    assert not judged([SLOW] + [NOT_ALONE] * (few + 1) + [SLOW] * (99 - few), step_ms=step_ms)[-1]
    assert not judged([NOT_ALONE] * 3 * LONG)[-1]


def test_what_is_long_ago_does_not_count():
    """A disk that was repaired is fast one window later, and one that became slow is slow one window later at most."""
    assert not judged([SLOW] * 3 * LONG + [QUICK] * LONG)[-1]
    assert judged([QUICK] * 3 * LONG + [SLOW] * LONG)[-1]


@pytest.mark.parametrize(("count", "found"), [(FLUSHES_MIN, True), (FLUSHES_MIN - 1, False)])
def test_few_flushes_prove_nothing(count, found):
    """A leader that writes once in a while is not judged by it."""
    detector = SlowDiskDetector()
    detector.flushed(T0, 1.0, is_overtaken=True)
    for _ in range(count):
        detector.flushed(T0 + 10 * WINDOW_MS, *SLOW[:1], is_overtaken=True)
    assert detector.is_slowest(T0 + 10 * WINDOW_MS) is found


def test_a_new_leadership_starts_over():
    detector = SlowDiskDetector()
    assert detector.median_ms() == 0
    for number in range(LONG + 1):
        detector.flushed(T0 + number * STEP_MS, SLOW[0], is_overtaken=True)
    now_ms = T0 + LONG * STEP_MS
    assert (detector.is_slowest(now_ms), detector.median_ms()) == (True, SLOW_FLUSH_MS)
    detector.reset()
    assert not detector.is_slowest(now_ms)
    detector.flushed(now_ms, SLOW[0], is_overtaken=True)
    assert not detector.is_slowest(now_ms)


def test_on_a_fast_disk_only_the_latest_flushes_are_kept():
    """The number is bounded, and a fast disk is not slow by what is forgotten."""
    assert not judged([(1.0, True)] * 12_000, step_ms=1)[-1]
