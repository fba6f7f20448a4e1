"""``python -m tests.interop.differential.page``: write the table of differences into docs/kafka.md (``--check``)."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.interop.differential.differences import DIFFERENCES

PAGE = Path(__file__).parents[3] / "docs" / "kafka.md"
BEGIN, END = "<!-- differences: python -m tests.interop.differential.page -->", "<!-- end of differences -->"


def table() -> str:
    """Return the table, a row for each difference, in the order of their names."""
    rows = [
        f"| `{one.name}` | {one.reason[0].upper()}{one.reason[1:]}. |"
        for one in sorted(DIFFERENCES, key=lambda one: one.name)
    ]
    return "\n".join(["| Difference | What and why |", "| --- | --- |", *rows])


def with_table(page: str) -> str:
    """Return the page with the table of today in it."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"{PAGE.name} has lost a mark of its table: {BEGIN} and {END}")
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


def main() -> int:
    """Write the page, or compare it."""
    page = PAGE.read_text(encoding="utf-8")
    fresh = with_table(page)
    if "--check" in sys.argv:
        return int(page != fresh)
    PAGE.write_text(fresh, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
