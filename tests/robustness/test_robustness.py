"""A short share of ``make robustness``, the two experiments by themselves, and the harness's own trial."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.robustness.campaign import EXPERIMENTS, HISTORY, LOG, Nemesis, Report, campaign, judge_again, save_log
from tests.robustness.history import Kind, Operation, Outcome, save
from tests.robustness.judge import Written
from tests.robustness.protection import Protection
from tests.robustness.world import World

ENOUGH = {"write ok": 50, "committed read ok": 10, "linearizable read ok": 10}
"""How often each of these is done at least: a slow machine goes on for longer."""


def is_enough(so_far: Report) -> bool:
    done = Counter(each.name for each in so_far.history)
    return all(done[name] > count for name, count in ENOUGH.items())


@pytest.mark.landing
async def test_a_short_campaign(tmp_path):
    """Power losses, a frozen, cut off, deaf leader, delays: nothing acknowledged is lost, every key is linearizable."""
    only = ("power loss of all", "isolate the leader", "deaf leader", "kill the leader", "slow network")
    report = await campaign(tmp_path, seed=1, seconds=12, only=only, until=is_enough)
    assert report.judgement is not None
    assert report.judgement.is_clean, f"{report}\n{report.judgement.complaints}"
    # How many of the writes set the value that was there already is chance.
    for name, count in (ENOUGH | {"write that changed nothing": 0}).items():
        assert report.judgement.counts[name] > count
    print(report)


@pytest.mark.landing
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


@pytest.mark.landing
async def test_single_bit_errors_on_a_minority(tmp_path):
    """Bits flip in the files of one stopped node: it is level again, or was never harmed; nothing is lost."""
    # A flip in a part that is never read is harmless: more of them, until one is not.
    report = await campaign(
        tmp_path, seed=7, seconds=1, only=("bit errors on a minority",), until=lambda so_far: so_far.repairs > 0
    )
    assert report.judgement is not None
    assert report.judgement.is_clean, f"{report}\n{report.judgement.complaints}"
    assert report.bits_flipped > 0
    assert report.repairs > 0, "a batch that rots is never harmless"
    print(report)


@pytest.mark.landing
async def test_strangers_at_the_ports(tmp_path):
    """A flood of requests, and answers that are not read: the leader leads on, clients hardly notice."""
    only = ("flood of requests", "unread answers")
    report = await campaign(tmp_path, seed=5, seconds=1, only=only, each_fault=True)
    assert report.judgement is not None
    assert report.judgement.is_clean, f"{report}\n{report.judgement.complaints}"
    assert set(report.attacked_p99_s) == set(only)
    print(report)


@pytest.mark.landing
async def test_attackers_with_certificates(tmp_path):
    """An operator and a broker speak in others' names: all is refused, and the leader leads on."""
    only = ("others' names", "forged principals")
    report = await campaign(tmp_path, seed=6, seconds=1, only=only, each_fault=True, protection=Protection.AUTHORIZER)
    assert report.judgement is not None
    assert report.judgement.is_clean, f"{report}\n{report.judgement.complaints}"
    assert set(report.attacked_p99_s) == set(only)


@pytest.mark.landing
async def test_disks_that_break(tmp_path):
    """No room, really and injected, a sync that fails, a leader without its disk: one after the other."""
    only = ("small full file system", "failing fsync", "the leader's disk is wiped")
    report = await campaign(tmp_path, seed=3, seconds=1, only=only, each_fault=True)
    assert report.judgement is not None
    assert report.judgement.is_clean, f"{report}\n{report.judgement.complaints}"
    assert set(only) == {*report.faults, *report.skipped}
    assert judge_again(tmp_path).counts == report.judgement.counts


def test_a_kept_campaign_is_judged_again_and_a_loss_in_it_is_found(tmp_path):
    """What is judged is what was kept: without the write in the log the same history is a loss."""
    write = Operation("w", Kind.WRITE, "key", "1", 0.0, 1.0, Outcome.OK, offset=5, epoch=1)
    save(tmp_path / HISTORY, [write])
    save_log(tmp_path / LOG, [Written(5, "key", "1")])
    assert judge_again(tmp_path).is_clean
    save_log(tmp_path / LOG, [])
    (complaint,) = judge_again(tmp_path).complaints
    assert "key=1 was acknowledged at offset 5" in complaint


def test_every_fault_belongs_to_an_experiment(tmp_path):
    named = {fault for faults in EXPERIMENTS.values() for fault in faults}
    by_themselves = {"power loss of one", "slow network"}
    assert named | by_themselves == set(Nemesis(World(None, None), random.Random(1), Report(1)).all())
