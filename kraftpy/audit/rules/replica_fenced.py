"""No broker with replicas is fenced while others serve.

The broker is down, or has not caught up. A cluster in which all brokers are fenced is at rest, and no finding.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="replica-fenced",
    severity=Severity.WARNING,
    title="No broker with replicas is fenced while others serve.",
    fix="Start the broker, or see why it is fenced.",
    message="broker {broker_id} is fenced and has {replicas} replicas",
    witness=('broker_id', 'replicas'),
    sql="""
        SELECT b.cluster, b.node, b.file, b.log_offset, b.broker_id, COUNT(*) AS replicas
        FROM brokers b JOIN partition_replicas r ON r.cluster = b.cluster AND r.broker_id = b.broker_id
            AND r.in_replicas
        WHERE b.fenced AND b.cluster IN (SELECT cluster FROM live_clusters)
        GROUP BY b.cluster, b.node, b.file, b.log_offset, b.broker_id
    """,
)
