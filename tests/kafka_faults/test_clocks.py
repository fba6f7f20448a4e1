"""The wall clock of one process can be set while it runs, and nothing else of its time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kafka_faults.clocks import Clocks, library

DAY_S = 86_400
ASKED = """
import sys, threading, time
for _ in sys.stdin:
    began = time.monotonic()
    threading.Event().wait(0.01)
    print(time.time(), time.monotonic() - began, time.clock_gettime(time.CLOCK_BOOTTIME), flush=True)
"""


@pytest.mark.skipif(library() is None, reason="there is no libfaketime")
def test_a_clock_that_is_set_moves_the_wall_clock_alone(tmp_path: Path) -> None:
    clocks = Clocks(tmp_path, (1, 2))
    environment = os.environ | clocks.environment(1) | {"FAKETIME_NO_CACHE": "1"}
    with subprocess.Popen(
        [sys.executable, "-c", ASKED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        to, answers = process.stdin, process.stdout
        assert to is not None
        assert answers is not None

        def ask() -> tuple[float, float, float]:
            to.write("\n")
            to.flush()
            wall, waited, since_boot = (float(word) for word in answers.readline().split())
            return wall, waited, since_boot

        first, _, booted = ask()
        for ahead_s in (DAY_S, -DAY_S, 0):
            clocks.set(1, ahead_s)
            clocks.set(2, 5 * DAY_S)
            wall, waited, since_boot = ask()
            assert abs(wall - first - ahead_s) < DAY_S / 2
            assert 0 <= waited < DAY_S / 2
            assert 0 <= since_boot - booted < DAY_S / 2
        to.close()


def test_where_there_is_no_library_nothing_is_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.kafka_faults.clocks.library", lambda: None)
    clocks = Clocks(tmp_path / "clocks", (1,))
    clocks.set_right()
    assert "libfaketime" in clocks.why_not
    assert clocks.environment(1) == {}
    assert not (tmp_path / "clocks").exists()
