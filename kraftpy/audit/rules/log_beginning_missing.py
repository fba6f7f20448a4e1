"""A log starts at offset 0, or a snapshot reaches to its start.

What stands before the first segment must stand in a snapshot, or no state can be told.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="log-beginning-missing",
    severity=Severity.ERROR,
    is_cause=True,
    title="A log starts at offset 0, or a snapshot reaches to its start.",
    fix="Restore a snapshot that ends where the log starts or later, or let the node fetch from the others.",
    message="the log starts at offset {log_offset}, and no whole snapshot of this node reaches so far",
    witness=(),
    sql="""
        SELECT s.cluster, s.node, CAST(NULL AS STRING) AS file, s.start AS log_offset FROM log_starts s
        WHERE s.start > 0 AND NOT EXISTS (SELECT 1 FROM snapshots c
            WHERE c.cluster = s.cluster AND c.node = s.node AND c.end_offset >= s.start AND c.has_footer)
    """,
)
