"""A fenced broker is removed from every in-sync set that has other members.

It does not replicate any more: acknowledgements would wait for it, or would not be durable.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="isr-fenced",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Unfence the broker; otherwise report how it came about.",
    message="{topic}-{partition}: broker {broker_id} is fenced and in the ISR of {isr}",
    evidence=("topic", "partition", "broker_id", "isr"),
    sql="""
        SELECT r.cluster, r.node, r.file, r.log_offset, r.topic, r.partition, r.broker_id, p.isr
        FROM isr_members r JOIN brokers b ON b.cluster = r.cluster AND b.broker_id = r.broker_id AND b.fenced
        JOIN partitions p ON p.cluster = r.cluster AND p.topic_id = r.topic_id AND p.partition = r.partition
        WHERE p.isr > 1 AND p.leader <> r.broker_id
    """,
)
