"""The Python half of ``docs/api.md``: ``kraftpy/client``, from its signatures and docstrings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, TypeAlias

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

SECTION: Final = re.compile(r"^(Args|Raises|Attributes|Returns):\n", re.MULTILINE)
ROLE: Final = re.compile(r":(?:class|meth|func|mod):`~?(?:[\w.]+\.)?(\w+(?:\.\w+)?)`")
ITEM: Final = re.compile(r"^    (\w+): ", re.MULTILINE)

ASSIGNED: Final = re.compile(r"^([^=]+)=")

INTRODUCTION: Final = """\
Everything that a caller needs is in `kraftpy.client`: `AsyncClient` and `Client`, errors, the credentials of SASL, and
all values, which are `v.` below (`import kraftpy.client as v`). Uuids are values of their own ([Uuid](#uuid)), offsets
and epochs are `int`, names end in their unit. Programs that use them, one for each purpose, are in the
[cookbook](cookbook.md)."""

CHANGES: Final = """\
`MetadataChange` is one of these: records of the log, with their fields in [Records and messages](records.md) under
names like `topic_id`. A field that is a uuid has a `Uuid`; to a type checker it is `bytes`, and `Uuid(change.topic_id)`
is both. The [cookbook](cookbook.md#changes) has a program for each part of the metadata.
"""

MODULES: Final = (
    ("async_client", "### AsyncClient", ("AsyncClient",)),
    ("sync", "### Client", ("Client",)),
    ("sasl", "### Credentials of SASL", ("ScramCredentials", "PlainCredentials", "BearerCredentials")),
    ("errors", "### Errors", ("UnavailableError", "UnknownOutcomeError")),
    ("uuids", "### Uuid", ("Uuid",)),
)


def client_chapter(package: Path) -> Iterator[str]:
    """Yield the paragraphs of the chapter."""
    known = {one.name: one for module in sorted(package.glob("*.py")) for one in _classes(module)}
    yield "## Python client\n"
    yield f"{INTRODUCTION}\n"
    for module, heading, names in MODULES:
        yield f"{heading}\n"
        for one in _classes(package / f"{module}.py"):
            if one.name in names:
                yield from _class(one, _methods(one, known), is_only=len(names) == 1)
    yield "### Values\n"
    for one in _classes(package / "values.py"):
        yield from _value(one)
    yield "### Changes\n"
    yield CHANGES
    yield from (f"* `v.{name}`" for name in _members(package / "records.py", "MetadataChange"))
    yield ""


def _classes(module: Path) -> list[ast.ClassDef]:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    return [node for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]


def _members(module: Path, union: str) -> Iterator[str]:
    """Yield the names of the classes that a union of a module has."""
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.AnnAssign) and node.value and ast.unparse(node.target) == union:
            yield from ast.unparse(node.value).split(" | ")


def _methods(node: ast.ClassDef, known: Mapping[str, ast.ClassDef]) -> Iterable[_Function]:
    """Return the methods of a class, those of its bases in the package first, each once."""
    found: dict[str, _Function] = {}
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id in known:
            found |= {method.name: method for method in _methods(known[base.id], known)}
    return (found | {method.name: method for method in node.body if isinstance(method, _Function)}).values()


def _class(node: ast.ClassDef, methods: Iterable[_Function], *, is_only: bool) -> Iterator[str]:
    if not is_only:
        yield f"#### {node.name}\n"
    yield f"{_markdown(node)}\n"
    for method in methods:
        if method.name == "__init__":
            yield _code(method, node.name)
        elif not method.name.startswith("_"):
            yield f"#### {node.name}.{method.name}\n"
            yield _code(method, method.name)
            yield f"{_markdown(method)}\n"


def _value(node: ast.ClassDef) -> Iterator[str]:
    """Yield a dataclass with its fields, or an enum with its values."""
    yield f"#### v.{node.name}\n"
    yield f"{_markdown(node)}\n"
    fields = [ast.unparse(each) for each in node.body if isinstance(each, (ast.AnnAssign, ast.Assign))]
    if fields:
        yield "\n".join(["```python", *fields, "```", ""])


def _code(function: _Function, name: str) -> str:
    """Return the signature, one argument per line, as a block of code."""
    arguments = ast.unparse(function.args)
    parts = [ASSIGNED.sub(r"\1 = ", part) for part in _split(arguments) if part not in {"self", "cls"}]
    returns = f" -> {ast.unparse(function.returns)}" if function.returns and name == function.name else ""
    prefix = "async " if isinstance(function, ast.AsyncFunctionDef) else ""
    line = f"{prefix}{name}({', '.join(parts)}){returns}"
    if len(line) > 100:
        line = f"{prefix}{name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){returns}"
    return f"```python\n{line}\n```\n"


def _split(arguments: str) -> list[str]:
    """Split arguments at the commas that no bracket holds."""
    parts, depth = [""], 0
    for letter in arguments:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def _markdown(node: ast.ClassDef | _Function) -> str:
    """Return a docstring as Markdown: sections become lists, roles become code."""
    text = ROLE.sub(r"`\1`", ast.get_docstring(node) or "").replace("``", "`")
    first, *sections = SECTION.split(text)
    found = [first.strip()]
    for name, body in zip(sections[::2], sections[1::2], strict=True):
        found += [f"{name}:", _items(body)]
    return "\n\n".join(found)


def _items(body: str) -> str:
    """Return the entries of a section as a list; a continued line joins the one before it."""
    rows = ITEM.sub(r"* `\1`: ", body).strip("\n")
    return re.sub(r"\n +", " ", rows)
