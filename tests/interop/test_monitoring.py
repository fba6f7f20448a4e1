"""The rules in ``deploy/monitoring`` in a real Prometheus: a fault fires its alerts, and its mending clears them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping

import pytest
import yaml

from tests.fakes.processes import eventually, running
from tests.interop.prometheus_server import Server, observing
from tests.unit.test_monitoring import ALERTS, RULES, RULES_FILE, SCRAPE_FILE

pytestmark = pytest.mark.timeout(400)

HEALTHY, FAULTY, MENDED = 10, 20, 35
"""How many minutes each part of promtool's test has: no alert waits for longer, or looks back further."""

CLUSTER = 'cluster="main"'
C1, C2, C3 = (f'{CLUSTER},instance="c{n}:9293",job="kraftpy"' for n in (1, 2, 3))
DISK = f'{C1},log_directory="/data"'
MISSING = "_"

GAUGES: Mapping[str, float] = {
    **{f"up{{{one}}}": 1 for one in (C1, C2, C3)},
    **{f"kraft_voter_eligible{{{one}}}": 1 for one in (C1, C2, C3)},
    **{f"kraft_voters{{{one}}}": 3 for one in (C1, C2, C3)},
    **{f'kraft_replica_lag_ms{{{C1},replica="{n}",role="voter"}}': 20 for n in (1, 2, 3)},
    f"kraft_active_controller{{{C1}}}": 1,
    f"kraft_active_controller{{{C2}}}": 0,
    f"kraft_last_applied_record_lag_ms{{{C2}}}": 400,
    f"kraft_apply_halted{{{C1}}}": 0,
    f"kraft_bytes_since_snapshot{{{C1}}}": 900,
    f"kraft_snapshot_interval_bytes{{{C1}}}": 1000,
    **{f'kraft_broker_registration_state{{{one},broker="101"}}': 30 for one in (C1, C2)},
    **{f"kraft_offline_partitions{{{one}}}": 0 for one in (C1, C2)},
    **{f"kraft_under_min_isr_partitions{{{one}}}": 0 for one in (C1, C2)},
    f"kraft_log_directory_free_bytes{{{DISK}}}": 50,
    f"kraft_log_directory_total_bytes{{{DISK}}}": 100,
    f"kraft_metadata_disk_alarm{{{C1}}}": 0,
    f"kraft_log_directory_offline{{{DISK}}}": 0,
    f"kraft_log_directory_saturated{{{DISK}}}": 0,
    f"kraft_wall_clock_ahead_ms{{{C1}}}": -3,
    f'kraft_certificate_expiry_timestamp_seconds{{{C1},file="/node.pem"}}': 10_000_000,
    f"process_open_fds{{{C1}}}": 60,
    f"process_max_fds{{{C1}}}": 1024,
}
"""What healthy nodes show."""

COUNTERS: Mapping[str, float] = {
    f"kraft_new_active_controllers_total{{{C1}}}": 0,
    f"kraft_state_digest_mismatches_total{{{C1}}}": 0,
    f"kraft_metadata_errors_total{{{C1}}}": 0,
    f"kraft_snapshot_errors_total{{{C1}}}": 0,
    f"kraft_unclean_leader_elections_total{{{C1}}}": 0,
    f"kraft_identity_rejections_total{{{C1}}}": 0,
    f"process_start_time_seconds{{{C1}}}": 0,
    **{
        f'{name}_bucket{{{C1},le="{bound}"}}': 60
        for name in (
            "kraft_commit_latency_ms",
            "kraft_event_queue_time_ms",
            "kraft_log_flush_time_ms",
            "kraft_event_loop_lag_ms",
        )
        for bound in ("10.0", "2000.0", "+Inf")
    },
}
"""By how much each grows in a minute on a healthy node."""

FIRST_DEFECT = f"{MISSING}x{HEALTHY + FAULTY - 6} 1+0x{MENDED + 5}"
"""A series that appears with its first error and stays: its alert lasts for ten minutes, hence it comes late."""

