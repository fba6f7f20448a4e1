"""Every replica is in a directory that is online.

The broker has removed the directory from its list, or reports it as lost. Source: KIP-858.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity
from kraftpy.audit.rules.views import LOST

RULE = Rule(
    id="directory-offline",
    severity=Severity.WARNING,
    doc=__doc__,
    fix="Replace the disk; the broker then restores the replicas.",
    message="{topic}-{partition}: directory {directory_id} of broker {broker_id} is {what}",
    evidence=("topic", "partition", "broker_id", "directory_id", "what"),
    sql=f"""
        SELECT r.cluster, r.node, r.file, r.log_offset, r.topic, r.partition, r.broker_id, r.directory_id,
            CASE WHEN r.directory_id = '{LOST}' THEN 'lost' ELSE 'offline' END AS what
        FROM partition_replicas r
        LEFT JOIN broker_log_dirs d ON d.cluster = r.cluster AND d.broker_id = r.broker_id
            AND d.directory_id = r.directory_id
        WHERE r.in_replicas AND (r.directory_id = '{LOST}' OR NOT d.online)
    """,
)
