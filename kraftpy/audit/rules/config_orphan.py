"""Every topic or broker with a config exists.

The configs of a topic are removed with it; a broker that is registered again under the id gets old values.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="config-orphan",
    severity=Severity.WARNING,
    doc=__doc__,
    fix="Delete the config.",
    message="{resource_type} {resource_name} does not exist and has {names} config keys",
    evidence=("resource_type", "resource_name", "names"),
    sql="""
        SELECT c.cluster, c.node, c.file, MIN(c.log_offset) AS log_offset, c.resource_type, c.resource_name,
            COUNT(*) AS names
        FROM configs c
        WHERE c.cluster IN (SELECT cluster FROM whole_clusters) AND (
            (c.resource_type = 'topic' AND NOT EXISTS (SELECT 1 FROM topics t WHERE t.cluster = c.cluster
                AND t.topic = c.resource_name))
            OR (c.resource_type = 'broker' AND c.resource_name <> '' AND NOT EXISTS (
                SELECT 1 FROM brokers b WHERE b.cluster = c.cluster AND CAST(b.broker_id AS STRING) = c.resource_name)
                AND NOT EXISTS (SELECT 1 FROM controllers k WHERE k.cluster = c.cluster
                    AND CAST(k.controller_id AS STRING) = c.resource_name)))
        GROUP BY c.cluster, c.node, c.file, c.resource_type, c.resource_name
    """,
)
