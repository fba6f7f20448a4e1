"""No topic requires more in-sync replicas than it has replicas.

Producers that require all acknowledgements are always rejected.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="min-isr-impossible",
    severity=Severity.WARNING,
    doc=__doc__,
    fix="Add replicas, or lower min.insync.replicas.",
    message="topic {topic} has {replicas} replicas, min.insync.replicas is {min_isr}",
    evidence=("topic", "replicas", "min_isr"),
    sql="""
        SELECT cluster, node, file, MAX(log_offset) AS log_offset, topic, MIN(replicas) AS replicas,
            MAX(min_isr) AS min_isr
        FROM partition_minimums WHERE min_isr > replicas AND replicas > 0 GROUP BY cluster, node, file, topic
    """,
)
