"""Every partition has more than one replica if there is more than one broker.

With one replica, the partition is unavailable when its broker is down.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="replication-single",
    severity=Severity.INFO,
    doc=__doc__,
    fix="Add replicas by a reassignment.",
    message="topic {topic}: {partitions} partitions have a single replica",
    evidence=("topic", "partitions"),
    sql="""
        SELECT p.cluster, p.node, p.file, MAX(p.log_offset) AS log_offset, p.topic, COUNT(*) AS partitions
            FROM partitions p
        WHERE p.replicas = 1 AND (SELECT COUNT(*) FROM brokers b WHERE b.cluster = p.cluster) > 1
        GROUP BY p.cluster, p.node, p.file, p.topic
    """,
)
