"""Compaction in tasks, without Spark: names, bytes and refusals are those of one process, however work is divided."""

from __future__ import annotations

import pickle
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kraftpy.audit.compaction import in_spark
from kraftpy.audit.compaction.entities import SnapshotEntry
from kraftpy.audit.compaction.replayed import Replayed
from kraftpy.audit.compaction.run import compact
from kraftpy.audit.engines.spark import SparkEngine
from kraftpy.audit.replay import REPLAY
from kraftpy.model.errors import KraftError
from kraftpy.records.metadata import RemoveTopicRecord, TopicRecord, encode_for_level
from tests.audit.mutations import MUTATIONS
from tests.audit.worlds import healthy
from tests.unit.audit import histories
from tests.unit.audit.spark_context import Context
from tests.unit.audit.test_compaction import log_of
from tests.unit.image.histories import HISTORIES

PARTITIONS = (1, 2, 8)
SMALL = {"RUN_BYTES": 300, "SAMPLE_BYTES": 60, "RANGE_BYTES": 240}


@pytest.fixture(scope="module", autouse=True)
def _small_runs():
    """Several runs and ranges of a few records."""
    with pytest.MonkeyPatch.context() as patch:
        for name, size in SMALL.items():
            patch.setattr(in_spark, name, size)
        yield


