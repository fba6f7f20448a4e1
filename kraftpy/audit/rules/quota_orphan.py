"""Every user with a quota is known.

Users of mechanisms other than SCRAM are known from ACLs only, so this is a hint.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="quota-orphan",
    severity=Severity.INFO,
    doc=__doc__,
    fix="Delete the quota if the user is gone.",
    message="{entity}: no credential and no ACL names this user",
    evidence=("entity",),
    sql="""
        SELECT DISTINCT q.cluster, q.node, q.file, q.log_offset, q.entity FROM quotas q
        WHERE q.user_name IS NOT NULL AND q.user_name <> '<default>'
            AND (EXISTS (SELECT 1 FROM scram_users s WHERE s.cluster = q.cluster) OR EXISTS (SELECT 1
                FROM acls a WHERE a.cluster = q.cluster))
            AND NOT EXISTS (SELECT 1 FROM scram_users s WHERE s.cluster = q.cluster AND s.user_name = q.user_name)
            AND NOT EXISTS (SELECT 1 FROM acls a WHERE a.cluster = q.cluster AND a.principal = 'User:' || q.user_name)
    """,
)