AFTER_A_GAP = f"{MISSING}x{FAULTY - 3} {{0}}+0x{MENDED + 2}"
"""From the last minutes of the fault on; Prometheus, or the node, was away since before it."""

LAG_OF_3 = f'kraft_replica_lag_ms{{{C1},replica="3",role="voter"}}'

FAULTS: Mapping[str, tuple[Mapping[str, float | str], set[str]]] = {
    "no leader": ({f"kraft_active_controller{{{C1}}}": 0}, {"KraftNoActiveController"}),
    "no node answers": (
        {
            **{series: MISSING for series in GAUGES if not series.startswith("up{")},
            **{f"up{{{one}}}": 0 for one in (C1, C2, C3)},
        },
        {"KraftNoActiveController", "KraftNodeDown"},
    ),
    "two leaders": ({f"kraft_active_controller{{{C2}}}": 1}, {"KraftSeveralActiveControllers"}),
    "a voter is down": (
        {
            f"up{{{C3}}}": 0,
            f"kraft_voter_eligible{{{C3}}}": MISSING,
            f"kraft_voters{{{C3}}}": MISSING,
            LAG_OF_3: 60_000,
        },
        {"KraftNodeDown", "KraftVoterLagging", "KraftQuorumOneFailureFromLoss"},
    ),
    "a voter never caught up": ({LAG_OF_3: -1}, {"KraftVoterLagging", "KraftQuorumOneFailureFromLoss"}),
    "a vote does not count": ({f"kraft_voter_eligible{{{C2}}}": 0}, {"KraftVoterIneligible"}),
    "a state is old": ({f"kraft_last_applied_record_lag_ms{{{C2}}}": 11_000}, {"KraftStateLagging"}),
    "elections": ({f"kraft_new_active_controllers_total{{{C1}}}": 1}, {"KraftElectionsFrequent"}),
    "a poisonous record": ({f"kraft_apply_halted{{{C1}}}": 1}, {"KraftApplyHalted"}),
    "states differ": ({f"kraft_state_digest_mismatches_total{{{C1}}}": 1}, {"KraftStatesDiffer"}),
    "an error of the controller": ({f"kraft_metadata_errors_total{{{C1}}}": 1}, {"KraftMetadataErrors"}),
    "a first defect": (
        {
            f'kraftpy_request_errors_total{{{C1},request="VoteRequest"}}': FIRST_DEFECT,
        },
        {"KraftRequestDefects"},
    ),
    "an old defect after a gap": (
        {
            f'kraftpy_request_errors_total{{{C1},request="VoteRequest"}}': f"3+0x{HEALTHY - 1} {AFTER_A_GAP.format(3)}",
            f"up{{{C1}}}": f"1+0x{HEALTHY - 1} {AFTER_A_GAP.format(1)}",
        },
        set(),
    ),
    "snapshots fail": ({f"kraft_snapshot_errors_total{{{C1}}}": 1}, {"KraftSnapshotErrors"}),
    "no snapshot is made": ({f"kraft_bytes_since_snapshot{{{C1}}}": 2_001}, {"KraftSnapshotOverdue"}),
    "a follower whose state is old": (
        {
            f"kraft_offline_partitions{{{C2}}}": 2,
            f"kraft_under_min_isr_partitions{{{C2}}}": 2,
            f'kraft_broker_registration_state{{{C2},broker="101"}}': 10,
        },
        set(),
    ),
    "a fenced broker": ({f'kraft_broker_registration_state{{{C1},broker="101"}}': 10}, {"KraftBrokerFenced"}),
    "offline partitions": (
        {f"kraft_offline_partitions{{{C1}}}": 2, f"kraft_under_min_isr_partitions{{{C1}}}": 2},
        {"KraftOfflinePartitions", "KraftPartitionsUnderMinIsr"},
    ),
    "an unclean election": ({f"kraft_unclean_leader_elections_total{{{C1}}}": 1}, {"KraftUncleanLeaderElection"}),
    "slow commits": ({f'kraft_commit_latency_ms_bucket{{{C1},le="10.0"}}': 0}, {"KraftCommitLatencyHigh"}),
    "a slow queue": ({f'kraft_event_queue_time_ms_bucket{{{C1},le="10.0"}}': 0}, {"KraftControllerQueueSlow"}),
    "a slow disk": ({f'kraft_log_flush_time_ms_bucket{{{C1},le="10.0"}}': 0}, {"KraftLogFlushSlow"}),
    "a slow loop": ({f'kraft_event_loop_lag_ms_bucket{{{C1},le="10.0"}}': 0}, {"KraftEventLoopLagging"}),
    "a disk that fills": ({f"kraft_log_directory_free_bytes{{{DISK}}}": 10}, {"KraftDiskFilling"}),
    "a full disk": ({f"kraft_log_directory_free_bytes{{{DISK}}}": 1}, {"KraftDiskFilling", "KraftDiskNearlyFull"}),
    "a full disk of the metadata log": ({f"kraft_metadata_disk_alarm{{{C1}}}": 1}, {"KraftMetadataDiskAlarm"}),
    "a failed directory": ({f"kraft_log_directory_offline{{{DISK}}}": 1}, {"KraftLogDirectoryFailed"}),
    "a saturated directory": ({f"kraft_log_directory_saturated{{{DISK}}}": 1}, {"KraftLogDirectorySaturated"}),
    "a clock that was set": ({f"kraft_wall_clock_ahead_ms{{{C1}}}": -61_000}, {"KraftClockAhead"}),
    "a week left": (
        {f'kraft_certificate_expiry_timestamp_seconds{{{C1},file="/node.pem"}}': 604_800},
        {"KraftCertificateExpiresSoon"},
    ),
    "an unreadable certificate": (
        {f'kraft_certificate_expiry_timestamp_seconds{{{C1},file="/node.pem"}}': 0},
        {"KraftCertificateExpiresSoon", "KraftCertificateExpiresNow"},
    ),
    "descriptors": ({f"process_open_fds{{{C1}}}": 900}, {"KraftFileDescriptorsScarce"}),
    "restarts": ({f"process_start_time_seconds{{{C1}}}": 60}, {"KraftNodeRestarts"}),
    "a foreign certificate": ({f"kraft_identity_rejections_total{{{C1}}}": 1}, {"KraftIdentityRejected"}),
}
"""What differs while something is wrong, a gauge's value or a counter's growth in a minute; and which alerts fire."""


