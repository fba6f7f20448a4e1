"""Eligible leaders are replicas outside the in-sync set.

Source: KIP-966.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="elr-invalid",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Report it with the records of the partition.",
    message="{topic}-{partition}: broker {broker_id} is an eligible leader and {what}",
    evidence=("topic", "partition", "broker_id", "what"),
    sql="""
        SELECT cluster, node, file, log_offset, topic, r.partition, broker_id,
            CASE WHEN in_isr THEN 'in the ISR' ELSE 'no replica' END AS what
        FROM partition_replicas r WHERE in_elr AND (in_isr OR NOT in_replicas)
    """,
)
