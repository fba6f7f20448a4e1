"""Is there an order of one register's operations that explains what every client saw? Wing, Gong and Lowe's search.

An operation takes effect at one moment between its start and its end; one of unknown outcome at any moment after its
start (and before ``until``, if its client was answered that no later attempt can be done), or never. Values repeat, so
a read does not show which write it saw. The search walks the orders that real time allows, remembering which state it
has been at; it gives up, with the verdict *unknown*, after a budget, instead of taking exponential time.

What keeps it small:

* Operations are ordered by their start, and a state is the position of the first one that is not done, plus the few
  after it that are. So a state is as large as there are operations under way at once, however long the history is.
* A write of unknown outcome matters only if a client reads what it wrote before anything else is written. So it is
  placed right before a read that needs its value, or left out; it is never a branch of its own. Of several that would
  do, one is left out if another expires no later and began no later: what is left can do all that it could.

Source: Wing and Gong 1993; Lowe 2017 (the memory); Knossos and Porcupine (the use of it).
"""

from __future__ import annotations

import enum
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.robustness.history import Kind, Operation, Outcome

BUDGET = 200_000
"""How many states one key's search may visit."""


class Verdict(enum.StrEnum):
    """What the search says of a history."""

    VALID = "valid"
    INVALID = "invalid"
    UNKNOWN = "unknown"


def check(operations: Iterable[Operation], *, budget: int = BUDGET) -> dict[str, Verdict]:
    """Judge each key by itself: linearizability is local."""
    by_key: dict[str, list[Operation]] = defaultdict(list)
    for operation in operations:
        if operation.is_judged:
            by_key[operation.key].append(operation)
    return {key: check_register(of_key, budget=budget) for key, of_key in sorted(by_key.items())}


def check_register(operations: Sequence[Operation], *, budget: int = BUDGET) -> Verdict:
    """Judge the operations of one register that starts without a value."""
    return _Search(operations, budget).verdict()


class _State(NamedTuple):
    """Where the search is.

    Attributes:
        first: all certain operations before this one are done.
        behind: which of those behind it are done, as bits; bit 0 is ``first`` itself, and never set.
        guessed: which of the uncertain writes were used, as bits.
        latest: the latest start of a done operation, or of a write that one saw: what had to be done before that, is or
            never will be.
    """

    first: int
    behind: int
    guessed: int
    value: str | None
    latest: float


@dataclass(slots=True)
class _Search:
    """One register's search."""

    operations: Sequence[Operation]
    budget: int
    certain: list[Operation] = field(init=False)
    uncertain: dict[str | None, list[tuple[int, Operation]]] = field(init=False)
    expiries: list[float] = field(init=False)

    def __post_init__(self) -> None:
        ordered = sorted(self.operations, key=lambda each: each.started)
        self.certain = [each for each in ordered if each.outcome is Outcome.OK and each.ended is not None]
        guesses = [each for each in ordered if each.outcome is Outcome.UNKNOWN and each.kind is Kind.WRITE]
        guesses.sort(key=_expiry)
        self.expiries = sorted({_expiry(each) for each in guesses})
        self.uncertain = defaultdict(list)
        for bit, each in enumerate(guesses):
            self.uncertain[each.value].append((bit, each))

    def verdict(self) -> Verdict:
        begin = _State(0, 0, 0, None, -math.inf)
        stack, seen = [begin], {begin}
        while stack:
            state = stack.pop()
            if state.first == len(self.certain):
                return Verdict.VALID
            if len(seen) > self.budget:
                return Verdict.UNKNOWN
            for index in self._next(state):
                for after in self._done(state, index):
                    if after not in seen:
                        seen.add(after)
                        stack.append(after)
        return Verdict.INVALID

    def _next(self, state: _State) -> list[int]:
        """List what may come next: what started before everything else that is still due ended; best guess last."""
        open_ones: list[int] = []
        first_end = math.inf
        for index in range(state.first, len(self.certain)):
            each = self.certain[index]
            if each.started > first_end:
                break
            if not state.behind >> (index - state.first) & 1:
                open_ones.append(index)
                first_end = min(first_end, each.ended if each.ended is not None else math.inf)
        allowed = [index for index in open_ones if self.certain[index].started <= first_end]
        # A read that fits changes nothing, so it is the first to be tried; then whatever ends first.
        return sorted(allowed, key=lambda index: (self._fits(state, index), -(self.certain[index].ended or 0.0)))

    def _fits(self, state: _State, index: int) -> bool:
        operation = self.certain[index]
        return operation.kind is Kind.READ and operation.value == state.value

    def _done(self, state: _State, index: int) -> Iterator[_State]:
        """Do a certain operation, a guessed write right before it if a read needs one; nothing if it does not fit."""
        operation = self.certain[index]
        first, behind = state.first, state.behind | 1 << (index - state.first)
        while behind & 1:
            first, behind = first + 1, behind >> 1
        if operation.kind is not Kind.READ or operation.value == state.value:
            latest = max(state.latest, self._moment(operation.started))
            yield _State(first, behind, state.guessed, operation.value, latest)
            return
        for bit, latest in self._guesses(state, operation):
            yield _State(first, behind, state.guessed | 1 << bit, operation.value, latest)

    def _guesses(self, state: _State, read: Operation) -> Iterator[tuple[int, float]]:
        """Yield the uncertain writes that a read may have seen, each with the state's ``latest`` after it.

        They come by their expiry. One that makes ``latest`` no earlier than another before it is of no use.
        """
        deadline = min((each.ended for each in self._open(state) if each.ended is not None), default=math.inf)
        best: float | None = None
        for bit, write in self.uncertain.get(read.value, ()):
            if state.guessed >> bit & 1 or write.started > deadline or state.latest >= _expiry(write):
                continue
            latest = max(state.latest, self._moment(max(read.started, write.started)))
            if best is None or latest < best:
                best = latest
                yield bit, latest

    def _open(self, state: _State) -> Iterable[Operation]:
        first_end = math.inf
        for index in range(state.first, len(self.certain)):
            each = self.certain[index]
            if each.started > first_end:
                return
            if not state.behind >> (index - state.first) & 1:
                first_end = min(first_end, each.ended if each.ended is not None else math.inf)
                yield each

    def _moment(self, latest: float) -> float:
        """Keep of a time only which writes have expired by then: states that differ in nothing else are one."""
        return max((each for each in self.expiries if each < latest), default=-math.inf)


def _expiry(operation: Operation) -> float:
    return math.inf if operation.until is None else operation.until