def samples(series: str, fault: float | str | None) -> str:
    """Return a series in promtool's notation: healthy, faulty, and mended again."""
    if isinstance(fault, str) and fault != MISSING:
        return fault
    if series in GAUGES:
        value = GAUGES[series]
        middle = f"{MISSING}x{FAULTY}" if fault == MISSING else f"{value if fault is None else fault}+0x{FAULTY - 1}"
        return f"{value}+0x{HEALTHY - 1} {middle} {value}+0x{MENDED - 1}"
    growth = COUNTERS[series]
    faulty = growth if fault is None else fault
    assert isinstance(faulty, int)
    first, second = HEALTHY * growth, HEALTHY * growth + FAULTY * faulty
    return f"0+{growth}x{HEALTHY - 1} {first}+{faulty}x{FAULTY - 1} {second}+{growth}x{MENDED - 1}"


def input_series(name: str, faults: Mapping[str, float | str]) -> list[dict[str, str]]:
    """Return the series of a cluster of its own with a fault."""
    names = [*GAUGES, *COUNTERS, *(series for series in faults if series not in {*GAUGES, *COUNTERS})]
    own = f'cluster="{name}"'
    return [{"series": one.replace(CLUSTER, own), "values": samples(one, faults.get(one))} for one in names]


def fires(minute: int, alerts: Mapping[str, set[str]]) -> dict[str, object]:
    """Return what is expected to fire at a time: names of alerts by cluster, and nothing else."""
    labels = [f'{{alertname="{one}",cluster="{name}"}}' for name in alerts for one in sorted(alerts[name])]
    return {
        "expr": 'count by (alertname, cluster) (count by (alertname, cluster) (ALERTS{alertstate="firing"}))',
        "eval_time": f"{minute}m",
        "exp_samples": [{"labels": one, "value": 1} for one in labels],
    }


