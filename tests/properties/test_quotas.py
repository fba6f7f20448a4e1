"""The token bucket and the windowed rate against deliberately naive models."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from kraftpy.model.errors import ApiError
from kraftpy.quotas.mutations import MutationQuotas, Mutator
from kraftpy.quotas.resolution import MUTATION_RATE, QuotaClient
from kraftpy.quotas.windowed_rate import WindowedRate
from tests.unit.quotas.test_resolution import quotas

START = 1_700_000_000_000
BURST_S = 11
ALICE = QuotaClient("alice", "app")

steps = st.lists(st.tuples(st.integers(0, 20_000), st.integers(1, 40), st.booleans()), max_size=40)
"""Milliseconds since the step before, partitions, and whether the client knows THROTTLING_QUOTA_EXCEEDED."""


@given(st.integers(1, 64).map(lambda eighths: eighths / 8), steps)
def test_a_bucket_is_what_came_minus_what_was_taken(rate: float, script: list[tuple[int, int, bool]]) -> None:
    """Exact arithmetic, millisecond by millisecond, from a full bucket; strict takes are refused in debt alone."""
    used, image, now = MutationQuotas(), quotas(({"user": "alice"}, rate), key=MUTATION_RATE), START
    per_ms, burst = Fraction(rate) / 1000, Fraction(rate) * BURST_S
    tokens = burst
    for wait_ms, count, is_strict in script:
        now += wait_ms
        for _ in range(wait_ms):
            if tokens == burst:
                break
            tokens = min(burst, tokens + per_ms)
        request = used.charge(image, Mutator(ALICE, is_strict), now)
        is_near = abs(tokens) < Fraction(1, 10**6)
        try:
            request.take(count)
        except ApiError:
            assert is_strict
            assert tokens < 0 or is_near
            continue
        assert not is_strict or tokens >= 0 or is_near
        tokens -= count
        if not is_strict and tokens < -per_ms:
            assert abs((request.until_ms - now) - (-tokens / per_ms)) <= 1


@given(
    st.integers(2, 12),
    st.integers(1, 5),
    st.lists(st.tuples(st.integers(0, 3_000), st.integers(0, 100)), min_size=1, max_size=40),
)
def test_a_rate_is_the_usage_of_its_windows(samples: int, window_s: int, script: list[tuple[int, int]]) -> None:
    """Never more than all usage of the last windows and one, nor less than that of the last windows but one."""
    rate, now, window_ms = WindowedRate(samples, window_s * 1000), START, window_s * 1000
    usage: list[tuple[int, int]] = []
    for wait_ms, used in script:
        now += wait_ms
        rate.add(used, now)
        usage.append((now, used))
        recent = sum(count for at, count in usage if now - at < samples * window_ms)
        older = sum(count for at, count in usage if now - at < (samples + 1) * window_ms)
        longest_s, shortest_s = (samples + 1) * window_s, (samples - 1) * window_s
        assert recent / longest_s <= rate.per_second(now) + 1e-9
        assert rate.per_second(now) <= older / max(shortest_s, 0.001) + 1e-9
