"""Collects the ``*.txt`` stories: blocks of verbs, ``----``, and what they print, up to a blank line.

``pytest tests/scenarios --rewrite`` writes what is printed now into the files; a changed expectation needs a reason.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.scenarios.world import World

SEPARATOR = "----"


def pytest_collect_file(parent: pytest.Collector, file_path: Path) -> pytest.Collector | None:
    return Story.from_parent(parent, path=file_path) if file_path.suffix == ".txt" else None


class StoryDiffersError(Exception):
    """A story printed something else than its file says."""


class Story(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        yield StoryItem.from_parent(self, name=self.path.stem)


class StoryItem(pytest.Item):
    def runtest(self) -> None:
        before = self.path.read_text()
        after = play(before)
        if self.config.getoption("--rewrite"):
            self.path.write_text(after)
        elif before != after:
            diff = difflib.unified_diff(before.splitlines(), after.splitlines(), "expected", "printed", lineterm="")
            raise StoryDiffersError("\n".join(diff))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: None = None) -> str:
        if isinstance(excinfo.value, StoryDiffersError):
            return f"{self.path.name}\n{excinfo.value}"
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"scenario: {self.name}"


def play(text: str) -> str:
    """Run a story and return it with what its verbs print now."""
    world, written = World(), []
    for block in text.strip().split("\n\n"):
        head, separator, _ = block.partition(SEPARATOR)
        written.append(block if not separator else f"{head}{SEPARATOR}\n{run_block(world, head)}")
    return "\n\n".join(written) + "\n"


def run_block(world: World, head: str) -> str:
    """Run the verbs of one block; ``#`` starts a comment line, ``;`` chains."""
    printed: list[str] = []
    for line in head.splitlines():
        if line and not line.startswith("#"):
            for command in line.split(";"):
                printed += world.run(command.strip())
    return "\n".join(printed) or "ok"
