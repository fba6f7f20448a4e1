"""Every replica on an active broker is in sync.

The broker is active and lags, or one of its directories is gone. Users are not affected yet.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="partition-under-replicated",
    severity=Severity.WARNING,
    doc=__doc__,
    fix="Check the broker's disks and its network.",
    message="{topic}-{partition}: broker {broker_id} is active and not in the ISR",
    evidence=("topic", "partition", "broker_id"),
    sql="""
        SELECT r.cluster, r.node, r.file, r.log_offset, r.topic, r.partition, r.broker_id
        FROM partition_replicas r
        JOIN brokers b ON b.cluster = r.cluster AND b.broker_id = r.broker_id AND NOT b.fenced
            AND NOT b.in_controlled_shutdown
        JOIN partition_minimums p ON p.cluster = r.cluster AND p.topic_id = r.topic_id AND p.partition = r.partition
        WHERE r.in_replicas AND NOT r.in_isr AND NOT r.adding AND p.leader >= 0 AND p.leader <> r.broker_id
            AND p.isr >= p.min_isr
    """,
)
