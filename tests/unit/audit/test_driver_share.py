"""While Spark starts, the driver audits clusters itself: the answers are the same however many it takes."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

import pytest

from kraftpy.audit import spark
from kraftpy.audit.engines import choice, driver_share
from kraftpy.audit.engines import spark as engine_module
from kraftpy.audit.engines.choice import spark_engine
from kraftpy.audit.engines.cluster_groups import weight
from kraftpy.audit.engines.cluster_tasks import Kind, Part
from kraftpy.audit.engines.driver_share import PIECES_MAX, DriverShare, pieces_of
from kraftpy.audit.engines.local import LocalEngine
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.engines.spark import SparkEngine
from kraftpy.audit.findings import judge
from kraftpy.audit.log_volume import read_growth
from kraftpy.audit.reading.discovery import discover
from kraftpy.audit.rules import all_rules
from kraftpy.model.errors import LocalError
from tests.audit.fleet import write_fleet
from tests.audit.mutations import MUTATIONS
from tests.unit.audit.test_cluster_tasks import ASKED, LIMIT, PATIENCE_S, REPLAY, Context, Refusing, wanted


@pytest.fixture(scope="module")
def fleet(tmp_path_factory):
    directory = tmp_path_factory.mktemp("fleet")
    write_fleet(directory, [each for each in MUTATIONS if each.rule in ASKED])
    return directory


@pytest.fixture
def shares(monkeypatch):
    """All shares that engines make, which count the pieces that were taken."""
    made = []

    class Noted(DriverShare):
        def __init__(self, *given):
            super().__init__(*given)
            self.taken = 0
            made.append(self)

        def _taken(self):
            piece = super()._taken()
            self.taken += bool(piece)
            return piece

    monkeypatch.setattr(engine_module, "DriverShare", Noted)
    return made


def small_pieces(monkeypatch, fleet):
    """Pieces that hold the heaviest cluster, so that none of them holds all."""
    weights = {}
    for file in discover([str(fleet)]):
        weights[file.cluster] = weights.get(file.cluster, 0) + weight(file)
    monkeypatch.setattr(driver_share, "DRIVER_PIECE_BYTES", max(weights.values()))


def until(condition):
    ends = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.005)


@pytest.mark.parametrize("pieces", [0, 2, PIECES_MAX])
def test_the_findings_are_those_of_one_process(fleet, shares, monkeypatch, pieces):
    """A cluster is audited twice or not at all where the driver's work and the tasks' meet."""
    small_pieces(monkeypatch, fleet)
    alone, context, reports = LocalEngine(REPLAY), Context(), []
    files = discover([str(fleet)])

    def start():
        until(lambda: shares[0].taken >= pieces)
        return context

    engine = SparkEngine(REPLAY, None, lambda *report: reports.append(report), start=start)
    assert not engine.jobs.is_started
    for each in (engine, alone):
        each.load([str(fleet)], AsOf(), wanted())
    assert engine.jobs.is_started
    assert engine.jobs.context is context
    found, expected = (judge(each, all_rules(), limit=LIMIT) for each in (engine, alone))
    assert (found.findings, found.totals) == (expected.findings, expected.totals)
    assert set(ASKED) <= set(found.totals)
    assert read_growth(engine) == read_growth(alone)
    states = "SELECT * FROM states ORDER BY cluster, node"
    assert engine.sql(states).to_pylist() == alone.sql(states).to_pylist()
    assert context.jobs == 1, "known questions are not asked again"
    assert shares[0].taken >= pieces
    assert shares[0].done > (0, 0) or not pieces
    auditing = [report for report in reports if report[0] == "auditing"]
    assert auditing == sorted(auditing)
    size, count = sum(file.size for file in files), len(files)
    assert auditing[0] == ("auditing", 0, size, 0, count)
    assert auditing[-1] == ("auditing", size, size, count, count)
    engine.close()
    alone.close()


def test_a_fleet_that_the_driver_has_done_needs_no_job(fleet, shares):
    """Spark's workers start for nothing."""
    context = Context()

    def start():
        until(shares[0]._has_ended.is_set)
        return context

    engine = SparkEngine(REPLAY, None, start=start)
    engine.load([str(fleet)], AsOf(), wanted())
    assert context.jobs == 0
    assert judge(engine, all_rules(), limit=LIMIT).findings
    engine.close()


