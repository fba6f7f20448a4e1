"""The heat maps of a failover as a picture: a panel for each system and client, all with the same scales.

Time since the kill across, latency up, and the number of writes in a cell as colour, on a logarithmic scale, so that a
single slow write can be seen beside cells of thousands. Above the latencies is a row of its own for writes that failed.
Without matplotlib the panels are drawn as text.
"""

from __future__ import annotations

import importlib
import math
from pathlib import Path
from typing import Any

from bench.heat_map import (
    AFTER_S,
    BEFORE_S,
    COLUMN_MS,
    COLUMNS,
    DECADES,
    LATENCY_EDGES_MS,
    ROWS_PER_DECADE,
    TIME_EDGES_MS,
    HeatMap,
)
from bench.plot import MISSING, save_figure
from bench.ratios import named
from bench.report import heat_maps, without_heat_map
from bench.results_file import without_places
from bench.runs import Results

COLUMNS_OF_PANELS = 2
PANEL_WIDTH_IN = 5.6
PANEL_HEIGHT_IN = 2.9
TITLE_HEIGHT_IN = 0.45
REASON_HEIGHT_IN = 0.2

COLOURS = 32
"""Steps of the scale: with the greys of letters, fewer than a PNG has."""
PALEST = 0.15
"""Where in the colour map the scale begins: a single write has to be seen on white."""

FAILED_ROWS = 3
GAP_ROWS = 2
"""The height of the row of failed writes and of the gap below it, in rows of latencies."""

SHADES = ".:-=+*#%@"
"""Of text, for few to many writes."""


def write_heat_map(path: Path, results: Results, caption: str) -> str:
    """Write the picture; return what was written."""
    maps = {named(system, form): one for (_, system, form), one in heat_maps(results.rows).items()}
    if not maps:
        return "none, for nothing was measured"
    left_out = [f"{name}: {without_places(reason)}" for name, reason in without_heat_map(results).items()]
    shown = rows_shown(list(maps.values()))
    try:
        pyplot: Any = importlib.import_module("matplotlib.pyplot")
    except ImportError:
        text_path = path.with_suffix(".txt")
        panels = [f"{title_of(name, one)}\n{text_heat_map(one, shown)}" for name, one in maps.items()]
        parts = [caption, *panels, *(f"Left out: {each}" for each in left_out)]
        text_path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
        return f"{text_path} (as text; {MISSING})"
    pyplot.switch_backend("Agg")
    figure = _figure(pyplot, maps, shown, [caption, *(f"left out: {each}" for each in left_out)])
    save_figure(figure, path)
    pyplot.close(figure)
    return str(path)


def rows_shown(maps: list[HeatMap]) -> range:
    """Return the rows of the decades in which any of the maps has writes; all of them when every write failed."""
    used = [rows for one in maps if (rows := one.rows_in_use())]
    if not used:
        return range(len(LATENCY_EDGES_MS) - 1)
    return range(min(rows.start for rows in used), max(rows.stop for rows in used))


def title_of(name: str, one: HeatMap) -> str:
    """Name a panel, and what is in it."""
    kills = f"{one.kills:,} kill{'s' if one.kills != 1 else ''}"
    return f"{name}: {kills}, {one.writes:,} writes, {one.failed_writes:,} failed"


def latency_label(ms: float) -> str:
    """Write a power of ten of milliseconds."""
    return f"{ms / 1000:g} s" if ms >= 1000 else f"{ms:g} ms"


