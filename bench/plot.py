"""One chart of the main figure: an image when matplotlib is installed, else bars of text."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from bench.report import Key, summary
from bench.runs import Results
from bench.stats import Spread

MAIN_FIGURES = ("records/s", "total p50 ms", "log s", "restart to ready s")
BAR_CHARACTERS = 50


def main_figures(results: Results) -> dict[str, list[tuple[Key, Spread]]]:
    """Choose what is drawn: figure -> rows."""
    found: dict[str, list[tuple[Key, Spread]]] = {}
    for key, figures in summary(results.rows).items():
        for name in MAIN_FIGURES:
            if name in figures:
                found.setdefault(name, []).append((key, figures[name]))
    return found


def text_plot(results: Results) -> str:
    """Draw bars of text, one block per figure, each scaled to its longest."""
    parts = []
    for figure, rows in main_figures(results).items():
        longest = max(spread.median for _, spread in rows) or 1.0
        width = max(len(_title(key)) for key, _ in rows)
        parts.append(figure)
        for key, spread in rows:
            bar = "#" * max(1, round(BAR_CHARACTERS * spread.median / longest))
            parts.append(f"  {_title(key).ljust(width)}  {bar} {spread.median:,.4g}")
    return "\n".join(parts)


def write_plot(path: Path, results: Results, caption: str) -> str:
    """Write the chart; return what was written."""
    try:
        pyplot: Any = importlib.import_module("matplotlib.pyplot")
    except ImportError:
        text_path = path.with_suffix(".txt")
        text_path.write_text(f"{caption}\n\n{text_plot(results)}\n", encoding="utf-8")
        return f"{text_path} (text: matplotlib is not installed)"
    pyplot.switch_backend("Agg")
    chosen = main_figures(results)
    longest = max((len(rows) for rows in chosen.values()), default=1)
    figure, axes = pyplot.subplots(len(chosen) or 1, 1, figsize=(10, 1 + 0.35 * longest * (len(chosen) or 1)))
    for axis, (name, rows) in zip([axes] if len(chosen) <= 1 else axes, chosen.items(), strict=False):
        medians = [spread.median for _, spread in rows]
        errors = [[s.median - s.min for _, s in rows], [s.max - s.median for _, s in rows]]
        axis.barh([_title(key) for key, _ in rows], medians, xerr=errors)
        axis.invert_yaxis()
        axis.set_xlabel(name)
    figure.suptitle(caption, fontsize=8)
    figure.tight_layout()
    figure.savefig(path)
    pyplot.close(figure)
    return str(path)


def _title(key: Key) -> str:
    work, system, form = key
    return f"{work}: {system}" + (f" ({form})" if form else "")
