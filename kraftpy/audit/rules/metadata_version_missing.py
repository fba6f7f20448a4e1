"""The log states its metadata.version.

Without it nobody knows which records are legal. Kafka 3.0 to 3.2 had no such record, and brokers that name no feature
in their registration (its version 0): their logs are well.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="metadata-version-missing",
    severity=Severity.ERROR,
    title="The log states its metadata.version.",
    fix="Report how the log was made; a bootstrap checkpoint or the first controller states it.",
    message="{brokers} brokers are registered, and no record states metadata.version",
    witness=("brokers",),
    sql="""
        SELECT cluster, MIN(node) AS node, MIN(file) AS file, MIN(log_offset) AS log_offset,
            COUNT(*) AS brokers FROM brokers b
        WHERE NOT EXISTS (SELECT 1 FROM features f WHERE f.cluster = b.cluster AND f.name = 'metadata.version')
            AND b.supported_features > 0 AND cluster IN (SELECT cluster FROM whole_clusters)
        GROUP BY cluster
    """,
)
