"""The log ends with a whole batch.

What a crash in the middle of a write leaves, or a live log that was read while it was written.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="log-torn-tail",
    severity=Severity.ADVICE,
    title="The log ends with a whole batch.",
    fix="Nothing: the node cuts it at its next start, and no acknowledged record is in it.",
    message="at byte {position}: {detail}",
    witness=("position", "detail"),
    sql="""
        SELECT b.cluster, b.node, b.file, b.base_offset AS log_offset, b.position, b.detail FROM batches b
        WHERE b.problem = 'cut-off' AND b.kind = 'log'
            AND NOT EXISTS (SELECT 1 FROM files f WHERE f.cluster = b.cluster AND f.node = b.node
                AND f.kind = 'log' AND f.file > b.file)
    """,
)
