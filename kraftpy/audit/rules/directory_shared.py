"""A log directory belongs to one broker.

Two brokers have the same directory id: one of them runs on a copy.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="directory-shared",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Remove directory.id from the copy's meta.properties; the broker generates a new one.",
    message="directory {directory_id} is listed by brokers {broker_id} and {other}",
    evidence=("directory_id", "broker_id", "other"),
    sql="""
        SELECT a.cluster, a.node, a.file, a.log_offset, a.directory_id, a.broker_id, b.broker_id AS other
        FROM broker_log_dirs a JOIN broker_log_dirs b ON a.cluster = b.cluster AND a.directory_id = b.directory_id
            AND a.broker_id < b.broker_id
        WHERE a.online AND b.online
    """,
)
