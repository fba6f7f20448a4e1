"""Keep words that the glossary replaces out of docstrings, comments and pages.

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
    r"\b(anew|nobody|whoever|shall|shun(?:s|ned)?|reigns?|twins?|told|tells?|office|people|say(?:s|ing)? whether"
    r"|set(?:s|ting)? aside|stands?|stood|now and then|in good order|so many|too much waits)\b",
    re.IGNORECASE,
)
"""What is looked for. Not here: *behind*, *before*, *room*, *life*, *sound*, which have technical uses, too."""

FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]+`")


def main() -> int:
    """Check every file; return the exit status."""
    found = {path: sorted({word.lower() for word in BANNED.findall(prose_of(path))}) for path in prose_files()}
    faults = [f"{path}: docs/glossary.md replaces {', '.join(words)}\n" for path, words in found.items() if words]
    sys.stderr.writelines(faults)
    return 1 if faults else 0


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
    comments = (
        token.string for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type == tokenize.COMMENT
    )
    return CODE.sub("", "\n".join([*docstrings(ast.parse(text)), *comments]))


def docstrings(tree: ast.Module) -> Iterator[str]:
    """Yield docstrings, and strings that document an attribute: every string that is a statement of its own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


if __name__ == "__main__":
    sys.exit(main())
