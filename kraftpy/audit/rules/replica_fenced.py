"""No broker with replicas is fenced while others are active.

The broker is down, or has not caught up. A cluster in which all brokers are fenced is stopped, and not reported. A
fenced broker that is still leader or in sync breaks the rules leader-fenced and isr-fenced.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="replica-fenced",
    severity=Severity.WARNING,
    doc=__doc__,
    fix="Start the broker, or find out why it is fenced.",
    message="broker {broker_id} is fenced and has {replicas} replicas",
    evidence=("broker_id", "replicas"),
    sql="""
        SELECT b.cluster, b.node, b.file, b.log_offset, b.broker_id, COUNT(*) AS replicas
        FROM brokers b JOIN partition_replicas r ON r.cluster = b.cluster AND r.broker_id = b.broker_id
            AND r.in_replicas
        JOIN partitions p ON p.cluster = r.cluster AND p.topic_id = r.topic_id AND p.partition = r.partition
        WHERE b.fenced AND b.cluster IN (SELECT cluster FROM live_clusters)
        GROUP BY b.cluster, b.node, b.file, b.log_offset, b.broker_id
        HAVING MAX(CASE WHEN r.leads OR (r.in_isr AND p.isr > 1) THEN 1 ELSE 0 END) = 0
    """,
)
