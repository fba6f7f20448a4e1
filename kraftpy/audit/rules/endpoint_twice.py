"""No two brokers listen at the same address.

Clients of one reach the other: a host with two ids.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="endpoint-twice",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Unregister the broker that is gone; otherwise give each its own advertised listener.",
    message="{host}:{port} is advertised by brokers {broker_id} and {other}",
    evidence=("host", "port", "broker_id", "other"),
    sql="""
        SELECT a.cluster, a.node, a.file, a.log_offset, a.host, a.port, a.broker_id, MIN(b.broker_id) AS other
        FROM broker_endpoints a JOIN broker_endpoints b ON a.cluster = b.cluster AND a.host = b.host
            AND a.port = b.port
            AND a.broker_id > b.broker_id
        WHERE a.port > 0 GROUP BY a.cluster, a.node, a.file, a.log_offset, a.host, a.port, a.broker_id
    """,
)
