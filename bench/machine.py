"""What the figures were measured on: machine, software, commit."""

from __future__ import annotations

import os
import platform
import subprocess
import time
from importlib import metadata
from pathlib import Path
from typing import Any

import kraftpy
from kraftpy.storage.disk_probe import measure_syncs
from kraftpy.storage.filesystem import RealFileSystem

CHECKOUT = Path(__file__).resolve().parent.parent
VIRTUAL_FILESYSTEMS = frozenset({"tmpfs", "ramfs", "overlay"})
PACKAGES = ("grpcio", "protobuf", "crc32c")
SYNCS = 1_000
"""How many fsyncs of 4 KiB are measured before a command measures anything else, for at most ``SYNCS_MS`` (ms)."""
SYNCS_MS = 3_000


def describe(directory: Path) -> dict[str, Any]:
    """Describe the machine, the software, and the file system that ``directory`` is on."""
    return {
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "cpu": _cpu_model(),
        "cpus": os.cpu_count(),
        "memory_mb": _memory_mb(),
        "kernel": platform.release(),
        "system": _system(),
        "filesystem": filesystem_of(directory),
        "fsync": fsync_profile(directory),
        "load_before": os.getloadavg(),
        "python": platform.python_version(),
        "kraftpy": kraftpy.__version__,
        "packages": {name: _installed(name) for name in PACKAGES},
        "commit": commit(),
    }


def fsync_profile(directory: Path) -> dict[str, float]:
    """Measure how long the disk of a directory takes for an fsync of 4 KiB (ms), as ``kraftpy storage probe`` does."""
    times = measure_syncs(RealFileSystem(), str(directory), time.perf_counter, syncs_max=SYNCS, time_ms_max=SYNCS_MS)
    return {"count": times.count, "p50_ms": times.p50_ms, "p99_ms": times.p99_ms, "max_ms": times.max_ms}


def commit() -> str:
    """Return the checkout's commit, marked when files differ from it."""
    head = _git("rev-parse", "--short=12", "HEAD") or "unknown"
    return head + ("+changes" if _git("status", "--porcelain", "--untracked-files=no") else "")


def filesystem_of(directory: Path) -> str:
    """Return the kind of file system that a directory is on, such as ``ext4``."""
    best, kind = "", "unknown"
    for line in Path("/proc/mounts").read_text(encoding="utf-8").splitlines():
        _, point, kind_here, *_ = line.split()
        if directory.resolve().is_relative_to(point) and len(point) >= len(best):
            best, kind = point, kind_here
    return kind


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=CHECKOUT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def _cpu_model() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _memory_mb() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // (1024 * 1024)


def _system() -> str:
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    except OSError:
        return platform.system()


def _installed(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
