"""The procedures of ``docs/disasters.md``, run as they stand there: the documentation is the test."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "disasters.md"
LIMIT_S = 100
BLOCK = re.compile(r"^```bash\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def chapters() -> dict[str, list[str]]:
    """Heading -> its blocks; what stands before the first heading belongs to every chapter."""
    parts = re.split(r"^## (.+)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    shared = BLOCK.findall(parts[0])
    found = {heading: BLOCK.findall(text) for heading, text in zip(parts[1::2], parts[2::2], strict=True)}
    return {heading: [*shared, *blocks] for heading, blocks in found.items() if blocks}


@pytest.mark.slow
@pytest.mark.parametrize("heading", chapters())
def test_the_procedure_works(tmp_path, heading):
    """Every command of the chapter ends with 0, in order."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, words in (("python", ""), ("kraftpy", "-m kraftpy")):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {words} "$@"\n', encoding="utf-8")
        program.chmod(0o755)
    place = tmp_path / "work"
    place.mkdir()
    script = "set -euo pipefail\n" + "\n".join(chapters()[heading])
    environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"}
    process = subprocess.Popen(
        ["bash", "-x", "-c", script], cwd=place, env=environment, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        said, _ = process.communicate(timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        said, _ = process.communicate()
        raise AssertionError(f"{heading}: not done after {LIMIT_S} s\n{said}{_logs(place)}") from None
    finally:
        _end_group(process.pid)
        _end_nodes(place)
    assert process.returncode == 0, f"{heading}: code {process.returncode}\n{said}{_logs(place)}"


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
