"""From metadata.version 40 on, the log contains the cluster id.

Nodes without a format step discover it there. Source: KIP-1262.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="cluster-id-missing",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Report how metadata.version was raised; the record belongs in the same batch.",
    message="metadata.version is {level}, and no record contains the cluster id",
    evidence=("level",),
    sql="""
        SELECT f.cluster, f.node, f.file, f.log_offset, f.level FROM features f
        WHERE f.name = 'metadata.version' AND f.level >= 40 AND f.cluster IN (SELECT cluster FROM whole_clusters)
            AND NOT EXISTS (SELECT 1 FROM cluster_ids c WHERE c.cluster = f.cluster)
    """,
)
