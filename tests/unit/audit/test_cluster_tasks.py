"""Whole clusters in tasks of their own are audited as one process audits all of them: without Spark."""

from __future__ import annotations

import pickle
import threading

import pytest

from kraftpy.audit.engines.asking import NOTHING, ClusterQuery, Merger, Wanted
from kraftpy.audit.engines.blobs import plain, unpacked
from kraftpy.audit.engines.cluster_groups import cluster_groups, cut_clusters
from kraftpy.audit.engines.cluster_tasks import ClusterTask, Kind, columns_of
from kraftpy.audit.engines.local import LocalEngine
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.engines.spark import SparkEngine
from kraftpy.audit.engines.work_done import FilesDone, counted_by_tasks
from kraftpy.audit.findings import judge
from kraftpy.audit.log_volume import growth_queries, read_growth
from kraftpy.audit.reading.discovery import KraftFile, discover
from kraftpy.audit.replay import KraftReplay
from kraftpy.audit.rules import all_rules
from kraftpy.audit.rules.rule import count_query
from kraftpy.model.errors import LocalError
from tests.audit.fleet import write_fleet
from tests.audit.mutations import MUTATIONS

ASKED = (
    "batch-duplicated",
    "cluster-id-files-differ",
    "config-orphan",
    "isr-not-replica",
    "node-id-twice",
    "rack-spread",
)
LIMIT = 100
REPLAY = KraftReplay(b"salt", with_entities=False)
ENOUGH = 1 << 30
PATIENCE_S = 30


class Context:
    """Spark's context, as far as clusters that are not cut need it: tasks are pickled, and run here one by one."""

    defaultParallelism = 4  # noqa: N815 - Spark's name

    def __init__(self):
        self.jobs = 0

    def parallelize(self, items, _count):
        return Rows(self, [[item] for item in items])

    def accumulator(self, value):
        return Counter(value)


class Rows:
    def __init__(self, context, partitions):
        self._context, self._partitions = context, partitions

    def flatMap(self, task):  # noqa: N802 - Spark's name
        return Rows(self._context, [(task, items) for items in self._partitions])

    def collect(self):
        self._context.jobs += 1
        return [
            row for task, items in self._partitions for item in items for row in pickle.loads(pickle.dumps(task))(item)
        ]


COUNTERS: list[Counter] = []


def counter_at(index):
    return COUNTERS[index]


class Counter:
    """An accumulator: a pickled one adds to the driver's."""

    def __init__(self, value):
        self.value = value
        COUNTERS.append(self)

    def __reduce__(self):
        return counter_at, (COUNTERS.index(self),)

    def add(self, number):
        self.value += number


@pytest.fixture(scope="module")
def fleet(tmp_path_factory):
    directory = tmp_path_factory.mktemp("fleet")
    write_fleet(directory, [each for each in MUTATIONS if each.rule in ASKED])
    return directory


@pytest.fixture(scope="module")
def local(fleet):
    engine = LocalEngine(REPLAY)
    engine.load([str(fleet)], AsOf())
    yield engine
    engine.close()


def wanted() -> Wanted:
    return Wanted(all_rules(), count_query, LIMIT, growth_queries())


def rows_of(table):
    return sorted(map(repr, table.to_pylist()))


@pytest.mark.parametrize("near_bytes", [20_000, ENOUGH], ids=["small tables", "all tables"])
@pytest.mark.parametrize("is_known", [True, False], ids=["known beforehand", "asked later"])
def test_findings_and_volume_are_those_of_one_process(fleet, local, near_bytes, is_known):
    """A cluster's rows are in two groups, a rule is asked of a part of a cluster, or its answer is lost."""
    context = Context()
    engine = SparkEngine(REPLAY, context, near_bytes=near_bytes)
    engine.load([str(fleet)], AsOf(), wanted() if is_known else NOTHING)
    assert context.jobs == 1
    found, expected = (judge(each, all_rules(), limit=LIMIT) for each in (engine, local))
    assert found.findings == expected.findings
    assert found.totals == expected.totals
    assert set(ASKED) <= set(found.totals)
    assert ("batches" in engine._tables.far) is (near_bytes != ENOUGH)
    assert read_growth(engine) == read_growth(local)
    if is_known:
        assert context.jobs == 1
    states = "SELECT * FROM states ORDER BY cluster, node"
    assert engine.sql(states).to_pylist() == local.sql(states).to_pylist()
    if near_bytes == ENOUGH:
        for name in columns_of(REPLAY):
            assert rows_of(engine.sql(f"SELECT * FROM {name}")) == rows_of(local.sql(f"SELECT * FROM {name}")), name
    engine.close()