class Held:
    """A task that works on its first piece until it may go on; it looks up then, as it does after each file."""

    def __init__(self):
        self.has_begun, self.may_go_on = threading.Event(), threading.Event()
        self.pieces = 0

    def parts(self, _piece, progress):
        self.pieces += 1
        self.has_begun.set()
        assert self.may_go_on.wait(PATIENCE_S)
        progress("reading", 1, 2)
        yield Part(Kind.TABLE, "done")


class Ended(threading.Event):
    """Is waited for; lets the task go on when the share has said that it waits, and why."""

    def __init__(self, task, interruption=None):
        super().__init__()
        self._task, self._interruption = task, interruption

    def wait(self, timeout=None):
        number, self._interruption = self._interruption, None
        if number is not None:
            signal.raise_signal(number)
        self._task.may_go_on.set()
        return super().wait(timeout or PATIENCE_S)


@pytest.mark.parametrize("is_small", [True, False])
def test_what_is_left_stays_with_the_driver_if_it_is_small(fleet, is_small):
    """Python workers start for what the driver would have done by then; or the driver keeps what is for all cores."""
    task, piece = Held(), discover([str(fleet)])
    size = sum(map(weight, piece))
    with DriverShare(task, [piece] * 3) as share:
        assert task.has_begun.wait(PATIENCE_S)
        left = share.end(2 * size if is_small else 2 * size - 1)
        task.may_go_on.set()
    assert left == ([] if is_small else piece * 2)
    assert (len(share.parts), task.pieces) == ((3, 3) if is_small else (1, 1))
    assert share.done[0] == (3 if is_small else 1) * sum(file.size for file in piece)


def test_a_start_that_fails_gives_up_the_drivers_work(fleet):
    """The error waits for clusters that are not wanted any more, or a thread stays."""
    task = Held()
    share = DriverShare(task, [discover([str(fleet)])] * 2)
    share._has_ended = Ended(task)

    def start():
        with share:
            assert task.has_begun.wait(PATIENCE_S)
            raise spark.MasterError("local[2]: Spark does not start")

    with pytest.raises(spark.MasterError, match="does not start"):
        start()
    assert (share.parts, share.done, task.pieces, share._has_ended.is_set()) == ([], (0, 0), 1, True)


def test_a_signal_while_the_driver_finishes_its_piece_gives_it_up(fleet):
    """The interpreter ends while a thread runs in it, and aborts; or Ctrl-C waits for the piece."""
    task = Held()
    share = DriverShare(task, [discover([str(fleet)])] * 2)
    share._has_ended = Ended(task, signal.SIGINT)

    def all_else_is_done():
        with share:
            assert task.has_begun.wait(PATIENCE_S)
            share.end()

    # A process in the background of a shell has inherited that SIGINT is ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            all_else_is_done()
    finally:
        signal.signal(signal.SIGINT, before)
    assert (share.parts, task.pieces, share._has_ended.is_set()) == ([], 1, True)


@pytest.mark.parametrize(
    ("failure", "raised", "stated"),
    [
        (ZeroDivisionError("ours"), ZeroDivisionError, "^ours$"),
        (OSError("no space"), spark.JobError, "^auditing clusters in the driver failed: no space$"),
        (ImportError("no crc32c"), spark.JobError, "in the driver failed: no crc32c"),
    ],
)
@pytest.mark.parametrize("is_early", [True, False])
def test_the_drivers_own_failure_is_raised(fleet, failure, raised, stated, is_early):
    """Clusters are missing in the answer without a word; or it is known, and Spark does all its work first."""

    class Failing(Held):
        def parts(self, *given):
            for _ in super().parts(*given):
                raise failure

    task, worked = Failing(), []

    def work():
        with DriverShare(task, [discover([str(fleet)])]) as share:
            assert task.has_begun.wait(PATIENCE_S)
            if is_early:
                task.may_go_on.set()
                until(share._has_ended.is_set)
            share.end()
            worked.append("Spark")
            task.may_go_on.set()

    with pytest.raises(raised, match=stated):
        work()
    assert bool(worked) is not is_early


def test_a_state_that_is_gone_is_the_same_error(fleet, shares):
    """The driver finds it, before Spark has started."""

    def start():
        until(shares[0]._has_ended.is_set)
        return Context()

    engine = SparkEngine(Refusing(b"salt", with_entities=False), None, start=start)
    with pytest.raises(LocalError, match=r"^that state is gone$"):
        engine.load([str(fleet)], AsOf(offset=3))
    engine.close()


