"""The auditor reads the log of a controller after every step that random brokers and administrators take."""

from __future__ import annotations

import random

import pytest

from kraftpy.audit.engines.local import LocalEngine
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.findings import judge
from kraftpy.audit.replay import KraftReplay
from kraftpy.audit.rules import all_rules
from kraftpy.records.batch import encode_batch, encode_control_batch
from kraftpy.records.control import LeaderChangeMessage
from kraftpy.records.file_names import segment_file_name
from tests.properties.partition_driver import Driver

SEEDS = 20
STEPS = 100
EPOCH = 1


def log_of(values: list[bytes]) -> bytes:
    """A log with these records from offset 1 on, as the leader of the first epoch writes it."""
    change = LeaderChangeMessage(version=0, leader_id=1, voters=[], granting_voters=[])
    leader = encode_control_batch([change], base_offset=0, epoch=EPOCH, timestamp_ms=1_000)
    return leader + encode_batch(values, base_offset=1, epoch=EPOCH, timestamp_ms=1_001)


@pytest.fixture(scope="module")
def findings(tmp_path_factory):
    """What the auditor finds in the log after each step, by rule; and how many logs there were."""
    home = tmp_path_factory.mktemp("decisions")
    logs = 0
    for seed in range(1, SEEDS + 1):
        driver = Driver(random.Random(seed))
        length = 0
        for number in range(STEPS):
            name = driver.step()
            if len(driver.world.values) == length:
                continue
            length = len(driver.world.values)
            log = home / f"cluster=seed {seed} step {number} {name}" / "node=1" / "__cluster_metadata-0"
            log.mkdir(parents=True)
            (log / segment_file_name(0)).write_bytes(log_of(driver.world.values))
            logs += 1
    engine = LocalEngine(KraftReplay())
    engine.load([str(home)], AsOf())
    # These logs have no voters: there is a controller, and no quorum.
    rules = [rule for rule in all_rules() if rule.id != "election-voters"]
    verdict = judge(engine, rules, limit=10_000)
    engine.close()
    return verdict.findings, logs


def test_the_auditor_finds_no_error_after_any_step(findings) -> None:
    """A decision has written what the auditor calls an error; the cluster's name has the seed and the step."""
    found, logs = findings
    assert logs > SEEDS * STEPS / 4
    assert [(one.cluster, one.rule.id, one.message) for one in found if one.rule.severity == "error"] == []
