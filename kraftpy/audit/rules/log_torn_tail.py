"""The log ends with a whole batch.

Caused by a crash during a write, or by reading a live log while a batch was being written.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="log-torn-tail",
    severity=Severity.INFO,
    doc=__doc__,
    fix="Nothing: the node truncates it at its next start, and it contains no acknowledged record.",
    message="at byte {position}: {detail}",
    evidence=("position", "detail"),
    sql="""
        SELECT b.cluster, b.node, b.file, b.base_offset AS log_offset, b.position, b.detail FROM batches b
        WHERE b.problem = 'cut-off' AND b.kind = 'log'
            AND NOT EXISTS (SELECT 1 FROM files f WHERE f.cluster = b.cluster AND f.node = b.node
                AND f.kind = 'log' AND f.file > b.file)
    """,
)
