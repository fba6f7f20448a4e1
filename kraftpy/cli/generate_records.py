"""Write the generated record codecs: ``python -m kraftpy.cli.generate_records``."""

from __future__ import annotations

from pathlib import Path

import kraftpy.records
from kraftpy.records.generate import render
from kraftpy.records.schema import FAMILIES


def main() -> None:
    """Write ``kraftpy/records/generated/*.py`` next to the generator and say what was written."""
    directory = Path(kraftpy.records.__file__).parent / "generated"
    for family in FAMILIES:
        for name, text in render(family).items():
            path = directory / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path}")


if __name__ == "__main__":
    main()
