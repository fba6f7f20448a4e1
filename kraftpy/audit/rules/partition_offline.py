"""Every partition has a leader.

It can be neither written nor read. In a cluster at rest no partition has one, and that is no finding.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="partition-offline",
    severity=Severity.WARNING,
    title="Every partition has a leader.",
    fix="Start a broker of its in-sync or eligible set; else choose by hand what to lose.",
    message="{topic}-{partition} has no leader; {replicas} replicas, {isr} in sync",
    witness=("topic", "partition", "replicas", "isr"),
    sql="""
        SELECT cluster, node, file, log_offset, topic, p.partition, replicas, isr FROM partitions p
        WHERE leader < 0 AND replicas > 0 AND cluster IN (SELECT cluster FROM live_clusters)
    """,
)
