"""Spark on a master of its own: other processes, which get kraftpy's code with the job and no more.

A campaign (``pytest tests/spark/test_master.py -m campaign``), because four JVMs start for it.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from kraftpy.audit.compaction.run import compact
from kraftpy.audit.engines.local import LocalEngine
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.replay import REPLAY
from kraftpy.audit.spark import JavaMissingError
from tests.audit.fleet import HEALTHY, write_fleet
from tests.audit.mutations import MUTATIONS
from tests.fakes.processes import PATIENCE_S, kraftpy
from tests.spark.masters import standalone_master

BROKEN = ("batch-checksum", "isr-not-replica", "log-diverges", "rack-spread", "secret-in-clear", "topic-id-reused")
FOUND = 3
WHOLE_RUN_S = 25 * PATIENCE_S
ASK = """
import json, sys
from pathlib import Path
from kraftpy.audit.compaction.run import compact
from kraftpy.audit.spark import session
master, fleet, home, out = sys.argv[1:]
spark = session(master)
records = spark.read.format("kraft").option("splitBytes", "4000").load(fleet)
counted = records.groupBy("cluster", "node").count().collect()
done = compact([home], Path(out), engine="spark", master=master)
print(json.dumps([sorted(list(row) for row in counted), str(done.path)]))
"""
pytestmark = [pytest.mark.campaign, pytest.mark.timeout(3600)]


@pytest.fixture(scope="module")
def fleet(tmp_path_factory):
    """A healthy cluster and some that are broken."""
    root = tmp_path_factory.mktemp("fleet")
    _, vanish = write_fleet(root, [mutation for mutation in MUTATIONS if mutation.rule in BROKEN])
    vanish()
    return root


@pytest.fixture(scope="module")
def master(tmp_path_factory):
    """The URL of a master, and the directory of its worker."""
    directory = tmp_path_factory.mktemp("master")
    try:
        with standalone_master(directory) as url:
            yield url, directory
    except JavaMissingError as error:
        pytest.skip(str(error))


def test_a_master_finds_what_one_process_finds(fleet, master):
    """A fleet has other findings, states or growth on a master, or none within minutes; workers lack our code."""
    url, directory = master
    here = kraftpy("audit", fleet, "--engine", "local", "-o", "json")
    there = kraftpy("audit", fleet, "--master", url, "-o", "json", timeout_s=WHOLE_RUN_S)
    assert (here.returncode, there.returncode) == (FOUND, FOUND), there.stderr
    expected, found = json.loads(here.stdout), json.loads(there.stdout)
    assert (expected.pop("engine"), found.pop("engine")) == ("local", "spark")
    assert set(BROKEN) <= {finding["rule"] for finding in expected["findings"]}
    assert found == expected
    (shipped,) = directory.glob("work/*/*/kraftpy.zip")
    assert "kraftpy/audit/engines/spark.py" in zipfile.ZipFile(shipped).namelist()


def test_a_master_runs_the_data_source_and_compacts(fleet, master, tmp_path):
    """A table has other rows, or a snapshot other bytes, where the workers are other processes."""
    home = fleet / f"cluster={HEALTHY}" / "node=1"
    done = subprocess.run(
        [sys.executable, "-c", ASK, master[0], str(fleet), str(home), str(tmp_path / "there")],
        capture_output=True, text=True, check=False, timeout=WHOLE_RUN_S,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    counted, path = json.loads(done.stdout)
    local = LocalEngine(REPLAY)
    local.load([str(fleet)], AsOf())
    rows = local.sql("SELECT cluster, node, COUNT(*) AS n FROM records GROUP BY ALL").to_pylist()
    local.close()
    assert counted == sorted([row["cluster"], row["node"], row["n"]] for row in rows)
    compacted = compact([str(home)], tmp_path / "here", engine="local")
    assert compacted.path.read_bytes() == Path(path).read_bytes()


def test_a_worker_without_a_python_is_one_line(fleet, master, monkeypatch):
    """What a worker lacks is two hundred lines of tracebacks, Python's and Java's."""
    monkeypatch.setenv("PYSPARK_PYTHON", "/nowhere/python")
    done = kraftpy("audit", fleet, "--master", master[0], timeout_s=WHOLE_RUN_S)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr, done.stderr[-6000:]
    assert re.search(r"error: Spark's job failed on 127\.0\.0\.1: .*/nowhere/python.*docs/spark.md", done.stderr)


def test_a_master_that_does_not_answer_is_one_line(fleet):
    """A wrong address ends in a traceback of Spark's."""
    done = kraftpy("audit", fleet, "--master", "spark://127.0.0.1:1", timeout_s=WHOLE_RUN_S)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr, done.stderr[-6000:]
    assert "error: spark://127.0.0.1:1: Spark does not start on this master (" in done.stderr
