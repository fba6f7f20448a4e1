"""The token bucket: full at first, into debt once, and paid back at the rate."""

from __future__ import annotations

import pytest

from kraftpy.quotas.token_bucket import THROTTLE_MS_MAX, TokenBucket

START = 1_700_000_000_000


def test_a_new_bucket_is_full():
    assert TokenBucket(11).tokens(2.0, START) == 22


def test_it_goes_into_debt_and_pays_it_back():
    bucket = TokenBucket(10)
    bucket.take(25, 1.0, START)
    assert bucket.tokens(1.0, START) == -15
    assert bucket.debt_ms(1.0, START) == 15_000
    assert bucket.debt_ms(1.0, START + 14_000) == 1_000
    assert bucket.debt_ms(1.0, START + 15_000) == 0
    assert bucket.tokens(1.0, START + 100_000) == 10, "never more than the burst"


def test_a_new_rate_holds_from_the_next_call_on():
    """Tokens stay, debt too; a lower burst cuts what is above it."""
    bucket = TokenBucket(10)
    bucket.take(20, 1.0, START)
    assert bucket.debt_ms(5.0, START) == 2_000
    bucket = TokenBucket(10)
    assert bucket.tokens(10.0, START) == 100
    assert bucket.tokens(1.0, START) == 10


def test_a_clock_that_goes_back_gives_no_tokens_and_takes_none():
    bucket = TokenBucket(10)
    bucket.take(10, 1.0, START)
    assert bucket.tokens(1.0, START - 5_000) == 0


@pytest.mark.parametrize(("rate", "count"), [(5e-324, 1), (1e-9, 100_000), (0.0, 1), (-1.0, 1)])
def test_a_debt_without_end_is_the_longest_time_that_a_response_can_carry(rate, count):
    bucket = TokenBucket(11)
    bucket.take(count, rate, START)
    bucket.take(count, rate, START)
    assert bucket.debt_ms(rate, START) == THROTTLE_MS_MAX
