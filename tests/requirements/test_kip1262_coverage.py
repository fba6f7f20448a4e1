"""Every requirement of KIP-1262 has a test, and the table in the documentation says the truth."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

from tests.requirements.kip1262 import BEGIN, END, REQUIREMENTS, render_table, requirement_of

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[1] / "docs" / "kip-1262.md"
WANTED = {*range(1, 30), 33}


def names_by_requirement() -> dict[int, list[str]]:
    """Read the names of all tests of this folder, in the order of the files."""
    found: dict[int, list[str]] = {}
    for path in sorted(HERE.glob("test_kip1262_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                number = requirement_of(node.name)
                if number is not None:
                    assert ast.get_docstring(node), f"{node.name} says no sentence"
                    found.setdefault(number, []).append(node.name)
    return found


def test_every_requirement_has_a_test_that_carries_its_number():
    """K1262-1 to -29 and -33 each have at least one test, and no test carries another number."""
    assert set(REQUIREMENTS) == WANTED
    found = names_by_requirement()
    assert set(found) == WANTED, (
        f"without a test: {sorted(WANTED - set(found))}; unknown: {sorted(set(found) - WANTED)}"
    )


@pytest.mark.parametrize("place", sorted({place for each in REQUIREMENTS.values() for place in each.places}))
def test_the_code_that_the_table_names_exists(place):
    """Each place of the table is a module and a name in it."""
    module, _, name = place.partition(":")
    found = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    assert found is not None


def test_the_document_holds_the_table(request):
    """The table in docs/kip-1262.md is the one that code and tests make; --rewrite writes it."""
    text = DOCUMENT.read_text(encoding="utf-8")
    before, _, rest = text.partition(f"{BEGIN}\n")
    old, _, after = rest.partition(END)
    table = render_table(names_by_requirement())
    old = old.rstrip("\n")
    if request.config.getoption("--rewrite") and old != table:
        DOCUMENT.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}", encoding="utf-8")
        old = table
    assert old == table, "docs/kip-1262.md is not up to date: run this test with --rewrite and read the diff"
