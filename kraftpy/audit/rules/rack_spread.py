"""Replicas are spread over as many racks as possible.

With enough racks each replica has its own; otherwise every rack has one. Losing a rack must leave a replica. Source:
KIP-36.

Counting the racks of every partition takes long for a million partitions. A bit per rack gives the partitions that may
have too few (racks from the 63rd on share bits, so that none is missed), and only those are counted.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="rack-spread",
    severity=Severity.WARNING,
    doc=__doc__,
    fix="Reassign the partition over the racks.",
    message="{topic}-{partition}: {replicas} replicas are on {used} of {racks} racks",
    evidence=("topic", "partition", "replicas", "used", "racks"),
    sql="""
        SELECT p.cluster, p.node, p.file, p.log_offset, p.topic, p.partition, p.replicas,
            COUNT(DISTINCT b.rack) AS used, MAX(k.racks) AS racks
        FROM partitions p
        JOIN (SELECT s.cluster, s.topic_id, s.partition FROM partition_replicas s
            LEFT JOIN brokers h ON h.cluster = s.cluster AND h.broker_id = s.broker_id
            LEFT JOIN (SELECT cluster, rack, racks,
                    CAST(POWER(2, (ROW_NUMBER() OVER (PARTITION BY cluster ORDER BY rack) - 1) % 62) AS BIGINT) AS bit
                FROM (SELECT cluster, rack, COUNT(*) OVER (PARTITION BY cluster) AS racks
                    FROM (SELECT DISTINCT cluster, rack FROM brokers WHERE rack IS NOT NULL) d) n) m
                ON m.cluster = h.cluster AND m.rack = h.rack
            WHERE s.in_replicas
            GROUP BY s.cluster, s.topic_id, s.partition
            HAVING BIT_COUNT(BIT_OR(m.bit)) < CASE WHEN MAX(m.racks) < COUNT(*) THEN MAX(m.racks) ELSE COUNT(*) END) x
            ON x.cluster = p.cluster AND x.topic_id = p.topic_id AND x.partition = p.partition
        JOIN partition_replicas r ON r.cluster = p.cluster AND r.topic_id = p.topic_id
            AND r.partition = p.partition AND r.in_replicas
        JOIN (SELECT cluster, COUNT(DISTINCT rack) AS racks FROM brokers GROUP BY cluster
            HAVING COUNT(*) = COUNT(rack)) k
            ON k.cluster = p.cluster
        LEFT JOIN brokers b ON b.cluster = r.cluster AND b.broker_id = r.broker_id
        WHERE p.adding = 0 AND p.removing = 0
        GROUP BY p.cluster, p.node, p.file, p.log_offset, p.topic, p.topic_id, p.partition, p.replicas
        HAVING COUNT(DISTINCT r.broker_id) = COUNT(DISTINCT b.broker_id) AND COUNT(DISTINCT r.broker_id) = p.replicas
            AND COUNT(DISTINCT b.rack) < CASE WHEN MAX(k.racks) < p.replicas THEN MAX(k.racks) ELSE p.replicas END
    """,
)
