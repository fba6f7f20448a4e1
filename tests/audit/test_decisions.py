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

pytestmark = pytest.mark.landing

SEEDS = 20
STEPS = 100
EPOCH = 1

ALLOWED = {
    # Brokers fall silent, ask to be fenced and shut down, and need not come back.
    "replica-fenced": "its broker is fenced",
    "partition-under-replicated": "the other brokers are fenced, or no leader asked for them",
    "partition-offline": "all brokers of its ISR and its ELR are fenced",
    "leader-not-preferred": "the preferred replica was fenced, and the balancer has not run since",
    "partition-under-min-isr": "as under-replicated, where min.insync.replicas is 2",
    # Brokers are unregistered, with replicas and all.
    "broker-missing": "an administrator unregistered it",
    # Heartbeats say so.
    "directory-offline": "it failed, and its broker has not registered again",
    "directory-saturated": "it is full",
    # Administrators ask for it.
    "min-isr-impossible": "min.insync.replicas is 2, and the topic was made with one replica",
    "replication-single": "a topic was made, or reassigned, with one replica",
    "replication-uneven": "one partition of a topic was reassigned to another number of replicas",
    "rack-spread": "a reassignment named brokers of one rack, or a broker returned in another one",
}
"""What the auditor may say of these histories, with the reason; it says each of them. No decision has to prevent it."""


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


def test_it_finds_nothing_else_but_what_is_allowed(findings) -> None:
    """A decision leaves what no reason above allows, or a reason is not needed; see the cluster's name for the step."""
    found, _ = findings
    assert [(one.cluster, one.rule.id, one.message) for one in found if one.rule.id not in ALLOWED] == []
    assert {one.rule.id for one in found} == ALLOWED.keys()
