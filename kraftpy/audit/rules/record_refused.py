"""No record contradicts the state before it.

A change to what is not there, or for another epoch: no correct controller writes it, and readers may differ in what
they make of it.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="record-refused",
    severity=Severity.ERROR,
    title="No record contradicts the state before it.",
    fix="Report it with the records before it; restart from a snapshot taken before.",
    message="{type}: {detail}",
    witness=("kind", "type", "detail"),
    sql="""
        SELECT cluster, node, file, log_offset, kind, type, detail FROM record_problems WHERE problem = 'refused'
    """,
)
