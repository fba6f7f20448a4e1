"""A log contains one cluster id only.

A second one means that the logs of two clusters were mixed. Source: KIP-1262.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="cluster-id-several",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Find out which id the nodes' meta.properties have; restore the log of that cluster.",
    message="the log has cluster id {cluster_id} at offset {log_offset}, and {first_id} before it",
    evidence=("cluster_id", "first_id"),
    sql="""
        SELECT a.cluster, a.node, a.file, a.log_offset, a.cluster_id, b.cluster_id AS first_id
        FROM cluster_ids a JOIN cluster_ids b ON a.cluster = b.cluster AND a.cluster_id <> b.cluster_id
            AND b.log_offset < a.log_offset
        WHERE NOT EXISTS (SELECT 1 FROM cluster_ids c WHERE c.cluster = a.cluster AND c.log_offset < b.log_offset)
    """,
)
