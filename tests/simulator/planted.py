"""The table of the planted bugs: which seed finds each, and which checker. PLANTED.md is what :func:`table` says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.simulator.bugs import BUGS, SEEDS_MAX
from tests.simulator.quiet import quiet_logs
from tests.simulator.scenario import Scenario

COMMITTED = Path(__file__).with_name("PLANTED.md")

# A plant that no longer fits the code fails like this: then the bug was not planted, whatever the history says of it.
MISFIT = re.compile(r"\b(AttributeError|ImportError|NameError|TypeError): ")

HEAD = f"""\
# Planted bugs

Written by `python -m tests.simulator --planted`; do not edit. Each bug is a small change to the real code (`bugs.py`),
and is found within {SEEDS_MAX} seeds, or the command fails. CI replays the seed of each row, and does not search
(`--planted --check`). `python -m tests.simulator --seed N --plant "the bug"` shows it happen, with `--shrink` in small.

| bug | seed | rule that is broken |
| --- | --- | --- |
"""


@dataclass(frozen=True, slots=True)
class Found:
    """One row.

    Attributes:
        seed: the first that finds the bug; ``None`` when none within the budget does.
        rule: what the checker says.
    """

    bug: str
    seed: int | None
    rule: str | None

    def row(self) -> str:
        """Write it."""
        return f"| {self.bug} | {'none' if self.seed is None else self.seed} | {self.rule or 'NOT FOUND'} |\n"


class PlantError(Exception):
    """A planted bug calls the code by names or arguments that the code does not have."""


def search(bug: str) -> Found:
    """Try one seed after the other.

    Raises:
        PlantError: the bug does not fit the code.
    """
    return next((found for seed in range(1, SEEDS_MAX + 1) if (found := look(bug, seed)).rule), Found(bug, None, None))


def look(bug: str, seed: int) -> Found:
    """Try one seed; the rule is ``None`` where it does not find the bug.

    Raises:
        PlantError: the bug does not fit the code.
    """
    quiet_logs()
    verdict = Scenario(seed=seed, bug=bug).run()
    if verdict.rule is not None and MISFIT.search(verdict.failed or ""):
        raise PlantError(f"the bug {bug!r} does not fit the code it is planted in: {verdict.failed}")
    return Found(bug, seed, verdict.rule)


def search_all(jobs: int) -> list[Found]:
    """Search for every bug, in several processes."""
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(search, [bug.name for bug in BUGS]))


def differences(rows: Sequence[Found], jobs: int) -> list[tuple[Found, Found]]:
    """Try the seed of every row; return the row and what was found, where they differ."""
    with ProcessPoolExecutor(jobs) as pool:
        found = pool.map(look, [row.bug for row in rows], [row.seed or 0 for row in rows])
        return [(row, now) for row, now in zip(rows, found, strict=True) if now != row]


def table(rows: Iterable[Found]) -> str:
    """Write the page."""
    return HEAD + "".join(row.row() for row in rows)


def committed_rows() -> list[Found]:
    """Read the page that is committed."""
    _, _, table_rows = COMMITTED.read_text().partition("| --- | --- | --- |\n")
    rows = []
    for line in table_rows.splitlines():
        bug, seed, rule = (cell.strip() for cell in line.strip("|").split("|"))
        rows.append(Found(bug, int(seed) if seed.isdecimal() else None, rule))
    return rows
