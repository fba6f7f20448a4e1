"""A small cluster, and every way to cut its files or to flip a bit of them: a cluster for each."""

from __future__ import annotations

import os
import random
from pathlib import Path

from kraftpy.records import metadata as m
from kraftpy.records.control import KRaftVersionRecord, voter_set_to_record
from tests.audit.worlds import CLUSTER_ID, CONTROLLERS, World, controller, leader_change, voter_set

SEED = 4711
STEP = int(os.environ.get("CORRUPTION_STEP", "3"))
"""The distance in bytes between corrupted places; 1 corrupts each."""


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


def write_corrupt(directory: Path, step: int = STEP) -> list[str]:
    """Write the fleet and return the names of its clusters; the first one is whole."""
    draw = random.Random(SEED)
    world = small()
    node = world.nodes[1]
    ((snapshot_id, snapshot),) = node.snapshots.items()
    log = b"".join(node.log)
    world.nodes = {1: node}
    cases: dict[str, tuple[bytes, bytes]] = {"whole": (log, snapshot)}
    for name, data in (("log", log), ("snapshot", snapshot)):
        broken = {f"{name}-cut-{at}": data[:at] for at in range(0, len(data), step)}
        for at in range(0, len(data), step):
            flipped = bytearray(data)
            flipped[at] ^= 1 << draw.randrange(8)
            broken[f"{name}-flip-{at}"] = bytes(flipped)
        cases |= {case: (each, snapshot) if name == "log" else (log, each) for case, each in broken.items()}
    for case, (log_bytes, snapshot_bytes) in cases.items():
        node.segments, node.snapshots = {0: [log_bytes]}, {snapshot_id: snapshot_bytes}
        world.write(directory / f"cluster={case}")
    return list(cases)
