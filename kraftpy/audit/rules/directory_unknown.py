"""Every replica is in a directory that its broker has registered.

The broker would look for the data in the wrong place. Source: KIP-858.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity
from kraftpy.audit.rules.views import LOST, NO_DIRECTORY

RULE = Rule(
    id="directory-unknown",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Let the broker register again with all its directories; otherwise reassign the partition.",
    message="{topic}-{partition}: broker {broker_id} never registered directory {directory_id}",
    evidence=("topic", "partition", "broker_id", "directory_id"),
    sql=f"""
        SELECT r.cluster, r.node, r.file, r.log_offset, r.topic, r.partition, r.broker_id, r.directory_id
        FROM partition_replicas r JOIN brokers b ON b.cluster = r.cluster AND b.broker_id = r.broker_id
        WHERE r.in_replicas AND r.directory_id NOT IN {NO_DIRECTORY} AND r.directory_id <> '{LOST}'
            AND EXISTS (SELECT 1 FROM broker_log_dirs d WHERE d.cluster = r.cluster AND d.broker_id = r.broker_id)
            AND NOT EXISTS (SELECT 1 FROM broker_log_dirs d WHERE d.cluster = r.cluster AND d.broker_id = r.broker_id
                AND d.directory_id = r.directory_id)
    """,
)
