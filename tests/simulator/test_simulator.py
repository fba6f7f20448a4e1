"""A share of the search on every run; that the search repeats itself; and that it finds what it is for."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import structlog

from tests.simulator.bugs import BUGS, SEEDS_MAX, Bug
from tests.simulator.quiet import quiet_logs
from tests.simulator.simulation import Simulation, rerun_command
from tests.simulator.swarm import options_of

SHARES = 8
SEEDS_PER_SHARE = 5
REPEATED_SEEDS = 4


@pytest.fixture(autouse=True)
def _quiet():
    before = structlog.get_config()
    quiet_logs()
    yield
    structlog.configure(**before)


@pytest.mark.slow
@pytest.mark.parametrize("share", range(SHARES))
def test_every_guarantee_holds_in_a_fixed_share_of_histories(share):
    """No checker has anything to say, and after the faults the cluster makes progress."""
    first = 1 + share * SEEDS_PER_SHARE
    for seed in range(first, first + SEEDS_PER_SHARE):
        verdict = Simulation(seed).run()
        assert verdict.failed is None, "\n".join(
            (*verdict.recent, f"seed {seed}: {verdict.failed}", f"rerun: {rerun_command(seed)}")
        )
        assert verdict.committed > 0


@pytest.mark.slow
def test_equal_logs_give_equal_states():
    """Nodes that compare digests several times a second never find a difference, whatever happens to them."""
    for seed in range(501, 501 + SEEDS_PER_SHARE):
        simulation = Simulation(seed, replace(options_of(seed), digest_interval_ms=100))
        verdict = simulation.run()
        assert verdict.failed is None, "\n".join((*verdict.recent, f"seed {seed}: {verdict.failed}"))
        assert simulation.digests.agreed > 0


@pytest.mark.slow
def test_the_same_seed_is_the_same_history_whatever_the_hash_seed():
    """Two processes with different PYTHONHASHSEED print the same digests."""
    command = [sys.executable, "-m", "tests.simulator", "--digests", "--seeds", str(REPEATED_SEEDS), "--first", "101"]
    root = Path(__file__).parents[2]
    outputs = [
        subprocess.run(
            command, cwd=root, env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert outputs[0] == outputs[1]
    assert outputs[0].count("digest ") == REPEATED_SEEDS
    assert len(set(outputs[0].split())) > REPEATED_SEEDS, "different seeds are different histories"


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_planted_bug_is_found(bug: Bug):
    """Each planted bug is found within its budget of seeds."""
    with pytest.MonkeyPatch.context() as patch:
        bug.plant(patch)
        for seed in range(1, SEEDS_MAX + 1):
            verdict = Simulation(seed, bug.options(seed)).run()
            if verdict.rule is not None:
                print(f"{bug.name:<52} seed {seed:>2}  {verdict.rule}")
                return
    pytest.fail(f"{bug.name}: not found in {SEEDS_MAX} seeds")


def test_seeds_differ_in_what_goes_wrong():
    """Over a few hundred seeds every kind of fault is both switched on and left out."""
    drawn = [options_of(seed) for seed in range(300)]
    for fault in (
        "lost",
        "duplicated",
        "reordered",
        "partition_interval_ms",
        "crash_interval_ms",
        "slow_syncs",
        "sync_failure_interval_ms",
        "disk_full_interval_ms",
        "skew_ms",
        "drift",
        "crash_after_vote",
        "jump_interval_ms",
        "twin",
        "wipe_interval_ms",
    ):
        on = sum(1 for options in drawn if getattr(options, fault))
        assert 0 < on < len(drawn), fault
    assert {options.voters for options in drawn} == {1, 2, 3, 5}
