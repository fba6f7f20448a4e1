"""The load tool in Go: etcd's client, and any gRPC service's; built when it is first needed."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.peers.ensemble import build, cache_directory, is_newer
from bench.work import SkippedError

SOURCE = Path(__file__).parent / "etcdload"


def go_tool() -> Path:
    """Build it, if its sources are newer; return where it is.

    Raises:
        SkippedError: there is no compiler, or it fails.
    """
    tool = cache_directory("etcdload") / "etcdload"
    if not is_newer(tool, [*SOURCE.glob("*.go"), SOURCE / "go.mod"]):
        go = shutil.which("go")
        if go is None:
            raise SkippedError("no Go compiler on the PATH to build the load tool with")
        build([go, "build", "-o", str(tool), "."], SOURCE, "the load tool in Go")
    return tool


def go_command(tool: Path, arguments: Mapping[str, str]) -> Sequence[str]:
    """Return its command line."""
    return (str(tool), *(f"--{key}={value}" for key, value in arguments.items()))
