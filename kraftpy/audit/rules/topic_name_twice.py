"""No two existing topics have the same name.

Clients find topics by their names.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="topic-name-twice",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Delete one of them by its id.",
    message="topic {topic} has the ids {topic_id} and {other_topic_id}",
    evidence=("topic", "topic_id", "other_topic_id"),
    sql="""
        SELECT a.cluster, a.node, a.file,
            CASE WHEN a.log_offset > b.log_offset THEN a.log_offset ELSE b.log_offset END AS log_offset,
            a.topic, a.topic_id, b.topic_id AS other_topic_id
        FROM topics a JOIN topics b ON a.cluster = b.cluster AND a.topic = b.topic AND a.topic_id < b.topic_id
    """,
)
