"""A real HDFS is audited: through pyarrow and Hadoop's own client, in one process and in Spark, by ranges."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.audit.fleet import write_fleet
from tests.audit.mutations import MUTATIONS
from tests.interop.conftest import SWITCH
from tests.interop.hadoop import CLIENT_JARS, LIBRARY, MiniHdfs, fetch, library_directory
from tests.interop.jars import NoKafkaError
from tests.interop.processes import eventually
from tests.unit.audit import histories

BROKEN = ("batch-checksum", "isr-not-replica", "log-diverges", "secret-in-clear")
FOUND = 3
TIMEOUT_S = 600
LAST_EIGHTH = """
import sys
from kraftpy.audit.reading.discovery import discover
from kraftpy.audit.reading.first_pass import first_pass
from kraftpy.audit.reading.splits import splits_of
(file,) = [file for file in discover(sys.argv[1:]) if file.has_batches]
cell = splits_of(file, file.size // 8 + 1)[-1]
print(sum(first_pass(cell).counts.values()))
"""
TABLE = """
import sys
from kraftpy.audit.spark import session
spark = session("local[2]")
records = spark.read.format("kraft").options(splitBytes=1 << 19, partitionBytes=1).load(sys.argv[1])
print(records.rdd.getNumPartitions(), *records.selectExpr("count(*)", "count(DISTINCT offset)").collect()[0])
spark.stop()
"""
pytestmark = pytest.mark.timeout(1200)


@pytest.fixture(scope="module")
def hdfs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MiniHdfs]:
    if not os.environ.get(SWITCH):
        pytest.skip("real HDFS: these tests take minutes and run through `make interop`")
    if library_directory() is None:
        pytest.skip(
            f"real HDFS: no {LIBRARY} in ARROW_LIBHDFS_DIR or HADOOP_HOME/lib/native: Hadoop's distribution has it"
        )
    try:
        jars = fetch()
    except NoKafkaError as error:
        pytest.skip(f"real HDFS: {error}")
    with MiniHdfs(jars, tmp_path_factory.mktemp("hdfs")) as hdfs:
        yield hdfs


def environment() -> Mapping[str, str]:
    return {**os.environ, "ARROW_LIBHDFS_DIR": str(library_directory()), "CLASSPATH": str(CLIENT_JARS)}


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        env=environment(), capture_output=True, text=True, check=False, timeout=TIMEOUT_S,
    )  # fmt: skip


def audit(*words: str) -> subprocess.CompletedProcess[str]:
    return run("-m", "kraftpy", "audit", *words, "-o", "json")


def test_a_tree_in_hdfs_is_audited_like_a_directory(hdfs: MiniHdfs, tmp_path: Path) -> None:
    """Files are closed with their connection, a task lacks it, or a finding names a file that cannot be opened."""
    fleet = tmp_path / "backups"
    _, vanish = write_fleet(fleet, [mutation for mutation in MUTATIONS if mutation.rule in BROKEN])
    vanish()
    hdfs.ask(f"put {fleet} /backups")
    here = audit(str(fleet))
    assert here.returncode == FOUND, here.stderr
    expected = json.loads(here.stdout)
    assert set(BROKEN) <= {finding["rule"] for finding in expected["findings"]}
    for words in (("--engine", "local"), ("--master", "local[1]"), ("--master", "local[2]")):
        done = audit(f"{hdfs.uri}/backups", *words)
        assert done.returncode == FOUND, done.stderr
        found = json.loads(done.stdout.replace(f"{hdfs.uri}/backups", str(fleet)))
        assert {**found, "engine": ""} == {**expected, "engine": ""}


def test_tasks_read_their_own_part_of_a_file(hdfs: MiniHdfs, tmp_path: Path) -> None:
    """A task that has the last eighth of a file fetches the first, too, or tasks miss or repeat records."""
    log = histories.small_log(topics=4_000)
    path = log.write(tmp_path / "__cluster_metadata-0")
    assert len(log.data) > 1 << 20
    hdfs.ask(f"put {path} /large/__cluster_metadata-0/{path.name}")
    before = hdfs.ask("read")
    done = run("-c", LAST_EIGHTH, f"{hdfs.uri}/large")
    assert done.returncode == 0, done.stderr
    assert 0 < int(done.stdout) < log.offset // 6
    read = eventually("a count of what was read", lambda: hdfs.ask("read") - before)
    assert read <= len(log.data) // 2
    done = run("-c", TABLE, f"{hdfs.uri}/large")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(len(log.data) // (1 << 19) + 1), str(log.offset), str(log.offset)]


def test_what_cannot_be_read_is_reported(hdfs: MiniHdfs, tmp_path: Path) -> None:
    """What may not be read, or does not answer, is called absent, which is where an empty backup looks fine."""
    path = histories.small_log().write(tmp_path / "__cluster_metadata-0")
    hdfs.ask(f"put {path} /closed/__cluster_metadata-0/{path.name}")
    hdfs.ask("close /closed")
    for where, text in (
        (f"{hdfs.uri}/closed?user=somebody", "cannot be listed: HDFS list directory failed. Detail: [errno 13]"),
        (f"{hdfs.uri}/closed/__cluster_metadata-0?user=somebody", "[errno 13] Permission denied"),
        (f"{hdfs.uri}/nothing", "/nothing is not there"),
        ("hdfs://127.0.0.1:1/backups", "the file system does not answer"),
    ):
        done = audit(where)
        assert done.returncode == 1
        assert text in done.stderr.splitlines()[-1]
