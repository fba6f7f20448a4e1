"""No record contradicts the state before it.

It changes an entity that does not exist, or has another epoch. No correct controller writes it, and readers may differ
in their result.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="record-refused",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Report it with the preceding records; restart from a snapshot that ends before it.",
    message="{type}: {detail}",
    evidence=("kind", "type", "detail"),
    sql="""
        SELECT cluster, node, file, log_offset, kind, type, detail FROM record_problems WHERE problem = 'refused'
    """,
)
