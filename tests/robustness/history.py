"""What clients did and saw, as a file that can be judged again: one JSON line per operation.

Times are seconds of the harness's own monotonic clock, which all clients share, so real-time order is known. An
operation that never ended has an unknown outcome: it may have taken effect at any later time, or never.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path


class Kind(enum.StrEnum):
    """What was asked for."""

    WRITE = "write"
    READ = "read"
    TRIAL = "trial"
    """What a write would do (``validate_only``): true of a state that has all that was acknowledged before."""


class Outcome(enum.StrEnum):
    """What the client knows of it."""

    OK = "ok"
    REFUSED = "refused"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation on one key.

    Attributes:
        value: what was written, or what was read (``None``: the key was deleted, or was not there).
        ended: ``None`` while the outcome is unknown.
        offset: where the write was committed (for one that changed nothing: on which state it was decided), or as of
            which offset the read was answered; -1 when unknown.
        linearizable: for a read: that was asked for, else it is a committed one.
        node: for a read: which process answered; empty when that is not known.
        until: for a write of unknown outcome: it was done by then, or never will be, as the answer said.
    """

    client: str
    kind: Kind
    key: str
    value: str | None
    started: float
    ended: float | None
    outcome: Outcome
    offset: int = -1
    epoch: int = -1
    linearizable: bool = False
    node: str = ""
    until: float | None = None

    @property
    def is_judged(self) -> bool:
        """Whether it is an operation on a register: a refused write and a committed read are none."""
        if self.kind is Kind.WRITE:
            return self.outcome is not Outcome.REFUSED
        return self.kind is Kind.READ and self.outcome is Outcome.OK and self.linearizable

    @property
    def name(self) -> str:
        """What it is counted as."""
        if self.kind is Kind.READ:
            return f"{'linearizable' if self.linearizable else 'committed'} read {self.outcome}"
        return f"{self.kind} {self.outcome}"


def save(path: Path, operations: Iterable[Operation]) -> None:
    """Keep a history."""
    path.write_text("".join(json.dumps(asdict(each)) + "\n" for each in operations), encoding="utf-8")


def load(path: Path) -> list[Operation]:
    """Read one back."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = json.loads(line)
        fields["kind"], fields["outcome"] = Kind(fields["kind"]), Outcome(fields["outcome"])
        found.append(Operation(**fields))
    return found
