"""No rack leads twice its fair share of partitions.

The fair share of a rack is that of its brokers. Differences up to 10 do not count. Source: KIP-36.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="rack-balance",
    severity=Severity.INFO,
    doc=__doc__,
    fix="Elect the preferred leaders; if those are uneven, reassign partitions.",
    message="rack {rack} leads {leaders} partitions, its fair share is {fair}",
    evidence=("rack", "leaders", "fair"),
    sql="""
        SELECT k.cluster, k.node, CAST(NULL AS STRING) AS file, CAST(NULL AS BIGINT) AS log_offset, k.rack,
            l.leaders, k.fair
        FROM (SELECT o.cluster, MIN(o.node) AS node, o.rack,
            CAST(CEIL(MAX(a.led) * COUNT(*) / MAX(a.serving)) AS BIGINT) AS fair
              FROM brokers o JOIN (SELECT x.cluster, MAX(y.led) AS led, COUNT(*) AS serving FROM brokers x
                    JOIN (SELECT cluster, COUNT(*) AS led FROM partitions WHERE leader >= 0
                        GROUP BY cluster) y ON y.cluster = x.cluster
                    WHERE NOT x.fenced GROUP BY x.cluster) a ON a.cluster = o.cluster
              WHERE NOT o.fenced AND o.rack IS NOT NULL GROUP BY o.cluster, o.rack) k
        JOIN (SELECT b.cluster, b.rack, COUNT(*) AS leaders FROM brokers b
              JOIN partitions p ON p.cluster = b.cluster AND p.leader = b.broker_id GROUP BY b.cluster, b.rack) l
            ON l.cluster = k.cluster AND l.rack = k.rack
        WHERE l.leaders > 2 * k.fair AND l.leaders > k.fair + 10
    """,
)
