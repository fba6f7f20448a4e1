"""Kafka's controller and ours asked the same, request by request, in episodes that begin with nothing.

An episode is one seed. Its steps draw what they ask from a seed of their own and the state that both controllers have,
so that any of them can be left out: that is how a failing episode is shrunk.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Final

from kraftpy.image.image import SLICES
from tests.interop.differential import kinds
from tests.interop.differential.asking import Ask, drawn
from tests.interop.differential.comparing import Mismatch, entries, mismatches, shown
from tests.interop.differential.differences import DIFFERENCES, Case, claimed_by
from tests.interop.differential.reset import clearing
from tests.interop.differential.side import Observation, Side

STEPS: Final = 150
"""How many requests an episode has."""

PATIENCE_S: Final = 10.0
"""How long a read may answer from an older state."""

PROGRESS_REQUESTS: Final = 10_000
"""After how many requests a line says so."""

SHRINKS_MAX: Final = 400
"""How many shorter sequences are tried."""

assert kinds


@dataclass
class Figures:
    """What was asked and compared."""

    asked: Counter[str] = field(default_factory=Counter)
    codes: Counter[int] = field(default_factory=Counter)
    differences: Counter[str] = field(default_factory=Counter)
    entries: int = 0
    records: int = 0
    episodes: int = 0

    @property
    def requests(self) -> int:
        return self.asked.total()

    def add(self, other: Figures) -> None:
        """Count what was asked elsewhere, too."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))

    def report(self) -> str:
        """Say it in lines."""
        lines = [f"{self.requests} requests in {self.episodes} episodes"]
        lines += [f"  {count:7} {name}" for name, count in sorted(self.asked.items())]
        lines += [f"compared: {self.entries} entries of answers, {self.records} records"]
        lines += [f"differences on purpose: {self.differences.total()}"]
        lines += [f"  {self.differences[each.name]:7} {each.name}" for each in DIFFERENCES]
        never = [each.name for each in DIFFERENCES if not self.differences[each.name]]
        if never:
            lines.append(f"never seen: {', '.join(never)}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Failure:
    """A difference that is not on purpose.

    Attributes:
        steps: the numbers of the steps that lead to it, itself last.
        asked: what they asked.
    """

    seed: int
    steps: tuple[int, ...]
    asked: tuple[str, ...]
    found: tuple[Mismatch, ...]

    @property
    def kind(self) -> str:
        """What was asked last and where the first difference is, without numbers."""
        message = self.asked[-1].partition("(")[0].partition(" ")[2]
        return f"{message} {re.sub(r'[0-9]+', '', self.found[0].where)}"

    def report(self) -> str:
        """Say what was asked, what came of it, and how to see it again."""
        lines = [f"seed {self.seed}: after {len(self.steps)} requests Kafka and kraftpy differ"]
        lines += [f"  {number:4}: {text}" for number, text in zip(self.steps, self.asked, strict=True)]
        lines += [f"  {each}" for each in self.found]
        steps = ",".join(map(str, self.steps))
        return "\n".join((*lines, f"again: python -m tests.interop.differential --seed {self.seed} --steps {steps}"))


class Judge:
    """Asks two controllers."""

    def __init__(self, theirs: Side, ours: Side) -> None:
        self.sides = (theirs, ours)
        self.figures = Figures()
        self._levels = dict(theirs.image.features.levels)

    def run(self, seed: int, requests: int, *, failures: int = 1) -> list[Failure]:
        """Run episodes until there are that many requests, or ``failures`` kinds of things differ.

        Returns:
            The first failure of each kind, shrunk.
        """
        found: dict[str, Failure] = {}
        reported = 0
        while self.figures.requests < requests and len(found) < failures:
            failure = self.episode(seed, range(STEPS))
            if failure is not None and failure.kind not in found:
                found[failure.kind] = self.shrunk(failure)
            if self.figures.requests >= reported + PROGRESS_REQUESTS:
                reported = self.figures.requests
                print(f"{reported:,} of {requests:,} requests, at seed {seed}", file=sys.stderr, flush=True)
            seed += 1
        return list(found.values())

    def episode(self, seed: int, steps: Sequence[int], figures: Figures | None = None) -> Failure | None:
        """Run one; it ends where the states are not the same any more."""
        figures = figures or self.figures
        figures.episodes += 1
        self._reset()
        done: dict[int, Ask] = {}
        for number in steps:
            ask = drawn(f"{seed}:{number}", self.sides[0].image)
            if ask is None:
                continue
            done[number] = ask
            unclaimed, goes_on = self._step(ask, figures)
            if unclaimed:
                return Failure(seed, tuple(done), tuple(map(str, done.values())), tuple(unclaimed))
            if not goes_on:
                break
        return None

    def _step(self, ask: Ask, figures: Figures) -> tuple[list[Mismatch], bool]:
        """Ask both; return what is not on purpose, and whether the states are the same."""
        until = time.monotonic() + PATIENCE_S
        case = Case(ask.message, self.sides[0].image)
        while True:
            theirs, ours = self._asked(ask)
            found = mismatches(theirs, ours, (self.sides[0].image, self.sides[1].image))
            claimed = [(each, claimed_by(case, each)) for each in found]
            unclaimed = [each for each, names in claimed if not names]
            if not unclaimed or not ask.is_read or time.monotonic() > until:
                break
        figures.asked[type(ask.message).__name__.removesuffix("Request")] += 1
        figures.entries += entries(theirs.answer)
        figures.records += len(theirs.records)
        figures.differences.update({name for _, names in claimed for name in names})
        return unclaimed, not any(each.where.startswith("state.") for each in found)

    def _asked(self, ask: Ask) -> tuple[Observation, Observation]:
        for side in self.sides:
            side.send(ask.message, ask.version)
        theirs, ours = (side.receive(type(ask.message), ask.version) for side in self.sides)
        return theirs, ours

    def _reset(self) -> None:
        """Let both forget what the last episode left."""
        done: list[str] = []
        for side in self.sides:
            side.become_ready()
            for message, version in clearing(side.image, self._levels):
                done.append(f"{side.title}: {shown(message)} got {side.ask(message, version).answer}")
            side.forget_names()
        one, other = (side.image for side in self.sides)
        left = [Mismatch(name, a, b) for name in SLICES if (a := getattr(one, name)) != (b := getattr(other, name))]
        assert not left, "\n".join(map(str, (*done, *left)))

    def shrunk(self, failure: Failure) -> Failure:
        """Leave out steps, as many at once as possible, for as long as the same still differs."""
        size, tries = max(1, len(failure.steps) // 2), 0
        while size and tries < SHRINKS_MAX:
            start = 0
            while start < len(failure.steps) and tries < SHRINKS_MAX:
                tries += 1
                shorter = failure.steps[:start] + failure.steps[start + size :]
                again = self.episode(failure.seed, shorter, Figures())
                if again is not None and again.kind == failure.kind:
                    failure = again
                else:
                    start += size
            size //= 2
        return failure
