"""A host has one broker id.

The log assigns one id to the host, and another broker is registered there. Source: KIP-426.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="host-two-ids",
    severity=Severity.WARNING,
    doc=__doc__,
    fix="Decide which of the two brokers is to stay, and unregister the other.",
    message="host {host} is assigned broker id {expected}, and {broker_id} is registered there",
    evidence=("host", "expected", "broker_id"),
    sql="""
        SELECT h.cluster, h.node, h.file, h.log_offset, h.host, h.broker_id AS expected, MIN(e.broker_id) AS broker_id
        FROM broker_hosts h JOIN broker_endpoints e ON e.cluster = h.cluster AND e.host = h.host
        GROUP BY h.cluster, h.node, h.file, h.log_offset, h.host, h.broker_id
        HAVING MAX(CASE WHEN e.broker_id = h.broker_id THEN 1 ELSE 0 END) = 0
    """,
)
