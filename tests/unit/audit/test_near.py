"""Which tables a query reads: one that is forgotten would be looked for where it is not."""

from __future__ import annotations

import duckdb
import pytest

from kraftpy.audit.engines.driver_tables import tables_named
from kraftpy.audit.rules import all_rules
from kraftpy.audit.rules.rule import with_views


def test_tables_follow_from_join_and_commas():
    text = 'SELECT a.x, y FROM a, b\nJOIN "c" ON a.x = c.x left join(SELECT * FROM (SELECT 1 FROM d)) WHERE e.z > 0'
    assert tables_named(text, "abcde") == set("abcd")


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.id)
def test_no_table_of_a_rule_is_forgotten(rule):
    """As DuckDB reads it; more may be named than are read."""
    asked = f"{with_views(rule.sql)}asked AS ({rule.sql}) SELECT * FROM asked"
    read = {name.strip('"') for name in duckdb.get_table_names(asked)}
    assert read
    assert tables_named(asked, read) == read
