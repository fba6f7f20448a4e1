"""No batch of a log is cut off, but for its last.

A crash may cut the end of the last segment and nothing else; a snapshot that is cut is incomplete under another rule.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="batch-cut-off",
    severity=Severity.ERROR,
    is_cause=True,
    title="No batch of a log is cut off, but for its last.",
    fix="Let the node fetch its log anew from the others; look for a full disk or a copy that was interrupted.",
    message="at byte {position}: {detail}",
    witness=("position", "detail"),
    sql="""
        SELECT b.cluster, b.node, b.file, b.base_offset AS log_offset, b.position, b.detail FROM batches b
        WHERE b.problem = 'cut-off' AND b.kind = 'log'
            AND EXISTS (SELECT 1 FROM files f WHERE f.cluster = b.cluster AND f.node = b.node
                AND f.kind = 'log' AND f.file > b.file)
    """,
)
