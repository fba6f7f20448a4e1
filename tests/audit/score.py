"""``python -m tests.audit.score``: run the mutations, write their table into docs/audit.md (``--check`` compares).

The table says for each rule in how many ways a healthy cluster was broken, and how many of those were found by this
rule alone, at the right offsets.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from kraftpy.audit.rules import all_rules
from tests.audit.fleet import audit_fleet, by_cluster, is_killed
from tests.audit.mutations import MUTATIONS

PAGE = Path(__file__).parent.parent.parent / "docs" / "audit.md"
BEGIN, END = "<!-- rules: python -m tests.audit.score -->", "<!-- end of rules -->"


def table(killed: set[str]) -> str:
    """The table, with the score of every rule."""
    lines = ["| Severity | Rule | What must hold | Broken in | Found |", "| --- | --- | --- | --- | --- |"]
    for rule in all_rules():
        ways = [mutation.name for mutation in MUTATIONS if mutation.rule == rule.id]
        found = sum(name in killed for name in ways)
        plural = "way" if len(ways) == 1 else "ways"
        lines.append(f"| {rule.severity} | `{rule.id}` | {rule.title} | {len(ways)} {plural} | {found} |")
    share = 100 * len(killed) // len(MUTATIONS)
    lines += ["", f"Mutation score: {len(killed)} of {len(MUTATIONS)} ({share} %), with no other rule firing."]
    return "\n".join(lines)


def with_table(page: str, text: str) -> str:
    """The page with the table in it."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{text}\n{END}{after}"


def main() -> int:
    with tempfile.TemporaryDirectory() as directory:
        expected, verdict = audit_fleet(Path(directory))
    found = by_cluster(verdict)
    killed = {mutation.name for mutation in MUTATIONS if is_killed(mutation, expected, found)}
    page = PAGE.read_text(encoding="utf-8")
    fresh = with_table(page, table(killed))
    print(table(killed).splitlines()[-1])
    if "--check" in sys.argv:
        return int(page != fresh)
    PAGE.write_text(fresh, encoding="utf-8")
    return int(len(killed) != len(MUTATIONS))


if __name__ == "__main__":
    sys.exit(main())
