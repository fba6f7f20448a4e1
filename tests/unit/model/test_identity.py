"""A certificate names nodes in URIs, and lets its owner speak for these alone."""

from __future__ import annotations

import pytest

from kraftpy.model.identity import ANONYMOUS, NodeName, NodeRole, parse_node_uri, principal_of, why_not

BOTH = (NodeRole.CONTROLLER, NodeRole.BROKER)
CONTROLLERS = (NodeRole.CONTROLLER,)


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("kraft:///controller/2", NodeName(NodeRole.CONTROLLER, 2)),
        ("kraft://abc-_9/broker/101", NodeName(NodeRole.BROKER, 101, "abc-_9")),
        ("kraft:///controller/2147483647", NodeName(NodeRole.CONTROLLER, 2147483647)),
        ("kraft:///controller/2147483648", None),
        ("kraft:///controller/" + "9" * 5_000, None),
        ("kraft:///controller/-1", None),
        ("kraft:///controller/", None),
        ("kraft:///controller/2/", None),
        ("kraft:///controller/2\n", None),
        ("kraft:///controller/\u0662", None),
        ("kraft:///observer/2", None),
        ("KRAFT:///controller/2", None),
        ("https:///controller/2", None),
        ("kraft://a/b/controller/2", None),
    ],
)
def test_what_names_a_node(uri, expected):
    assert parse_node_uri(uri) == expected


def test_a_node_speaks_for_itself_in_its_role_and_cluster():
    one = principal_of("CN=c2", ["kraft://A/controller/2", "kraft:///broker/7", "spiffe://x/y", "kraft:///nothing/1"])
    assert [name.node_id for name in one.nodes] == [2, 7]
    assert why_not(one, 2, CONTROLLERS, "A") is None
    assert why_not(one, 2, CONTROLLERS, None) is None
    assert why_not(one, None, CONTROLLERS, "A") is None
    assert why_not(one, 7, BOTH, "B") is None
    for node_id, roles, cluster in ((3, BOTH, "A"), (2, (NodeRole.BROKER,), "A"), (7, CONTROLLERS, "A")):
        assert why_not(one, node_id, roles, cluster) is not None
    assert why_not(one, 2, CONTROLLERS, "B") == (
        "CN=c2 is not controller 2 of cluster B: its certificate names controller 2 of cluster A, "
        "broker 7 of cluster (any)"
    )
    assert why_not(one, None, CONTROLLERS, "B") is not None


def test_a_certificate_without_a_name_is_no_node():
    assert "it shows no certificate that names a node" in (why_not(ANONYMOUS, 2, BOTH, None) or "")
    assert why_not(principal_of("CN=admin", []), None, BOTH, "A") is not None


def test_text_output_is_short_and_on_one_line():
    hostile = principal_of("CN=x\nerror: all is lost" + "a" * 9_000, [f"kraft:///broker/{n}" for n in range(5_000)])
    stated = why_not(hostile, 1, CONTROLLERS, "A") or ""
    assert "\n" not in stated
    assert len(stated) < 1_000
