"""Every cluster that has files has a log or a snapshot.

Without either nothing was judged, and no errors mean nothing: a directory was formatted and its node never started, or
the log is elsewhere (metadata.log.dir), or lost.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="state-missing",
    severity=Severity.WARNING,
    title="Every cluster that has files has a log or a snapshot.",
    fix="Name the directory that has __cluster_metadata-0 in it (metadata.log.dir, or the first of log.dirs).",
    message="neither a log nor a snapshot is here, so nothing of this cluster's state was judged",
    witness=(),
    sql="""
        SELECT f.cluster, f.node, MIN(f.file) AS file, CAST(NULL AS BIGINT) AS log_offset FROM files f
        WHERE f.kind = 'properties' AND NOT EXISTS (SELECT 1 FROM files o
            WHERE o.cluster = f.cluster AND o.kind IN ('log', 'snapshot'))
        GROUP BY f.cluster, f.node
    """,
)
