"""Every record can be read as what its frame announces.

The batch's checksum fits, so the writer wrote it like this.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="record-malformed",
    severity=Severity.ERROR,
    title="Every record can be read as what its frame announces.",
    fix="Report the writer's version; the record counts for nothing until a reader knows it.",
    message="{detail}",
    witness=("kind", "type", "detail"),
    sql="""
        SELECT cluster, node, file, log_offset, kind, type, detail FROM record_problems WHERE problem = 'malformed'
    """,
)
