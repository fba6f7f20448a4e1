"""Rules asked of groups of clusters find what they find when all clusters are asked together: without Spark."""

from __future__ import annotations

import pickle
import tempfile
from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace

import pytest

from kraftpy.audit.engines.asking import Merger, Wanted, ask
from kraftpy.audit.engines.blobs import Blobs, unpacked
from kraftpy.audit.engines.cluster_groups import (
    GROUP_BYTES,
    GROUP_SNAPSHOT_BYTES,
    GroupAsking,
    ask_task,
    cluster_groups,
    files_in_groups,
    group_count,
    weight,
)
from kraftpy.audit.engines.driver_tables import TASK_MEMORY, DriverTables, task_settings
from kraftpy.audit.engines.local import LocalEngine
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.engines.spark_jobs import SparkJobs
from kraftpy.audit.reading.discovery import KraftFile
from kraftpy.audit.replay import KraftReplay
from kraftpy.audit.rules import all_rules
from kraftpy.audit.rules.rule import count_query
from tests.audit.fleet import HEALTHY, write_fleet
from tests.audit.mutations import MUTATIONS

GROUPS = 3
LARGE = ("partitions", "partition_replicas", "topics")
ASKED = ("batch-duplicated", "config-orphan", "isr-not-replica", "rack-spread")
LIMIT = 2


def file_of(cluster: str, size: int) -> KraftFile:
    return KraftFile(cluster, "1", f"{cluster}.log", "log", size)


def test_groups_have_whole_clusters_and_a_large_one_is_alone():
    files = [file_of(name, 10) for name in "abcd"]
    assert cluster_groups(files, 2) == {"a": 0, "b": 1, "c": 0, "d": 1}
    assert cluster_groups([*files, file_of("b", 30)], 1) == dict.fromkeys("abcd", 0)
    large = [file_of("a", 1), file_of("b", GROUP_BYTES + 1), file_of("c", 1)]
    assert cluster_groups(large, 1) == {"a": 1, "b": 0, "c": 1}
    assert (cluster_groups([], 2), group_count({})) == ({}, 1)


def test_a_parallelism_of_none_is_one_core():
    """``spark.default.parallelism=0`` ends an audit with a division by zero."""
    cores = SparkJobs(SimpleNamespace(defaultParallelism=0), None).cores
    assert cluster_groups([file_of("a", 10)], cores) == {"a": 0}


@pytest.mark.parametrize("cores", [1, 2, 8])
def test_every_core_gets_groups_of_about_the_same_weight(cores):
    """The last task of a job runs alone while other cores wait, or a task gets more than its memory is meant for."""
    files = [file_of(f"cluster-{number}", 10_000_000 + number * 1_000_000) for number in range(87)]
    weights = [sum(file.size for file in group) for group in files_in_groups(files, cores)]
    assert len(weights) % cores == 0
    assert weights == sorted(weights, reverse=True)
    assert weights[-1] < weights[0] < 1.1 * weights[-1]
    assert weights[0] <= GROUP_BYTES


