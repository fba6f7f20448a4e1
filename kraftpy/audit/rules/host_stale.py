"""A broker id is assigned to one host.

The id was moved to another machine and the old assignment remained. kraftpy's controllers do not write this table yet.
Source: KIP-426.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="host-stale",
    severity=Severity.INFO,
    doc=__doc__,
    fix="Delete the assignment of the host that is gone.",
    message="broker id {broker_id} is assigned to hosts {host} and {other}",
    evidence=("broker_id", "host", "other"),
    sql="""
        SELECT a.cluster, a.node, a.file, a.log_offset, a.broker_id, a.host, MIN(b.host) AS other
        FROM broker_hosts a JOIN broker_hosts b ON a.cluster = b.cluster AND a.broker_id = b.broker_id
            AND a.host > b.host
        GROUP BY a.cluster, a.node, a.file, a.log_offset, a.broker_id, a.host
    """,
)
