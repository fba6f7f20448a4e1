"""Every tagged field of a record is known.

A newer writer adds such fields, and older readers skip them by design.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="record-unknown-tag",
    severity=Severity.INFO,
    doc=__doc__,
    fix="Audit with a newer kraftpy to see their values.",
    message="{type}: {detail}",
    evidence=("kind", "type", "detail"),
    sql="""
        SELECT cluster, node, file, log_offset, kind, type, detail FROM record_problems WHERE problem = 'unknown-tag'
    """,
)
