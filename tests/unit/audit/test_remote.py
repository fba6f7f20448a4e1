"""Remote storage: pyarrow's own S3 client, over HTTP, against a small server that remembers what was read."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from kraftpy.audit.engines.local import LocalEngine
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.reading.discovery import discover
from kraftpy.audit.reading.filesystem import InputError
from kraftpy.audit.reading.first import first_pass
from kraftpy.audit.reading.scan import Problem, scan
from kraftpy.audit.reading.splits import Cell, cells_of
from kraftpy.audit.replay import KraftReplay
from kraftpy.cli.root import cli
from tests.fakes.s3 import S3, S3_ENVIRONMENT
from tests.unit.audit import histories

HOME = "backups/cluster=a/node=1/__cluster_metadata-0"
LOG = f"{HOME}/00000000000000000000.log"


@pytest.fixture
def s3(monkeypatch):
    """A bucket with one node's log and its meta.properties."""
    for name, value in S3_ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    objects = {
        LOG: histories.small_log(600).data,
        "backups/cluster=a/node=1/meta.properties": b"version=1\nnode.id=1\ncluster.id=xyz\n",
        "backups/notes.txt": b"hello",
    }
    with S3("bucket", objects) as server:
        yield server


def tables_of(path: str) -> dict[str, list[str]]:
    engine = LocalEngine(KraftReplay(with_entities=False))
    engine.load([path], AsOf())
    found = {
        name: sorted(map(repr, engine.sql(f"SELECT * EXCLUDE (file) FROM {name}").to_pylist()))
        for name in ("batches", "topics", "partitions", "growth", "properties")
    }
    engine.close()
    return found


def test_a_bucket_is_audited_like_a_directory(s3, tmp_path) -> None:
    """The same tables come of a tree in S3 as of its copy on disk; every read names a range."""
    for key, data in s3.objects.items():
        (tmp_path / key).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / key).write_bytes(data)
    found = discover([s3.uri("backups")])
    assert {(file.cluster, file.node, file.kind) for file in found} == {("a", "1", "log"), ("a", "1", "properties")}
    assert tables_of(s3.uri("backups")) == tables_of(str(tmp_path / "backups"))
    assert s3.reads
    assert all(first >= 0 for _, first, _ in s3.reads)


def test_the_command_audits_a_bucket(s3, tmp_path):
    """``kraftpy audit s3://...`` says of a bucket what it says of its copy, and every read names a range."""
    for key, data in s3.objects.items():
        (tmp_path / key).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / key).write_bytes(data)
    said = []
    for path in (s3.uri("backups"), str(tmp_path / "backups")):
        done = CliRunner().invoke(cli, ["audit", path, "-o", "json"])
        assert done.exit_code == 3, done.output
        told = json.loads(done.stdout)
        for finding in told["findings"]:
            finding["file"] = finding["file"] and finding["file"].rpartition("backups/")[2]
        said.append(told)
    assert said[0] == said[1]
    assert len(said[0]["findings"]) > 0
    assert s3.reads
    assert all(first >= 0 for _, first, _ in s3.reads)


def test_a_cell_reads_its_own_bytes_and_little_more(s3) -> None:
    """A task that has the last quarter of a file does not fetch the first."""
    (file,) = [each for each in discover([s3.uri("backups")]) if each.kind == "log"]
    cells = cells_of(file, file.size // 4 + 1)
    s3.reads.clear()
    passed = first_pass(cells[-1])
    assert 0 < sum(passed.counts.values()) < 2_000
    assert min(first for _, first, _ in s3.reads) == cells[-1].start
    whole = first_pass(Cell(file, 0, file.size))
    parts = [first_pass(cell) for cell in cells]
    assert sum((part.counts for part in parts), start=type(whole.counts)()) == whole.counts


def test_an_object_that_vanishes_is_a_problem_of_that_file(s3) -> None:
    """What was listed and cannot be read is a row of damage, not the end of the run."""
    (file,) = [each for each in discover([s3.uri("backups")]) if each.kind == "log"]
    del s3.objects[LOG]
    assert [found.problem for found in scan(Cell(file, 0, file.size))] == [Problem.UNREADABLE]
    with pytest.raises(InputError, match="is not there"):
        discover([s3.uri("nothing/here")])
