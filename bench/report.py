"""Results as JSON and as a table: each figure as its median over the runs, with the lowest and the highest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bench.heat_map import HeatMap
from bench.ratios import CPU_PER, ToBest, named, ratios, ratios_to_best
from bench.runs import Results, Row
from bench.stats import Spread, percentile, spread_of

Key = tuple[str, str, str]
"""Work, system, form."""

POOLED = (("p50", 0.5), ("p90", 0.9), ("p99", 0.99))

IN_FILE_ONLY = frozenset({"p90 ms", "p99.9 ms", "max ms"})
"""Besides those of CPU time per record: figures that are in the results file and would make a table too wide."""

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


def heat_maps(rows: Iterable[Row]) -> dict[Key, HeatMap]:
    """Lay the heat maps of all runs over one another."""
    found: dict[Key, HeatMap] = {}
    for key, group in grouped(rows).items():
        for row in group:
            if row.heat_map is not None:
                found.setdefault(key, HeatMap()).merge(row.heat_map)
    return found


def without_heat_map(results: Results) -> dict[str, str]:
    """Return which systems have no heat map, and why."""
    found = dict(results.skipped)
    mapped = {row.system for row in results.rows if row.heat_map is not None}
    for row in results.rows:
        if row.system not in mapped:
            found.setdefault(row.system, "; ".join(row.notes) or "it was not killed among background writes")
    return found


def as_json(command: str, options: dict[str, Any], machine: dict[str, Any], results: Results) -> dict[str, Any]:
    """Put everything into one object; heat maps are in it where there are any."""
    maps = heat_maps(results.rows)
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
        "ratios_to_best_peer": [
            {
                "work": work,
                "system": system,
                "form": form,
                "figures": {n: one.spread.as_json() | {"peers": one.peers} for n, one in figures.items()},
            }
            for (work, system, form), figures in ratios_to_best(results).items()
        ],
        "pooled": [
            {"work": work, "system": system, "form": form, "samples": samples}
            for (work, system, form), samples in pooled(results.rows).items()
        ],
        "rows": [row.as_json() for row in results.rows],
    } | ({"heat_maps": _maps_as_json(maps), "without_heat_map": without_heat_map(results)} if maps else {})


def _maps_as_json(maps: dict[Key, HeatMap]) -> list[dict[str, Any]]:
    return [
        {"work": work, "system": system, "form": form} | one.as_json() for (work, system, form), one in maps.items()
    ]


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
    parts += _best_tables(results)
    parts += [_pooled_table(work, samples) for work, samples in _pooled_by_work(results).items()]
    parts += [f"Skipped: {name}: {reason}" for name, reason in results.skipped.items()]
    notes = dict.fromkeys(f"{row.system}, run {row.run}, {row.work}: {n}" for row in results.rows for n in row.notes)
    parts += [f"Note: {note}" for note in notes]
    return "\n\n".join(parts)


def _is_in_file_only(name: str) -> bool:
    return name in IN_FILE_ONLY or name.startswith(CPU_PER)


def _ratio_tables(results: Results) -> list[str]:
    by_columns: dict[tuple[str, ...], list[list[str]]] = {}
    for (work, system, form, to), figures in ratios(results).items():
        row = [work, named(system, form), to]
        by_columns.setdefault(tuple(figures), []).append(row + [ratio_cell(spread) for spread in figures.values()])
    head = "Ratios, each of two figures of the same run, median [lowest..highest] of the runs:\n\n"
    return [head + markdown(("work", "system", "to", *columns), rows) for columns, rows in by_columns.items()]


def _best_tables(results: Results) -> list[str]:
    by_columns: dict[tuple[str, ...], list[list[str]]] = {}
    for (work, system, form), figures in ratios_to_best(results).items():
        row = [work, named(system, form), *(_best_cell(one) for one in figures.values())]
        by_columns.setdefault(tuple(figures), []).append(row)
    head = "Ratios to the peer that was best in the same run, median [lowest..highest] of the runs, and its name:\n\n"
    return [head + markdown(("work", "system", *columns), rows) for columns, rows in by_columns.items()]


def _best_cell(one: ToBest) -> str:
    return f"{ratio_cell(one.spread)} {', '.join(one.peers)}"


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
