"""The commit that upgrades are tested from is in the history; where it is not, the reason is named."""

from __future__ import annotations

import re
import subprocess

import pytest

from tests.fakes.launched import ROOT
from tests.upgrade.last_landed import (
    LAST_LANDED,
    NoLastLandedError,
    ShallowCloneError,
    check_history,
    extract_last_landed,
    git,
    is_required,
)

MISSING = "0123456789abcdef0123456789abcdef01234567"


def test_the_commit_is_in_the_history() -> None:
    """A landing that was rewritten, or a typing error, leaves the tests of upgrades without a version to begin with."""
    assert re.fullmatch("[0-9a-f]{40}", LAST_LANDED)
    try:
        check_history()
    except NoLastLandedError as error:
        if is_required() and not isinstance(error, ShallowCloneError):
            raise
        pytest.skip(f"no last landed version: {error}")
    # An ancestor: what is about to land comes after it. git fails otherwise.
    git(ROOT, "merge-base", "--is-ancestor", LAST_LANDED, "HEAD")


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({}, False),
        ({"CI": "true"}, True),
        ({"CI": ""}, False),
        ({"KRAFTPY_INTEROP": "required"}, True),
        ({"KRAFTPY_INTEROP": "wanted"}, False),
    ],
)
def test_where_it_is_required(environment, wanted) -> None:
    assert is_required(environment) is wanted


def test_a_directory_without_history_is_named(tmp_path) -> None:
    """A tarball, also one that was unpacked below another repository."""
    with pytest.raises(NoLastLandedError, match="not a git repository"):
        check_history(root=tmp_path)
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    (tmp_path / "below").mkdir()
    with pytest.raises(NoLastLandedError, match="is no git checkout"):
        check_history(root=tmp_path / "below")
    with pytest.raises(NoLastLandedError, match=f"commit {MISSING}, is not in the history"):
        extract_last_landed(tmp_path / "tree", MISSING, tmp_path)
    assert not (tmp_path / "tree").exists()


def test_a_shallow_clone_names_the_way_out(tmp_path) -> None:
    """The checkout of CI's first job is one."""
    origin, clone = tmp_path / "origin", tmp_path / "clone"
    subprocess.run(["git", "init", "--quiet", origin], check=True)
    author = ("-c", "user.name=test", "-c", "user.email=test@localhost")
    for subject in ("first", "second"):
        git(origin, *author, "commit", "--quiet", "--allow-empty", "-m", subject)
    first = git(origin, "rev-parse", "HEAD~1").decode().strip()
    subprocess.run(["git", "clone", "--quiet", "--depth=1", f"file://{origin}", clone], check=True)
    check_history(first, origin)
    with pytest.raises(ShallowCloneError, match="the clone is shallow: git fetch --unshallow"):
        check_history(first, clone)


def test_git_that_is_missing_is_named(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoLastLandedError, match="git is not installed"):
        check_history()
