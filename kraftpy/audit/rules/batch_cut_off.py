"""No batch is cut off, but for the last of a log.

A crash may cut the end of the last segment and nothing else. Snapshots are renamed into place when they are complete.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="batch-cut-off",
    severity=Severity.ERROR,
    title="No batch is cut off, but for the last of a log.",
    fix="Let the node fetch its log anew from the others; look for a full disk or a copy that was interrupted.",
    message="at byte {position}: {detail}",
    witness=('position', 'detail'),
    sql="""
        SELECT b.cluster, b.node, b.file, b.base_offset AS log_offset, b.position, b.detail FROM batches b
        WHERE b.problem = 'cut-off' AND (b.kind <> 'log'
            OR EXISTS (SELECT 1 FROM files f WHERE f.cluster = b.cluster AND f.node = b.node
                AND f.kind = 'log' AND f.file > b.file))
    """,
)
