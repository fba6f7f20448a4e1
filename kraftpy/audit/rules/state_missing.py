"""Every cluster that has files has a log or a snapshot.

Without either nothing was checked, and 0 errors mean nothing. A directory was formatted and its node never started, or
the log is elsewhere (metadata.log.dir), or lost.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="state-missing",
    severity=Severity.WARNING,
    doc=__doc__,
    fix="Name the directory that contains __cluster_metadata-0 (metadata.log.dir, or the first of log.dirs).",
    message="there is neither a log nor a snapshot, so no state of this cluster was checked",
    evidence=(),
    sql="""
        SELECT f.cluster, f.node, MIN(f.file) AS file, CAST(NULL AS BIGINT) AS log_offset FROM files f
        WHERE f.kind = 'properties' AND NOT EXISTS (SELECT 1 FROM files o
            WHERE o.cluster = f.cluster AND o.kind IN ('log', 'snapshot'))
        GROUP BY f.cluster, f.node
    """,
)
