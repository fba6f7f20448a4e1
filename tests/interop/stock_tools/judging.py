"""The script on one kind of controllers after the other, and the comparison."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from tests.interop.jars import Jars
from tests.interop.stock_tools.differences import WRONG, judged
from tests.interop.stock_tools.normal import Answer
from tests.interop.stock_tools.results import Result
from tests.interop.stock_tools.running import Cluster, answers
from tests.interop.stock_tools.script import Call, load


@dataclass(frozen=True, slots=True)
class Finding:
    """A call, what it came to on both, and the verdict on that."""

    call: Call
    theirs: Answer
    ours: Answer
    verdict: str

    def __str__(self) -> str:
        lines = [f"$ {self.call.text}", f"exit code {self.theirs.code} (Kafka) {self.ours.code} (kraftpy)"]
        for name in ("out", "err"):
            pair = (getattr(one, name).splitlines() for one in (self.theirs, self.ours))
            lines += unified_diff(*pair, f"Kafka's {name}", f"kraftpy's {name}", lineterm="", n=1)
        return "\n".join(lines)


def record(jars: Jars, root: Path, before: Sequence[Result]) -> list[tuple[Call, Answer]]:
    """Return what the calls come to on Kafka's controllers.

    Args:
        jars: Kafka's.
        root: a directory for the cluster.
        before: the last recording. A call that reads only is repeated until it answers what it did then, or the same
            twice.
    """
    made: list[tuple[Call, Answer]] = []
    last: dict[int, Answer] = {}
    settled: set[int] = set()

    def accepts(call: Call, answer: Answer) -> bool:
        number = len(made)
        again = last.get(number) == answer
        last[number] = answer
        accepted = again or any((one.call, one.theirs) == (call, answer) for one in before[number : number + 1])
        if accepted:
            settled.add(number)
        return accepted

    with Cluster(jars, root, ours=False) as cluster:
        for call, answer in answers(cluster, load(), accepts):
            if call.reads_only and len(made) not in settled:
                print(f"never the same twice: {call.text}", file=sys.stderr, flush=True)
            made.append((call, answer))
    return made


def compare(jars: Jars, root: Path, recorded: Sequence[tuple[Call, Answer]]) -> Iterator[Finding]:
    """Make the calls on our controllers, and yield each with its verdict."""
    made = 0

    def accepts(call: Call, answer: Answer) -> bool:
        return judged(call, recorded[made][1], answer) != WRONG

    with Cluster(jars, root, ours=True) as cluster:
        for call, ours in answers(cluster, load(), accepts):
            asked, theirs = recorded[made]
            assert call == asked, f"{call.text} is not what was recorded; make kafka-tools records again"
            made += 1
            yield Finding(call, theirs, ours, judged(call, theirs, ours))
