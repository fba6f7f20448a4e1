"""No broker has twice its fair share of replicas.

Disks fill unevenly. Differences up to 10 do not count.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="replica-balance",
    severity=Severity.INFO,
    doc=__doc__,
    fix="Reassign partitions.",
    message="broker {broker_id} has {replicas} replicas, its fair share is {fair}",
    evidence=("broker_id", "replicas", "fair"),
    sql="""
        SELECT b.cluster, b.node, b.file, b.log_offset, b.broker_id, COUNT(*) AS replicas, MAX(k.fair) AS fair
        FROM brokers b JOIN partition_replicas r ON r.cluster = b.cluster AND r.broker_id = b.broker_id
            AND r.in_replicas
        JOIN (SELECT o.cluster, CAST(CEIL(MAX(l.held) / COUNT(*)) AS BIGINT) AS fair FROM brokers o
              JOIN (SELECT cluster, COUNT(*) AS held FROM partition_replicas WHERE in_replicas
                  GROUP BY cluster) l ON l.cluster = o.cluster
              GROUP BY o.cluster) k ON k.cluster = b.cluster
        GROUP BY b.cluster, b.node, b.file, b.log_offset, b.broker_id
        HAVING COUNT(*) > 2 * MAX(k.fair) AND COUNT(*) > MAX(k.fair) + 10
    """,
)
