"""No two directories have the same directory id.

The id identifies a replica: a copied directory is taken for its original.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="directory-id-twice",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Remove directory.id from the copy; the node generates a new one.",
    message="directory id {directory_id} is also in {other}",
    evidence=("directory_id", "other"),
    sql="""
        SELECT a.cluster, a.node, a.file, CAST(NULL AS BIGINT) AS log_offset, a.directory_id, MIN(b.file) AS other
        FROM meta_properties a JOIN meta_properties b ON a.cluster = b.cluster
            AND a.directory_id = b.directory_id AND a.file > b.file
        GROUP BY a.cluster, a.node, a.file, a.directory_id
    """,
)
