"""Every record is one that the metadata.version in force allows.

A node at that level need not be able to read it.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="record-illegal",
    severity=Severity.ERROR,
    title="Every record is one that the metadata.version in force allows.",
    fix="Find the writer; raise metadata.version only when all nodes support it.",
    message="{type} at metadata.version {level}: {detail}",
    witness=("kind", "type", "level", "detail"),
    sql="""
        SELECT cluster, node, file, log_offset, kind, type, level, detail FROM record_problems
            WHERE problem = 'illegal'
    """,
)
