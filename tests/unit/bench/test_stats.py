"""Percentiles, spreads and the open loop's schedule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.stats import Schedule, latencies_of, percentile, spread_of, thinned


def test_percentiles_are_values_that_occurred():
    """The median of 1..100 is 50 and the 99th percentile 99, by nearest rank."""
    values = [float(value) for value in range(1, 101)]
    assert [percentile(values, share) for share in (0.0, 0.5, 0.9, 0.99, 0.999, 1.0)] == [1, 50, 90, 99, 100, 100]


def test_the_percentile_of_one_value_is_that_value():
    """With one sample every percentile is it."""
    assert {percentile([7.0], share) for share in (0.0, 0.5, 0.999, 1.0)} == {7.0}


@pytest.mark.parametrize(("values", "share"), [([], 0.5), ([1.0], 1.1), ([1.0], -0.1)])
def test_a_percentile_of_nothing_is_refused(values, share):
    """No samples, or a share outside 0 to 1, are an error and never a zero in a table."""
    with pytest.raises(ValueError, match=r"percentile needs|not between"):
        percentile(values, share)


@given(st.lists(st.floats(0, 1e9), min_size=1), st.floats(0, 1))
def test_a_percentile_has_its_share_below_it(values, share):
    """At least that share of the values is at or below the percentile."""
    found = percentile(sorted(values), share)
    assert found in values
    assert sum(value <= found for value in values) >= share * len(values) - 1e-6


def test_latencies_are_printed_in_milliseconds():
    """Microseconds go in, milliseconds come out; order does not matter."""
    found = latencies_of([3000.0, 1000.0, 2000.0])
    assert found is not None
    assert (found.count, found.mean, found.p50, found.max) == (3, 2.0, 2.0, 3.0)
    assert latencies_of([]) is None


def test_a_spread_is_median_and_extremes():
    """Five runs give their median, lowest and highest."""
    found = spread_of([5.0, 1.0, 4.0, 2.0, 3.0])
    assert found is not None
    assert (found.median, found.min, found.max, found.runs) == (3.0, 1.0, 5.0, 5)
    assert found.text(1) == "3.0 [1.0..5.0]"
    assert spread_of([]) is None


@given(st.lists(st.floats(0, 1e6), max_size=300), st.integers(2, 50))
def test_thinning_keeps_the_extremes(values, limit):
    """However many samples are dropped, the smallest and the largest stay."""
    kept = thinned(values, limit)
    assert len(kept) == min(len(values), limit)
    if values:
        assert (kept[0], kept[-1]) == (min(values), max(values))


def test_a_schedule_starts_requests_evenly():
    """At 10 a second for a second, request n is due at n tenths, and the tenth is the last."""
    schedule = Schedule(rate=10, seconds=1)
    assert schedule.take_due(0.0) == [0.0]
    assert schedule.next_due_s() == pytest.approx(0.1)
    assert schedule.take_due(0.35) == pytest.approx([0.1, 0.2, 0.3])
    assert schedule.take_due(5.0) == pytest.approx([0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
    assert schedule.is_over
    assert schedule.take_due(9.0) == []


def test_a_stall_leaves_no_request_out():
    """After a stall everything that was due meanwhile is due, at its own time: no coordinated omission."""
    schedule = Schedule(rate=1000, seconds=2)
    before = schedule.take_due(0.5)
    after = schedule.take_due(1.5)
    assert (len(before), len(after)) == (501, 1000)
    assert after[0] == pytest.approx(0.501)


@given(st.floats(0.5, 5000), st.floats(0.1, 3), st.lists(st.floats(0, 4), max_size=20))
def test_a_schedule_has_each_request_once(rate, seconds, looks):
    """However irregularly it is looked at, every request comes once, in order, never before it is due."""
    schedule = Schedule(rate, seconds)
    taken = []
    for elapsed in sorted(looks):
        due = schedule.take_due(elapsed)
        assert all(start <= elapsed + 1e-6 for start in due)
        taken += due
    taken += schedule.take_due(seconds + 1)
    assert len(taken) == schedule.total
    assert taken == sorted(set(taken))


@pytest.mark.parametrize(("rate", "seconds"), [(0, 1), (-1, 1), (1, 0)])
def test_a_schedule_needs_a_rate_and_a_time(rate, seconds):
    """A rate or time of nothing is refused."""
    with pytest.raises(ValueError, match="positive"):
        Schedule(rate, seconds)
