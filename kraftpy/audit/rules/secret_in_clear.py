"""The log contains no secret in clear text.

Every reader of the files or of a backup can see it, and it remains in old segments and snapshots. Values are never
shown here.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="secret-in-clear",
    severity=Severity.WARNING,
    doc=__doc__,
    fix="Move it to a config provider or the node's own file, delete the key, and change the secret.",
    message="{resource_type} {resource_name}: {name} contains a secret",
    evidence=("resource_type", "resource_name", "name"),
    sql="""
        SELECT cluster, node, file, log_offset, resource_type, resource_name, c.name FROM configs c WHERE is_secret
    """,
)
