"""Write the dashboards for Grafana: ``python -m deploy.monitoring.dashboards [--check]``.

``quorum.json`` shows the controllers and the metadata log, ``cluster.json`` brokers, partitions, requests and
processes. Grafana imports each file as it is. Panels are in the tables below; the rest of a dashboard's JSON follows
from them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).resolve().parent
SCHEMA_VERSION: Final = 39
"""That of Grafana 11; later ones convert it."""

COLUMNS: Final = 24
HEIGHT: Final = 8
SOURCE: Final = {"type": "prometheus", "uid": "${datasource}"}


@dataclass(frozen=True, slots=True)
class Panel:
    """One graph.

    Attributes:
        title: what it shows.
        unit: Grafana's name of the unit.
        series: expressions and their legends. ``$`` stands for the selection of the cluster: ``name{$}``.
    """

    title: str
    unit: str
    series: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Row:
    """Panels side by side, under a heading."""

    title: str
    panels: tuple[Panel, ...]


def one(title: str, unit: str, expression: str, legend: str) -> Panel:
    """Return a panel with one expression."""
    return Panel(title, unit, ((expression, legend),))


def p99(title: str, name: str, *kept: str) -> Panel:
    """Return the 99th percentile of a histogram in ms, by some labels."""
    by = ", ".join((*kept, "le"))
    expression = f"histogram_quantile(0.99, sum by ({by}) (rate({name}_bucket{{$}}[5m])))"
    return one(title, "ms", expression, " ".join(f"{{{{{label}}}}}" for label in kept))


def mean(title: str, unit: str, name: str, *kept: str) -> Panel:
    """Return the mean of a histogram's last 15 minutes, by some labels; nothing where it counted nothing."""
    by = ", ".join(kept)
    parts = (f"sum by ({by}) (increase({name}_{part}{{$}}[15m]))" for part in ("sum", "count"))
    return one(title, unit, " / ".join(parts), f"{{{{{kept[-1]}}}}}")


CAUGHT_UP: Final = 'kraft_replica_lag_ms{$,role="voter"} >= 0 < 10000'
"""Of a leader that was just killed, Prometheus keeps this until the next scrape: it is counted by node."""

QUORUM: Final = (
    Row(
        "Leadership",
        (
            one("Active controllers", "short", "sum by (cluster) (kraft_active_controller{$})", "{{cluster}}"),
            one("Leader epoch", "short", "max by (cluster) (kraft_current_epoch{$})", "{{cluster}}"),
            one("Leader, as each node knows it", "short", "kraft_current_leader{$}", "{{instance}}"),
            one("Nodes by role", "short", "sum by (cluster, state) (kraft_current_state{$}) > 0", "{{state}}"),
        ),
    ),
    Row(
        "Failovers",
        (
            one(
                "New leaders in 15 minutes",
                "short",
                "max by (cluster) (increase(kraft_new_active_controllers_total{$}[15m]))",
                "{{cluster}}",
            ),
            mean("Phases, mean of 15 minutes", "s", "kraftpy_failover_phase_seconds", "cluster", "phase"),
            mean("Candidacy to a known leader, mean of 15 minutes", "ms", "kraft_election_latency_ms", "cluster"),
        ),
    ),
    Row(
        "Voters",
        (
            Panel(
                "Voters",
                "short",
                (
                    ("max by (cluster) (kraft_voters{$})", "members"),
                    ("sum by (cluster) (kraft_voter_eligible{$})", "whose vote counts"),
                    (f"max by (cluster) (count by (cluster, instance) ({CAUGHT_UP}))", "caught up"),
                ),
            ),
            one(
                "Replicas' lag",
                "ms",
                "max by (cluster, replica, role) (kraft_replica_lag_ms{$})",
                "{{role}} {{replica}}",
            ),
            one(
                "Replicas' lag in offsets",
                "short",
                "max by (cluster, replica, role) (kraft_replica_lag_offsets{$})",
                "{{role}} {{replica}}",
            ),
            one("Age of each node's state", "ms", "kraft_last_applied_record_lag_ms{$}", "{{instance}}"),
        ),
    ),
    Row(
        "Writes",
        (
            one(
                "Records appended", "ops", "sum by (cluster) (rate(kraft_appended_records_total{$}[5m]))", "{{cluster}}"
            ),
            p99("Time in the queue, p99", "kraft_event_queue_time_ms", "cluster"),
            p99("Time of the decision, p99", "kraft_event_queue_processing_time_ms", "cluster"),
            p99("Time until the commit, p99", "kraft_commit_latency_ms", "cluster"),
        ),
    ),
    Row(
        "Log and snapshots",
        (
            p99("Flush of the log, p99", "kraft_log_flush_time_ms", "instance"),
            one("Size of the log", "bytes", "kraft_metadata_log_bytes{$}", "{{instance}}"),
            one(
                "Log since the latest snapshot",
                "percentunit",
                "kraft_bytes_since_snapshot{$} / kraft_snapshot_interval_bytes{$}",
                "{{instance}}",
            ),
            one("Committed offset", "short", "kraft_last_committed_record_offset{$}", "{{instance}}"),
        ),
    ),
    Row(
        "Errors",
        (
            one("Metadata errors", "short", "increase(kraft_metadata_errors_total{$}[15m])", "{{instance}}"),
            one(
                "States that differed", "short", "increase(kraft_state_digest_mismatches_total{$}[15m])", "{{instance}}"
            ),
            one("Applying halted", "short", "kraft_apply_halted{$}", "{{instance}}"),
            one("Snapshots that failed", "short", "increase(kraft_snapshot_errors_total{$}[15m])", "{{instance}}"),
        ),
    ),
)

