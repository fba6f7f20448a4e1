"""What clients did and saw, as a file that can be judged again: one JSON line per operation.

Times are seconds of the harness's own monotonic clock, on which all clients stand, so real-time order is known. An
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


class Outcome(enum.StrEnum):
    """What the client knows of it."""

    OK = "ok"
    REFUSED = "refused"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation on one key.

    Attributes:
        value: what was written, or what was read (``None``: the key was not there).
        ended: ``None`` while the outcome is unknown.
        offset: where the write was committed, or as of which offset the read was answered; -1 when unknown.
        confirmed: for a read: its leader committed a write afterwards in the same epoch, so it led while it answered.
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
    confirmed: bool = False


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
