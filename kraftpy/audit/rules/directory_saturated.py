"""No log directory is full.

Nothing can be appended to its replicas; they lead nowhere. Source: KIP-928.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="directory-saturated",
    severity=Severity.WARNING,
    title="No log directory is full.",
    fix="Make room on the disk, or reassign partitions away from it.",
    message="directory {directory_id} of broker {broker_id} is full",
    witness=("broker_id", "directory_id"),
    sql="""
        SELECT cluster, node, file, log_offset, broker_id, directory_id FROM broker_log_dirs WHERE saturated
    """,
)
