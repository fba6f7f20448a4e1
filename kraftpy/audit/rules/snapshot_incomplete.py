"""Every snapshot starts with a header and ends with a footer.

A file without its footer was not finished, or lost its end; it is not used.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="snapshot-incomplete",
    severity=Severity.ERROR,
    is_cause=True,
    doc=__doc__,
    fix="Delete it if an older snapshot and the log reach further; otherwise copy it from another node.",
    message="{detail}",
    evidence=("detail",),
    sql="""
        SELECT cluster, node, file, CAST(NULL AS BIGINT) AS log_offset, detail FROM batches b
        WHERE problem IN ('no-header', 'no-footer')
            OR (problem = 'cut-off' AND kind <> 'log' AND NOT EXISTS (SELECT 1 FROM batches o
                WHERE o.cluster = b.cluster AND o.node = b.node AND o.file = b.file AND o.problem = 'no-footer'))
    """,
)
