"""What a check reports: a severity, a place, what was found there, and the way out."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

NAMED_MAX: Final = 10
"""How many things of one kind a finding names; of the others it has the number."""

FINDINGS_PER_CHECK_MAX: Final = 100
"""How many findings of one check are listed; of the others one more has the number."""


class FindingSeverity(enum.StrEnum):
    """How bad a finding is; ``info`` does not count as a problem."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """One problem of a running cluster.

    Attributes:
        place: the node, broker, topic or address.
        what: what was found there, with its value.
        way_out: what to do about it.
    """

    severity: FindingSeverity
    place: str
    what: str
    way_out: str

    def as_json(self, check: str) -> dict[str, Any]:
        """Return the finding of a check as plain values."""
        return {
            "check": check,
            "severity": str(self.severity),
            "place": self.place,
            "message": self.what,
            "fix": self.way_out,
        }


def error(place: str, what: str, way_out: str) -> DoctorFinding:
    """Make a finding about what does not work."""
    return DoctorFinding(FindingSeverity.ERROR, place, what, way_out)


def warning(place: str, what: str, way_out: str) -> DoctorFinding:
    """Make a finding about what works with less than it needs, or will not work for long."""
    return DoctorFinding(FindingSeverity.WARNING, place, what, way_out)


def info(place: str, what: str, way_out: str) -> DoctorFinding:
    """Make a finding that is worth knowing."""
    return DoctorFinding(FindingSeverity.INFO, place, what, way_out)


def listed(things: Iterable[object]) -> str:
    """Name the first things, and count the others."""
    names = [str(thing) for thing in things]
    more = f" and {len(names) - NAMED_MAX} more" if len(names) > NAMED_MAX else ""
    return f"{', '.join(names[:NAMED_MAX])}{more}"
