"""No batch stands twice in a node's log or in a snapshot.

The same bytes at the same offsets once more; replay passes over the second.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="batch-duplicated",
    severity=Severity.ERROR,
    title="No batch stands twice in a node's log or in a snapshot.",
    fix="Let the node fetch its log anew from the others, and report how it came about.",
    message="batch at offset {log_offset} stands again at byte {position}",
    witness=("position",),
    sql="""
        SELECT cluster, node, file, base_offset AS log_offset, s.position FROM batch_steps s WHERE copy > 1
            AND base_offset IS NOT NULL
    """,
)