def test_pieces_are_of_whole_clusters_and_bounded(fleet, monkeypatch):
    files = discover([str(fleet)])
    assert pieces_of(files) == ([sorted_by_weight(files)], [])
    small_pieces(monkeypatch, fleet)
    pieces, others = pieces_of(files)
    assert len(pieces) == PIECES_MAX
    assert all(0 < sum(map(weight, piece)) <= driver_share.DRIVER_PIECE_BYTES for piece in pieces)
    clusters = [{file.cluster for file in part} for part in (*pieces, others)]
    assert sum(map(len, clusters)) == len(set().union(*clusters)) == len({file.cluster for file in files})
    assert sorted(file.path for part in (*pieces, others) for file in part) == sorted(file.path for file in files)
    monkeypatch.setattr(driver_share, "DRIVER_PIECE_BYTES", 0)
    assert pieces_of(files)[0] == []


def sorted_by_weight(files):
    own = {cluster: [file for file in files if file.cluster == cluster] for cluster in {file.cluster for file in files}}
    heaviest_first = sorted(own, key=lambda each: (-sum(map(weight, own[each])), each))
    return [file for cluster in heaviest_first for file in own[cluster]]


@pytest.mark.parametrize(
    ("master", "cores"),
    [
        ("local", 1), ("local[1]", 1), ("local[2]", 2), ("local[*]", 4), ("local[8, 3]", 4), ("spark://host:7077", 0),
        ("yarn", 0), ("local-cluster[2,1,1024]", 0),
    ],
)  # fmt: skip
def test_the_cores_of_a_local_master_are_those_that_this_process_may_use(monkeypatch, master, cores):
    """``taskset``, and a container's limit of CPUs."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 2, 4, 6}, raising=False)
    assert spark.local_cores(master) == cores


@pytest.mark.parametrize("cores", [0, 1, 2])
@pytest.mark.parametrize("is_guarded", [True, False])
@pytest.mark.parametrize("is_running", [True, False])
@pytest.mark.parametrize("while_loading", [True, False])
def test_spark_starts_while_the_engine_loads(monkeypatch, cores, is_guarded, is_running, while_loading):
    """On one core the driver's work would delay the start; without a guard PySpark forks beside the thread."""
    calls = []
    monkeypatch.setattr(choice, "is_guarded", lambda: is_guarded)
    monkeypatch.setattr(spark, "is_running", lambda: is_running)
    monkeypatch.setattr(spark, "local_cores", lambda _: cores)
    monkeypatch.setattr(spark, "check_can_start", lambda _: calls.append("checked"))
    monkeypatch.setattr(spark, "context", lambda *_, **__: calls.append("started") or Context())
    engine = spark_engine(REPLAY, "local[2]", None, while_loading=while_loading)
    is_late = while_loading and is_guarded and not is_running and cores == 2
    assert engine.jobs.is_started is not is_late
    assert calls == (["checked"] if is_late else ["started"])
    assert isinstance(engine.jobs.context, Context)
    assert calls[-1] == "started"


def test_the_environment_is_complete_before_the_thread_runs(monkeypatch):
    """PySpark adds a variable while a library of the driver's thread reads the environment; both are not in Python."""
    environment = {"JAVA_HOME": "/other", "SPARK_BUFFER_SIZE": "1024"}
    monkeypatch.setattr(os, "environ", environment)
    monkeypatch.setattr(spark, "find_java_home", lambda: "/java")
    spark.check_can_start("local[2]")
    assert environment.pop("PYSPARK_PYTHON") == environment.pop("PYSPARK_DRIVER_PYTHON") == sys.executable
    assert environment == {
        "JAVA_HOME": "/java", "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_BUFFER_SIZE": "1024",
        "SPARK_AUTH_SOCKET_TIMEOUT": "15",
    }  # fmt: skip


def test_a_master_that_is_none_is_refused_before_the_engine_loads(monkeypatch):
    monkeypatch.setattr(choice, "is_guarded", lambda: True)
    monkeypatch.setattr(spark, "local_cores", lambda _: 2)
    with pytest.raises(spark.MasterError, match="is no master of Spark"):
        spark_engine(REPLAY, "local[0]", None, while_loading=True)
