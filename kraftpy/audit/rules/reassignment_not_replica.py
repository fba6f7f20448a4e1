"""Replicas that are being added or removed are replicas.

A reassignment ends when the sets match, so this one could never end.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="reassignment-not-replica",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Cancel the reassignment.",
    message="{topic}-{partition}: broker {broker_id} is being {what} and is not a replica",
    evidence=("topic", "partition", "broker_id", "what"),
    sql="""
        SELECT cluster, node, file, log_offset, topic, r.partition, broker_id,
            CASE WHEN adding THEN 'added' ELSE 'removed' END AS what
        FROM partition_replicas r WHERE (adding OR removing) AND NOT in_replicas
    """,
)
