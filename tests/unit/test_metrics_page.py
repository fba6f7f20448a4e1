"""The page of metrics names what a node reports, no more and no less, and what Kafka 4.3's controllers report."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from kraftpy.node.controller_metrics import REGISTRATION_STATES
from kraftpy.raft.timing import OBSERVER_SESSION_MS
from kraftpy.runtime.durations import BOUNDS_MS
from kraftpy.transport.kafka.control.calls import WRITE_TIMEOUT_MS
from tests.unit.node.test_node import Desk

PAGE = Path(__file__).resolve().parents[2] / "docs" / "metrics.md"
ROWS = [
    [cell.strip() for cell in line.split("|")[1:-1]]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith("| ---")
]
MAPPED = [row for row in ROWS if len(row) == 4 and row[0] != "Kafka"]
OURS = [row for row in ROWS if len(row) == 2 and row[0].startswith("`")]
DOCUMENTED = [(row[1], row[2]) for row in MAPPED if row[1] != "-"] + [(row[0], row[1]) for row in OURS]

QUORUM_CONTROLLER = """
    ActiveControllerCount EventQueueTimeMs EventQueueProcessingTimeMs AvgIdleRatio LastAppliedRecordOffset
    LastCommittedRecordOffset LastAppliedRecordTimestamp LastAppliedRecordLagMs TimedOutBrokerHeartbeatCount
    EventQueueOperationsStartedCount EventQueueOperationsTimedOutCount NewActiveControllersCount
    TimeSinceLastHeartbeatReceivedMs
"""
CONTROLLER_METADATA = """
    FencedBrokerCount ActiveBrokerCount ControlledShutdownBrokerCount BrokerRegistrationState GlobalTopicCount
    GlobalPartitionCount OfflinePartitionsCount PreferredReplicaImbalanceCount MetadataErrorCount
    UncleanLeaderElectionsPerSec ElectionFromEligibleLeaderReplicasPerSec IgnoredStaticVoters
"""
RAFT = """
    current-state current-leader current-vote current-vote-directory-id current-epoch high-watermark log-end-offset
    log-end-epoch number-unknown-voter-connections number-of-voters number-of-observers uncommitted-voter-change
    commit-latency-avg commit-latency-max election-latency-avg election-latency-max fetch-records-rate
    append-records-rate poll-idle-ratio-avg
"""
OTHERS = """
    CurrentMetadataVersion CurrentControllerId HandleLoadSnapshotCount FinalizedLevel minimum-supported-level
    maximum-supported-level LatestSnapshotGeneratedBytes LatestSnapshotGeneratedAgeMs last-applied-record-offset
    last-applied-record-timestamp last-applied-record-lag-ms metadata-load-error-count metadata-apply-error-count
    ignored-static-voters MetadataBatchProcessingTimeUs MetadataBatchSizes BrokerState
"""


@pytest.mark.parametrize("names", [QUORUM_CONTROLLER, CONTROLLER_METADATA, RAFT, OTHERS])
def test_every_metric_of_a_controller_of_kafka_has_a_row(names):
    """Each attribute of Kafka 4.3's classes of metrics, and a reason where kraftpy does not report it."""
    quoted = [name for row in MAPPED for name in re.findall(r"`([^`]+)`", row[0])]
    mapped = {re.split("[,=]", name.partition("name=")[2] or name)[0] for name in quoted}
    assert set(names.split()) - mapped == set()
    assert [row for row in MAPPED if row[1] == "-" and not row[3]] == []
    assert [row for row in MAPPED if row[1] != "-" and not (row[2] and row[3])] == []


def test_its_numbers_are_those_of_the_code():
    text = PAGE.read_text(encoding="utf-8")
    assert f"buckets: {', '.join(map(str, BOUNDS_MS))} ms" in text
    assert f"too long is {WRITE_TIMEOUT_MS // 1_000} s" in text
    assert f"in the last {OBSERVER_SESSION_MS // 60_000} minutes" in text
    assert [state for state in REGISTRATION_STATES if str(state) not in text] == []


async def test_the_page_has_the_metrics_of_a_node(tmp_path):
    """A controller and broker in one process reports all that the page names, under its labels, and nothing else."""
    named: dict[str, tuple[set[str], str]] = {}
    for cell, meaning in DOCUMENTED:
        name, labels = re.fullmatch(r"`(\w+)(?:\{(.*)\})?`", cell).groups()
        named.setdefault(name, (set(), meaning))[0].update(re.findall(r"(\w+)(?:=\"[^\"]*\")?(?:,|$)", labels or ""))
    desk = Desk(tmp_path)
    async with desk.running():
        _, _, page = (await desk.get("/metrics")).replace("\r\n", "\n").partition("\n\n")
    reported = {}
    for family in text_string_to_metric_families(page):
        name = family.name + "_total" * (family.type == "counter")
        assert name not in reported, "reported twice"
        reported[name] = family
    assert sorted(reported.keys() - named.keys()) == [], "reported, and not on the page"
    unread = {name for name in named if name.startswith("process_")} if sys.platform != "linux" else set()
    assert sorted(named.keys() - reported.keys() - unread) == [], "on the page, and not reported"
    for name, (labels, meaning) in ((name, named[name]) for name in reported):
        family = reported[name]
        assert {label for sample in family.samples for label in sample.labels} - {"le"} <= labels, name
        assert (family.type == "histogram") == meaning.startswith("histogram:"), name
