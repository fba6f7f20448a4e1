"""Every topic that an ACL names exists.

An ACL may be created before its topic; otherwise it is a left-over.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="acl-orphan",
    severity=Severity.INFO,
    doc=__doc__,
    fix="Delete the ACL, unless the topic is to be created.",
    message="ACL {acl_id} of {principal} names topic {resource_name}, which does not exist",
    evidence=("acl_id", "principal", "resource_name"),
    sql="""
        SELECT a.cluster, a.node, a.file, a.log_offset, a.acl_id, a.principal, a.resource_name FROM acls a
        WHERE a.resource_type = 'topic' AND a.pattern_type = 'literal' AND a.resource_name <> '*'
            AND a.cluster IN (SELECT cluster FROM whole_clusters)
            AND NOT EXISTS (SELECT 1 FROM topics t WHERE t.cluster = a.cluster AND t.topic = a.resource_name)
    """,
)
