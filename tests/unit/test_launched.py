"""The launcher that forks the nodes of the tests: what is started ends with it, however it ends."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.fakes.launched import ROOT, launch, launch_now, run

PATIENCE_S = 40.0
SLEEPER = "import time\ntime.sleep(3600)\n"
STARTS = 24


def test_output_errors_and_exit_codes_are_those_of_the_command():
    shown = run(["--version"], PATIENCE_S)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.startswith("kraftpy, version ")
    refused = run(["no-such-command"], PATIENCE_S)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "no-such-command" in refused.stderr


def test_a_test_changes_the_environment_of_what_it_starts(monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "61")
    narrow = run(["broker", "--help"], PATIENCE_S).stdout
    monkeypatch.setenv("COLUMNS", "100")
    wide = run(["broker", "--help"], PATIENCE_S).stdout
    assert max(map(len, narrow.splitlines())) < max(map(len, wide.splitlines()))


def test_several_threads_start_processes_side_by_side():
    """No two get the same key, so each gets the end of its own process."""
    with ThreadPoolExecutor(8) as pool:
        codes = list(
            pool.map(lambda word: run([word], PATIENCE_S).returncode, ["--version", "nonsense"] * (STARTS // 2))
        )
    assert codes == [0, 2] * (STARTS // 2)


def test_a_log_that_cannot_be_opened_fails_its_own_process_alone(tmp_path):
    with pytest.raises(RuntimeError, match="No such file or directory"):
        launch_now(tmp_path / "missing" / "node.log", ["--version"])
    assert run(["--version"], PATIENCE_S).returncode == 0


def test_a_signal_ends_a_process_and_a_later_one_hits_nothing(tmp_path):
    script = tmp_path / "sleeper.py"
    script.write_text(SLEEPER)
    process = asyncio.run(launch("script", tmp_path / "log", [str(script)]))
    assert process.returncode is None
    process.send_signal(signal.SIGKILL)
    assert process.ended.result(PATIENCE_S) == -signal.SIGKILL
    # The launcher knows no child of that key any more.
    process.send_signal(signal.SIGKILL)
    assert run(["--version"], PATIENCE_S).returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux kills children whose parent was killed")
@pytest.mark.parametrize("end", ["its input ends", "SIGTERM", "SIGKILL"])
def test_no_child_outlives_its_launcher(end, tmp_path):
    script = tmp_path / "sleeper.py"
    script.write_text(SLEEPER)
    launcher = subprocess.Popen(
        [sys.executable, "-u", "-m", "tests.fakes.launcher"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(ROOT)]))},
    )
    assert launcher.stdin is not None
    assert launcher.stdout is not None
    launcher.stdin.write(f"script\tkey\t{tmp_path / 'log'}\t{script}\n")
    launcher.stdin.flush()
    what, key, pid = launcher.stdout.readline().split("\t")
    assert (what, key) == ("started", "key")
    if end != "its input ends":
        launcher.send_signal(signal.Signals[end])
        launcher.wait(PATIENCE_S)
    launcher.stdin.close()
    launcher.wait(PATIENCE_S)
    launcher.stdout.close()
    deadline = time.monotonic() + PATIENCE_S
    while is_running(int(pid)):
        assert time.monotonic() < deadline, f"process {pid} outlives its launcher"
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    """Return whether a process runs; one that only waits for its parent to ask does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"
