"""A real Prometheus: the one on the PATH, or that of Debian's package, unpacked into the cache and not installed.

``python -m tests.interop.prometheus`` fetches it and prints where it is. apt downloads a package without being root; on
a machine that has no lists of packages it gets lists of its own, for this once.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.interop.jars import cache_directory

PACKAGE = "prometheus"
FETCH_TIMEOUT_S = 300


class NoPrometheusError(Exception):
    """A real Prometheus cannot be had on this machine; the text is the reason."""


@dataclass(frozen=True, slots=True)
class Prometheus:
    """The server, and the tool that checks its files."""

    server: Path
    tool: Path


def fetch() -> Prometheus:
    """Return the programs, fetching them if there are none.

    Raises:
        NoPrometheusError: they are nowhere, and apt cannot download them; it says why.
    """
    found = shutil.which("prometheus"), shutil.which("promtool")
    if found[0] and found[1]:
        return Prometheus(Path(found[0]), Path(found[1]))
    directory = cache_directory() / PACKAGE
    if not directory.is_dir():
        unpack(directory)
    return Prometheus(directory / "prometheus", directory / "promtool")


def unpack(directory: Path) -> None:
    """Download the package and move its programs into a directory, which appears with both of them or not at all."""
    for program in ("apt-get", "dpkg-deb"):
        if shutil.which(program) is None:
            raise NoPrometheusError(f"no prometheus and promtool on the PATH, and no {program} to fetch them with")
    directory.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=directory.parent) as name:
        scratch = Path(name)
        try:
            call(["apt-get", "download", PACKAGE], scratch)
        except NoPrometheusError:
            own = lists_in(scratch / "apt")
            call(["apt-get", *own, "update"], scratch)
            call(["apt-get", *own, "download", PACKAGE], scratch)
        (package,) = scratch.glob(f"{PACKAGE}_*.deb")
        call(["dpkg-deb", "-x", package.name, "files"], scratch)
        programs = scratch / "programs"
        programs.mkdir()
        for program in ("prometheus", "promtool"):
            (scratch / "files" / "usr" / "bin" / program).rename(programs / program)
        programs.rename(directory)


def lists_in(directory: Path) -> list[str]:
    """Return the options with which apt keeps lists of packages of its own."""
    for one in ("lists/partial", "cache/archives/partial"):
        (directory / one).mkdir(parents=True)
    return ["-o", f"Dir::State::Lists={directory / 'lists'}", "-o", f"Dir::Cache={directory / 'cache'}"]


def call(command: list[str], directory: Path) -> None:
    """Run a program in a directory."""
    try:
        done = subprocess.run(
            command,
            cwd=directory,
            capture_output=True,
            text=True,
            check=False,
            timeout=FETCH_TIMEOUT_S,
            env=os.environ | {"LC_ALL": "C"},
        )
    except subprocess.TimeoutExpired as error:
        raise NoPrometheusError(f"{' '.join(command)} did not end within {FETCH_TIMEOUT_S} s") from error
    if done.returncode != 0:
        raise NoPrometheusError(f"{' '.join(command)}: {done.stderr.strip()[-300:]}")


if __name__ == "__main__":
    try:
        print(fetch().server)
    except NoPrometheusError as error:
        sys.exit(str(error))