def test_a_table_that_is_too_large_for_the_driver_is_named_and_can_be_made_again(fleet, local):
    """The driver receives what grows with the data, or a table without the rows of a group."""
    files = discover([str(fleet)])
    task = ClusterTask(REPLAY, AsOf(), NOTHING, 3_000)
    parts = list(task.parts(files))
    large = {part.name for part in parts if part.kind is Kind.LARGE}
    assert {"partitions", "partition_replicas"} <= large
    assert not large & {"files", "states", "properties"}
    assert columns_of(REPLAY).keys() == large | {part.name for part in parts if part.kind is Kind.TABLE}
    rows = [
        row
        for blob in task.blobs(files)
        if blob.name == "partition_replicas"
        for row in plain(unpacked(blob.payload), columns_of(REPLAY)[blob.name]).to_pylist()
    ]
    assert sorted(map(repr, rows)) == rows_of(local.sql("SELECT * FROM partition_replicas"))


def test_a_state_that_is_gone_is_the_error_of_one_process(fleet):
    """A worker's error is a trace of Spark's, though the user asked for what is not there."""
    replay = Refusing(b"salt", with_entities=False)
    engine = SparkEngine(replay, Context())
    with pytest.raises(LocalError, match=r"^that state is gone$"):
        engine.load([str(fleet)], AsOf(offset=3))
    engine.close()


class Refusing(KraftReplay):
    def plan(self, *_):
        raise LocalError("that state is gone")


def test_progress_is_in_bytes_and_files_and_ends(fleet):
    """A fleet of hours shows nothing before its end, or more than all of it."""
    files = discover([str(fleet)])
    size = sum(file.size for file in files)
    reports = []
    engine = SparkEngine(REPLAY, Context(), lambda *report: reports.append(report))
    engine.load([str(fleet)], AsOf())
    assert reports[0] == ("auditing", 0, size, 0, len(files))
    assert reports[-1] == ("auditing", size, size, len(files), len(files))
    engine.close()


def test_what_tasks_counted_is_reported_while_they_run():
    """Tasks that are done are not seen before the last one is, and a task that ran twice counts beyond the end."""
    reports = []
    reported = threading.Condition()

    def report(*given):
        with reported:
            reports.append(given)
            reported.notify()

    def is_reported(done):
        with reported:
            return reported.wait_for(lambda: reports[-1][1] >= done, PATIENCE_S)

    with counted_by_tasks(report, Context(), "auditing", (10, 2)) as count:
        count((7, 1))
        assert is_reported(7)
        count((7, 1))
        count((7, 1))
        assert is_reported(10)
    assert all(done <= 10 and files <= 2 for _, done, _, files, _ in reports)
    with counted_by_tasks(None, Context(), "auditing", (10, 2)) as count:
        assert count is None


def test_replay_in_one_process_reports_bytes_and_does_not_go_back(fleet):
    """Files that are read again, for what is replayed record by record, count twice."""
    reports = []
    engine = LocalEngine(REPLAY, lambda *report: reports.append(report))
    engine.load([str(fleet)], AsOf())
    engine.close()
    for what in ("reading", "replaying"):
        done = [report[1] for report in reports if report[0] == what]
        last = [report for report in reports if report[0] == what][-1]
        assert done == sorted(done)
        assert last[1] == last[2] > 0
        assert last[4] > 10
    files = [KraftFile("c", "1", "a.log", "log", 10)]
    again = FilesDone(lambda *report: reports.append(report), "again", files)
    assert list(again.chunks(files, lambda *_: (0, 0))) == []


def test_rows_of_a_query_are_put_together_in_its_order(local):
    """The first rows of one group of clusters pass for those of all."""
    tables = [
        local.sql(f"SELECT '{cluster}' AS cluster, {size} AS bytes") for cluster, size in [("b", 1), ("a", 1), ("c", 3)]
    ]
    query = ClusterQuery("largest", "", "bytes DESC, cluster", 2)
    assert [row["cluster"] for row in query.joined(tables).to_pylist()] == ["c", "a"]


def test_many_answers_are_reduced_and_none_is_lost(local):
    """The driver keeps the rows of all groups, or forgets some of a rule's first ones."""
    (rule,) = [each for each in all_rules() if each.id == "rack-spread"]
    rows = local.sql(rule.query(100))
    merger = Merger([rule], 3)
    for _ in range(100):
        merger.add(rule.id, rows.num_rows, rows)
    assert len(merger._rows[rule.id]) < 40
    answers = merger.answers()
    assert answers.totals == {rule.id: 100 * rows.num_rows}
    assert answers.rows[rule.id].num_rows == 3


def test_a_cluster_of_many_nodes_is_cut():
    """Its task would hold the tables of all of them."""
    files = [KraftFile("a", str(number), f"a{number}", "log", 100) for number in range(3)]
    assert cut_clusters(files, 100) == set()
    large = KraftFile("b", "1", "b", "log", 101)
    assert cut_clusters([*files, KraftFile("a", "3", "a3", "log", 1), large], 100) == {"a", "b"}


def test_a_snapshot_counts_for_four_times_its_size():
    """A task gets the snapshot of a node whose memory it does not have, or a log is cut that it could replay."""
    files = [KraftFile("a", "1", "a", "snapshot", 26), KraftFile("b", "1", "b", "log", 100)]
    assert cut_clusters(files, 100) == {"a"}
    assert cut_clusters([*files, KraftFile("b", "2", "c", "log", 100)], 100) == {"a"}
    assert cluster_groups(files, 2) == {"a": 0, "b": 1}
