"""What `kraftpy audit` finds in the metadata logs that a run has left: nothing but what the run does on purpose.

Copies are audited, made while the cluster is whole: its end, node by node, leaves partitions without leaders.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from kraftpy.model.ids import METADATA_PARTITION, METADATA_TOPIC

LOG: Final = f"{METADATA_TOPIC}-{METADATA_PARTITION}"
TIMEOUT_S: Final = 600
FINDINGS: Final = 3
"""The exit code with which the command says that it found something."""

ON_PURPOSE: Final = {"min-isr-impossible": "topic alone has 1 replicas"}
"""By rule: how the message of a finding begins that is expected. The topic of a single replica is a fault's."""


def audited(directories: Iterable[Path], copies: Path) -> list[str]:
    """Audit the metadata log below each directory; return the errors and warnings that are not expected.

    Args:
        directories: one of each node.
        copies: where to copy the logs, which must not exist.
    """
    for directory in directories:
        for log in directory.rglob(LOG):
            shutil.copytree(
                log, copies / directory.name / LOG, ignore=shutil.ignore_patterns("*.tmp", "*.part", "*.deleted")
            )
            shutil.copy(log.parent / "meta.properties", copies / directory.name)
    command = [sys.executable, "-m", "kraftpy", "audit", str(copies), "--engine", "local", "--output", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT_S)
    assert done.returncode in (0, FINDINGS), done.stderr
    found = json.loads(done.stdout)
    assert found["states"], f"no state was audited: {done.stderr}"
    shutil.rmtree(copies)
    return unexpected(found["findings"])


def unexpected(findings: Iterable[dict[str, str]]) -> list[str]:
    """Return the findings that no run makes on purpose; hints (info) are none."""
    return [
        f"audit: {one['rule']}: {one['message']}"
        for one in findings
        if one["severity"] != "info" and not one["message"].startswith(ON_PURPOSE.get(one["rule"], "\0"))
    ]
