"""Every requirement of KIP-928 has a row in docs/kip-928.md, and a test or the data plane as the reason for none."""

from __future__ import annotations

import ast
import re
from pathlib import Path

HERE = Path(__file__).parent
WANTED = set(range(1, 28))


def test_every_requirement_has_a_row_and_a_test_or_a_reason() -> None:
    """A number is left out, is named twice, or has neither a test nor a reason."""
    names = [
        node.name
        for file in ("test_kip928_broker.py", "test_kip928_control.py")
        for node in ast.parse((HERE / file).read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    tested = [int(found[1]) for name in names if (found := re.match(r"test_k928_(\d\d)_\w+", name))]
    page = (HERE.parents[1] / "docs" / "kip-928.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| .* \| (.*) \|$", page, re.MULTILINE)
    excused = [int(number) for number, reason in rows if reason.startswith("data plane")]
    assert sorted(int(number) for number, _ in rows) == sorted(WANTED)
    assert sorted(tested + excused) == sorted(WANTED)
