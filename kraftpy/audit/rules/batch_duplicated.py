"""No batch occurs twice in a node's log or in a snapshot.

The same bytes occur again at the same offsets; replay skips the second copy.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="batch-duplicated",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Let the node re-replicate its log from the others, and report how it came about.",
    message="batch at offset {log_offset} occurs again at byte {position}",
    evidence=("position",),
    sql="""
        SELECT cluster, node, file, base_offset AS log_offset, s.position FROM batch_steps s WHERE copy > 1
            AND base_offset IS NOT NULL
    """,
)
