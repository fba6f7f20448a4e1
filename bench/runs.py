"""Runs: the systems in turn, A B, B A, A B, each run on a fresh cluster in a directory of its own.

Every other run goes backwards, so that no system is always the one that comes first, or the one that comes later on a
machine that slows down.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bench.heat_map import HeatMap
from bench.machine import VIRTUAL_FILESYSTEMS, filesystem_of
from bench.work import SkippedError, System
from kraftpy.model.errors import KraftError

PrintProgress = Callable[[str], None]


@dataclass(slots=True, kw_only=True)
class Row:
    """What one run of one system gave for one piece of work.

    Attributes:
        figures: name -> number, the same names in every run.
        samples: name -> raw values.
        usage: process -> what it used.
        notes: what a reader must know, such as errors.
        heat_map: of background writes around kills, where it was asked for.
    """

    system: str
    run: int
    work: str
    form: str = ""
    figures: dict[str, float] = field(default_factory=dict)
    samples: dict[str, list[float]] = field(default_factory=dict)
    usage: dict[str, dict[str, float]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    heat_map: HeatMap | None = None

    def as_json(self) -> dict[str, Any]:
        """Return it as a plain object, without its heat map: those of all runs are laid over one another."""
        found = asdict(self)
        del found["heat_map"]
        return found


@dataclass(slots=True)
class Results:
    """Everything that a command measured.

    Attributes:
        versions: system -> what it is.
        skipped: system -> why it was not measured.
        compared: system -> those by whose figures its own are divided.
        peers: those of them that are other systems; the best of them is shown, too.
    """

    rows: list[Row] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    compared: dict[str, tuple[str, ...]] = field(default_factory=dict)
    peers: tuple[str, ...] = ()


Body = Callable[[System, int], Awaitable[Iterable[Row]]]
"""Measure one system in one run."""


async def measure(
    systems: Sequence[System], runs: int, base: Path, body: Body, print_progress: PrintProgress
) -> Results:
    """Measure every system in every run; who cannot be had is left out, by name and reason."""
    results = Results()
    there: list[System] = []
    for system in systems:
        try:
            results.versions[system.name] = system.version()
            there.append(system)
        except SkippedError as error:
            results.skipped[system.name] = str(error)
            print_progress(f"skipped {system.name}: {error}")
    for run in range(1, runs + 1):
        for system in there if run % 2 else reversed(there):
            print_progress(f"run {run} of {runs}: {system.name}")
            results.rows += await _one_run(system, run, base, body, print_progress)
    return results


async def _one_run(system: System, run: int, base: Path, body: Body, print_progress: PrintProgress) -> list[Row]:
    root = Path(tempfile.mkdtemp(prefix=f"kraftpy-bench-{_file_name(system.name)}-", dir=base))
    rows: list[Row] = []
    keeps_files = False
    try:
        (root / "cluster").mkdir()
        await system.start(root / "cluster")
        rows += await body(system, run)
    except (OSError, RuntimeError, TimeoutError, KraftError) as error:
        keeps_files = True
        print_progress(f"  {system.name} failed in run {run}: {error}; its files stay in {root}")
        rows.append(Row(system=system.name, run=run, work="failed", notes=[str(error)]))
    finally:
        try:
            await system.stop()
        finally:
            if not keeps_files:
                shutil.rmtree(root, ignore_errors=True)
    return rows


def _file_name(name: str) -> str:
    return re.sub(r"[^\w.]+", "-", name)


def check_directory(base: Path) -> str | None:
    """Return a warning when the data would lie on no real disk."""
    kind = filesystem_of(base)
    if kind in VIRTUAL_FILESYSTEMS:
        return f"{base} is on {kind}: an fsync there costs nothing, so these figures mean little. Name another --dir."
    return None
