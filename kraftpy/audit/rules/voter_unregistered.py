"""Every voter is registered as a controller.

A registration contains its endpoints and supported features; a voter without one has not run since.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="voter-unregistered",
    severity=Severity.WARNING,
    doc=__doc__,
    fix="Start the controller, or remove it from the voters.",
    message="voter {voter_id} is not registered",
    evidence=("voter_id",),
    sql="""
        SELECT v.cluster, v.node, v.file, v.log_offset, v.voter_id FROM voters v
        WHERE EXISTS (SELECT 1 FROM controllers c WHERE c.cluster = v.cluster)
            AND NOT EXISTS (SELECT 1 FROM controllers c WHERE c.cluster = v.cluster AND c.controller_id = v.voter_id)
    """,
)
