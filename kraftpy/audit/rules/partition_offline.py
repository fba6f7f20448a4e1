"""Every partition has a leader.

Without one it can be neither written nor read. In a stopped cluster no partition has one, and that is not reported.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="partition-offline",
    severity=Severity.WARNING,
    doc=__doc__,
    fix="Start a broker of its in-sync or eligible set; otherwise elect an unclean leader, which may lose records.",
    message="{topic}-{partition} has no leader; {replicas} replicas, {isr} in sync",
    evidence=("topic", "partition", "replicas", "isr"),
    sql="""
        SELECT cluster, node, file, log_offset, topic, p.partition, replicas, isr FROM partitions p
        WHERE leader < 0 AND replicas > 0 AND cluster IN (SELECT cluster FROM live_clusters)
    """,
)
