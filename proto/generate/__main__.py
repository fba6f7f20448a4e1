"""Write or compare everything that is generated: ``python -m proto.generate [--check]``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from kraftpy.records.schema import FAMILIES
from proto.generate import api_page, changes, codecs, grpc_messages, records_page, schemas

ROOT = Path(__file__).resolve().parents[2]
RECORDS = ROOT / "kraftpy" / "records" / "generated"
PAGES: dict[Path, Callable[[], str]] = {
    changes.FILE: changes.render,
    api_page.PAGE: api_page.render,
    records_page.PAGE: records_page.render,
}
"""Other generated files, and what returns their text."""


def record_files() -> dict[Path, str]:
    """Return what the schemas of Kafka's messages give: path to text."""
    files: dict[Path, str] = {}
    for family in FAMILIES:
        made = codecs.render(family) | schemas.render(family)
        files.update((RECORDS / name, text) for name, text in made.items())
    return files


def stale_files() -> list[str]:
    """Return every generated file that is not fresh, or that no schema gives, by its path below the repository."""
    wanted = record_files()
    found = {path for path in RECORDS.rglob("*.py") if path != RECORDS / "__init__.py"} | wanted.keys()
    stale = [path for path in found if not path.exists() or path.read_text(encoding="utf-8") != wanted.get(path)]
    stale += [path for path, text in PAGES.items() if not path.exists() or path.read_text(encoding="utf-8") != text()]
    names = [str(path.relative_to(ROOT)) for path in stale]
    return sorted(names + [f"kraftpy/pb/v1/{name}" for name in grpc_messages.differences()])


def main(arguments: list[str] | None = None) -> int:
    """Generate, or with ``--check`` only compare; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m proto.generate", description="write what the schemas give")
    parser.add_argument("--check", action="store_true", help="compare only; status 1 if anything differs")
    if parser.parse_args(arguments).check:
        stale = stale_files()
        if stale:
            sys.stderr.write(f"stale: {', '.join(stale)}; run python -m proto.generate\n")
        return 1 if stale else 0
    for path, text in record_files().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    changes.FILE.write_text(changes.render(), encoding="utf-8")
    grpc_messages.generate(grpc_messages.PB)
    for path, page in PAGES.items():
        path.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
