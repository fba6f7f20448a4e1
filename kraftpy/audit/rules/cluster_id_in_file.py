"""The cluster id in every meta.properties is that of the log.

The directory belongs to another cluster, or the log does.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="cluster-id-in-file",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Move the directory back to its cluster; never edit the id.",
    message="meta.properties has {found}, the log has {expected}",
    evidence=("found", "expected"),
    sql="""
        SELECT m.cluster, m.node, m.file, c.log_offset, m.cluster_id AS found, c.cluster_id AS expected
        FROM meta_properties m JOIN cluster_ids c ON c.cluster = m.cluster
        WHERE m.cluster_id IS NOT NULL AND m.cluster_id <> c.cluster_id
            AND (SELECT COUNT(*) FROM cluster_ids o WHERE o.cluster = m.cluster) = 1
    """,
)
