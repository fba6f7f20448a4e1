"""All partitions of a topic have the same number of replicas.

A reassignment was left incomplete.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="replication-uneven",
    severity=Severity.INFO,
    doc=__doc__,
    fix="Reassign the partitions that differ.",
    message="topic {topic}: partitions have {fewest} to {most} replicas",
    evidence=("topic", "fewest", "most"),
    sql="""
        SELECT cluster, node, MIN(file) AS file, MAX(log_offset) AS log_offset, topic, MIN(replicas) AS fewest,
            MAX(replicas) AS most
        FROM partitions WHERE adding = 0 AND removing = 0 GROUP BY cluster, node, topic_id, topic
            HAVING MIN(replicas) < MAX(replicas)
    """,
)
