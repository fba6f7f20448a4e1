"""The Python that pages and examples show: what their readers copy."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[tuple[str, str]]:
    """Return the blocks of a page, each with its language, in their order."""
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def programs() -> Iterator[tuple[str, str]]:
    """Iterate over all that is shown, with the path of its file and the number that it has there."""
    for path in sorted((ROOT / "docs" / "examples").glob("*.py")):
        yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    for page in sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]):
        shown = [text for language, text in blocks(page) if language == "python"]
        for number, text in enumerate(shown, 1):
            yield f"{page.relative_to(ROOT).as_posix()}:{number}", text


def imports(text: str) -> Iterator[tuple[str, str | None]]:
    """Iterate over what a program takes from this project: a module, and the name in it or ``None`` for all of it.

    A name of a module that was imported as a whole counts as imported where it is used.

    Raises:
        SyntaxError: the text is no Python.
    """
    tree = ast.parse(text)
    modules: dict[str, str] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                for each in names:
                    if each.name.partition(".")[0] == "kraftpy":
                        modules[each.asname or each.name] = each.name
                        yield each.name, None
            case ast.ImportFrom(module=str(module), names=names) if module.partition(".")[0] == "kraftpy":
                for each in names:
                    yield module, each.name
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and (module := modules.get(ast.unparse(node.value))):
            yield module, node.attr
