"""Is there an order of one register's operations that explains what every client saw? Wing, Gong and Lowe's search.

An operation takes effect at one moment between its start and its end; one of unknown outcome at any moment after its
start, or never. The search walks the orders that real time allows, remembering which (set of done operations, value) it
has been at; it gives up, with the verdict *unknown*, after a budget, instead of taking exponential time.

Source: Wing and Gong 1993; Lowe 2017 (the memory); Knossos and Porcupine (the use of it).
"""

from __future__ import annotations

import enum
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

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
        is_read = operation.kind is Kind.READ
        # A refused write and a read that nobody vouches for constrain nothing.
        if operation.outcome is Outcome.REFUSED or (is_read and (operation.ended is None or not operation.confirmed)):
            continue
        by_key[operation.key].append(operation)
    return {key: check_register(of_key, budget=budget) for key, of_key in sorted(by_key.items())}


def check_register(operations: Sequence[Operation], *, budget: int = BUDGET) -> Verdict:
    """Judge the operations of one register that starts without a value."""
    ordered = sorted(operations, key=lambda each: each.started)
    ends = [math.inf if each.ended is None or each.outcome is Outcome.UNKNOWN else each.ended for each in ordered]
    must = sum(1 << index for index, end in enumerate(ends) if end != math.inf)
    stack: list[tuple[int, str | None]] = [(0, None)]
    seen = {(0, None)}
    while stack:
        done, value = stack.pop()
        if done & must == must:
            return Verdict.VALID
        if len(seen) > budget:
            return Verdict.UNKNOWN
        for index in _next(ordered, ends, done):
            operation = ordered[index]
            if operation.kind is Kind.READ and operation.value != value:
                continue
            state = (done | 1 << index, operation.value if operation.kind is Kind.WRITE else value)
            if state not in seen:
                seen.add(state)
                stack.append(state)
    return Verdict.INVALID


def _next(ordered: Sequence[Operation], ends: Sequence[float], done: int) -> list[int]:
    """List the operations that may come next: those that started before every other one still due has ended."""
    open_ones = [index for index in range(len(ordered)) if not done >> index & 1]
    first_end = min((ends[index] for index in open_ones), default=math.inf)
    return [index for index in open_ones if ordered[index].started <= first_end]
