"""Compare the generated record codecs with what their tables give now; end with 1 and their names when they differ."""

from __future__ import annotations

import sys
from pathlib import Path

import kraftpy.records
from kraftpy.records.generate import render
from kraftpy.records.schema import FAMILIES


def stale() -> list[str]:
    """Name every file of ``kraftpy/records/generated`` that is not fresh, or that nobody generates."""
    directory = Path(kraftpy.records.__file__).parent / "generated"
    wanted = {path: text for family in FAMILIES for path, text in render(family).items()}
    found = {str(path.relative_to(directory)): path.read_text(encoding="utf-8") for path in directory.rglob("*.py")}
    del found["__init__.py"]
    return sorted(path for path in {*wanted, *found} if wanted.get(path) != found.get(path))


if __name__ == "__main__":
    names = stale()
    if names:
        sys.exit(f"stale: {', '.join(names)}; run python -m kraftpy.cli.generate_records")
