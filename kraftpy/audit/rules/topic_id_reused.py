"""A topic id is given to one topic for ever.

Replicas tell topics apart by their ids.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="topic-id-reused",
    severity=Severity.ERROR,
    title="A topic id is given to one topic for ever.",
    fix="Delete the younger topic, and report how it came about.",
    message="{detail}",
    witness=("detail",),
    sql="""
        SELECT cluster, node, file, log_offset, detail FROM record_problems WHERE problem = 'topic-id-reused'
    """,
)
