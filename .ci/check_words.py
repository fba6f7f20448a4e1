"""Keep words that the glossary replaces out of docstrings, comments, pages, names and texts.

Source of the words: docs/glossary.md, "Words not used". Words with a legitimate technical use are left out.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
NOT_PROSE = ("kraftpy/pb/", "kraftpy/records/generated/", "tests/golden/")
LISTS_THEM = "docs/glossary.md"
PLACES = ("kraftpy", "proto", "tests", "docs", "bench", "deploy")

BANNED = re.compile(
    r"\b(anew|nobody|somebody|whoever|shall|shun(?:s|ned)?|reigns?|twins?|told|tells?|office|people"
    r"|say(?:s|ing)? whether|set(?:s|ting)? aside|stands?|stood|now and then|in good order|so many|too much waits"
    r"|parked|witness(?:es)?|dismissed|nameless|unproven|damaged?)\b",
    re.IGNORECASE,
)
"""What is looked for in prose. Not *behind*, *before*, *room*, *life* or *sound*, which have technical uses, too."""

BANNED_IN_NAMES = re.compile(
    r"(?:^|_)(anew|nobody|somebody|whoever|shall|shun|reigns?|twins?|told|tells?|office|people|aside|stands?|stood"
    r"|witness(?:es)?|parked|dismissed|nameless|unproven|damaged?|says?|said|news)(?:_|$)",
    re.IGNORECASE,
)
"""What is looked for in names, part by part."""

ANYWHERE_IN_NAMES = re.compile(
    BANNED_IN_NAMES.pattern.replace("(?:^|_)", r"(?:\b|_)").replace("(?:_|$)", r"(?:_|\b)"), re.IGNORECASE
)
"""The same, in a whole file."""

METHODS_OF_PYTHON = frozenset({"tell"})
"""Names of the standard library: ``tell`` of a file."""

PRODUCT = ("kraftpy/", "bench/", "deploy/")
"""Where texts are read, too: a test may quote anything."""

FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]+`")


def main() -> int:
    """Check every file; return the exit status."""
    found = {path: sorted(replaced_in(path)) for path in prose_files()}
    faults = [f"{path}: docs/glossary.md replaces {', '.join(words)}\n" for path, words in found.items() if words]
    sys.stderr.writelines(faults)
    return 1 if faults else 0


def replaced_in(path: str) -> set[str]:
    """Return the words of a file that the glossary replaces."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if not (BANNED.search(text) or ANYWHERE_IN_NAMES.search(text)):
        # Two files of three: taking one apart into tokens takes a hundred times as long.
        return set()
    found = {word.lower() for word in BANNED.findall(prose_of(path))}
    if path.endswith(".py"):
        for token in tokens_of(path):
            if token.type == tokenize.NAME and token.string not in METHODS_OF_PYTHON:
                found |= {token.string for _ in BANNED_IN_NAMES.finditer(token.string)}
            elif token.type == tokenize.STRING and path.startswith(PRODUCT):
                found |= {word.lower() for word in BANNED.findall(CODE.sub("", token.string))}
    return found


def tokens_of(path: str) -> Iterator[tokenize.TokenInfo]:
    """Yield the tokens of a module."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return tokenize.generate_tokens(io.StringIO(text).readline)


def prose_files() -> list[str]:
    """Return every file with prose, by its path."""
    below = (path for place in PLACES for kind in ("*.py", "*.md") for path in (ROOT / place).rglob(kind))
    found = [*ROOT.glob("*.md"), *below]
    paths = sorted(str(path.relative_to(ROOT)) for path in found)
    return [path for path in paths if not path.startswith(NOT_PROSE) and path != LISTS_THEM]


def prose_of(path: str) -> str:
    """Return the docstrings and comments of a module, or the text of a page without its code."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if path.endswith(".md"):
        return CODE.sub("", FENCE.sub("", text))
    comments = (token.string for token in tokens_of(path) if token.type == tokenize.COMMENT)
    return CODE.sub("", "\n".join([*docstrings(ast.parse(text)), *comments]))


def docstrings(tree: ast.Module) -> Iterator[str]:
    """Yield docstrings, and strings that document an attribute: every string that is a statement of its own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


if __name__ == "__main__":
    sys.exit(main())
