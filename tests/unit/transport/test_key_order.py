"""Keys in order, compared with a sorted set after every step."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kraftpy.transport.grpc import key_order
from kraftpy.transport.grpc.key_order import KeyOrder

STEPS = st.lists(st.tuples(st.booleans(), st.integers(0, 40)), max_size=120)


@pytest.fixture(autouse=True, scope="module")
def small_blocks():
    """Blocks of four keys, so that a few steps cut and empty them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(key_order, "BLOCK_KEYS_MAX", 4)
        yield


@given(STEPS, st.integers(-1, 41))
def test_an_order_is_a_sorted_set(steps, place):
    """Whatever comes and goes: each key once, ascending, and from each place on."""
    order, expected = KeyOrder(lambda key: key), set()
    for adds, key in steps:
        (order.add if adds else order.discard)(key)
        (expected.add if adds else expected.discard)(key)
        assert len(order) == len(expected)
    assert list(order.above()) == sorted(expected)
    assert list(order.above(place)) == sorted(key for key in expected if key > place)


def test_keys_are_compared_by_rank():
    """A rank may differ from its key, and the place to read from is a rank."""
    order = KeyOrder(lambda key: -key)
    for key in (9, 7, 5, 3, 1):
        order.append(key)
    order.add(4)
    assert list(order.above()) == [9, 7, 5, 4, 3, 1]
    assert list(order.above(-5)) == [4, 3, 1]
