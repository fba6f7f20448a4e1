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


HEADING = re.compile(r"^#{2,3} (.+)$", re.MULTILINE)


def recipes(page: Path) -> dict[str, tuple[str, str]]:
    """Return the programs of a cookbook, each with what it prints, by the heading above them, in their order.

    Raises:
        ValueError: a chapter has other blocks than a program and what it prints, or none before the first recipe.
    """
    head, *chapters = HEADING.split(page.read_text(encoding="utf-8"))
    ((language, common),) = BLOCK.findall(head)
    if language != "python":
        raise ValueError(f"{page} begins with a block of {language}, not with what all recipes share")
    found = {}
    for heading, text in zip(chapters[::2], chapters[1::2], strict=True):
        match BLOCK.findall(text):
            case [("python", program), ("text", output)]:
                found[heading] = (f"{common}\n\n{program}", output)
            case []:
                pass
            case other:
                raise ValueError(f"{heading} on {page} has {[one for one, _ in other]}, not a program and its output")
    return found
