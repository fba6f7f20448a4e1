"""Every partition is led by its first replica.

Another leader was elected since; the load may be uneven.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="leader-not-preferred",
    severity=Severity.INFO,
    doc=__doc__,
    fix="Elect the preferred leaders, or leave it to auto.leader.rebalance.enable.",
    message="topic {topic}: {partitions} partitions are not led by their first replica",
    evidence=("topic", "partitions"),
    sql="""
        SELECT cluster, node, MIN(file) AS file, MIN(log_offset) AS log_offset, topic,
            COUNT(*) AS partitions FROM partitions
        WHERE leader >= 0 AND leader <> preferred_leader GROUP BY cluster, node, topic_id, topic
    """,
)
