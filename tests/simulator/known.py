"""The seeds and scenarios that ever failed (``seeds.txt``), and the fresh ones that belong to a commit."""

from __future__ import annotations

import argparse
import hashlib
import re
import shlex
import subprocess
from pathlib import Path

from tests.simulator.scenario import Scenario, expand, parse_changes

FILE = Path(__file__).with_name("seeds.txt")

PACKAGES = ("kraftpy", "tests/simulator")

SEEDS_PER_COMMIT = 100_000
"""The ranges of two commits lie at least so far apart, so that no search has another's seeds."""

COMMIT_DIGITS = 9
"""Hexadecimal digits of a commit that determine where its range begins."""

COMMIT = re.compile(r"-|[0-9a-f]{7,40}")


def first_seed_of(commit: str) -> int:
    """Return the first seed of a commit's own range: derived from the commit, so every run finds it again."""
    return int(commit[:COMMIT_DIGITS], 16) * SEEDS_PER_COMMIT + 1


def head() -> str:
    """Return the commit that is checked out; where there is no checkout, or no git, a digest of the sources instead."""
    command = ["git", "rev-parse", "HEAD"]
    try:
        return subprocess.run(command, cwd=FILE.parent, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return digest_of_sources()


def digest_of_sources() -> str:
    """Say in hexadecimal digits what the code is that a search is about."""
    digest = hashlib.sha256()
    for package in PACKAGES:
        for path in sorted((FILE.parents[2] / package).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def known_scenarios(text: str) -> list[Scenario]:
    """Read ``seeds.txt``: a commit and the arguments of a history on each line, the rest of a line after ``#`` aside.

    Raises:
        ValueError: a line is none of that; the text names it.
    """
    parser = argparse.ArgumentParser(exit_on_error=False, add_help=False)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--set", nargs="+", default=[])
    parser.add_argument("--without", nargs="+", default=[])
    scenarios = []
    for number, line in enumerate(text.splitlines(), 1):
        commit, *words = shlex.split(line, comments=True) or [""]
        if not commit:
            continue
        if not COMMIT.fullmatch(commit):
            raise ValueError(f"{FILE.name} line {number}: {commit!r} is no commit")
        try:
            chosen = parser.parse_args(words)
            changes, left_out = parse_changes(chosen.set), expand(chosen.without)
        except (argparse.ArgumentError, ValueError, SystemExit) as error:
            raise ValueError(f"{FILE.name} line {number}: {error}") from error
        scenarios.append(Scenario(seed=chosen.seed, changes=changes, left_out=left_out))
    return scenarios
