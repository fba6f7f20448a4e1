"""Results as JSON and as a table: each figure as its median over the runs, with the lowest and the highest."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from bench.runs import Results, Row
from bench.stats import Spread, percentile, spread_of

Key = tuple[str, str, str]
"""Work, system, form."""

POOLED = (("p50", 0.5), ("p90", 0.9), ("p99", 0.99))
CPU_PER = "CPU us/"
"""Begins the figure of all three nodes' CPU time per record: it means something beside other work, too."""

IN_FILE_ONLY = frozenset({"p90 ms", "p99.9 ms", "max ms"})
"""Besides those of CPU time per record: figures that are in the results file and would make a table too wide."""

COMPARED = (
    "records/s", "topics/s", "partitions/s", "reads/s", "p50 ms", "p99 ms", f"{CPU_PER}record", f"{CPU_PER}topic",
    f"{CPU_PER}partition", f"{CPU_PER}read", "lag p50 ms", "lag p99 ms", "total p50 ms", "answers s", "log s",
    "state s", "CPU s", "moved ms", "published ms", "leader CPU ms", "leader CPU %", "written records/s",
    "restart to loaded s", "restart CPU s", "RSS MB", "leader RSS MB",
)  # fmt: skip
"""Figures whose ratio is shown, where one system is compared with another."""

SMALL = 10.0
"""Below, a number is shown with two digits after the point; below ten times this, with one."""


def grouped(rows: Iterable[Row]) -> dict[Key, list[Row]]:
    """Group rows by work, system and form, in the order in which they first came."""
    groups: dict[Key, list[Row]] = {}
    for row in rows:
        groups.setdefault((row.work, row.system, row.form), []).append(row)
    return groups


def summary(rows: Iterable[Row]) -> dict[Key, dict[str, Spread]]:
    """Sum up every figure over the runs."""
    found: dict[Key, dict[str, Spread]] = {}
    for key, group in grouped(rows).items():
        names = dict.fromkeys(name for row in group for name in row.figures)
        spreads = {name: spread_of([row.figures[name] for row in group if name in row.figures]) for name in names}
        found[key] = {name: spread for name, spread in spreads.items() if spread is not None}
    return found


def ratios(results: Results) -> dict[tuple[str, str, str, str], dict[str, Spread]]:
    """Divide a system's figures by the same run's of those that it is compared with, and sum that up over the runs.

    Returns:
        By work, system, form, and the name (with its form) of what is divided by.
    """
    by_run: dict[tuple[str, str, int], dict[str, dict[str, float]]] = {}
    for row in results.rows:
        by_run.setdefault((row.work, row.system, row.run), {})[row.form] = row.figures
    found: dict[tuple[str, str, str, str], dict[str, list[float]]] = {}
    for row in results.rows:
        for other in results.compared.get(row.system, ()):
            form, base = _same_form(by_run.get((row.work, other, row.run), {}), row.form)
            for name in COMPARED:
                if row.figures.get(name) and base.get(name):
                    of_key = found.setdefault((row.work, row.system, row.form, named(other, form)), {})
                    of_key.setdefault(name, []).append(row.figures[name] / base[name])
    return {
        key: {name: spread for name, values in of_key.items() if (spread := spread_of(values)) is not None}
        for key, of_key in found.items()
    }


def _same_form(forms: dict[str, dict[str, float]], form: str) -> tuple[str, dict[str, float]]:
    """Return the figures of the same form; a peer that has one client is compared with all of a system's."""
    if form in forms or len(forms) != 1:
        return form, forms.get(form, {})
    return next(iter(forms.items()))


def pooled(rows: Iterable[Row]) -> dict[Key, dict[str, dict[str, float]]]:
    """Take percentiles over the samples of all runs together, for samples in milliseconds."""
    found: dict[Key, dict[str, dict[str, float]]] = {}
    for key, group in grouped(rows).items():
        names = dict.fromkeys(name for row in group for name in row.samples if name.endswith(" ms"))
        for name in names:
            values = sorted(value for row in group for value in row.samples.get(name, []))
            if values:
                shares = {label: percentile(values, share) for label, share in POOLED}
                found.setdefault(key, {})[name] = shares | {"min": values[0], "max": values[-1], "count": len(values)}
    return found


