"""The faults of a migration are drawn as its seed says."""

from __future__ import annotations

from tests.kafka_faults.migration import (
    ACTIVE,
    ANNOUNCED,
    COMMAND,
    COMMITTED,
    HAND_OVERS,
    SHARE,
    STEPS,
    SUBJECT,
    drawn,
)


def test_a_seed_draws_a_fault_for_each_step_and_none_is_left_out() -> None:
    """A seed that failed is not replayed by its line, or a kind of fault is never made."""
    assert drawn(7) == drawn(7)
    assert drawn(7) != drawn(8)
    for seed in range(20):
        faults = drawn(seed)
        assert len(faults) == STEPS
        assert drawn(seed, STEPS + HAND_OVERS)[:STEPS] == faults
        assert {(one, moment) for one in (COMMAND, SUBJECT, ACTIVE) for moment in (ANNOUNCED, COMMITTED)} <= set(faults)
    assert len(SHARE) <= STEPS
