"""No log directory is full.

No record can be appended to its replicas, so they lead no partition. Source: KIP-928.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="directory-saturated",
    severity=Severity.WARNING,
    doc=__doc__,
    fix="Free space on the disk, or reassign partitions to other directories.",
    message="directory {directory_id} of broker {broker_id} is full",
    evidence=("broker_id", "directory_id"),
    sql="""
        SELECT cluster, node, file, log_offset, broker_id, directory_id FROM broker_log_dirs WHERE saturated
    """,
)
