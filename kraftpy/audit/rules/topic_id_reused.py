"""A topic id is never given to a second topic.

Replicas identify topics by their ids.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="topic-id-reused",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Delete the newer topic, and report how it came about.",
    message="{detail}",
    evidence=("detail",),
    sql="""
        SELECT cluster, node, file, log_offset, detail FROM record_problems WHERE problem = 'topic-id-reused'
    """,
)
