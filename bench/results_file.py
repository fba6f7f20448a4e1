"""The results file: everything as JSON; or, under a name that ends in ``.gz``, compact enough to be committed.

A compact file has at most :data:`COMPACT_SAMPLES_MAX` samples of a kind in each row, numbers with few digits, and in
the texts of errors neither a path nor the name of the machine.
"""

from __future__ import annotations

import gzip
import json
import math
import platform
import re
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.stats import thinned

COMPACT_SAMPLES_MAX = 500
SAMPLE_DIGITS = 3
FIGURE_DIGITS = 5
"""Significant digits of all numbers but samples."""

_PATH = re.compile(r"(?<![\w/.:])~?/[\w.+@~-]+(?:/[\w.+@~*-]*)*")


def options_of(options: Any) -> dict[str, Any]:
    """Return what was measured, as a plain object: without the places of files, which say nothing of that."""
    return {name: value for name, value in asdict(options).items() if not isinstance(value, Path)}


def write_results(path: Path, content: dict[str, Any]) -> None:
    """Write the results file, compact where its name says so."""
    if path.suffix != ".gz":
        path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        return
    text = json.dumps(compact(content), separators=(",", ":"), ensure_ascii=False)
    # Neither a name nor a time in its header: the same results are the same bytes.
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def compact(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the same object with fewer samples and digits, and without names of files and of the machine."""
    found: dict[str, Any] = _short({name: value for name, value in content.items() if name != "rows"})
    for reasons in ("skipped", "without_heat_map"):
        if reasons in content:
            found[reasons] = {name: without_places(reason) for name, reason in content[reasons].items()}
    found["rows"] = [
        _short(row) | {"samples": _samples(row["samples"]), "notes": [without_places(note) for note in row["notes"]]}
        for row in content["rows"]
    ]
    return found


def _samples(by_name: Mapping[str, list[float]]) -> dict[str, list[float]]:
    """Keep the order of few samples, which says which belong together; many are sorted already."""
    return {
        name: [
            rounded(each, SAMPLE_DIGITS)
            for each in (values if len(values) <= COMPACT_SAMPLES_MAX else thinned(values, COMPACT_SAMPLES_MAX))
        ]
        for name, values in by_name.items()
    }


def _short(value: Any) -> Any:
    """Round every number in a plain object."""
    if isinstance(value, float):
        return rounded(value, FIGURE_DIGITS)
    if isinstance(value, Mapping):
        return {name: _short(each) for name, each in value.items()}
    return [_short(each) for each in value] if isinstance(value, list | tuple) else value


def rounded(value: float, digits: int) -> float:
    """Round a number to some significant digits; a whole number has no point."""
    if not math.isfinite(value):
        return value
    short = float(f"{value:.{digits}g}")
    return int(short) if short.is_integer() else short


def without_places(text: str) -> str:
    """Return a text without the paths and the name of this machine that are in it."""
    text = _PATH.sub("...", text)
    name = platform.node()
    return re.sub(rf"\b{re.escape(name)}\b", "...", text) if name else text
