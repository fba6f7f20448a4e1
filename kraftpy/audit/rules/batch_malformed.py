"""Every batch has a valid header and valid records.

The checksum matches or cannot be computed: a writer made this, or the file is not a metadata log.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="batch-malformed",
    severity=Severity.ERROR,
    is_cause=True,
    doc=__doc__,
    fix="Compare the file with the same offsets on another node; replace this metadata directory by an empty one.",
    message="at byte {position}: {detail}",
    evidence=("position", "problem", "detail"),
    sql="""
        SELECT cluster, node, file, base_offset AS log_offset, b.position, problem, detail FROM batches b
        WHERE problem IN ('bad-header', 'malformed')
    """,
)
