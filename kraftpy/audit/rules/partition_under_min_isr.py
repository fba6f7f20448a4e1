"""Every in-sync set has min.insync.replicas members.

Producers that require all acknowledgements are rejected.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="partition-under-min-isr",
    severity=Severity.WARNING,
    doc=__doc__,
    fix="Restart the missing replicas.",
    message="{topic}-{partition}: {isr} in sync, min.insync.replicas is {min_isr}",
    evidence=("topic", "partition", "isr", "min_isr"),
    sql="""
        SELECT cluster, node, file, log_offset, topic, p.partition, isr, min_isr FROM partition_minimums p
        WHERE leader >= 0 AND isr < min_isr AND min_isr <= replicas AND cluster IN (SELECT cluster FROM live_clusters)
    """,
)
