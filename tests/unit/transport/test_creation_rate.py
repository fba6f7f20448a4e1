"""How fast strangers may connect."""

from __future__ import annotations

from kraftpy.transport.kafka.creation_rate import CreationRate


def test_a_second_has_so_many_connections():
    """A burst of one second's worth is let in, then as many as time brings; what is not used is not saved up."""
    now = 0.0
    rate = CreationRate(4, lambda: now)
    assert [rate.admit() for _ in range(6)] == [True] * 4 + [False] * 2
    assert (rate.used, rate.refused) == (4, 2)
    now = 0.5
    assert [rate.admit() for _ in range(3)] == [True, True, False]
    now = 100.0
    assert [rate.admit() for _ in range(5)] == [True] * 4 + [False]


def test_a_rate_of_zero_accepts_no_connection():
    """As Kafka's does."""
    assert not CreationRate(0, lambda: 0.0).admit()


def test_another_rate_counts_what_this_second_had():
    """A lower one takes tokens away, a higher one gives none at once: else each change would allow a burst."""
    now = 0.0
    rate = CreationRate(10, lambda: now)
    rate.change(2)
    assert [rate.admit() for _ in range(3)] == [True, True, False]
    rate.change(100)
    assert (rate.admit(), rate.used) == (False, 2)
    now = 0.1
    assert [rate.admit() for _ in range(11)] == [True] * 10 + [False]


def test_a_change_of_the_rate_alone_uses_nothing():
    """Alerts compare what is used with the limit, and no client has connected."""
    now = 0.0
    rate = CreationRate(10, lambda: now)
    for per_second in (2**31 - 1, 10, 3, 1_000, 10):
        rate.change(per_second)
        assert rate.used == 0
    assert [rate.admit() for _ in range(4)] == [True] * 3 + [False]
    assert rate.used == 3
    now = 1.0
    assert rate.used == 0
