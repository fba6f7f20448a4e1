"""Numbers out of text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kraftpy.model.decimal_text import number_from_text


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("7", 7),
        ("100", 100),
        ("101", None),
        ("007", 7),
        ("0" * 5000 + "7", 7),
        ("9" * 5000, None),
        ("", None),
        ("-1", None),
        ("+1", None),
        ("1_0", None),
        (" 1", None),
        ("1\n", None),
        ("\u0661", None),
        ("\u00b2", None),
    ],
)
def test_only_ascii_digits_are_a_number(text, number) -> None:
    """A text was read as another number, or as one that it is not."""
    assert number_from_text(text, 100) == number


@given(st.integers(0, 2**70), st.integers(0, 2**70))
def test_the_highest_is_kept(value: int, highest: int) -> None:
    """A number above the highest was read, or one below it was not."""
    assert number_from_text(str(value), highest) == (value if value <= highest else None)
