"""A partition has replicas, each on a different broker.

Two replicas on one broker are one.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="replica-twice",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Reassign the partition.",
    message="{topic}-{partition}: {what}",
    evidence=("topic", "partition", "what"),
    sql="""
        SELECT cluster, node, file, log_offset, topic, r.partition,
            'broker ' || CAST(broker_id AS STRING) || ' is ' || CAST(COUNT(*) AS STRING) || ' times among the
                replicas' AS what
        FROM partition_replicas r WHERE in_replicas
        GROUP BY cluster, node, file, log_offset, topic_id, topic, r.partition, broker_id HAVING COUNT(*) > 1
        UNION ALL
        SELECT cluster, node, file, log_offset, topic, p.partition, 'it has no replicas' AS what
            FROM partitions p WHERE replicas = 0
    """,
)
