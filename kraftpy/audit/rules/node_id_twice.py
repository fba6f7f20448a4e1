"""No two nodes have the same node id.

Two directories with a metadata log of their own have one id: each of its votes counts for both.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="node-id-twice",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Stop one of them for good; if the node was moved, delete its old directory.",
    message="node id {node_id} is also in {other}",
    evidence=("node_id", "other"),
    spans_clusters=True,
    sql="""
        SELECT a.cluster, a.node, a.file, CAST(NULL AS BIGINT) AS log_offset, a.node_id, MIN(b.file) AS other
        FROM meta_properties a JOIN meta_properties b ON a.cluster = b.cluster AND a.node_id = b.node_id
            AND a.file > b.file
        WHERE a.file IN (SELECT file FROM log_homes) AND b.file IN (SELECT file FROM log_homes)
        GROUP BY a.cluster, a.node, a.file, a.node_id
    """,
)
