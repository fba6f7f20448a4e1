"""A broker id is remembered for one host.

The id moved to another machine and the old mapping stayed: garbage. kraftpy's controllers do not write this table
yet. Source: KIP-426.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="host-stale",
    severity=Severity.ADVICE,
    title="A broker id is remembered for one host.",
    fix="Delete the mapping of the host that is gone.",
    message="broker id {broker_id} is remembered for hosts {host} and {other}",
    witness=("broker_id", "host", "other"),
    sql="""
        SELECT a.cluster, a.node, a.file, a.log_offset, a.broker_id, a.host, MIN(b.host) AS other
        FROM broker_hosts a JOIN broker_hosts b ON a.cluster = b.cluster AND a.broker_id = b.broker_id
            AND a.host > b.host
        GROUP BY a.cluster, a.node, a.file, a.log_offset, a.broker_id, a.host
    """,
)
