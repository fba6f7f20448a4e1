"""Names of principals from names of certificates: the examples of KIP-371 and of Kafka's own tests, and the edges."""

from __future__ import annotations

import pytest

from kraftpy.authorizer import principal_mapping
from kraftpy.authorizer.principal_mapping import PrincipalMapper, parse_rules

RULES = (
    r"RULE:^CN=(.*?),OU=ServiceUsers.*$/$1/L, RULE:^CN=(.*?),OU=(.*?),O=(.*?),L=(.*?),ST=(.*?),C=(.*?)$/$1@$2/L,"
    r"RULE:^cn=(.*?),ou=(.*?),dc=(.*?),dc=(.*?)$/$1@$2/U, RULE:^.*[Cc][Nn]=([a-zA-Z0-9.]*).*$/$1/U, DEFAULT"
)


@pytest.mark.parametrize(
    ("name", "mapped"),
    [
        ("CN=Duke,OU=ServiceUsers,O=Org,C=US", "duke"),
        ("CN=Duke,OU=SME,O=mycp,L=Fulton,ST=MD,C=US", "duke@sme"),
        ("cn=duke,ou=sme,dc=mycp,dc=com", "DUKE@SME"),
        ("O=SME,C=US,CN=duke", "DUKE"),
        ("OU=JavaSoft,O=Sun Microsystems", "OU=JavaSoft,O=Sun Microsystems"),
    ],
)
def test_the_first_rule_that_matches_applies(name, mapped):
    """Rules are tried in order; DEFAULT takes what is left."""
    assert PrincipalMapper(parse_rules(RULES)).name_of(f"User:{name}") == f"User:{mapped}"


@pytest.mark.parametrize(
    ("rule", "name", "mapped"),
    [
        ("RULE:^CN=(.*)$/$1-$2/", "CN=a", "a-$2"),
        ("RULE:^CN=(.*)$/$1$12/", "CN=a", "aa2"),
        ("RULE:^CN=(.*)$/$0/", "CN=a", "CN=a"),
        (r"RULE:^CN=(.*)$/\$1\/x/", "CN=a", "$1/x"),
        ("RULE:^CN=(a)|CN=(b)$/<$1$2>/", "CN=b", "<b>"),
        ("RULE:.*/x/", "CN=a", "xx"),
        (r"RULE:^CN=a\/b$/slash/", "CN=a/b", "slash"),
        ("RULE:^CN=a$/b/,", "CN=a", "b"),
        ("RULE:CN=/x/", "CN=a", None),
    ],
)
def test_references_and_escapes(rule, name, mapped):
    """As Java's replaceAll: as many digits as name a group, what names none is text, a backslash makes text."""
    assert PrincipalMapper(parse_rules(rule)).name_of(f"User:{name}") == (None if mapped is None else f"User:{mapped}")


@pytest.mark.parametrize(
    "text", ["", "  ", ",", "RULE:^CN=(.*$", "rule:a/b/", "DEFAULT2", "RULE:a/b", "RULE:(/x/", "RULE:a/$1/"]
)
def test_malformed_rules_are_refused(text):
    """The error names the rule."""
    with pytest.raises(ValueError, match=r"is neither DEFAULT|has no rule|no regular expression|names a group"):
        parse_rules(text)


def test_who_shows_no_certificate_is_not_mapped():
    assert PrincipalMapper(parse_rules("RULE:.*/admin/")).name_of("User:ANONYMOUS") == "User:ANONYMOUS"


def test_what_was_mapped_is_remembered_within_a_bound(monkeypatch):
    """The one used longest ago is forgotten: a flood of certificates fills no memory."""
    monkeypatch.setattr(principal_mapping, "NAMES_REMEMBERED_MAX", 2)
    mapper = PrincipalMapper()
    for name in ("a", "b", "a", "c"):
        assert mapper.name_of(f"User:CN={name}") == f"User:CN={name}"
    assert list(mapper._mapped) == ["User:CN=a", "User:CN=c"]
    long = "User:CN=" + "x" * principal_mapping.NAME_CHARS_MAX
    assert mapper.name_of(long) == long
    assert list(mapper._mapped) == ["User:CN=a", "User:CN=c"]
