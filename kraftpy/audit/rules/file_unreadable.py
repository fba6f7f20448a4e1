"""Every file can be read to the end that it had when it was listed.

Causes: permissions, a failing disk, or a node that deletes old segments while they are read.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="file-unreadable",
    severity=Severity.ERROR,
    is_cause=True,
    doc=__doc__,
    fix="Run the audit again; if it remains, check permissions and the disk.",
    message="{detail}",
    evidence=("problem", "detail"),
    sql="""
        SELECT cluster, node, file, base_offset AS log_offset, problem, detail FROM batches
        WHERE problem IN ('unreadable', 'shrunk')
        UNION ALL
        SELECT cluster, node, file, base_offset AS log_offset, problem, detail FROM files
            WHERE problem IN ('unreadable', 'shrunk')
    """,
)
