"""YAML is read back by PyYAML, another author's reader, as the same value."""

from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kraftpy.cli.yaml_text import yaml_document

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS
VALUES = st.recursive(SCALARS, lambda one: st.lists(one) | st.dictionaries(TEXTS, one))


@settings(max_examples=100)
@given(VALUES)
@example({"a": [[], {}, [1, [2]], {"b": {"c": []}}]})
@example([[["deep"]], {"key: with colon": "# no comment", "": None}])
@example(["no", "1", "1.5", "2026-11-27", "~", "null", "\x7f", "\u2028", "\ufeff", "\u0085", "a\nb"])
@example(
    {
        "y": 1,
        "No": 2,
        "deeper": [{"x" * 1_500: {"a": [1]}, "z" * 1_500: 0}],
        "a.b": 3,
        "\\ud83d\\ude00": "\\\\ud83d\\ude00\U0001f600",
    }
)
@example([1e16, 1e-7, 1.0, float("inf"), float("-inf")])
def test_yaml_is_read_back_as_the_same_value(value) -> None:
    found = yaml.safe_load(yaml_document(value))
    assert found == value
    assert json.dumps(found) == json.dumps(value), "1 and 1.0 and true are equal in Python, and differ in JSON"


def test_mappings_and_sequences_are_blocks() -> None:
    data = {"clusterId": "abc", "brokers": [{"brokerId": 4, "endpoints": ["A://h:1"]}, {}], "rack": None, "lag": []}
    assert yaml_document(data).splitlines() == [
        'clusterId: "abc"',
        "brokers:",
        "  - brokerId: 4",
        "    endpoints:",
        '      - "A://h:1"',
        "  - {}",
        "rack: null",
        "lag: []",
    ]


@pytest.mark.parametrize("value", [float("nan"), {}, [], "text", 7, None, True])
def test_a_value_alone_is_a_document(value) -> None:
    assert yaml.safe_load(yaml_document(value)) == value or value != value  # noqa: PLR0124 - not a number
