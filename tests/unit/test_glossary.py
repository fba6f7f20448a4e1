"""The glossary is true: the names it calls old are in the code, homonyms are listed, and nothing public is left out."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from kraftpy.cli.root import ALIASES, COMMANDS
from kraftpy.records.json_text import OUR_TAGS_FROM
from kraftpy.records.schema import FAMILIES, Field, MessageSpec, load
from kraftpy.storage import names

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "kraftpy"
GENERATED = ("pb", "generated")
TEXT = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
WORDS, _, REST = TEXT.partition("\n## Homonyms\n")
HOMONYMS, _, BANNED = REST.partition("\n## Words not used\n")


def rows(text: str) -> list[list[str]]:
    """The cells of every row of every table, without heads."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    return [row for row in cells if row[0] not in {"Word", "Name", "Not", "---"}]


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


STILL_CALLED = [(row[0], name) for row in rows(WORDS) for name in quoted(row[3])]


@cache
def sources() -> dict[str, str]:
    """Each module that is written by hand, by its path below the package."""
    paths = (path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))
    return {
        str(path): (PACKAGE / path).read_text(encoding="utf-8") for path in paths if not {*GENERATED} & {*path.parts}
    }


@cache
def names_in(module: str) -> frozenset[str]:
    """Identifiers of a module; no words of comments and docstrings."""
    text = sources()[module]
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return frozenset(token.string for token in tokens if token.type == tokenize.NAME)


def occurs(name: str) -> bool:
    """Whether the code has this path, identifier or string; ``path:name`` looks into one module."""
    module, colon, inner = name.partition(":")
    if not colon or "/" not in module:
        module, inner = "", name
    if not module and "/" in name:
        return (PACKAGE / name).exists()
    searched = [module] if module else list(sources())
    if any(one not in sources() for one in searched):
        return False
    if inner.startswith('"'):
        return any(inner in sources()[one] for one in searched)
    return inner in schema_names() or any(inner in names_in(one) for one in searched)


@cache
def schema_names() -> frozenset[str]:
    """The fields of Kafka's messages, ours among them."""
    return frozenset(field.name for family in FAMILIES for message in load(family) for field in fields_of(message))


def fields_of(message: MessageSpec) -> list[Field]:
    return [field for struct in message.structs for field in struct.fields]


def test_every_row_has_four_cells_and_every_word_one_row():
    """One word for one thing: no word is explained twice."""
    found = rows(WORDS)
    assert len(found) > 100
    assert [row for row in found if len(row) != 4 or not all(row[:3])] == []
    words = [row[0] for row in found]
    assert sorted({word for word in words if words.count(word) > 1}) == []


@pytest.mark.parametrize(("word", "name"), STILL_CALLED, ids=[name for _, name in STILL_CALLED])
def test_what_is_still_called_so_is_in_the_code(word, name):
    """A name that was renamed leaves the table."""
    assert occurs(name), f"docs/glossary.md: {name} occurs no more; take it out of the row {word!r}"


def test_homonyms_are_those_of_the_code():
    """A class name that a second module takes needs a row, or better another name; a resolved one leaves the table."""
    found: dict[str, set[str]] = defaultdict(set)
    for module, text in sources().items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef):
                found[node.name].add(module)
    table = {quoted(name)[0]: set(quoted(modules)) for name, modules, _ in rows(HOMONYMS)}
    assert {name: modules for name, modules in found.items() if len(modules) > 1} == table


def test_what_users_see_is_in_the_glossary():
    """Commands, files on disk, and our tags on Kafka's messages."""
    known = {name.rpartition(":")[2].strip('"') for name in quoted(WORDS)}
    files = {value for name, value in vars(names).items() if name.isupper() and isinstance(value, str)}
    files -= {names.METADATA_DIRECTORY, names.LOG_SUFFIX, names.DELETED_SUFFIX}
    assert len(files) > 8
    tags = {field.name for message in load("rpc") for field in fields_of(message) if (field.tag or 0) >= OUR_TAGS_FROM}
    assert len(tags) > 8
    for kind, wanted in (("commands", {*COMMANDS, *ALIASES}), ("files", files), ("tags", tags)):
        assert sorted(wanted - known) == [], kind


def test_banned_words_have_a_replacement():
    found = rows(BANNED)
    assert len(found) > 30
    assert [row for row in found if len(row) != 2 or not all(row)] == []
    given = {word for row in found for word in re.findall(r"[\w ]+\b", row[0])}
    assert {"office", "reign", "told", "twin", "set aside", "room", "anew"} <= {word.strip() for word in given}
