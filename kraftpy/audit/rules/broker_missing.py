"""Every broker id that replicas are assigned to is registered.

The id was used before: a lost machine whose replacement should take over the id. Source: KIP-426.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="broker-missing",
    severity=Severity.WARNING,
    doc=__doc__,
    fix="Start a replacement with this broker id, or reassign its partitions.",
    message="broker {broker_id} is not registered any more and has {replicas} replicas",
    evidence=("broker_id", "replicas"),
    sql="""
        SELECT r.cluster, r.node, h.file, h.log_offset, r.broker_id, COUNT(*) AS replicas FROM partition_replicas r
        JOIN (SELECT cluster, broker_id, MAX(file) AS file, MAX(log_offset) AS log_offset FROM broker_history
              GROUP BY cluster, broker_id) h ON h.cluster = r.cluster AND h.broker_id = r.broker_id
        WHERE r.in_replicas AND NOT r.leads AND NOT EXISTS (SELECT 1 FROM brokers b
            WHERE b.cluster = r.cluster AND b.broker_id = r.broker_id)
        GROUP BY r.cluster, r.node, h.file, h.log_offset, r.broker_id
    """,
)
