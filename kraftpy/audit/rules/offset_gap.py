"""Every batch starts where the preceding one ends.

Offsets of the metadata log have no holes; those of a snapshot count up from 0.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="offset-gap",
    severity=Severity.ERROR,
    is_cause=True,
    doc=__doc__,
    fix="Look for a missing segment; otherwise let the node re-replicate its log from the others.",
    message="batch starts at offset {log_offset}, expected {expected}",
    evidence=("expected",),
    sql="""
        SELECT cluster, node, file, base_offset AS log_offset, COALESCE(reached, -1) + 1 AS expected FROM batch_steps
        WHERE base_offset > COALESCE(reached, CASE WHEN kind = 'log' THEN base_offset - 1 ELSE -1 END) + 1
            AND COALESCE(after_unreadable, 0) = 0
    """,
)
