"""Every replica is on a broker that was registered once.

No broker will ever have the data: the id was never used, as far as the log reaches. A leader without registration
breaks the rule leader-fenced.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="replica-unregistered",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Reassign the partition to existing brokers.",
    message="{topic}-{partition}: replica on broker {broker_id}, which never registered",
    evidence=("topic", "partition", "broker_id"),
    sql="""
        SELECT r.cluster, r.node, r.file, r.log_offset, r.topic, r.partition, r.broker_id FROM partition_replicas r
        WHERE r.in_replicas AND NOT r.leads AND r.cluster IN (SELECT cluster FROM whole_clusters)
            AND NOT EXISTS (SELECT 1 FROM brokers b WHERE b.cluster = r.cluster AND b.broker_id = r.broker_id)
            AND NOT EXISTS (SELECT 1 FROM broker_history h WHERE h.cluster = r.cluster AND h.broker_id = r.broker_id)
    """,
)
