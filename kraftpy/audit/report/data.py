"""The data of the report about each cluster, from a loaded engine in few queries and bounded in size."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from kraftpy.audit.engines.protocol import Engine
from kraftpy.audit.rules.rule import with_views
from kraftpy.audit.times import utc_text
from kraftpy.model.features import BY_LEVEL

CLUSTERS_MAX: Final = 24
"""Plots are drawn for this many clusters, those with the worst findings first."""

ELECTIONS_MAX: Final = 2_000
BROKERS_MAX: Final = 60
NODES_MAX: Final = 24
BYTES_TYPES: Final = 6
"""Record types that have a colour of their own."""

Rows = list[dict[str, Any]]


@dataclass(slots=True)
class ClusterData:
    """The data drawn of one cluster.

    Attributes:
        facts: (label, value) pairs for the line under its name.
        growth: (hour_ms, type, bytes) rows.
        brokers: broker_id, rack, fenced, leaders, replicas.
        nodes: node, log_start, log_end, snapshots.
        diverging: node, other, log_offset of nodes that differ.
        elections: timestamp_ms, epoch, leader_id, log_offset.
    """

    cluster: str
    facts: list[tuple[str, str]] = field(default_factory=list)
    growth: Rows = field(default_factory=list)
    brokers: Rows = field(default_factory=list)
    nodes: Rows = field(default_factory=list)
    diverging: Rows = field(default_factory=list)
    elections: Rows = field(default_factory=list)


_QUERIES: Final[dict[str, str]] = {
    "growth": """
        SELECT cluster, hour_ms, type, CAST(SUM(value_bytes) AS BIGINT) AS bytes FROM growth
        GROUP BY cluster, hour_ms, type ORDER BY cluster, hour_ms, type
    """,
    "brokers": """
        SELECT b.cluster, b.broker_id, b.rack, b.fenced, COALESCE(l.leaders, 0) AS leaders,
            COALESCE(r.replicas, 0) AS replicas
        FROM brokers b
        LEFT JOIN (SELECT cluster, leader, COUNT(*) AS leaders FROM partitions GROUP BY cluster, leader) l
            ON l.cluster = b.cluster AND l.leader = b.broker_id
        LEFT JOIN (SELECT cluster, broker_id, COUNT(*) AS replicas FROM partition_replicas WHERE in_replicas
                   GROUP BY cluster, broker_id) r ON r.cluster = b.cluster AND r.broker_id = b.broker_id
        ORDER BY b.cluster, b.rack, b.broker_id
    """,
    "nodes": """
        SELECT s.cluster, s.node, s.sound_end AS log_end, COALESCE(b.log_start, 0) AS log_start,
            COALESCE(c.snapshots, 0) AS snapshots
        FROM states s
        LEFT JOIN (SELECT cluster, node, MIN(base_offset) AS log_start FROM batches WHERE kind = 'log'
                   GROUP BY cluster, node) b ON b.cluster = s.cluster AND b.node = s.node
        LEFT JOIN (SELECT cluster, node, COUNT(*) AS snapshots FROM snapshots GROUP BY cluster, node) c
            ON c.cluster = s.cluster AND c.node = s.node
        ORDER BY s.cluster, s.node
    """,
    "diverging": "SELECT cluster, node, other, log_offset FROM diverging ORDER BY cluster, node, other",
    "elections": """
        SELECT cluster, timestamp_ms, epoch, leader_id, log_offset FROM leader_changes ORDER BY cluster, log_offset
    """,
}

_FACTS: Final = """
    SELECT s.cluster, s.node, s.until_offset, m.level, c.cluster_id, COALESCE(t.topics, 0) AS topics,
        COALESCE(p.partitions, 0) AS partitions, COALESCE(b.brokers, 0) AS brokers
    FROM states s
    LEFT JOIN (SELECT cluster, MAX(level) AS level FROM features WHERE name = 'metadata.version' GROUP BY cluster) m
        ON m.cluster = s.cluster
    LEFT JOIN (SELECT cluster, MIN(cluster_id) AS cluster_id FROM cluster_ids GROUP BY cluster) c
        ON c.cluster = s.cluster
    LEFT JOIN (SELECT cluster, COUNT(*) AS topics FROM topics GROUP BY cluster) t ON t.cluster = s.cluster
    LEFT JOIN (SELECT cluster, COUNT(*) AS partitions FROM partitions GROUP BY cluster) p ON p.cluster = s.cluster
    LEFT JOIN (SELECT cluster, COUNT(*) AS brokers FROM brokers GROUP BY cluster) b ON b.cluster = s.cluster
    WHERE s.is_primary ORDER BY s.cluster
"""


def read_clusters(
    engine: Engine, worst_first: Sequence[str], until_ms: int | None = None
) -> tuple[list[ClusterData], int]:
    """Query everything that is drawn.

    Args:
        engine: loaded.
        worst_first: clusters with findings, the worst first.
        until_ms: the time of the states, in milliseconds since 1970; ``None`` if only offsets end them.

    Returns:
        The clusters to draw, and the number of all clusters.
    """
    facts: Rows = engine.sql(_FACTS).to_pylist()
    order = {cluster: place for place, cluster in enumerate(worst_first)}
    facts.sort(key=lambda row: (order.get(row["cluster"], len(order)), row["cluster"]))
    chosen = {row["cluster"]: ClusterData(row["cluster"], _facts(row, until_ms)) for row in facts[:CLUSTERS_MAX]}
    for name, sql in _QUERIES.items():
        text = f"{with_views(sql)}asked AS ({sql}) SELECT * FROM asked" if name == "diverging" else sql
        by_cluster: dict[str, Rows] = defaultdict(list)
        for row in engine.sql(text).to_pylist():
            if row["cluster"] in chosen:
                by_cluster[row["cluster"]].append(row)
        for cluster, rows in by_cluster.items():
            setattr(chosen[cluster], name, rows)
    return list(chosen.values()), len(facts)


def _facts(row: dict[str, Any], until_ms: int | None) -> list[tuple[str, str]]:
    level = row["level"]
    name = f"{level} ({BY_LEVEL[level].name})" if level in BY_LEVEL else level
    known = [
        ("cluster id", row["cluster_id"] if row["cluster_id"] != row["cluster"] else None),
        ("metadata.version", name),
        ("state before offset", row["until_offset"]),
        # As of a time, the state includes what was written by then; its end offset in the log is unknown.
        ("written by", None if until_ms is None else utc_text(until_ms, "%Y-%m-%dT%H:%M:%SZ")),
        ("as node", row["node"]),
        ("brokers", row["brokers"]),
        ("topics", row["topics"]),
        ("partitions", row["partitions"]),
    ]
    return [(label, str(value)) for label, value in known if value is not None]