FAILED: Final = 'rate(kraft_requests_total{$,error!="NONE"}[5m])'
"""A request has no series for an error that it never met."""

CLUSTER: Final = (
    Row(
        "Brokers",
        (
            one("Brokers by state", "short", "max by (cluster, state) (kraft_brokers{$})", "{{state}}"),
            one(
                "Longest silence of a broker in a minute",
                "ms",
                "max by (cluster, broker) (max_over_time(kraft_time_since_last_heartbeat_received_ms{$}[1m]))",
                "{{broker}}",
            ),
            one(
                "Heartbeats that timed out",
                "short",
                "sum by (cluster) (increase(kraft_timed_out_broker_heartbeats_total{$}[15m]))",
                "{{cluster}}",
            ),
        ),
    ),
    Row(
        "Partitions",
        (
            Panel(
                "Topics and partitions",
                "short",
                (
                    ("max by (cluster) (kraft_topics{$})", "topics"),
                    ("max by (cluster) (kraft_partitions{$})", "partitions"),
                ),
            ),
            Panel(
                "Partitions in trouble",
                "short",
                (
                    ("max by (cluster) (kraft_offline_partitions{$})", "offline"),
                    ("max by (cluster) (kraft_under_min_isr_partitions{$})", "under min.insync.replicas"),
                    ("max by (cluster) (kraft_under_replicated_partitions{$})", "under-replicated"),
                ),
            ),
            one(
                "Unclean leader elections",
                "short",
                "max by (cluster) (increase(kraft_unclean_leader_elections_total{$}[15m]))",
                "{{cluster}}",
            ),
        ),
    ),
    Row(
        "Requests over Kafka's protocol",
        (
            one("Requests", "reqps", "sum by (cluster, request) (rate(kraft_requests_total{$}[5m]))", "{{request}}"),
            Panel(
                "Answers with an error",
                "reqps",
                (
                    (
                        f"sum by (cluster) ({FAILED}) or 0 * sum by (cluster) (rate(kraft_requests_total{{$}}[5m]))",
                        "all",
                    ),
                    (f"sum by (cluster, request, error) ({FAILED})", "{{request}} {{error}}"),
                ),
            ),
            p99("Time of a request, p99", "kraft_request_time_ms", "request"),
        ),
    ),
    Row(
        "Calls over gRPC, and limits",
        (
            one(
                "Calls over gRPC",
                "reqps",
                "sum by (cluster, method, status) (rate(kraft_grpc_calls_total{$}[5m]))",
                "{{method}} {{status}}",
            ),
            p99("Time of a call over gRPC, p99", "kraft_grpc_call_time_ms", "method"),
            Panel(
                "Refused by a limit",
                "short",
                (
                    ("sum by (cluster) (increase(kraftpy_limit_refused_total{$}[15m]))", "all"),
                    ("sum by (cluster, limit) (increase(kraftpy_limit_refused_total{$}[15m])) > 0", "{{limit}}"),
                ),
            ),
        ),
    ),
    Row(
        "Security",
        (
            one(
                "Authentications that failed",
                "short",
                "increase(kraft_authentication_failures_total{$}[15m])",
                "{{instance}}",
            ),
            one(
                "Requests that were denied",
                "short",
                "increase(kraft_authorization_denials_total{$}[15m])",
                "{{instance}}",
            ),
            one(
                "Certificates are valid for",
                "s",
                "kraft_certificate_expiry_timestamp_seconds{$} - time()",
                "{{instance}} {{file}}",
            ),
        ),
    ),
    Row(
        "Processes",
        (
            one("Processor", "percentunit", "rate(process_cpu_seconds_total{$}[5m])", "{{instance}}"),
            one("Memory", "bytes", "process_resident_memory_bytes{$}", "{{instance}}"),
            p99("Lag of the event loop, p99", "kraft_event_loop_lag_ms", "instance"),
            one(
                "Full garbage collections",
                "ops",
                'rate(python_gc_collections_total{$,generation="2"}[5m])',
                "{{instance}}",
            ),
        ),
    ),
    Row(
        "Machines",
        (
            one(
                "Disk that is free",
                "percentunit",
                "kraft_log_directory_free_bytes{$} / kraft_log_directory_total_bytes{$}",
                "{{instance}} {{log_directory}}",
            ),
            one("File descriptors", "percentunit", "process_open_fds{$} / process_max_fds{$}", "{{instance}}"),
            one("Wall clock ahead", "ms", "kraft_wall_clock_ahead_ms{$}", "{{instance}}"),
            one("Uptime", "s", "time() - process_start_time_seconds{$}", "{{instance}}"),
        ),
    ),
)

