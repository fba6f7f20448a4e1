"""No broker leads twice its fair share of partitions.

The fair share is proportional to its replicas among all partitions with a leader. Differences up to 10 do not count.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="leader-balance",
    severity=Severity.INFO,
    doc=__doc__,
    fix="Elect the preferred leaders; if those are uneven, reassign partitions.",
    message="broker {broker_id} leads {leaders} partitions, its fair share is {fair}",
    evidence=("broker_id", "leaders", "fair"),
    sql="""
        SELECT b.cluster, b.node, b.file, b.log_offset, b.broker_id, COUNT(*) AS leaders, MAX(k.fair) AS fair
        FROM brokers b JOIN partitions p ON p.cluster = b.cluster AND p.leader = b.broker_id
        JOIN (SELECT o.cluster, CAST(CEIL(MAX(l.led) / COUNT(*)) AS BIGINT) AS fair FROM brokers o
              JOIN (SELECT cluster, COUNT(*) AS led FROM partitions WHERE leader >= 0 GROUP BY cluster) l
                  ON l.cluster = o.cluster
              WHERE NOT o.fenced GROUP BY o.cluster) k ON k.cluster = b.cluster
        GROUP BY b.cluster, b.node, b.file, b.log_offset, b.broker_id
        HAVING COUNT(*) > 2 * MAX(k.fair) AND COUNT(*) > MAX(k.fair) + 10
    """,
)
