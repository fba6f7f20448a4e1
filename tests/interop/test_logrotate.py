"""The rules of ``deploy/logrotate``, by logrotate itself."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from tests.interop.conftest import lacking

RULES = Path(__file__).resolve().parents[2] / "deploy" / "logrotate" / "kraftpy"
LOGS = "/var/log/kraftpy"


def program() -> str:
    """Return the path of logrotate; without it a test is skipped, or fails where Kafka is required."""
    found = shutil.which("logrotate", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin")
    if found is None:
        lacking("logrotate", FileNotFoundError("neither on the PATH nor in /usr/sbin (Debian's package has this name)"))
    return found


def test_the_file_of_a_node_is_emptied(tmp_path: Path) -> None:
    """What was written is in another file, and the node writes on."""
    logrotate = program()
    rules = tmp_path / "rules"
    rules.write_text(RULES.read_text(encoding="utf-8").replace(LOGS, str(tmp_path)), encoding="utf-8")
    rules.chmod(0o644)
    log = tmp_path / "controller.log"
    with log.open("a", encoding="utf-8") as node:
        print("before", file=node, flush=True)
        for how in (["-d"], ["-f", "-s", str(tmp_path / "state")]):
            assert log.read_text(encoding="utf-8") == "before\n"
            done = subprocess.run([logrotate, *how, str(rules)], capture_output=True, text=True, check=False)
            assert (done.returncode, "error" in done.stderr) == (0, False), done.stderr
        print("after", file=node, flush=True)
    assert log.read_text(encoding="utf-8") == "after\n"
    assert (tmp_path / "controller.log.1").read_text(encoding="utf-8") == "before\n"