def outcome(home: Path, out: Path, partitions: int | None = None, at: int | None = None) -> tuple[str, bytes]:
    """A snapshot's name and bytes, or the refusal; without ``partitions``, of one process."""
    with pytest.MonkeyPatch.context() as patch:
        if partitions is not None:
            size = max(sum(file.stat().st_size for file in home.rglob("*.*") if file.is_file()) // partitions, 100)
            patch.setattr(in_spark, "BUCKET_BYTES_MIN", size)
            patch.setattr(
                in_spark, "spark_engine", lambda replay, _, progress: SparkEngine(
                    replay, Context(partitions), progress, split_bytes=size
                )
            )  # fmt: skip
        directory = out / f"in {partitions}"
        try:
            path = compact([str(home)], directory, at=at, engine="local" if partitions is None else "spark").path
        except KraftError as error:
            assert not directory.exists() or not list(directory.iterdir())
            return type(error).__name__, str(error).encode()
        data = path.read_bytes()
        path.unlink()
        return path.name, data


@settings(max_examples=12, deadline=None)
@given(HISTORIES, st.lists(st.integers(1, 7), min_size=1, max_size=5), st.sampled_from(PARTITIONS))
def test_any_history_gives_the_bytes_of_one_process(records, sizes, partitions):
    """Records are missing, twice there, or in another order."""
    with tempfile.TemporaryDirectory() as directory:
        home, out = Path(directory, "log"), Path(directory, "out")
        log_of(records, sizes).write(home)
        assert outcome(home, out, partitions) == outcome(home, out)


@pytest.mark.landing
def test_what_is_broken_is_refused_alike_or_compacted_alike(tmp_path):
    """A broken cluster is compacted where one process refuses it, or for another reason."""
    made = {}
    for mutation in MUTATIONS:
        home = tmp_path / mutation.name
        world = healthy(mutation.number)
        mutation.apply(world)
        for path in world.write(home):
            path.unlink()
        here = made[mutation.name] = outcome(home, tmp_path / "out")
        partitions = PARTITIONS[mutation.number % len(PARTITIONS)]
        assert outcome(home, tmp_path / "out", partitions) == here, mutation.name
    written = [name for name, _ in made.values() if name.endswith(".checkpoint")]
    assert len(written) > 10
    assert len(made) - len(written) > 10


@pytest.mark.parametrize("partitions", PARTITIONS)
def test_corrupt_bytes_are_to_tasks_what_they_are_to_one_process(tmp_path, partitions):
    """A flip is missed because it is at the beginning of a split."""
    data = histories.small_log().data
    log = tmp_path / "__cluster_metadata-0" / "00000000000000000000.log"
    log.parent.mkdir()
    for position in range(0, len(data), 149):
        log.write_bytes(data[:position] + bytes([data[position] ^ 4]) + data[position + 1 :])
        assert outcome(tmp_path, tmp_path / "out", partitions) == outcome(tmp_path, tmp_path / "out"), position
        log.write_bytes(data[:position])
        assert outcome(tmp_path, tmp_path / "out", partitions) == outcome(tmp_path, tmp_path / "out"), position


@pytest.mark.parametrize("partitions", PARTITIONS)
def test_problems_of_several_buckets_are_one_refusal(tmp_path, partitions):
    """Each bucket has a first problem of its own, and a number."""
    log = histories.small_log(topics=12)
    first = log.offset
    for number in range(70, 82):
        log.add(histories.value(RemoveTopicRecord(histories.topic_id(number))))
    log.write(tmp_path / "log")
    name, text = outcome(tmp_path / "log", tmp_path / "out", partitions)
    assert (name, text) == outcome(tmp_path / "log", tmp_path / "out")
    assert f"12 records cannot be taken over; the first is the REMOVE_TOPIC_RECORD at offset {first}" in text.decode()


def test_two_records_of_one_name_are_found_although_two_buckets_have_them(tmp_path):
    """Two topics of one name are two shards, and no task sees both."""
    log = histories.small_log(topics=12)
    log.add(encode_for_level(TopicRecord("topic-00003", b"\1" * 16), 29))
    log.write(tmp_path / "log")
    name, text = outcome(tmp_path / "log", tmp_path / "out", 8)
    assert (name, text) == outcome(tmp_path / "log", tmp_path / "out")
    assert b"alive at once" in text


def test_a_task_that_fails_while_the_file_is_written_leaves_nothing(tmp_path, monkeypatch):
    """Half a snapshot stays under its name, or beside it."""
    histories.small_log(topics=30).write(tmp_path / "log")
    monkeypatch.setattr(in_spark, "spark_engine", lambda *_: SparkEngine(REPLAY, Context()))
    fetched = in_spark.pickle.loads
    payloads = []

    class Failing:
        dumps = staticmethod(pickle.dumps)

        @staticmethod
        def loads(payload):
            payloads.append(payload)
            if (tmp_path / "out").exists() and len(payloads) > 60:
                raise ConnectionResetError("the JVM has ended")
            return fetched(payload)

    monkeypatch.setattr(in_spark, "pickle", Failing)
    with pytest.raises(KraftError, match="Spark's job failed"):
        compact([str(tmp_path / "log")], tmp_path / "out", engine="spark")
    assert list((tmp_path / "out").iterdir()) == []


@given(st.lists(st.tuples(st.integers(0, 3), st.binary(max_size=2)), unique=True), st.integers(1, 5), st.integers(1, 6))
def test_ranges_put_runs_together_in_order(places, buckets, step):
    """A record at the bound of a range is in none, or in two."""
    entries = [SnapshotEntry(section, key, b"v") for section, key in places]
    runs = [
        in_spark.Run((), pickle.dumps(sorted(entries[number::buckets])), in_spark.Replayed(()))
        for number in range(buckets)
    ]
    bounds = sorted(places)[step::step]
    parts = [part for run in runs for part in in_spark.cut_task(run, bounds)]
    merged = [
        entry
        for number in range(len(bounds) + 1)
        for payload in in_spark.merge_task([part for part in parts if part[0] == number])
        for entry in pickle.loads(payload)
    ]
    assert merged == sorted(entries)


def test_buckets_that_are_smaller_than_a_sample_are_sampled_together(monkeypatch):
    """A log of 100 GiB with a small state has many: their records are divided into ranges all the same."""
    monkeypatch.setattr(in_spark, "SAMPLE_BYTES", 2_000)
    monkeypatch.setattr(in_spark, "RANGE_BYTES", 8_000)
    chunks = []
    monkeypatch.setattr(in_spark, "replayed", lambda entries, _: Replayed(tuple(entries)))
    for number in range(200):
        entry = SnapshotEntry(1, b"%06d" % number, b"v" * 394)
        chunks.append(SimpleNamespace(entries=lambda entry=entry: [entry]))
    runs = [run for chunk in chunks for run in in_spark.runs_task(("", ""), [chunk], None)]
    ranges = in_spark.bounds_of(place for run in runs for place in run.sample)
    assert len(ranges) >= 4  # of 80,000 bytes


def test_buckets_of_a_large_node_are_large_and_few():
    """A chunk of a node of many GiB is sent in thousands of messages."""
    mebibyte = 1024**2
    assert in_spark.bucket_size(mebibyte) == 4 * mebibyte
    assert in_spark.bucket_size(640 * mebibyte) == 10 * mebibyte
    assert in_spark.bucket_size(1024**4) == 32 * mebibyte


def test_a_label_is_a_text_in_sql_whatever_it_contains(tmp_path):
    """A cluster's directory with a quote in its name ends in an error of DuckDB's."""
    home = tmp_path / "cluster=it's" / "node=1" / "__cluster_metadata-0"
    histories.small_log().write(home)
    assert outcome(tmp_path, tmp_path / "out", 2) == outcome(tmp_path, tmp_path / "out")


@pytest.mark.parametrize("engine", ["local", "spark"])
def test_progress_is_in_bytes_and_files_and_ends(tmp_path, monkeypatch, engine):
    """A log of an hour shows nothing while it is replayed."""
    monkeypatch.setattr(in_spark, "spark_engine", lambda *given: SparkEngine(REPLAY, Counting(), given[2]))
    histories.small_log(topics=30).write(tmp_path / "log")
    size = sum(file.stat().st_size for file in (tmp_path / "log").iterdir())
    reports = []
    compact([str(tmp_path / "log")], tmp_path / "out", engine=engine, progress=lambda *each: reports.append(each))
    for step in ("reading", "replaying"):
        done = [report[1:] for report in reports if report[0] == step]
        assert done[-1][:2] == (size, size)
        assert [each[0] for each in done] == sorted(each[0] for each in done)
    assert reports[-1] == ("replaying", size, size, 1, 1)


class Counting(Context):
    """With accumulators that count for themselves alone: the last report does not need them."""

    def accumulator(self, value):
        return Counter(value)


class Counter:
    def __init__(self, value):
        self.value = value

    def add(self, number):
        self.value += number
