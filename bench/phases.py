"""The phases of a failover, read from the nodes' structured logs.

=========  ===========================================================================
detect     from the kill to the first survivor that says its leader's process is gone
elect      from there to ``elected``
activate   from there to ``became_active_controller``, when a node logs that; else it is part of the last
first      from there to the client's first acknowledged write
=========  ===========================================================================

The names are those of ``kraftpy_failover_phase_seconds``, with which a controller measures the same from within
(``kraftpy.runtime.failover_phases``). No log line says when the first record of an epoch was committed, so ``activate``
here is ``commit`` and ``activate`` there; and ``detect`` there begins with the last sign of the old leader.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime

DETECTED = frozenset({"leader_process_gone"})
ELECTED = "elected"
ACTIVE = "became_active_controller"


def events(text: str, since: float) -> Iterable[tuple[float, str]]:
    """Yield (time, event) of a JSON log from a moment on; lines that are no JSON are passed over."""
    for line in text.splitlines():
        if not line.startswith("{"):
            continue
        try:
            entry = json.loads(line)
            at = datetime.fromisoformat(entry["timestamp"]).timestamp()
        except (ValueError, KeyError):
            continue
        if at >= since:
            yield at, str(entry.get("event", ""))


def marks(logs: Iterable[str], killed_at: float) -> dict[str, float]:
    """Return when each mark came first on any survivor, in ms since the kill."""
    found: dict[str, float] = {}
    for log in logs:
        for at, event in events(log, killed_at):
            mark = "detect" if event in DETECTED else {ELECTED: "elect", ACTIVE: "activate"}.get(event)
            if mark is not None:
                found[mark] = min(found.get(mark, float("inf")), (at - killed_at) * 1000)
    return found


def durations(at_ms: Mapping[str, float], first_write_ms: float) -> dict[str, float]:
    """Turn marks into the length of each phase; a mark that is missing makes the next phase longer."""
    phases: dict[str, float] = {}
    before = 0.0
    for mark in ("detect", "elect", "activate"):
        if mark in at_ms:
            phases[mark] = max(0.0, at_ms[mark] - before)
            before = at_ms[mark]
    phases["first write"] = max(0.0, first_write_ms - before)
    return phases
