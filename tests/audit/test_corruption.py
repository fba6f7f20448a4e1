"""Cuts and flipped bits everywhere: a finding or the same state, never a crash, never another state in silence.

Every third byte by default; ``CORRUPTION_STEP=1`` takes every one.
"""

from __future__ import annotations

from collections import defaultdict

import pytest

from kraftpy.audit.diff import read_states
from kraftpy.audit.engines.local import LocalEngine
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.findings import judge
from kraftpy.audit.replay import KraftReplay
from kraftpy.audit.rules import all_rules
from tests.audit.corruption import STEP, write_corrupt

pytestmark = pytest.mark.landing


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """Findings and states of a fleet: a cluster for every cut and every flip, of the log and of the snapshot."""
    directory = tmp_path_factory.mktemp("corruption")
    cases = write_corrupt(directory)
    engine = LocalEngine(KraftReplay(b"salt"))
    engine.load([str(directory)], AsOf())
    verdict = judge(engine, all_rules(), limit=100_000)
    states = read_states(engine)
    engine.close()
    found = defaultdict(set)
    for finding in verdict.findings:
        found[finding.cluster].add(finding.rule.id)
    return cases, found, states


def test_the_sample_is_clean(judged) -> None:
    """The sample is broken before it is broken."""
    assert judged[1]["whole"] == set()
    assert len(judged[2]["whole"]) > 8


def test_corruption_is_never_silent(judged) -> None:
    """A cut or a flipped bit changes the state, and no rule says a word."""
    cases, found, states = judged
    silent = [case for case in cases if not found[case] and states.get(case) != states["whole"]]
    assert silent == []
    assert len(cases) > 2000 / STEP


def test_almost_every_flip_is_found(judged) -> None:
    """Flips go unnoticed that leave the state as it is: only epochs that no checksum covers may."""
    cases, found, _ = judged
    unnoticed = [case for case in cases if "flip" in case and not found[case]]
    assert len(unnoticed) <= 4 * 4, unnoticed


def test_unknown_ids_are_not_invented(judged) -> None:
    """A corrupt log has an entity that the whole one does not have."""
    _, _, states = judged
    for case, state in states.items():
        if case.startswith(("log-cut", "snapshot-cut")):
            assert set(state) <= set(states["whole"]), case
