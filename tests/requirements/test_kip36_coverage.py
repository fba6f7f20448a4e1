"""Every requirement of KIP-36 has a test and a row in docs/kip-36.md."""

from __future__ import annotations

import ast
import re
from pathlib import Path

HERE = Path(__file__).parent
WANTED = set(range(1, 21))


def test_every_requirement_has_a_test_and_a_row() -> None:
    """A number is left out, or is named twice, in the tests or in the table."""
    tree = ast.parse((HERE / "test_kip36_placement.py").read_text(encoding="utf-8"))
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    numbers = [int(found[1]) for name in names if (found := re.match(r"test_k36_(\d\d)_\w+", name))]
    page = (HERE.parents[1] / "docs" / "kip-36.md").read_text(encoding="utf-8")
    rows = [int(number) for number in re.findall(r"^\| (\d+) \|", page, re.MULTILINE)]
    assert sorted(numbers) == sorted(rows) == sorted(WANTED)
