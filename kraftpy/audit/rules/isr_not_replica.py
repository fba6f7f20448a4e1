"""Every member of an in-sync set is a replica.

A broker without the data would count as in sync, and could become leader.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="isr-not-replica",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Reassign the partition to its replicas, and report how it came about.",
    message="{topic}-{partition}: broker {broker_id} is in the ISR and is not a replica",
    evidence=("topic", "partition", "broker_id"),
    sql="""
        SELECT cluster, node, file, log_offset, topic, r.partition, broker_id FROM partition_replicas r
            WHERE in_isr AND NOT in_replicas
    """,
)
