"""Ratios: a figure of one system divided by the same run's figure of another, or of whichever peer is best at it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from bench.runs import Results, Row
from bench.stats import Spread, spread_of
from bench.work import ADMIN

CPU_PER = "CPU us/"
"""Begins the figure of all three nodes' CPU time per record: it means something beside other work, too."""

COMPARED = (
    "records/s", "topics/s", "partitions/s", "reads/s", "requests/s", "total s", "p50 ms", "p99 ms",
    f"{CPU_PER}record", f"{CPU_PER}topic", f"{CPU_PER}partition", f"{CPU_PER}read", f"{CPU_PER}request",
    "lag p50 ms", "lag p99 ms", "total p50 ms", "total max ms", "answers s", "first write s", "log s", "state s",
    "CPU s", "moved ms", "published ms", "leader CPU ms", "leader CPU %", "written records/s", "restart to loaded s",
    "restart CPU s", "RSS MB", "leader RSS MB",
)  # fmt: skip
"""Figures whose ratio is shown, where one system is compared with another."""

Forms = dict[str, dict[str, float]]
"""Figures by form."""


@dataclass(frozen=True, slots=True)
class ToBest:
    """A figure divided by that of the best peer, run by run.

    Attributes:
        peers: who was the best in a run, in the order in which they first were.
    """

    spread: Spread
    peers: tuple[str, ...]


@dataclass(slots=True)
class _Runs:
    ratios: list[float] = field(default_factory=list)
    peers: dict[str, None] = field(default_factory=dict)


def named(system: str, form: str) -> str:
    """Name a system and its client."""
    return f"{system} ({form})" if form else system


def ratios(results: Results) -> dict[tuple[str, str, str, str], dict[str, Spread]]:
    """Divide a system's figures by the same run's of those that it is compared with, and sum that up over the runs.

    Returns:
        By work, system, form, and the name (with its form) of what is divided by.
    """
    by_run = _by_run(results)
    found: dict[tuple[str, str, str, str], dict[str, list[float]]] = {}
    for row in results.rows:
        for other in results.compared.get(row.system, ()):
            form, base = _same_form(by_run.get((row.work, other, row.run), {}), row.form)
            for name in _in_both(row.figures, base):
                of_key = found.setdefault((row.work, row.system, row.form, named(other, form)), {})
                of_key.setdefault(name, []).append(row.figures[name] / base[name])
    return {
        key: {name: spread for name, values in of_key.items() if (spread := spread_of(values)) is not None}
        for key, of_key in found.items()
    }


def ratios_to_best(results: Results) -> dict[tuple[str, str, str], dict[str, ToBest]]:
    """Divide each figure of a system by that of the peer that was best at it in the same run, and sum that up.

    The best is the highest of what counts per second, and the lowest of all else.

    Returns:
        By work, system and form.
    """
    by_run = _by_run(results)
    found: dict[tuple[str, str, str], dict[str, _Runs]] = {}
    for row in results.rows:
        for name, (peer, base) in _best(results, row, by_run).items():
            of_figure = found.setdefault((row.work, row.system, row.form), {}).setdefault(name, _Runs())
            of_figure.ratios.append(row.figures[name] / base)
            of_figure.peers[peer] = None
    return {
        key: {
            name: ToBest(spread, tuple(runs.peers))
            for name, runs in of_key.items()
            if (spread := spread_of(runs.ratios)) is not None
        }
        for key, of_key in found.items()
    }


def _best(results: Results, row: Row, by_run: dict[tuple[str, str, int], Forms]) -> dict[str, tuple[str, float]]:
    """Return the best peer's name and figure for each figure of a row that a peer has in the same run."""
    best: dict[str, tuple[str, float]] = {}
    for peer in results.compared.get(row.system, ()):
        if peer not in results.peers:
            continue
        _, base = _same_form(by_run.get((row.work, peer, row.run), {}), row.form)
        for name in _in_both(row.figures, base):
            is_rate, (_, before) = name.endswith("/s"), best.get(name, ("", 0.0))
            if not before or (base[name] > before if is_rate else base[name] < before):
                best[name] = peer, base[name]
    return best


def _by_run(results: Results) -> dict[tuple[str, str, int], Forms]:
    found: dict[tuple[str, str, int], Forms] = {}
    for row in results.rows:
        found.setdefault((row.work, row.system, row.run), {})[row.form] = row.figures
    return found


def _same_form(forms: Forms, form: str) -> tuple[str, dict[str, float]]:
    """Return the figures of the same form; a peer's one client is compared with all forms but ``admin``."""
    own = [one for one in forms if one != ADMIN]
    if form in forms or form == ADMIN or len(own) != 1:
        return form, forms.get(form, {})
    return own[0], forms[own[0]]


def _in_both(figures: dict[str, float], base: dict[str, float]) -> Iterator[str]:
    return (name for name in COMPARED if figures.get(name) and base.get(name))
