"""Every batch has a header and records that make sense.

The checksum fits or cannot be looked for: a writer made this, or a foreign file lies here.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="batch-malformed",
    severity=Severity.ERROR,
    is_cause=True,
    title="Every batch has a header and records that make sense.",
    fix=(
        "Compare the file with the same offsets on another node; replace this node's metadata directory by an empty "
        "one."
    ),
    message="at byte {position}: {detail}",
    witness=("position", "problem", "detail"),
    sql="""
        SELECT cluster, node, file, base_offset AS log_offset, b.position, problem, detail FROM batches b
        WHERE problem IN ('bad-header', 'malformed')
    """,
)
