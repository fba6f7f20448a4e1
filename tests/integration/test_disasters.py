"""The procedures of ``docs/disasters.md`` and ``docs/deploy.md``, run unchanged: the documentation is the test.

Only the timers of clusters that ``quickstart`` makes are the tests' shorter ones.
"""

from __future__ import annotations

import os
import random
import re
import shlex
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.fakes.processes import QUICK_TIMERS

pytestmark = pytest.mark.landing

REPOSITORY = Path(__file__).resolve().parents[2]
DISASTERS = REPOSITORY / "docs" / "disasters.md"
DEPLOY = REPOSITORY / "docs" / "deploy.md"
DEPLOY_PORTS = 11
"""How many consecutive ports the page on deployment uses."""

LATE_STARTS = """
eval "start_now$(declare -f start | sed 1s/start//)"
late=
start() { [ -z "$late" ]; late="$1 $2" in_vain=0; }
sleep() {
  command sleep "$1"
  if [ "$late" ]; then in_vain=$((in_vain + 1)); fi
  if [ "$late" ] && [ "$in_vain" -ge 2 ]; then start_now $late; late=; fi
}
"""
"""A node is started when the page's wait has looked in vain twice: one that ends before leaves it unstarted."""

SHOW_METRICS = 'for n in 6 8 9 10; do curl -fsS -o /dev/null "http://localhost:$((first + n))/metrics"; done'
"""Every node of the page on deployment has a listener for metrics."""

SECOND_SHELL = "bash -x second.sh"
"""Started by the first shell, whose children the nodes are: to the second one they are no children."""

LIMIT_S = 100
BLOCK = re.compile(r"^```bash\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def chapters() -> dict[str, list[str]]:
    """Heading -> its blocks; what precedes the first heading belongs to every chapter."""
    parts = re.split(r"^## (.+)$", DISASTERS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    shared = BLOCK.findall(parts[0])
    found = {heading: BLOCK.findall(text) for heading, text in zip(parts[1::2], parts[2::2], strict=True)}
    return {heading: [*shared, *blocks] for heading, blocks in found.items() if blocks}


@pytest.mark.slow
@pytest.mark.parametrize("heading", chapters())
def test_the_procedure_works(tmp_path, heading):
    """Every command of the chapter ends with 0, in order."""
    run(heading, chapters()[heading], tmp_path)


@pytest.mark.slow
def test_the_examples_of_deploy_make_a_cluster_that_restarts_node_by_node(tmp_path):
    """The files of ``deploy/config`` with other ports and directories; the page is one procedure from top to end.

    Its restarts are typed in a second terminal, as its first block allows. Their wait for a restarted node is one: what
    the leader knew before the restart is not taken for the return.
    """
    shared, first_start, restarts = BLOCK.findall(DEPLOY.read_text(encoding="utf-8"))
    settings = {"DEPLOY": str(REPOSITORY / "deploy"), "FIRST_PORT": str(ports_in_a_row(DEPLOY_PORTS))}
    second = script_of([shared, LATE_STARTS, restarts, '[ -z "$late" ]\n'])
    blocks = [shared, first_start, SHOW_METRICS, SECOND_SHELL]
    run("deploy.md", blocks, tmp_path, settings, {"second.sh": second})


def ports_in_a_row(count: int) -> int:
    """Find the first of ``count`` consecutive free ports, below those of outgoing connections."""
    for first in random.sample(range(20_000, 32_000, count), 1_000):
        with ExitStack() as held:
            try:
                for port in range(first, first + count):
                    held.enter_context(socket.create_server(("localhost", port)))
            except OSError:
                continue
        return first
    raise AssertionError(f"no {count} free ports in a row")


def script_of(blocks: list[str]) -> str:
    """Return blocks as one script, which ends at the first command that fails."""
    return "set -euo pipefail\n" + "\n".join(blocks)


def run(
    heading: str,
    blocks: list[str],
    tmp_path: Path,
    settings: dict[str, str] | None = None,
    files: dict[str, str] | None = None,
) -> None:
    """Run some blocks as one script in a directory that is empty but for ``files``, and leave no process behind."""
    programs = tmp_path / "bin"
    programs.mkdir()
    python = shlex.quote(sys.executable)
    timers = shlex.join(part for key, value in QUICK_TIMERS.items() for part in ("--property", f"{key}={value}"))
    quickstart = f'[ "$1" != quickstart ] || exec {python} -m kraftpy "$@" {timers}'
    for name, script in (
        ("python", f'exec {python} "$@"'),
        ("kraftpy", f'{quickstart}\nexec {python} -m kraftpy "$@"'),
    ):
        program = programs / name
        program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        program.chmod(0o755)
    place = tmp_path / "work"
    place.mkdir()
    for name, text in (files or {}).items():
        (place / name).write_text(text, encoding="utf-8")
    environment = os.environ | (settings or {}) | {"PATH": f"{programs}:{os.environ['PATH']}"}
    process = subprocess.Popen(
        ["bash", "-x", "-c", script_of(blocks)], cwd=place, env=environment, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        stated, _ = process.communicate(timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        stated, _ = process.communicate()
        raise AssertionError(f"{heading}: not done after {LIMIT_S} s\n{stated}{_logs(place)}") from None
    finally:
        _end_group(process.pid)
        _end_nodes(place)
    assert process.returncode == 0, f"{heading}: code {process.returncode}\n{stated}{_logs(place)}"


def _end_group(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def _end_nodes(place: Path) -> None:
    """Kill what a chapter left behind: quickstart gives its nodes sessions of their own."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            arguments = (entry / "cmdline").read_bytes()
            if str(place).encode() in arguments or (b"kraftpy" in arguments and (entry / "cwd").readlink() == place):
                os.kill(int(entry.name), signal.SIGKILL)
        except OSError:
            continue


def _logs(place: Path) -> str:
    return "".join(f"\n--- {path.name}\n{path.read_text()[-2000:]}" for path in sorted(place.glob("node-*.log")))