BOARDS: Final = {"quorum.json": ("kraftpy quorum", QUORUM), "cluster.json": ("kraftpy cluster", CLUSTER)}


def documents() -> dict[str, dict[str, Any]]:
    """Return the content of each file by its name."""
    return {name: document(title, rows) for name, (title, rows) in BOARDS.items()}


def document(title: str, rows: Sequence[Row]) -> dict[str, Any]:
    """Return a dashboard as Grafana imports it."""
    return {
        "uid": title.replace(" ", "-"),
        "title": title,
        "tags": ["kraftpy"],
        "schemaVersion": SCHEMA_VERSION,
        "editable": True,
        "refresh": "30s",
        "time": {"from": "now-3h", "to": "now"},
        "templating": {
            "list": [
                {"name": "datasource", "type": "datasource", "query": "prometheus", "label": "Data source"},
                {
                    "name": "cluster",
                    "type": "query",
                    "label": "Cluster",
                    "datasource": SOURCE,
                    "query": {"query": "label_values(kraft_voters, cluster)", "refId": "cluster"},
                    "refresh": 2,
                    "includeAll": True,
                    "allValue": ".*",
                    "multi": True,
                },
            ]
        },
        "panels": [*_panels(rows)],
    }


def _panels(rows: Sequence[Row]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    top = 0
    for row in rows:
        place = {"h": 1, "w": COLUMNS, "x": 0, "y": top}
        found.append({"id": len(found) + 1, "type": "row", "title": row.title, "collapsed": False, "gridPos": place})
        width = COLUMNS // len(row.panels)
        for column, panel in enumerate(row.panels):
            place = {"h": HEIGHT, "w": width, "x": column * width, "y": top + 1}
            found.append(_graph(len(found) + 1, panel, place))
        top += 1 + HEIGHT
    return found


def _graph(number: int, panel: Panel, place: dict[str, int]) -> dict[str, Any]:
    targets = [
        {
            "refId": chr(ord("A") + at),
            "datasource": SOURCE,
            "expr": expression.replace("{$", '{cluster=~"$cluster"'),
            "legendFormat": legend,
        }
        for at, (expression, legend) in enumerate(panel.series)
    ]
    return {
        "id": number,
        "type": "timeseries",
        "title": panel.title,
        "datasource": SOURCE,
        "fieldConfig": {"defaults": {"unit": panel.unit}, "overrides": []},
        "gridPos": place,
        "targets": targets,
    }


def text_of(content: dict[str, Any]) -> str:
    """Return a dashboard as its file has it."""
    return json.dumps(content, indent=1) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files, or with ``--check`` only compare; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m deploy.monitoring.dashboards", description="write the dashboards")
    parser.add_argument("--check", action="store_true", help="compare only; status 1 if anything differs")
    is_check = parser.parse_args(arguments).check
    stale = []
    for name, content in documents().items():
        file, text = HERE / name, text_of(content)
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            stale.append(f"deploy/monitoring/{name}")
            if not is_check:
                file.write_text(text, encoding="utf-8")
    if stale and is_check:
        sys.stderr.write(f"stale: {', '.join(stale)}; run python -m deploy.monitoring.dashboards\n")
    return int(bool(stale) and is_check)


if __name__ == "__main__":
    sys.exit(main())
