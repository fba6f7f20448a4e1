"""No batch of a log is cut off, except the last one.

A crash may cut the end of the last segment and nothing else. A cut snapshot breaks the rule ``snapshot-incomplete``.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="batch-cut-off",
    severity=Severity.ERROR,
    is_cause=True,
    doc=__doc__,
    fix="Let the node re-replicate its log from the others; look for a full disk or an interrupted copy.",
    message="at byte {position}: {detail}",
    evidence=("position", "detail"),
    sql="""
        SELECT b.cluster, b.node, b.file, b.base_offset AS log_offset, b.position, b.detail FROM batches b
        WHERE b.problem = 'cut-off' AND b.kind = 'log'
            AND EXISTS (SELECT 1 FROM files f WHERE f.cluster = b.cluster AND f.node = b.node
                AND f.kind = 'log' AND f.file > b.file)
    """,
)
