"""Remote storage: pyarrow's own S3 client, over HTTP, against a small server that remembers what was read.

Of Hadoop's file systems, only what needs no Hadoop is asked here; ``tests/interop/test_hdfs.py`` reads a real one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from kraftpy.audit.engines.local import LocalEngine
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.reading import filesystem
from kraftpy.audit.reading.discovery import discover
from kraftpy.audit.reading.filesystem import InputError
from kraftpy.audit.reading.first_pass import first_pass
from kraftpy.audit.reading.scan import Problem
from kraftpy.audit.reading.splits import InputSplit, splits_of
from kraftpy.audit.replay import KraftReplay
from kraftpy.cli.root import cli
from tests.fakes.s3 import S3, S3_ENVIRONMENT
from tests.unit.audit import histories
from tests.unit.audit.singly import batches

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
    stated = []
    for path in (s3.uri("backups"), str(tmp_path / "backups")):
        done = CliRunner().invoke(cli, ["audit", path, "-o", "json"])
        assert done.exit_code == 3, done.output
        reported = json.loads(done.stdout)
        for finding in reported["findings"]:
            finding["file"] = finding["file"] and finding["file"].rpartition("backups/")[2]
        stated.append(reported)
    assert stated[0] == stated[1]
    assert len(stated[0]["findings"]) > 0
    assert s3.reads
    assert all(first >= 0 for _, first, _ in s3.reads)


def test_a_cell_reads_its_own_bytes_and_little_more(s3) -> None:
    """A task that has the last quarter of a file does not fetch the first."""
    (file,) = [each for each in discover([s3.uri("backups")]) if each.kind == "log"]
    splits = splits_of(file, file.size // 4 + 1)
    s3.reads.clear()
    passed = first_pass(splits[-1])
    assert 0 < sum(passed.counts.values()) < 2_000
    assert min(first for _, first, _ in s3.reads) == splits[-1].start
    whole = first_pass(InputSplit(file, 0, file.size))
    parts = [first_pass(split) for split in splits]
    assert sum((part.counts for part in parts), start=type(whole.counts)()) == whole.counts


def test_an_object_that_vanishes_is_a_problem_of_that_file(s3) -> None:
    """What was listed and cannot be read is a row of corruption, not the end of the run."""
    (file,) = [each for each in discover([s3.uri("backups")]) if each.kind == "log"]
    del s3.objects[LOG]
    assert [found.problem for found in batches(InputSplit(file, 0, file.size))] == [Problem.UNREADABLE]
    with pytest.raises(InputError, match="is not there"):
        discover([s3.uri("nothing/here")])


@pytest.mark.parametrize("end", ["", "/", "//"])
def test_a_slash_at_the_end_of_an_address_changes_nothing(s3, end):
    """A file's address has the slash of its directory's behind it, and reads otherwise or not at all."""
    assert {file.address for file in discover([s3.uri(f"backups{end}")]) if file.kind == "log"} == {s3.uri(LOG)}


@pytest.fixture
def hadoop(monkeypatch, tmp_path):
    """A file system in Hadoop's place whose paths look like its own: those of this machine."""
    fs = pytest.importorskip("pyarrow.fs")
    asked: list[str] = []

    def connected(address):
        asked.append(address)
        return fs.LocalFileSystem()

    monkeypatch.setattr(filesystem, "_connected", connected)
    histories.small_log(6).write(tmp_path / "cluster=a" / "node=1" / "__cluster_metadata-0")
    return asked


@pytest.mark.parametrize("host", ["name:8020", "", "{top}"])
@pytest.mark.parametrize("end", ["", "/", "//", "?user=ann", "/?user=ann", "/cluster=*", "/cluster=*?user=ann"])
def test_the_address_of_a_hadoop_file_opens_it(hadoop, tmp_path, host, end):
    """An address is taken apart in the wrong place, loses its options, or asks another connection than it names."""
    host = host.format(top=tmp_path.parts[1])
    options = "".join(end.partition("?")[1:])
    (file,) = discover([f"hdfs://{host}{tmp_path}{end}"])
    segment = tmp_path / "cluster=a" / "node=1" / "__cluster_metadata-0" / "00000000000000000000.log"
    assert file.address == f"hdfs://{host}{segment}{options}"
    with filesystem.open_file(file.address) as opened:
        assert opened.read() == segment.read_bytes()
    assert set(hadoop) == {f"hdfs://{host}/{options}"}


def test_what_is_not_there_in_hadoop_is_reported(hadoop, tmp_path):
    """A file that vanished ends the run, or a path that may not be read is called absent."""
    assert hadoop == []
    (file,) = discover([f"hdfs://name{tmp_path}"])
    next(tmp_path.rglob("*.log")).unlink()
    assert [found.problem for found in batches(InputSplit(file, 0, file.size))] == [Problem.UNREADABLE]
    with pytest.raises(InputError, match=r"^hdfs://name.*/nothing is not there"):
        discover([f"hdfs://name{tmp_path}/nothing"])


def test_a_user_before_the_host_is_refused():
    """The user is passed over, and files are read as another user."""
    with pytest.raises(InputError, match=r"names a user .* hdfs://name:8020/backups\?user=ann$"):
        discover(["hdfs://ann@name:8020/backups"])


def test_without_hadoops_client_the_way_out_is_named(tmp_path):
    """A missing library is a traceback, or two lines of dlopen's, without what to install."""
    environment = {**os.environ, "ARROW_LIBHDFS_DIR": str(tmp_path), "HADOOP_HOME": str(tmp_path), "CLASSPATH": ""}
    command = [sys.executable, "-m", "kraftpy", "audit", "hdfs://127.0.0.1:1/backups"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("error: hdfs://127.0.0.1:1/: no connection to this file system (")
    for name in ("libhdfs.so", "ARROW_LIBHDFS_DIR", "CLASSPATH", "JAVA_HOME", "every Spark worker"):
        assert name in last
