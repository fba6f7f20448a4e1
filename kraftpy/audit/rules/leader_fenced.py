"""No partition is led by a broker that is fenced or not registered.

Fencing a broker and electing another leader are one step.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="leader-fenced",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Unfence the broker, or elect another leader.",
    message="{topic}-{partition}: leader {leader} is {what}",
    evidence=("topic", "partition", "leader", "what"),
    sql="""
        SELECT p.cluster, p.node, p.file, p.log_offset, p.topic, p.partition, p.leader,
            CASE WHEN b.broker_id IS NULL THEN 'not registered' ELSE 'fenced' END AS what
        FROM partitions p LEFT JOIN brokers b ON b.cluster = p.cluster AND b.broker_id = p.leader
        WHERE p.leader >= 0 AND (b.broker_id IS NULL OR b.fenced)
            AND EXISTS (SELECT 1 FROM isr_members r WHERE r.cluster = p.cluster AND r.topic_id = p.topic_id
                AND r.partition = p.partition AND r.broker_id = p.leader)
    """,
)
