"""What the sources say of themselves: each package names its modules, each exemption from a rule gives its reason."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from kraftpy.cli.root import COMMANDS

CHECKOUT = Path(__file__).resolve().parents[2]
ROOTS = ("kraftpy", "proto", "tests", "bench", "deploy", "docs", ".ci")
GENERATED = ("kraftpy/pb/", "kraftpy/records/generated/")

FAMILIES = {
    "kraftpy/audit/rules": "rule",
    "kraftpy/transport/kafka/translate": "API",
}
"""Packages whose modules are all alike: their docstrings say what each is made for, and not their names."""

FUNCTION_LINES_MAX = 54
"""What fits on a screen, the docstring included."""

EXEMPTION = re.compile(r"# (?:ruff: )?noqa\b|# type: ignore\b")
WITH_REASON = re.compile(r"# (?:ruff: )?noqa: [A-Z0-9]+(?:, [A-Z0-9]+)* - \w+|# type: ignore\[[a-z, -]+\] # \w+")


def exempting() -> Iterator[tuple[str, str]]:
    """Path and text of every hand-written module, if it makes an exemption."""
    for root in ROOTS:
        for path in sorted((CHECKOUT / root).rglob("*.py")):
            name = path.relative_to(CHECKOUT).as_posix()
            text = path.read_text(encoding="utf-8")
            if not name.startswith(GENERATED) and EXEMPTION.search(text):
                yield name, text


def unexplained(text: str) -> list[str]:
    """The exemptions in a source without a reason: line and comment."""
    comments = [one for one in tokenize.generate_tokens(io.StringIO(text).readline) if one.type == tokenize.COMMENT]
    return [
        f"{one.start[0]}: {one.string}"
        for one in comments
        for found in EXEMPTION.finditer(one.string)
        if not WITH_REASON.match(one.string, found.start())
    ]


@pytest.mark.parametrize(
    ("comment", "is_explained"),
    [
        ("# noqa: S301", False),
        ("# noqa", False),
        ("# noqa: S301, E501", False),
        ("# noqa: S301 - our own bytes", True),
        ("# type: ignore[arg-type]", False),
        ("# type: ignore[arg-type] # the line above says it", True),
        ("# type: ignore[import-untyped] # noqa: F401", False),
        ("# type: ignore[import-untyped] # noqa: F401 - it has no stubs", True),
        ("# ruff: noqa: PTH108", False),
    ],
)
def test_what_counts_as_a_reason(comment: str, is_explained: bool) -> None:
    """Words behind the codes; the codes alone say what, and not why."""
    assert (unexplained(f"a = 1  {comment}\n") == []) == is_explained


def test_every_exemption_gives_its_reason() -> None:
    """A rule that is broken without a word looks like a rule that does not count."""
    found = [f"{name}:{one}" for name, text in exempting() for one in unexplained(text)]
    assert not found, "\n".join(found)


def packages() -> list[str]:
    """The hand-written packages, relative to the checkout."""
    found = sorted(path.parent.relative_to(CHECKOUT).as_posix() for path in (CHECKOUT / "kraftpy").rglob("__init__.py"))
    return [name for name in found if not f"{name}/".startswith((*GENERATED, "kraftpy/audit/autoload/"))]


def docstring_of(package: str) -> str:
    return ast.get_docstring(ast.parse((CHECKOUT / package / "__init__.py").read_text(encoding="utf-8"))) or ""


def modules_of(package: str) -> set[str]:
    folder = CHECKOUT / package
    return {path.stem for path in folder.glob("*.py")} | {path.parent.name for path in folder.glob("*/__init__.py")}


@pytest.mark.parametrize("package", packages())
def test_a_package_names_its_modules(package: str) -> None:
    """A package's docstring names all of its modules."""
    text = docstring_of(package)
    if package in FAMILIES:
        assert FAMILIES[package] in text
        return
    named = set(re.findall(r"\w+", " ".join(re.findall(r"``[^`]+``|^    .*", text, re.MULTILINE))))
    if package == "kraftpy/cli":
        # A command's module is in the table of commands, which the docstring names.
        named |= {command.target.partition(":")[0].rpartition(".")[2] for command in COMMANDS.values()}
    assert modules_of(package) - named <= {"__init__", "__main__"}


@pytest.mark.parametrize("package", packages())
def test_a_reading_order_names_nothing_that_went(package: str) -> None:
    """Each name in it is that of an existing module or package."""
    orders = [part for part in docstring_of(package).split("\n\n") if part.startswith("Reading order:")]
    for name in re.findall(r"``([^`]+)``", " ".join(orders)):
        *inner, module = name.split(".")
        assert module in modules_of("/".join((package, *inner))), name


LOGGERS = {"_log", "LOG"}
EVENT = re.compile(r"[a-z][a-z0-9_]*( [a-z_]+=.*)?", re.DOTALL)
"""An event's name, and fields after it where the logger is that of the standard library."""


def events_without_name(text: str) -> list[str]:
    """The log calls whose event begins with something else than a name in snake_case."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        function = node.func
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            if function.value.id in LOGGERS and isinstance(node.args[0], ast.Constant | ast.JoinedStr):
                event = getattr(node.args[0], "value", "")
                if not EVENT.fullmatch(str(event)) or (function.value.id == "_log" and " " in str(event)):
                    found.append(f"{node.lineno}: {event!r}")
        elif isinstance(function, ast.Name) and function.id == "Notice":
            event = getattr(node.args[1], "value", "a_name")
            if not re.fullmatch(r"[a-z][a-z0-9_]*", str(event)):
                found.append(f"{node.lineno}: {event!r}")
    return found


def test_log_events_have_names() -> None:
    """An operator searches for a name and filters by fields; a sentence changes with every edit."""
    found = [
        f"{path}:{one}"
        for path in sorted((CHECKOUT / "kraftpy").rglob("*.py"))
        for one in events_without_name(path.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("line", "is_named"),
    [
        ('_log.info("node_starting", node_id=1)', True),
        ('LOG.warning("connection_closed peer=%s", peer)', True),
        ("_log.info(event)", True),
        ('_log.info("the node starts")', False),
        ('LOG.warning("closing %s", peer)', False),
        ('_log.error(f"{event} failed")', False),
        ('Notice("info", "made ready", {})', False),
        ('Notice("info", "directory_formatted", {})', True),
    ],
)
def test_the_check_of_events_distinguishes_names_from_sentences(line: str, is_named: bool) -> None:
    assert (events_without_name(line) == []) is is_named


def test_no_function_is_longer_than_a_screen():
    """The longest one has 54 lines, its docstring included; a longer one is two functions."""
    too_long = [
        f"{path.relative_to(CHECKOUT)}:{node.lineno} {node.name}"
        for path in sorted((CHECKOUT / "kraftpy").rglob("*.py"))
        if not {"generated", "pb"} & set(path.parts)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= FUNCTION_LINES_MAX
    ]
    assert too_long == []
