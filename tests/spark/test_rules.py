"""Rules asked of Spark: all of them mean something to it, and they find what they find in one process, row for row.

Every rule is analysed by Spark and some are asked here. All of them on the whole fleet are a campaign
(``pytest tests/spark/test_rules.py -m campaign``): 78 rules take Spark minutes.
"""

from __future__ import annotations

import pytest

from kraftpy.audit.engines.local import LocalEngine
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.findings import RULES_PER_QUERY
from kraftpy.audit.replay import KraftReplay
from kraftpy.audit.rules import all_rules
from kraftpy.audit.rules.rule import count_query, rows_query
from tests.audit.fleet import write_fleet
from tests.audit.mutations import MUTATIONS

ASKED = ("batch-duplicated", "isr-not-replica", "log-diverges", "offset-gap", "rack-spread", "secret-in-clear")
SALT = b"salt"


def loaded(engine, directory):
    engine.load([str(directory)], AsOf())
    return engine


def answers(engine, rules, size):
    """All findings of some rules, in a fixed order, and how many of each rule there are."""
    chunks = [rules[first : first + size] for first in range(0, len(rules), size)]
    rows = [tuple(row.values()) for chunk in chunks for row in engine.sql(rows_query(chunk)).to_pylist()]
    counts = {row["rule_id"]: row["total"] for row in engine.sql(count_query(chunks[0])).to_pylist()}
    return sorted(rows, key=repr), counts


@pytest.fixture(scope="module")
def few(spark, tmp_path_factory):
    """Both engines with the clusters that the asked rules are about."""
    from kraftpy.audit.engines.spark import SparkEngine

    directory = tmp_path_factory.mktemp("few")
    write_fleet(directory, [mutation for mutation in MUTATIONS if mutation.rule in ASKED])
    engines = [
        loaded(LocalEngine(KraftReplay(SALT)), directory),
        loaded(SparkEngine(KraftReplay(SALT), spark), directory),
    ]
    yield engines
    for engine in engines:
        engine.close()


def test_every_rule_means_something_to_spark(spark, few):
    """A rule is no SQL of Spark's, or answers with other columns than it says."""
    for rule in all_rules():
        assert tuple(spark.sql(rule.query(1)).schema.names) == rule.columns, rule.id


def test_rules_find_the_same_on_both_engines(few):
    """A rule's SQL means something else to Spark than to DuckDB."""
    rules = [rule for rule in all_rules() if rule.id in ASKED]
    local, spark = (answers(engine, rules, len(rules)) for engine in few)
    assert {row[0] for row in local[0]} == set(ASKED)
    assert spark == local


@pytest.mark.campaign
@pytest.mark.timeout(3600)
def test_all_rules_find_the_same_in_the_whole_fleet(spark, tmp_path):
    """A rule finds more or less with Spark than in one process, for some way to break a cluster."""
    from kraftpy.audit.engines.spark import SparkEngine

    _, vanish = write_fleet(tmp_path)
    vanish()
    rules = all_rules()
    rows, counts = answers(loaded(LocalEngine(KraftReplay(SALT)), tmp_path), rules, RULES_PER_QUERY)
    assert len({row[0] for row in rows}) >= len(rules) - 1, "a file that is gone before the start is not listed"
    assert answers(loaded(SparkEngine(KraftReplay(SALT), spark), tmp_path), rules, RULES_PER_QUERY) == (rows, counts)
