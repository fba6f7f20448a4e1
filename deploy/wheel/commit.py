"""The commit of a checkout, and the package's own module with it.

It is the full id, ``-dirty`` after it where files were changed: the same for all who build the same commit, whatever
tags they have. An archive of the sources is no checkout, and its wheel does not know.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final

NAMED_IN: Final = "kraftpy/__init__.py"
UNKNOWN_LINE: Final = '__commit__ = "unknown"\n'
GIT_TIMEOUT_S: Final = 60
_ID: Final = ("describe", "--always", "--exclude=*", "--abbrev=40", "--dirty")


def commit_of(root: Path) -> str | None:
    """Return the commit of a checkout; ``None`` where there is no git, or these files are no checkout."""
    top = _git(root, "rev-parse", "--show-toplevel")
    # An archive that was unpacked somewhere below another repository is no checkout of this one.
    if top is None or Path(top).resolve() != root.resolve():
        return None
    return _git(root, *_ID)


def with_commit(source: str, commit: str) -> str:
    """Return the text of ``kraftpy/__init__.py`` with a commit in it.

    Raises:
        ValueError: it has no line for it.
    """
    if UNKNOWN_LINE not in source:
        raise ValueError(f"{NAMED_IN} has no line {UNKNOWN_LINE.strip()}, in which a wheel names its commit")
    return source.replace(UNKNOWN_LINE, f'__commit__ = "{commit}"\n')


def _git(root: Path, *words: str) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603 - git, with words of this module
            ["git", "-C", str(root), *words],  # noqa: S607 - wherever it is installed
            capture_output=True,
            text=True,
            timeout=GIT_TIMEOUT_S,
            check=False,
        )
    except (FileNotFoundError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() or None if done.returncode == 0 else None
