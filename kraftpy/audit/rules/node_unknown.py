"""Every node that has a directory is known to the log.

Its id is registered as a broker or a controller, or is a voter; otherwise it never joined, or was removed.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="node-unknown",
    severity=Severity.WARNING,
    doc=__doc__,
    fix="Start it and check whether it registers; remove the directory of a node that is gone.",
    message="node id {node_id} is neither registered nor a voter",
    evidence=("node_id",),
    sql="""
        SELECT m.cluster, m.node, m.file, CAST(NULL AS BIGINT) AS log_offset, m.node_id FROM meta_properties m
        WHERE m.node_id IS NOT NULL AND m.cluster IN (SELECT cluster FROM whole_clusters)
            AND (EXISTS (SELECT 1 FROM controllers c WHERE c.cluster = m.cluster) OR EXISTS (SELECT 1
                FROM brokers b WHERE b.cluster = m.cluster))
            AND NOT EXISTS (SELECT 1 FROM known_nodes k WHERE k.cluster = m.cluster AND k.node_id = m.node_id)
    """,
)
