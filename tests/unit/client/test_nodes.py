"""Whom to ask next, and when."""

from __future__ import annotations

from kraftpy.client.errors import target
from kraftpy.client.nodes import (
    BACKOFF_MAX_S,
    BACKOFF_MIN_S,
    CONNECT_TIMEOUT_MAX_S,
    CONNECT_TIMEOUT_MIN_S,
    SILENT_MAX,
    Nodes,
)

THREE = ["a:1", "b:2", "[::1]:3"]


def test_rotation_visits_everyone():
    """Rotation goes through all bootstrap servers, from a drawn start."""
    nodes = Nodes(THREE, lambda: 0.34)
    visited = [nodes.current]
    for _ in range(3):
        nodes.rotate()
        visited.append(nodes.current)
    assert visited == ["b:2", "[::1]:3", "a:1", "b:2"]


def test_a_named_leader_is_followed_and_not_believed_about_itself():
    """A hint to another node is followed; a hint to the node itself, or none, rotates."""
    nodes = Nodes(THREE, lambda: 0.0)
    assert nodes.follow("x:9")
    assert nodes.current == "x:9"
    assert not nodes.follow("x:9")
    assert nodes.current == "b:2"
    assert not nodes.follow(None)
    assert nodes.current == "[::1]:3"


def test_a_newer_epoch_is_reported_once():
    """An epoch is new until it was reported; an older one, or none, never is."""
    nodes = Nodes(THREE, lambda: 0.0)
    assert [nodes.learn(epoch) for epoch in (0, 5, 5, 4, None, 6)] == [True, True, False, False, False, True]


def test_a_copy_begins_where_it_was_made_and_moves_alone():
    """It knows which nodes are silent, and which leader is the newest."""
    nodes = Nodes(["a:1", "b:2", "c:3"], lambda: 0.0)
    nodes.rotate()
    nodes.learn(5)
    nodes.record_timeout("b:2")
    copied = nodes.copy()
    assert (copied.current, copied.learn(5)) == ("b:2", False)
    assert copied.connect_timeout_s("b:2") == nodes.connect_timeout_s("b:2") > nodes.connect_timeout_s("a:1")
    copied.rotate()
    copied.heard("b:2")
    assert (nodes.current, copied.current) == ("b:2", "c:3")
    assert nodes.connect_timeout_s("b:2") > copied.connect_timeout_s("b:2")
    nodes.go_to(copied)
    nodes.rotate()
    assert nodes.current == "a:1"


def test_pauses_double_up_to_a_limit():
    """Pauses double when everybody has been asked, stay within half and all of their length, and end at the limit."""
    low, high = Nodes(THREE, lambda: 0.0), Nodes(THREE, lambda: 0.999)
    assert [low.pause_s(failures) for failures in (1, 2, 3)] == [BACKOFF_MIN_S / 2] * 3
    assert [low.pause_s(failures) for failures in (4, 6, 7)] == [BACKOFF_MIN_S, BACKOFF_MIN_S, BACKOFF_MIN_S * 2]
    assert Nodes(["a:1"], lambda: 0.0).pause_s(3) == BACKOFF_MIN_S * 2
    assert BACKOFF_MAX_S / 2 <= low.pause_s(10_000) <= high.pause_s(10_000) <= BACKOFF_MAX_S


def test_silent_nodes_are_left_early_while_others_have_not_been_tried():
    """The wait for a greeting doubles with every silent round, up to a limit, and is reset when the node greets."""
    nodes = Nodes(THREE, lambda: 0.0)
    waits = []
    for _ in range(10):
        waits.append(nodes.connect_timeout_s(nodes.current))
        nodes.record_timeout(nodes.current)
        nodes.rotate()
    least = CONNECT_TIMEOUT_MIN_S
    assert waits == [least] * 3 + [2 * least] * 3 + [4 * least] * 3 + [CONNECT_TIMEOUT_MAX_S]
    nodes.heard("a:1")
    assert nodes.connect_timeout_s("a:1") == least


def test_a_leader_that_greets_slowly_is_reached_however_fast_the_others_are():
    """Two followers greet at once and name a leader that needs three seconds: it gets them."""
    nodes = Nodes(THREE, lambda: 0.0)
    needs = {"a:1": 0.0, "b:2": CONNECT_TIMEOUT_MIN_S * 3, "[::1]:3": 0.0}
    for _ in range(12):
        target = nodes.current
        if needs[target] > nodes.connect_timeout_s(target):
            nodes.record_timeout(target)
            nodes.rotate()
        elif target == "b:2":
            return
        else:
            nodes.heard(target)
            nodes.follow("b:2")
    raise AssertionError("the leader was never reached")


def test_of_how_many_nodes_silence_is_known_has_a_limit():
    """A node that names ever new leaders takes no memory; what was seen last is kept."""
    nodes = Nodes(THREE, lambda: 0.0)
    for number in range(SILENT_MAX + 10):
        nodes.record_timeout("a:1")
        nodes.record_timeout(f"x:{number}")
    assert len(nodes._silent) == SILENT_MAX
    assert nodes.connect_timeout_s("a:1") == CONNECT_TIMEOUT_MAX_S
    assert nodes.connect_timeout_s("x:0") == CONNECT_TIMEOUT_MIN_S


def test_an_only_node_is_given_all_the_time():
    """No other node could answer any earlier."""
    assert Nodes(["a:1"], lambda: 0.0).connect_timeout_s("a:1") == CONNECT_TIMEOUT_MAX_S


def test_targets_bracket_ipv6():
    """An IPv6 host is written in brackets, an unknown endpoint is nothing."""
    assert target("::1", 5) == "[::1]:5"
    assert target("h", 5) == "h:5"
    assert target("", 5) is None
