"""A short share of ``make robustness``, the two experiments by themselves, and the harness's own trial."""

from __future__ import annotations

import random

import pytest

from tests.fakes.processes import described, group, read_log, under_load
from tests.robustness.campaign import campaign
from tests.robustness.power import flip_bit
from tests.robustness.world import world


@pytest.mark.slow
async def test_a_short_campaign(tmp_path):
    """Power losses, a frozen, cut off, deaf leader, delays: nothing acknowledged is lost, every key is linearizable."""
    only = ("power loss of all", "isolate the leader", "deaf leader", "kill the leader", "slow network")
    report = await campaign(tmp_path, seed=1, seconds=12, only=only)
    assert report.judgement is not None
    assert report.judgement.is_clean, f"{report}\n{report.judgement.complaints}"
    assert report.judgement.counts["write ok"] > 50
    assert report.judgement.counts["read ok confirmed"] > 10
    print(report)


@pytest.mark.slow
async def test_disks_that_lie_are_found_out(tmp_path):
    """The harness itself on trial: when no sync syncs, a power loss of all loses what was acknowledged."""
    try:
        report = await campaign(tmp_path, seed=1, seconds=1, only=("power loss of all",), disks_lie=True, patience_s=8)
    except (AssertionError, ExceptionGroup) as failed:
        # So much was lost that the nodes do not come up, or differ.
        if isinstance(failed, AssertionError) or failed.subgroup(AssertionError) is not None:
            return
        raise
    assert report.judgement is not None
    assert any("acknowledged writes are lost" in each for each in report.judgement.complaints), report


@pytest.mark.slow
async def test_single_bit_errors_on_a_minority(tmp_path):
    """A bit flips in the committed middle of one log: that node says where and does not serve it; nothing is lost."""
    draw = random.Random(7)
    async with world(tmp_path) as made:
        await made.leader()
        async with under_load(made, writers=2) as load:
            await load.grow(30)
        victim = draw.choice(made.controller_ids)
        await made.caught_up(victim, load.last_offset)
        assert await made.terminate(victim) == 0
        segment = next(made.data(victim).glob("*.log"))
        batches = read_log(made.data(victim))
        position = draw.randrange(batches[0].size, sum(batch.size for batch in batches) // 2)
        flip_bit(segment, position, draw.randrange(8))
        await made.start(victim)
        assert await made.exit_code(victim) != 0
        assert str(segment) in made.log_of(victim)
        # The others go on, and hold everything.
        async with made.client(*(one for one in made.controller_ids if one != victim)) as client:
            await client.incremental_alter_configs(group("after", "20000"))
            assert load.missing(await described(client)) == {}
