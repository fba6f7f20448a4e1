"""Clusters that share a log and have two cluster ids, of however many copies of it there are."""

from __future__ import annotations

from itertools import combinations

import duckdb
import pytest

from kraftpy.audit.rules.cluster_id_files_differ import RULE

COPIES = 300


def found(batches, ids):
    """The cluster, id and expected id of all findings; batches are clusters and hashes, at one offset."""
    database = duckdb.connect()
    database.execute("CREATE TABLE control_batches (cluster VARCHAR, base_offset BIGINT, bytes_hash VARCHAR)")
    database.execute("CREATE TABLE meta_properties (cluster VARCHAR, node VARCHAR, file VARCHAR, cluster_id VARCHAR)")
    database.execute("CREATE TABLE cluster_ids (cluster VARCHAR)")
    database.executemany("INSERT INTO control_batches VALUES (?, 0, ?)", batches)
    database.executemany("INSERT INTO meta_properties VALUES (?, '1', 'meta.properties', ?)", sorted(ids.items()))
    database.executemany("INSERT INTO cluster_ids VALUES (?)", [(cluster,) for cluster in ids])
    rows = database.sql(RULE.sql).fetchall()
    database.close()
    return sorted((row[0], row[4], row[5]) for row in rows)


def test_many_copies_of_a_log_are_compared_with_the_first():
    """Each two copies are a finding: millions of rows in the memory of the driver for some thousand clusters."""
    names = [f"c{number:04d}" for number in range(COPIES)]
    rows = found([(name, "same") for name in names], {name: f"id-{name}" for name in names})
    assert rows == [(name, f"id-{name}", "id-c0000") for name in names[1:]]


@pytest.mark.parametrize("ids", [("x", "x", "y"), ("x", "y", "x"), ("y", "x", "x"), ("x", "y", "z"), ("x", "x", "x")])
@pytest.mark.parametrize("shared", [("abc",), ("ab", "bc"), ("ac", "bc"), ("ab", "ac")], ids=" ".join)
def test_two_ids_of_one_log_are_found_whichever_clusters_have_them(ids, shared):
    """The first cluster agrees with one of the two that differ, or shares another batch with them."""
    of = dict(zip("abc", ids, strict=True))
    differ = any(of[one] != of[other] for group in shared for one, other in combinations(group, 2))
    rows = found([(cluster, group) for group in shared for cluster in group], of)
    assert bool(rows) is differ
    assert all(own == of[cluster] != expected for cluster, own, expected in rows)
