"""``request_percentage``: rates over windows, and how long a client waits."""

from __future__ import annotations

from kraftpy.quotas.request_time import RequestQuotas
from kraftpy.quotas.resolution import REQUEST_PERCENTAGE, QuotaClient
from kraftpy.quotas.usage import ENTITIES_MAX
from kraftpy.quotas.windowed_rate import WindowedRate
from tests.unit.quotas.test_resolution import quotas

START = 1_700_000_000_000
MS = 1_000_000
ALICE = QuotaClient("alice", "app")
ONE_PERCENT = quotas(({"user": "alice"}, 1.0), key=REQUEST_PERCENTAGE)


def test_the_first_usage_is_spread_over_the_windows():
    """Ten windows and the part of the last: 20 in the first millisecond are 2 a second."""
    rate = WindowedRate(11, 1_000)
    rate.add(20, START)
    assert rate.per_second(START) == 2
    assert rate.per_second(START + 10_000) == 2
    assert rate.per_second(START + 10_999) == 20 / 10.999
    assert rate.per_second(START + 11_000) == 0, "as old as all windows"


def test_usage_leaves_with_its_window():
    rate = WindowedRate(3, 1_000)
    for second in range(3):
        rate.add(6, START + 1_000 * second)
    assert rate.per_second(START + 2_000) == 9
    assert rate.per_second(START + 3_000) == 12 / 2


def test_the_wait_brings_the_rate_to_the_limit():
    rate = WindowedRate(11, 1_000)
    rate.add(30, START)
    assert rate.throttle_ms(3.0, START) == 0
    assert rate.throttle_ms(2.0, START) == 5_000, "30 in 10 s are 2 a second in 15 s"
    assert rate.throttle_ms(0.0, START) > 10**9


def test_samples_are_bounded():
    rate = WindowedRate(11, 1_000)
    for second in range(100):
        rate.add(1, START + 1_000 * second)
    assert len(rate._samples) <= 12


def test_a_client_above_its_percentage_waits_a_window_at_most():
    used = RequestQuotas()
    assert used.charge(ONE_PERCENT, ALICE, 100 * MS, START) == 0, "100 ms in 10 s"
    assert used.charge(ONE_PERCENT, ALICE, 1 * MS, START) == 100
    assert used.charge(ONE_PERCENT, ALICE, 10_000 * MS, START) == 1_000
    assert used.charge(ONE_PERCENT, QuotaClient("bob"), 10_000 * MS, START) == 0


def test_what_is_remembered_is_bounded():
    used, image = RequestQuotas(entities_max=100), quotas(({"client-id": None}, 1.0), key=REQUEST_PERCENTAGE)
    for number in range(1_000):
        used.charge(image, QuotaClient("mallory", str(number)), 1, START)
    assert len(used.rates) == 100
    assert RequestQuotas().rates.entities_max == ENTITIES_MAX
