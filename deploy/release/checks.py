"""Whether the checked-out commit is a release: its tag, its version and its changelog say the same."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

VERSION: Final = re.compile(r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?")
"""Three numbers, and of a pre-release its kind and number. Source: PEP 440."""

STATED_IN: Final = "kraftpy/__init__.py"
STATED: Final = re.compile(r'^__version__ = "([^"]*)"$', re.MULTILINE)


class ReleaseError(Exception):
    """A release cannot be made; the message says why, and what to do."""


def version_in(root: Path) -> str:
    """Return the version that ``kraftpy/__init__.py`` states; ``pyproject.toml`` takes it from there.

    Raises:
        ReleaseError: there is no such file, or it states none.
    """
    try:
        found = STATED.search((root / STATED_IN).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ReleaseError(f"{root} has no {STATED_IN}, which states the version") from error
    if found is None:
        raise ReleaseError(f"{STATED_IN} states no __version__")
    return found[1]


def tag_of(version: str) -> str:
    """Return the name of a version's tag."""
    return f"v{version}"


def git(root: Path, *arguments: str) -> str:
    """Return what git prints.

    Raises:
        ReleaseError: git failed; with what it said.
    """
    done = subprocess.run(  # noqa: S603 - git, with words of this module
        ["git", *arguments],  # noqa: S607 - wherever it is installed
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise ReleaseError(f"git {' '.join(arguments)} failed in {root}: {done.stderr.strip()}")
    return done.stdout.strip()


def commit_time(root: Path) -> str:
    """Return when the checked-out commit was made, in seconds since the epoch."""
    return git(root, "log", "-1", "--format=%ct")


def faults_of(root: Path) -> Iterator[str]:
    """Check the checked-out commit; yield each reason why it is no release, with what to do."""
    version = version_in(root)
    if not VERSION.fullmatch(version):
        yield f"version {version!r} in {STATED_IN} is not like 1.2.3 or 1.2.3rc1"
    if changed := _not_committed(root):
        yield f"there are changes that are not committed: {', '.join(changed)}"
    tags = git(root, "tag", "--points-at", "HEAD").split()
    if tag_of(version) not in tags:
        found = ", ".join(tags) or "none"
        yield f"the commit has no tag {tag_of(version)} (its tags: {found}): git tag --sign {tag_of(version)}"
    heading = re.compile(rf"^## {re.escape(version)} - \d{{4}}-\d{{2}}-\d{{2}}$", re.MULTILINE)
    if not heading.search((root / "CHANGELOG.md").read_text(encoding="utf-8")):
        yield f"CHANGELOG.md has no section '## {version} - YYYY-MM-DD': rename 'Unreleased'"


def _not_committed(root: Path) -> list[str]:
    """Return the paths that are not as in the commit; also of files that only this clone or user ignores.

    The build leaves out what ``.gitignore`` names, and nothing else.
    """
    added = git(root, "ls-files", "--others", "--exclude-per-directory=.gitignore")
    changed = git(root, "diff", "--name-only", "HEAD")
    return [*changed.splitlines(), *added.splitlines()]
