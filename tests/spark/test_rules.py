"""Rules asked of Spark: all of them mean something to it, and they find what they find in one process, row for row.

Every rule is analysed by Spark and some are asked here. All of them on the whole fleet of broken clusters are a
campaign (``pytest tests/spark/test_rules.py -m campaign``): a query for each over one load take Spark minutes.
"""

from __future__ import annotations

from collections import defaultdict

import pytest

from kraftpy.audit.engines.local import LocalEngine
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.replay import KraftReplay
from kraftpy.audit.rules import all_rules
from kraftpy.audit.rules.rule import count_query, rows_query
from tests.audit.fleet import HEALTHY, is_killed, ordered, write_fleet
from tests.audit.mutations import MUTATIONS

pytestmark = pytest.mark.landing

ASKED = ("batch-duplicated", "isr-not-replica", "log-diverges", "offset-gap", "rack-spread", "secret-in-clear")
SALT = b"salt"


def loaded(engine, directory):
    engine.load([str(directory)], AsOf())
    return engine


class Asked:
    """Spark's engine with all its tables given to Spark, which answers everything: small tables, too."""

    def __init__(self, spark, directory, progress=None):
        from kraftpy.audit.engines.spark import SparkEngine

        self._spark = spark
        self._engine = SparkEngine(KraftReplay(SALT), spark.sparkContext, progress)
        for name in self._engine.load([str(directory)], AsOf()):
            self._engine.table(name)

    def sql(self, text):
        return self._spark.sql(text).toArrow()

    def close(self):
        self._engine.close()


def answers(engine, rules, size):
    """All findings of some rules, in a fixed order, and how many of each rule there are."""
    chunks = [rules[first : first + size] for first in range(0, len(rules), size)]
    rows = [tuple(row.values()) for chunk in chunks for row in engine.sql(rows_query(chunk)).to_pylist()]
    counts = {row["rule_id"]: row["total"] for row in engine.sql(count_query(chunks[0])).to_pylist()}
    return sorted(rows, key=repr), counts


@pytest.fixture(scope="module")
def few(spark, tmp_path_factory):
    """Both engines with the clusters that the asked rules are about."""
    directory = tmp_path_factory.mktemp("few")
    write_fleet(directory, [mutation for mutation in MUTATIONS if mutation.rule in ASKED])
    engines = [loaded(LocalEngine(KraftReplay(SALT)), directory), Asked(spark, directory)]
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
def test_spark_finds_every_mutation_by_its_rule_alone(spark, tmp_path):
    """A way to break a cluster is not found by Spark, is found elsewhere or by another rule, or in other words."""
    expected, vanish = write_fleet(tmp_path)
    written = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    vanish()
    vanishing = {path: data for path, data in written.items() if not path.exists()}
    assert vanishing

    def vanish_again(*_):
        for path in vanishing:
            path.unlink(missing_ok=True)

    engines = []
    for load in (
        lambda: Asked(spark, tmp_path, vanish_again),
        lambda: loaded(LocalEngine(KraftReplay(SALT), vanish_again), tmp_path),
    ):
        for path, data in vanishing.items():
            path.write_bytes(data)
        engines.append(load())
    found = defaultdict(list)
    for rule in all_rules():
        # One rule at a time: Spark plans a union of all of them for longer than it runs.
        by_spark, here = (engine.sql(rule.query(10_000)).to_pylist() for engine in engines)
        assert by_spark == here, rule.id
        for row in by_spark:
            found[row["cluster"]].append((rule.id, row["log_offset"]))
    assert found.pop(HEALTHY, []) == []
    in_order = {cluster: ordered(pairs) for cluster, pairs in found.items()}
    assert [mutation.name for mutation in MUTATIONS if not is_killed(mutation, expected, in_order)] == []
