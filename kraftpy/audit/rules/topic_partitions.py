"""A topic has partitions, numbered from 0 without a gap.

Clients choose a partition by its number, among the count of partitions.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="topic-partitions",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Delete the topic and create it again, and report how it came about.",
    message="topic {topic} has {found} partitions, the highest is {highest}",
    evidence=("topic", "found", "highest"),
    sql="""
        SELECT t.cluster, t.node, t.file, t.log_offset, t.topic, t.partitions AS found,
            COALESCE(MAX(p.partition), -1) AS highest
        FROM topics t LEFT JOIN partitions p ON p.cluster = t.cluster AND p.topic_id = t.topic_id
        GROUP BY t.cluster, t.node, t.file, t.log_offset, t.topic, t.partitions
        HAVING t.partitions = 0 OR COALESCE(MAX(p.partition), -1) + 1 <> t.partitions
    """,
)
