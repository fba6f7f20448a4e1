"""CPU time and memory of processes, from /proc."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

TICKS_PER_S = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
MEBIBYTE = 1024 * 1024
LOOK_S = 0.5


def cpu_s(pid: int) -> float:
    """Return user plus system seconds of a process and all its threads; 0 when it is gone."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    # The command's name may hold spaces and brackets; everything after the last one is fields.
    fields = stat.rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_S


def rss_mb(pid: int) -> float:
    """Return the resident memory of a process in MiB; 0 when it is gone."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1]) * PAGE_BYTES / MEBIBYTE
    except (FileNotFoundError, ProcessLookupError):
        return 0.0


@dataclass(frozen=True, slots=True)
class Usage:
    """What one process used while it was watched."""

    cpu_percent: float
    rss_mb: float

    def as_json(self) -> dict[str, float]:
        """Return it as a plain object."""
        return asdict(self)


class TreeClock:
    """Counts user plus system seconds of a process and all below it, those that ended meanwhile included.

    Who ends is forgotten by /proc, and Spark's workers come and go: so everybody is looked at again and again.
    """

    def __init__(self, root: int) -> None:
        self._root = root
        self._seen: dict[tuple[int, str], float] = {}
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def __call__(self) -> float:
        """Return the seconds so far; they never go back."""
        self._look()
        with self._lock:
            return sum(self._seen.values())

    def stop(self) -> float:
        """End, and return the seconds that were seen; what a process used after the last look is missing."""
        self._stopped.set()
        with self._lock:
            return sum(self._seen.values())

    def _watch(self) -> None:
        self._look()
        while not self._stopped.wait(LOOK_S):
            self._look()

    def _look(self) -> None:
        fields_of: dict[int, list[str]] = {}
        for path in Path("/proc").iterdir():
            if path.name.isdecimal():
                try:
                    stat = (path / "stat").read_text(encoding="utf-8")
                except (FileNotFoundError, ProcessLookupError):
                    continue
                fields_of[int(path.name)] = stat.rpartition(")")[2].split()
        below, found = {self._root}, 0
        while found < len(below):
            found = len(below)
            below |= {pid for pid, fields in fields_of.items() if int(fields[1]) in below}
        with self._lock:
            for pid in below & fields_of.keys():
                fields = fields_of[pid]
                # The start time distinguishes a process from a later one of the same number.
                key = (pid, fields[19])
                now = (int(fields[11]) + int(fields[12])) / TICKS_PER_S
                self._seen[key] = max(now, self._seen.get(key, 0.0))


class Meter:
    """Watches some processes from :meth:`start` to :meth:`stop`."""

    def __init__(self, pids: Mapping[str, int]) -> None:
        self._pids = dict(pids)
        self._before: dict[str, float] = {}
        self._since = 0.0

    def start(self) -> None:
        """Note what was used before."""
        self._since = time.monotonic()
        self._before = {name: cpu_s(pid) for name, pid in self._pids.items()}

    def stop(self) -> dict[str, Usage]:
        """Return what each process used since then, and its memory now."""
        elapsed = max(time.monotonic() - self._since, 1e-9)
        return {
            name: Usage(100 * (cpu_s(pid) - self._before.get(name, 0.0)) / elapsed, rss_mb(pid))
            for name, pid in self._pids.items()
        }