@pytest.mark.parametrize("cores", [1, 2])
def test_clusters_that_do_not_fit_together_are_in_groups_of_their_own(cores):
    """Clusters share a group that is twice as large as a task's memory is meant for, or the search is endless."""
    files = [file_of(f"{number}", GROUP_BYTES * 3 // 4) for number in range(50)] + [file_of("empty", 0)]
    groups = files_in_groups(files, cores)
    assert sorted(file.path for group in groups for file in group) == sorted(file.path for file in files)
    assert max(sum(file.size for file in group) for group in groups) <= GROUP_BYTES


def test_a_group_has_few_snapshots():
    """A task holds the tables of snapshots that together need far more memory than logs of the same size."""
    logs = [file_of(f"{number}", GROUP_SNAPSHOT_BYTES // 2) for number in range(16)]
    assert group_count(cluster_groups(logs, 1)) == 1
    snapshots = [replace(file, kind="snapshot") for file in logs]
    assert [len(group) for group in files_in_groups(snapshots, 1)] == [2] * 8
    assert [len(group) for group in files_in_groups([*snapshots[:4], *logs[4:]], 1)] == [8, 8]


def test_snapshots_take_four_times_as_long():
    """A core waits for another one, which has more snapshots."""
    files = [file_of("long", 4_000_000), replace(file_of("short", 1_000_000), kind="snapshot")]
    assert [sum(map(weight, group)) for group in files_in_groups(files, 2)] == [4_000_000, 4_000_000]


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    """One process with clusters in which each of some rules finds something, and with one that is healthy."""
    directory = tmp_path_factory.mktemp("groups")
    write_fleet(directory, [each for each in MUTATIONS if each.rule in ASKED])
    engine = LocalEngine(KraftReplay(b"salt", with_entities=False))
    columns = engine.load([str(directory)], AsOf())
    yield engine, columns
    engine.close()


def asked_in_groups(engine, columns, rules, groups):
    """Do what Spark does: the large tables in blobs by group, in a task for each, and the answers put together."""
    tables = {name: engine.sql(f"SELECT * FROM {name}") for name in columns if name not in {"records", *LARGE}}
    asking = GroupAsking(Wanted(rules, count_query, LIMIT), groups, tables, {name: columns[name] for name in LARGE})
    merger = Merger(rules, LIMIT)
    for group in range(GROUPS):
        blobs = Blobs(group)
        for name in LARGE:
            of_group = "', '".join(cluster for cluster, number in groups.items() if number == group)
            blobs.add_table(name, engine.sql(f"SELECT * FROM {name} WHERE cluster IN ('{of_group}')"))
        sent = [(blob.group, blob) for blob in blobs]
        for part in ask_task(group, sent, pickle.loads(pickle.dumps(asking))):
            merger.add(part.name, part.total, unpacked(part.payload))
    return merger.answers()


def test_rules_find_in_groups_what_they_find_together(loaded):
    """A rule needs rows of another cluster, a group sees small tables of others, or an answer lacks a group's part."""
    engine, columns = loaded
    rules = [rule for rule in all_rules() if rule.id in ASKED]
    assert not any(rule.spans_clusters for rule in rules)
    clusters = [row["cluster"] for row in engine.sql("SELECT DISTINCT cluster FROM files ORDER BY 1").to_pylist()]
    assert HEALTHY in clusters
    together = ask(engine.sql, rules, count_query, LIMIT)
    assert set(ASKED) == set(together.totals)
    assert max(together.totals.values()) > LIMIT
    groups = {cluster: number % GROUPS for number, cluster in enumerate(clusters)}
    apart = asked_in_groups(engine, columns, rules, groups)
    assert apart.totals == together.totals
    assert {name: rows.to_pylist() for name, rows in apart.rows.items()} == {
        name: rows.to_pylist() for name, rows in together.rows.items()
    }


def test_a_database_of_a_task_has_bounded_memory_and_leaves_nothing_on_the_disk(tmp_path, monkeypatch):
    """A task takes all memory of its machine, as a database does by itself; or what it wrote out stays behind."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    sorted_rows = "SELECT hash(range) AS h, range::VARCHAR AS text FROM range(600000) ORDER BY h, text"
    with task_settings() as settings:
        (directory,) = tmp_path.iterdir()
        assert settings["temp_directory"] == str(directory)
        assert directory.stat().st_mode & 0o077 == 0, "others read what is written out"
        with closing(DriverTables(settings)) as database:
            stated = database.sql("SELECT current_setting('memory_limit') AS memory, current_setting('threads') AS n")
            assert stated.to_pylist() == [{"memory": "1.0 GiB", "n": 1}]
        with closing(DriverTables({**settings, "memory_limit": "16MiB"})) as small:
            found = small.sql(f"SELECT COUNT(*) AS n FROM ({sorted_rows} LIMIT 500000)")
            assert found.to_pylist() == [{"n": 500_000}]
    assert TASK_MEMORY == "1GiB"
    assert list(tmp_path.iterdir()) == []
