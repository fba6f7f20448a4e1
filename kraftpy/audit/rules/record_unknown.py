"""Every record has a known type and version.

A newer writer wrote it; its change is missing in the state that is shown here.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="record-unknown",
    severity=Severity.WARNING,
    doc=__doc__,
    fix="Audit with a kraftpy that knows it, or find out which process wrote it.",
    message="a record of an unknown type: {type} version {version}",
    evidence=("kind", "type", "version"),
    sql="""
        SELECT cluster, node, file, log_offset, kind, type, version FROM record_problems WHERE problem = 'unknown'
    """,
)
