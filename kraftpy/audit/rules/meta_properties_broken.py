"""Every meta.properties can be read and has the properties of its version.

A node refuses to start on it. Source: KIP-1262 for version 2, where only the cluster id may be missing.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="meta-properties-broken",
    severity=Severity.ERROR,
    is_cause=True,
    doc=__doc__,
    fix="Write it again from another directory of the same node; keep the directory.id.",
    message="{detail}",
    evidence=("detail",),
    spans_clusters=True,
    sql="""
        SELECT cluster, node, file, CAST(NULL AS BIGINT) AS log_offset, detail FROM (
            SELECT m.*, CASE
                WHEN problem IS NOT NULL THEN problem
                WHEN COALESCE(version, '0') NOT IN ('0', '1', '2') THEN 'version ' || version || ' is unknown'
                WHEN COALESCE(version, '0') <> '0' AND node_id IS NULL THEN 'node.id is missing'
                WHEN node_id IS NOT NULL AND TRY_CAST(node_id AS INT) IS NULL THEN 'node.id ' || node_id || ' is
                    no number'
                WHEN version = '1' AND cluster_id IS NULL THEN 'cluster.id is missing'
                WHEN COALESCE(version, '0') = '0' AND has_log
                    THEN 'it has no version, and no node with a metadata log writes version 0'
                WHEN COALESCE(version, '0') = '0' AND node_id IS NULL AND cluster_id IS NULL
                    THEN 'it contains neither a node id nor a cluster id'
                END AS detail
            FROM (SELECT p.*, h.file IS NOT NULL AS has_log
                  FROM meta_properties p LEFT JOIN log_homes h ON h.file = p.file) m) x
        WHERE detail IS NOT NULL
    """,
)
