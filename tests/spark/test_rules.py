"""Rules asked of Spark find in the fleet of broken clusters what they find in one process, row for row."""

from __future__ import annotations

from kraftpy.audit.engines.local import LocalEngine
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.findings import RULES_PER_QUERY
from kraftpy.audit.replay import KraftReplay
from kraftpy.audit.rules import all_rules
from kraftpy.audit.rules.rule import count_query, rows_query
from tests.audit.fleet import write_fleet


def answers(engine, directory):
    """All findings of all rules as rows, and how many of each rule there are."""
    rules = all_rules()
    chunks = [rules[first : first + RULES_PER_QUERY] for first in range(0, len(rules), RULES_PER_QUERY)]
    try:
        engine.load([str(directory)], AsOf())
        rows = [tuple(row.values()) for chunk in chunks for row in engine.sql(rows_query(chunk)).to_pylist()]
        counts = {row["rule_id"]: row["total"] for row in engine.sql(count_query(chunks[0])).to_pylist()}
        return sorted(rows, key=repr), counts
    finally:
        engine.close()


def test_rules_find_the_same_on_both_engines(spark, tmp_path):
    """A rule's SQL means something else to Spark than to DuckDB."""
    from kraftpy.audit.engines.spark import SparkEngine

    _, vanish = write_fleet(tmp_path)
    vanish()
    rows, counts = answers(LocalEngine(KraftReplay(b"salt")), tmp_path)
    assert len({row[0] for row in rows}) >= len(all_rules()) - 1, "a file that is gone before the start is not listed"
    assert answers(SparkEngine(KraftReplay(b"salt"), spark), tmp_path) == (rows, counts)
