"""Every record can be decoded as the type in its frame.

The batch's checksum matches, so the writer wrote it this way.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="record-malformed",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Report the writer's version; the record has no effect until a reader can decode it.",
    message="{detail}",
    evidence=("kind", "type", "detail"),
    sql="""
        SELECT cluster, node, file, log_offset, kind, type, detail FROM record_problems WHERE problem = 'malformed'
    """,
)
