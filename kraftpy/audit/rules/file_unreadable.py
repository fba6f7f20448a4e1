"""Every file can be read to the end that it was listed with.

Permissions, a disk that fails, or a node that deletes old segments while they are read.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="file-unreadable",
    severity=Severity.ERROR,
    is_cause=True,
    title="Every file can be read to the end that it was listed with.",
    fix="Run the audit again; when it stays, check permissions and the disk.",
    message="{detail}",
    witness=("problem", "detail"),
    sql="""
        SELECT cluster, node, file, base_offset AS log_offset, problem, detail FROM batches
        WHERE problem IN ('unreadable', 'shrunk')
        UNION ALL
        SELECT cluster, node, file, base_offset AS log_offset, problem, detail FROM files
            WHERE problem IN ('unreadable', 'shrunk')
    """,
)
