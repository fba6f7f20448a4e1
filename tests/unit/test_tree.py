"""What the sources say of themselves: an exemption from a rule of style or types gives its reason beside it."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
ROOTS = ("kraftpy", "tests", "bench", "deploy", ".ci")
GENERATED = ("kraftpy/pb/", "kraftpy/records/generated/")

EXEMPTION = re.compile(r"# (?:ruff: )?noqa\b|# type: ignore\b")
WITH_REASON = re.compile(r"# (?:ruff: )?noqa: [A-Z0-9]+(?:, [A-Z0-9]+)* - \w+|# type: ignore\[[a-z, -]+\] # \w+")


def exempting() -> Iterator[tuple[str, str]]:
    """Path and text of every module that people write, if it makes an exemption."""
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
