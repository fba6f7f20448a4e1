"""Every record is allowed by the metadata.version in force.

A node at that level may be unable to read it.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="record-illegal",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Find the writer; raise metadata.version only if all nodes support it.",
    message="{type} at metadata.version {level}: {detail}",
    evidence=("kind", "type", "level", "detail"),
    sql="""
        SELECT cluster, node, file, log_offset, kind, type, level, detail FROM record_problems
            WHERE problem = 'illegal'
    """,
)
