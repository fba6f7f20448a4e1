"""No two directories have the same directory id.

A replica is told apart by it: a copied directory passes for the one that it was copied from.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="directory-id-twice",
    severity=Severity.ERROR,
    title="No two directories have the same directory id.",
    fix="Remove directory.id from the copy; the node draws a new one.",
    message="directory id {directory_id} also stands in {other}",
    witness=("directory_id", "other"),
    sql="""
        SELECT a.cluster, a.node, a.file, CAST(NULL AS BIGINT) AS log_offset, a.directory_id, MIN(b.file) AS other
        FROM meta_properties a JOIN meta_properties b ON a.cluster = b.cluster
            AND a.directory_id = b.directory_id AND a.file > b.file
        GROUP BY a.cluster, a.node, a.file, a.directory_id
    """,
)
