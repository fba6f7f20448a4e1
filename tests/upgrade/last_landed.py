"""The version of kraftpy that clusters are upgraded from here: the one that landed last, taken out of the history.

``LAST_LANDED`` names its commit. It moves when a branch lands: to the commit that was the tip of ``main`` then, in the
first change after it (CONTRIBUTING.md, "After a landing"). So the tests always compare what is about to land with what
nodes run already.
"""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.fakes.launched import ROOT

LAST_LANDED: Final = "d08f965ece4d12b5feda976b51d7552f03eb3175"

PACKAGE: Final = "kraftpy"
"""What is taken of that version to run it; what it imports besides is in the environment of these tests."""

SCHEMAS: Final = "docs/json-schemas"
OUTPUT_MODULE: Final = "kraftpy/cli/output.py"
"""What is taken of it to compare JSON: the schemas, and the module that has the version of the format."""

GIT_TIMEOUT_S: Final = 60


class NoLastLandedError(Exception):
    """The history that the tests run in does not have the commit, or is no history."""


class ShallowCloneError(NoLastLandedError):
    """The clone has only the newest commits: nothing that a test could be blamed for, wherever it runs."""


def extract_last_landed(directory: Path, commit: str = LAST_LANDED, root: Path = ROOT, *, part: str = PACKAGE) -> Path:
    """Write the package, or another part of the tree, as it was at a commit below a directory; return that directory.

    Raises:
        NoLastLandedError: the commit cannot be had.
    """
    check_history(commit, root)
    archive = git(root, "archive", "--format=tar", commit, part)
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(directory, filter="data")
    return directory


def check_history(commit: str = LAST_LANDED, root: Path = ROOT) -> None:
    """Check that the checkout's own history has a commit.

    Raises:
        NoLastLandedError: it has not; the text says why.
    """
    # A tarball that was unpacked somewhere below another repository is no checkout of this one.
    top = git(root, "rev-parse", "--show-toplevel").decode().strip()
    if Path(top).resolve() != root.resolve():
        raise NoLastLandedError(f"{root} is no git checkout")
    try:
        git(root, "cat-file", "-e", f"{commit}^{{commit}}")
    except NoLastLandedError as error:
        missing = f"the last landed version, commit {commit}, is not in the history"
        if git(root, "rev-parse", "--is-shallow-repository").strip() == b"true":
            raise ShallowCloneError(f"{missing}: the clone is shallow: git fetch --unshallow") from None
        raise NoLastLandedError(f"{missing}: {error}") from None


def git(root: Path, *words: str) -> bytes:
    """Run git in a checkout; return what it prints.

    Raises:
        NoLastLandedError: there is no git, or it fails.
    """
    command = ["git", "-C", str(root), *words]
    try:
        done = subprocess.run(command, capture_output=True, timeout=GIT_TIMEOUT_S, check=False)
    except FileNotFoundError:
        raise NoLastLandedError("git is not installed") from None
    if done.returncode:
        raise NoLastLandedError(done.stderr.decode(errors="replace").strip() or f"git {words[0]} failed")
    return done.stdout


def is_required(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether its absence from a whole history fails the tests: in CI, and where real Kafka is required, too."""
    return bool(environment.get("CI")) or environment.get("KRAFTPY_INTEROP") == "required"
