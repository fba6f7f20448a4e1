"""What an idle cluster costs, on a cluster whose growth is scripted; and the bytecode that its nodes start from."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from bench import load
from bench.cluster import KraftPy
from bench.load import DAY_S, IDLE_SAMPLES, measure_load


class Idle:
    """Appends one entry of ``entry_bytes`` whenever its log is looked at."""

    name = "idle"

    def __init__(self, entry_bytes):
        self.entry_bytes = entry_bytes
        self.entries = 0

    @property
    def pids(self):
        return {"one": os.getpid()}

    async def leader(self):
        return "one"

    async def positions(self):
        return {"one": self.entries}

    def log_bytes(self, name):
        self.entries += 1
        return self.entries * self.entry_bytes


@pytest.fixture
def hurried(monkeypatch):
    monkeypatch.setattr(load, "SETTLE_S", 0.0)


async def test_what_an_idle_log_grows_by_is_reported_for_a_day(hurried):
    """Bytes and entries of the window are scaled to a day; memory and log are in the results as they grew."""
    (row,) = await measure_load(Idle(500), 1, 0, 100, 0.3, lambda _: None)
    assert row.work == "idle for 0.3 s"
    per_day = IDLE_SAMPLES * DAY_S / 0.3
    assert 0.7 * per_day < row.figures["log entries a day"] <= 1.05 * per_day
    assert row.figures["log KB a day"] == pytest.approx(row.figures["log entries a day"] * 0.5, rel=0.05)
    assert row.samples["log bytes"] == [500.0 * number for number in range(1, IDLE_SAMPLES + 2)]
    assert len(row.samples["largest RSS MB"]) == IDLE_SAMPLES + 1
    assert row.figures["RSS MB"] > 10


async def test_a_log_of_unknown_size_is_not_reported_as_idle(hurried):
    """A peer that reports no size has no figure, and a note with the reason."""
    (row,) = await measure_load(Idle(0), 1, 0, 100, 0.1, lambda _: None)
    assert "log KB a day" not in row.figures
    assert row.notes == ["its log's size is unknown"]


@pytest.mark.parametrize("build", ["plain", "compiled"])
def test_the_nodes_keep_their_bytecode(build, tmp_path, monkeypatch):
    """A node's second start reads what the first one compiled, also where Python is configured to keep nothing."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    environment = {**os.environ, **KraftPy(build)._environment}
    subprocess.run([sys.executable, "-c", "import json.tool"], env=environment, check=True)
    assert list(tmp_path.rglob("tool.*.pyc"))