def test_every_alert_has_a_fault():
    """An alert without a test may never fire."""
    assert set().union(*(firing for _, firing in FAULTS.values())) == set(ALERTS)


def test_promtool_takes_the_files(prometheus):
    """Expressions and templates of the rules, and the example of a configuration."""
    for command, file in (("rules", RULES_FILE), ("config", SCRAPE_FILE)):
        done = subprocess.run(
            [prometheus.tool, "check", command, file], capture_output=True, text=True, check=False, timeout=60
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_each_fault_fires_its_alerts_alone_and_its_mending_clears_them(prometheus, tmp_path):
    """A cluster for each fault: nothing fires before it nor long after it; at its end its alerts do, and no others."""
    clusters = {"healthy": ({}, set()), **FAULTS}
    test = {
        "interval": "1m",
        "input_series": [one for name, (faults, _) in clusters.items() for one in input_series(name, faults)],
        "promql_expr_test": [
            fires(HEALTHY - 1, {}),
            fires(HEALTHY + FAULTY - 1, {name: firing for name, (_, firing) in clusters.items()}),
            fires(HEALTHY + FAULTY + MENDED - 1, {}),
        ],
    }
    file = tmp_path / "tests.yaml"
    file.write_text(yaml.safe_dump({"rule_files": [str(RULES_FILE)], "evaluation_interval": "1m", "tests": [test]}))
    done = subprocess.run(
        [prometheus.tool, "test", "rules", file], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr


SCRAPE_INTERVAL = "250ms"
LASTS = "500ms"
OBSERVED = {"KraftNodeDown", "KraftVoterLagging", "KraftQuorumOneFailureFromLoss", "KraftNoActiveController"}
"""The alerts of the test with processes; how full the machine's disks are is no matter of it."""


def quick_rules() -> str:
    """Return the rules with everything that is waited for shortened: 10 s of lag are 1 s."""
    document = yaml.safe_load(json.dumps(RULES).replace("10000", "1000"))
    for group in document["groups"]:
        group["interval"] = SCRAPE_INTERVAL
        for rule in group["rules"]:
            if "for" in rule:
                rule["for"] = LASTS
    return yaml.safe_dump(document)


async def firing(server: Server) -> set[str]:
    """The names of the observed alerts that fire."""
    alerts = (await server.get("alerts")).get("alerts", [])
    return {one["labels"]["alertname"] for one in alerts if one["state"] == "firing"} & OBSERVED


async def test_a_fault_fires_its_alerts_and_its_mending_clears_them(prometheus, root):
    """A follower is killed and comes back, then a majority: Prometheus reports each, and that it is over."""
    async with running(root / "cluster") as cluster:
        nodes = [cluster.node(node_id) for node_id in cluster.controller_ids]
        targets = [node.properties["metrics.listener"] for node in nodes]
        leader_id = await cluster.leader()
        first, second = (node_id for node_id in cluster.controller_ids if node_id != leader_id)
        async with observing(prometheus, root, targets, scrape_interval=SCRAPE_INTERVAL, rules=quick_rules()) as server:

            async def all_is_well():
                observed = await server.value("cluster:kraft_voters_caught_up:count"), await firing(server)
                return observed == (3, set())

            await eventually(all_is_well, bool, "three voters are caught up, and nothing fires")
            await cluster.kill(first)
            of_a_voter = {"KraftNodeDown", "KraftVoterLagging", "KraftQuorumOneFailureFromLoss"}
            await eventually(lambda: firing(server), lambda names: names == of_a_voter, "a voter is missed")
            await cluster.kill(second)
            lost = {"KraftNodeDown", "KraftNoActiveController"}
            await eventually(lambda: firing(server), lost.__le__, "the quorum is missed")
            await cluster.start(first, second)
            await eventually(all_is_well, bool, "the alerts clear")