def decades_of(shown: range) -> list[tuple[int, str]]:
    """Return the ticks of the latencies: the row that begins there, counted from the first that is shown."""
    return [
        (place - shown.start, latency_label(10.0 ** (DECADES[0] + place // ROWS_PER_DECADE)))
        for place in range(shown.start, shown.stop + 1, ROWS_PER_DECADE)
    ]


def text_heat_map(one: HeatMap, shown: range) -> str:
    """Draw one panel with a character for each cell, the highest latency first."""
    scale = math.log(max(one.largest, 2))

    def line(label: str, counts: list[int]) -> str:
        cells = (
            " " if not count else SHADES[min(len(SHADES) - 1, int(math.log(count) / scale * len(SHADES)))]
            for count in counts
        )
        return f"{label:>7} |{''.join(cells)}|"

    labels = dict(decades_of(shown))
    lines = [line(labels.get(row - shown.start, ""), one.counts[row]) for row in reversed(shown)]
    before = round(BEFORE_S * 1000) // COLUMN_MS
    feet = f"{'':>7}  {f'{-BEFORE_S:g} s'.ljust(before)}{'kill'.ljust(COLUMNS - before - 3)}{AFTER_S:g} s"
    return "\n".join([line("failed", one.failed), *lines, feet])


def _figure(pyplot: Any, maps: dict[str, HeatMap], shown: range, captions: list[str]) -> Any:
    """Draw all panels, with one scale of colours."""
    columns = min(COLUMNS_OF_PANELS, len(maps))
    lines = math.ceil(len(maps) / columns)
    height = lines * PANEL_HEIGHT_IN + TITLE_HEIGHT_IN + REASON_HEIGHT_IN * (len(captions) - 1)
    figure = pyplot.figure(figsize=(columns * PANEL_WIDTH_IN, height), layout="constrained")
    figure.suptitle("\n".join(captions), fontsize=8)
    panels = figure.subplots(lines, columns, squeeze=False, sharex=True, sharey=True)
    every = list(panels.flat)
    colours = _colours(pyplot, max(one.largest for one in maps.values()))
    for axis, (name, one) in zip(every, maps.items(), strict=False):
        drawn = _draw(axis, one, shown, colours)
        axis.set_title(title_of(name, one), fontsize=9, loc="left")
    for axis in every[len(maps) :]:
        axis.set_visible(False)
    for axis in every[max(0, len(maps) - columns) : len(maps)]:
        axis.set_xlabel("write due, seconds since the kill", fontsize=8)
        axis.tick_params(labelbottom=True)
    for axis in panels[:, 0]:
        axis.set_ylabel("latency, from when due", fontsize=8)
    bar = figure.colorbar(drawn, ax=panels, aspect=40, pad=0.01)
    bar.set_label(f"writes in a cell of {COLUMN_MS} ms", fontsize=8)
    ticker: Any = importlib.import_module("matplotlib.ticker")
    bar.ax.yaxis.set_major_locator(ticker.LogLocator(subs=(1.0, 2.0, 5.0)))
    bar.ax.yaxis.set_major_formatter(ticker.FuncFormatter(lambda count, _: f"{count:,.0f}"))
    bar.ax.yaxis.set_minor_locator(ticker.NullLocator())
    bar.ax.tick_params(labelsize=8)
    return figure


def _colours(pyplot: Any, largest: int) -> dict[str, Any]:
    """Return the scale of colours, from one write to those of the fullest cell."""
    colors: Any = importlib.import_module("matplotlib.colors")
    whole = pyplot.get_cmap("inferno_r")
    steps = [whole(PALEST + (1 - PALEST) * step / (COLOURS - 1)) for step in range(COLOURS)]
    return {"cmap": colors.ListedColormap(steps), "norm": colors.LogNorm(1, max(largest, 2))}


def _draw(axis: Any, one: HeatMap, shown: range, colours: dict[str, Any]) -> Any:
    """Draw one panel; return its mesh, which has the scale."""
    numpy: Any = importlib.import_module("numpy")
    seconds = [edge / 1000 for edge in TIME_EDGES_MS]
    counts = numpy.array(one.counts[shown.start : shown.stop])
    mesh = axis.pcolormesh(seconds, range(len(shown) + 1), numpy.ma.masked_equal(counts, 0), **colours)
    bottom, top = len(shown) + GAP_ROWS, len(shown) + GAP_ROWS + FAILED_ROWS
    failed = numpy.ma.masked_equal(numpy.array([one.failed]), 0)
    axis.pcolormesh(seconds, [bottom, top], failed, **colours)
    axis.axhspan(len(shown), bottom, color="0.85", linewidth=0)
    axis.axvline(0, color="0.35", linewidth=0.8, linestyle="--")
    ticks = decades_of(shown)
    axis.set_yticks(
        [*(place for place, _ in ticks), (bottom + top) / 2], [*(label for _, label in ticks), "failed"], fontsize=8
    )
    axis.tick_params(labelsize=8)
    axis.set_xlim(seconds[0], seconds[-1])
    axis.set_ylim(0, top)
    axis.grid(visible=True, axis="y", color="0.9", linewidth=0.5)
    axis.set_axisbelow(True)
    return mesh
