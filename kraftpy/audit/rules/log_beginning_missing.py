"""A log starts at offset 0, or a snapshot reaches its start.

Without the records before the first segment, in a snapshot or a log, the state is unknown.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="log-beginning-missing",
    severity=Severity.ERROR,
    is_cause=True,
    doc=__doc__,
    fix="Restore a snapshot that ends where the log starts or later, or let the node re-replicate from the others.",
    message="the log starts at offset {log_offset}, and no whole snapshot of this node reaches it",
    evidence=(),
    sql="""
        SELECT s.cluster, s.node, CAST(NULL AS STRING) AS file, s.start AS log_offset FROM log_starts s
        WHERE s.start > 0 AND NOT EXISTS (SELECT 1 FROM snapshots c
            WHERE c.cluster = s.cluster AND c.node = s.node AND c.end_offset >= s.start AND c.has_footer)
    """,
)
