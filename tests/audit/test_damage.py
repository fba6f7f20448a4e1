"""Cuts and flipped bits everywhere: a finding or the same state, never a crash, never another state in silence.

Every third byte by default; ``DAMAGE_STEP=1`` takes every one.
"""

from __future__ import annotations

import os
import random
from collections import defaultdict

import pytest

from kraftpy.audit.diff import read_states
from kraftpy.audit.engines.local import LocalEngine
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.findings import judge
from kraftpy.audit.replay import KraftReplay
from kraftpy.audit.rules import all_rules
from kraftpy.records import metadata as m
from kraftpy.records.control import KRaftVersionRecord, voter_set_to_record
from tests.audit.worlds import CLUSTER_ID, CONTROLLERS, World, controller, leader_change, voter_set

SEED = 4711
STEP = int(os.environ.get("DAMAGE_STEP", "3"))


def small() -> World:
    """A log of a few hundred bytes and a snapshot of it."""
    world = World(950)
    world.voters = voter_set(*CONTROLLERS)
    world.control(leader_change(1, *CONTROLLERS), KRaftVersionRecord(0, 1), voter_set_to_record(world.voters))
    world.append(m.FeatureLevelRecord("metadata.version", 42), m.ClusterIdRecord(CLUSTER_ID))
    world.append(*(controller(node) for node in CONTROLLERS))
    world.append(m.ProducerIdsRecord(4, 1, 1000), m.UserScramCredentialRecord("a", 1, b"s", b"t", b"u", 4096))
    world.snapshot()
    return world


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """Findings and states of a fleet: a cluster for every cut and every flip, of the log and of the snapshot."""
    directory = tmp_path_factory.mktemp("damage")
    draw = random.Random(SEED)
    world = small()
    node = world.nodes[1]
    ((snapshot_id, snapshot),) = node.snapshots.items()
    log = b"".join(node.log)
    world.nodes = {1: node}
    cases: dict[str, tuple[bytes, bytes]] = {"whole": (log, snapshot)}
    for name, data in (("log", log), ("snapshot", snapshot)):
        broken = {f"{name}-cut-{at}": data[:at] for at in range(0, len(data), STEP)}
        for at in range(0, len(data), STEP):
            flipped = bytearray(data)
            flipped[at] ^= 1 << draw.randrange(8)
            broken[f"{name}-flip-{at}"] = bytes(flipped)
        cases |= {case: (each, snapshot) if name == "log" else (log, each) for case, each in broken.items()}
    for case, (log_bytes, snapshot_bytes) in cases.items():
        node.segments, node.snapshots = {0: [log_bytes]}, {snapshot_id: snapshot_bytes}
        world.write(directory / f"cluster={case}")
    engine = LocalEngine(KraftReplay(b"salt"))
    engine.load([str(directory)], AsOf())
    verdict = judge(engine, all_rules(), limit=100_000)
    states = read_states(engine)
    engine.close()
    found = defaultdict(set)
    for finding in verdict.findings:
        found[finding.cluster].add(finding.rule.id)
    return list(cases), found, states


def test_the_sample_is_clean(judged) -> None:
    """The sample is broken before it is broken."""
    assert judged[1]["whole"] == set()
    assert len(judged[2]["whole"]) > 8


def test_damage_is_never_silent(judged) -> None:
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
    """A damaged log has an entity that the whole one does not have."""
    _, _, states = judged
    for case, state in states.items():
        if case.startswith(("log-cut", "snapshot-cut")):
            assert set(state) <= set(states["whole"]), case
