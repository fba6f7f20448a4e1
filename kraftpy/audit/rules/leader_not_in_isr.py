"""A leader is in its in-sync set, or there is none.

Acknowledged records may be missing on a leader that is not in sync.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="leader-not-in-isr",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Run a preferred or an unclean election; the latter may lose records.",
    message="{topic}-{partition}: leader {leader} is not in the ISR",
    evidence=("topic", "partition", "leader"),
    sql="""
        SELECT p.cluster, p.node, p.file, p.log_offset, p.topic, p.partition, p.leader FROM partitions p
        WHERE p.leader >= 0 AND NOT EXISTS (SELECT 1 FROM isr_members r WHERE r.cluster = p.cluster
            AND r.topic_id = p.topic_id AND r.partition = p.partition AND r.broker_id = p.leader)
    """,
)