def as_json(command: str, options: dict[str, Any], machine: dict[str, Any], results: Results) -> dict[str, Any]:
    """Put everything into one object."""
    return {
        "command": command,
        "options": options,
        "machine": machine,
        "versions": results.versions,
        "skipped": results.skipped,
        "summary": [
            {"work": work, "system": system, "form": form, "figures": {n: s.as_json() for n, s in figures.items()}}
            for (work, system, form), figures in summary(results.rows).items()
        ],
        "ratios": [
            {
                "work": work,
                "system": system,
                "form": form,
                "to": to,
                "figures": {name: spread.as_json() for name, spread in figures.items()},
            }
            for (work, system, form, to), figures in ratios(results).items()
        ],
        "pooled": [
            {"work": work, "system": system, "form": form, "samples": samples}
            for (work, system, form), samples in pooled(results.rows).items()
        ],
        "rows": [row.as_json() for row in results.rows],
    }


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write the results file."""
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def cell(spread: Spread) -> str:
    """Write a figure: with few digits, and without its range when there was one run."""
    digits = 2 if spread.median < SMALL else 1 if spread.median < 10 * SMALL else 0
    if spread.min == spread.max == int(spread.min):
        digits = 0
    return f"{spread.median:,.{digits}f}" if spread.runs == 1 else spread.text(digits)


def tables(results: Results) -> str:
    """Write everything as Markdown tables, one for each set of figures."""
    by_columns: dict[tuple[str, ...], list[list[str]]] = {}
    for (work, system, form), every in summary(results.rows).items():
        figures = {name: spread for name, spread in every.items() if not _is_in_file_only(name)}
        row = [work, named(system, form), *(cell(spread) for spread in figures.values())]
        by_columns.setdefault(tuple(figures), []).append(row)
    parts = [markdown(("work", "system", *columns), rows) for columns, rows in by_columns.items()]
    parts += _ratio_tables(results)
    parts += [_pooled_table(work, samples) for work, samples in _pooled_by_work(results).items()]
    parts += [f"Skipped: {name}: {reason}" for name, reason in results.skipped.items()]
    notes = dict.fromkeys(f"{row.system}, run {row.run}, {row.work}: {n}" for row in results.rows for n in row.notes)
    parts += [f"Note: {note}" for note in notes]
    return "\n\n".join(parts)


def _is_in_file_only(name: str) -> bool:
    return name in IN_FILE_ONLY or name.startswith(CPU_PER)


def named(system: str, form: str) -> str:
    """Name a system and its client."""
    return f"{system} ({form})" if form else system


def _ratio_tables(results: Results) -> list[str]:
    by_columns: dict[tuple[str, ...], list[list[str]]] = {}
    for (work, system, form, to), figures in ratios(results).items():
        row = [work, named(system, form), to]
        by_columns.setdefault(tuple(figures), []).append(row + [ratio_cell(spread) for spread in figures.values()])
    head = "Ratios, each of two figures of the same run, median [lowest..highest] of the runs:\n\n"
    return [head + markdown(("work", "system", "to", *columns), rows) for columns, rows in by_columns.items()]


def ratio_cell(spread: Spread) -> str:
    """Write a ratio, with its range where there was more than one run."""
    return f"{spread.median:.3f}" if spread.runs == 1 else spread.text(3)


def _pooled_by_work(results: Results) -> dict[str, dict[str, dict[str, dict[str, float]]]]:
    found: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
    for (work, system, form), samples in pooled(results.rows).items():
        found.setdefault(work, {})[named(system, form)] = samples
    return found


def _pooled_table(work: str, systems: dict[str, dict[str, dict[str, float]]]) -> str:
    rows = [
        [system, name.removesuffix(" ms"), *(f"{value:,.0f}" for value in shares.values())]
        for system, samples in systems.items()
        for name, shares in samples.items()
    ]
    return f"{work}, all runs together, ms:\n\n" + markdown(
        ("system", "phase", "p50", "p90", "p99", "min", "max", "n"), rows
    )


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write one table, its columns aligned."""
    widths = [max(len(line[column]) for line in (header, *rows)) for column in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(text.ljust(width) for text, width in zip(cells, widths, strict=True)) + " |"

    return "\n".join([line(header), line(["-" * width for width in widths]), *map(line, rows)])
