"""No secret stands in the log in clear.

Whoever reads the files or a backup of them has it, and it stays in old segments and snapshots. Values are shown
nowhere.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="secret-in-clear",
    severity=Severity.WARNING,
    title="No secret stands in the log in clear.",
    fix="Move it to a config provider or the node's own file, delete the key, and change the secret.",
    message="{resource_type} {resource_name}: {name} holds a secret",
    witness=("resource_type", "resource_name", "name"),
    sql="""
        SELECT cluster, node, file, log_offset, resource_type, resource_name, c.name FROM configs c WHERE is_secret
    """,
)
