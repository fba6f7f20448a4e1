"""Every topic that an ACL names exists.

ACLs may be made before their topics; later they are left-overs.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="acl-orphan",
    severity=Severity.ADVICE,
    title="Every topic that an ACL names exists.",
    fix="Delete the ACL, if the topic is not to come.",
    message="ACL {acl_id} of {principal} names topic {resource_name}, which does not exist",
    witness=("acl_id", "principal", "resource_name"),
    sql="""
        SELECT a.cluster, a.node, a.file, a.log_offset, a.acl_id, a.principal, a.resource_name FROM acls a
        WHERE a.resource_type = 'topic' AND a.pattern_type = 'literal' AND a.resource_name <> '*'
            AND a.cluster IN (SELECT cluster FROM whole_clusters)
            AND NOT EXISTS (SELECT 1 FROM topics t WHERE t.cluster = a.cluster AND t.topic = a.resource_name)
    """,
)
