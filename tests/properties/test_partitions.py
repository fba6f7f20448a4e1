"""What holds for partitions whatever brokers and administrators do."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.properties.partition_driver import Driver, check_partitions


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rng=st.randoms(use_true_random=False), steps=st.integers(1, 60))
def test_partitions_are_sound_after_every_step(rng, steps) -> None:
    """After some step a leader may not lead, or an ISR has a broker that may not be in it."""
    driver = Driver(rng)
    for _ in range(steps):
        driver.step()
        check_partitions(driver.image)
