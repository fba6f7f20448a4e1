"""Keep words that the glossary replaces out of docstrings, comments and pages.

The prose is being rewritten file by file. ``words_left.txt`` beside this file has the number of such words that each
file still contains; a file that it does not name has none. The check fails when a file has more than that, and when it
has fewer, so that the list only shrinks. ``--write`` writes the list anew after a rewrite.

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
LEFT = Path(__file__).parent / "words_left.txt"
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


def main(arguments: list[str]) -> int:
    """Check, or write the list; return the exit status."""
    found = {path: count for path in prose_files() if (count := len(BANNED.findall(prose_of(path))))}
    if arguments == ["--write"]:
        LEFT.write_text("".join(f"{path} {count}\n" for path, count in sorted(found.items())), encoding="utf-8")
        return 0
    listed = {path: int(count) for path, count in (line.split() for line in LEFT.read_text("utf-8").splitlines())}
    judged = (judge(path, found.get(path, 0), listed.get(path, 0)) for path in sorted({*found, *listed}))
    faults = [fault for each in judged for fault in each]
    sys.stderr.writelines(f"{fault}\n" for fault in faults)
    return 1 if faults else 0


def judge(path: str, found: int, listed: int) -> Iterator[str]:
    """Describe what is wrong with one file, if anything is."""
    if found > listed:
        words = sorted({word.lower() for word in BANNED.findall(prose_of(path))} if (ROOT / path).exists() else ())
        yield f"{path}: {found} words that docs/glossary.md replaces ({listed} are listed): {', '.join(words)}"
    elif found < listed:
        yield f"{path}: {found} words that docs/glossary.md replaces, {listed} listed: run .ci/check_words.py --write"


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
    sys.exit(main(sys.argv[1:]))
