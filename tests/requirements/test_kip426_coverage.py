"""Every requirement of KIP-426 has a row in docs/kip-426.md, and a test or a reason for none."""

from __future__ import annotations

import ast
import re
from pathlib import Path

HERE = Path(__file__).parent
WANTED = set(range(1, 36))


def test_every_requirement_has_a_row_and_a_test_or_a_reason() -> None:
    """A number is left out, or has neither a test nor a reason; a test has a number that has no row."""
    names = [
        node.name
        for file in ("test_kip426_broker.py", "test_kip426_control.py")
        for node in ast.parse((HERE / file).read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    tested = {int(found[1]) for name in names if (found := re.match(r"test_k426_(\d\d)_\w+", name))}
    page = (HERE.parents[1] / "docs" / "kip-426.md").read_text(encoding="utf-8")
    _, _, table = page.partition("## Requirements")
    rows = re.findall(r"^\| (\d+) \| .* \| (.*) \|$", table, re.MULTILINE)
    excused = {int(number) for number, reason in rows if reason.startswith("not offered")}
    assert [int(number) for number, _ in rows] == sorted(WANTED)
    assert tested | excused == WANTED
    assert not tested & excused
