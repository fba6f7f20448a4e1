"""What makes a history: a seed, options that differ from what the seed means, faults that are left out, a planted bug.

A scenario is all that has to be known to have a history again; :meth:`Scenario.command` is the line that does it.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection
from dataclasses import dataclass, fields

import pytest

from tests.simulator.bugs import BUGS, Bug
from tests.simulator.simulation import Simulation, Verdict
from tests.simulator.swarm import Options, options_of, with_changes

NO_CHANGES: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One history.

    Attributes:
        changes: (option, value) pairs in the place of what the seed means.
        left_out: names of faults that do not happen.
        bug: what is planted, by its name.
    """

    seed: int
    changes: tuple[tuple[str, int], ...] = NO_CHANGES
    left_out: frozenset[str] = frozenset()
    bug: str | None = None

    @property
    def options(self) -> Options:
        """All options, changes included."""
        options = options_of(self.seed) if self.bug is None else bug_named(self.bug).options(self.seed)
        return with_changes(options, dict(self.changes))

    def run(self, *, verbose: bool = False) -> Verdict:
        """Run it."""
        with pytest.MonkeyPatch.context() as patch:
            if self.bug is not None:
                bug_named(self.bug).plant(patch)
            return Simulation(self.seed, self.options, left_out=self.left_out, verbose=verbose).run()

    def command(self) -> str:
        """Return the line that replays it."""
        words = ["python", "-m", "tests.simulator", "--seed", str(self.seed)]
        if self.bug is not None:
            words += ["--plant", self.bug]
        if self.changes:
            words += ["--set", *(f"{name}={int(value)}" for name, value in self.changes)]
        if self.left_out:
            words += ["--without", *collapse(self.left_out)]
        return shlex.join(words)


def bug_named(name: str) -> Bug:
    """Return a planted bug.

    Raises:
        ValueError: there is none of this name.
    """
    found = next((bug for bug in BUGS if bug.name == name), None)
    if found is None:
        raise ValueError(f"there is no planted bug {name!r}; there are: {'; '.join(bug.name for bug in BUGS)}")
    return found


def parse_changes(words: Collection[str]) -> tuple[tuple[str, int], ...]:
    """Read ``option=number`` pairs.

    Raises:
        ValueError: a word is no such pair, or there is no such option.
    """
    changes: dict[str, int] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not value.lstrip("-").isdecimal():
            raise ValueError(f"{word!r} is not an option with a number, as in voters=3")
        changes[name] = int(value)
    with_changes(Options(), changes)
    return tuple(changes.items())


def collapse(names: Collection[str]) -> list[str]:
    """Write numbers that follow each other as one range: crash-3, crash-4, crash-5 become crash-3:5."""
    numbers: dict[str, list[int]] = {}
    for name in names:
        kind, _, number = name.rpartition("-")
        numbers.setdefault(kind, []).append(int(number))
    words = []
    for kind in sorted(numbers):
        first = last = -1
        for number in [*sorted(numbers[kind]), -1]:
            if number != last + 1 or first < 0:
                if first >= 0:
                    words.append(f"{kind}-{first}" if first == last else f"{kind}-{first}:{last}")
                first = number
            last = number
    return words


def expand(words: Collection[str]) -> frozenset[str]:
    """Read what :func:`collapse` wrote.

    Raises:
        ValueError: a word is no fault's name.
    """
    names: set[str] = set()
    for word in words:
        kind, dash, numbers = word.rpartition("-")
        first, _, last = numbers.partition(":")
        if not dash or not first.isdecimal() or not (last or "0").isdecimal():
            raise ValueError(f"{word!r} is no fault's name, as in crash-3 or crash-3:5")
        names |= {f"{kind}-{number}" for number in range(int(first), int(last or first) + 1)}
    return frozenset(names)


def option_names() -> list[str]:
    """Return the names of all options."""
    return [each.name for each in fields(Options)]
