"""This kraftpy knows the metadata.version.

Records of a newer level may be misread.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity
from kraftpy.model.features import BY_LEVEL

_LEVELS = ", ".join(map(str, sorted(BY_LEVEL)))

RULE = Rule(
    id="metadata-version-unknown",
    severity=Severity.WARNING,
    doc=__doc__,
    fix="Audit with a newer kraftpy.",
    message="metadata.version is {level}",
    evidence=("level",),
    sql=f"""
        SELECT cluster, node, file, log_offset, level FROM features
        WHERE name = 'metadata.version' AND level NOT IN ({_LEVELS})
    """,
)
