"""The log contains its metadata.version.

Without it, it is unknown which records are legal. Kafka 3.0 to 3.2 had no such record, and brokers that register no
feature (version 0 of the registration): their logs are valid.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="metadata-version-missing",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Report how the log was made; a bootstrap checkpoint or the first controller writes it.",
    message="{brokers} brokers are registered, and no record contains metadata.version",
    evidence=("brokers",),
    sql="""
        SELECT cluster, MIN(node) AS node, MIN(file) AS file, MIN(log_offset) AS log_offset,
            COUNT(*) AS brokers FROM brokers b
        WHERE NOT EXISTS (SELECT 1 FROM features f WHERE f.cluster = b.cluster AND f.name = 'metadata.version')
            AND b.supported_features > 0 AND cluster IN (SELECT cluster FROM whole_clusters)
        GROUP BY cluster
    """,
)
