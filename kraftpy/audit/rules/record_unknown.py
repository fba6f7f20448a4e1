"""Every record is of a known type and version.

A newer writer; what the record says is missing in the state that is shown here.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="record-unknown",
    severity=Severity.WARNING,
    title="Every record is of a known type and version.",
    fix="Audit with a kraftpy that knows it, or find out who wrote it.",
    message="a record of an unknown kind: {type} version {version}",
    witness=("kind", "type", "version"),
    sql="""
        SELECT cluster, node, file, log_offset, kind, type, version FROM record_problems WHERE problem = 'unknown'
    """,
)
