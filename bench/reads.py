"""``reads``: how fast single values are read, linearizable or not, with one or three nodes asked.

:data:`NAMES` resources are written before, one value of 256 bytes each, and read in turn. ``committed`` is what etcd
calls serializable: the state of the node that answers. A linearizable read contains every write that was acknowledged
before it. Every answer is checked for its value: what a client compares is in the README.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bench.figures import measure_one
from bench.reading import Reading, readable
from bench.runs import PrintProgress, Row
from bench.work import Measuring, Outcome, SkippedError, System, Work

NAMES = 1_000
UNIT = "read"
FILL = Work(total=NAMES, batch=100, in_flight=4)
NODES = (1, 3)


def readings(in_flight: Sequence[int], seconds: float, warmup_s: float) -> list[tuple[str, Reading, Work]]:
    """List the work, with its names."""
    found = []
    for is_linearizable in (True, False):
        for nodes in NODES:
            kind = "linearizable" if is_linearizable else "committed"
            found += [
                (
                    f"{kind}, {number:,} in flight, {nodes} node{'s' if nodes > 1 else ''}",
                    Reading(nodes, is_linearizable, NAMES),
                    Work(in_flight=number, seconds=seconds, warmup_s=warmup_s),
                )
                for number in in_flight
            ]
    return found


async def measure_reads(
    system: System,
    run: int,
    todo: Sequence[tuple[str, Reading, Work]],
    forms: Sequence[str],
    print_progress: PrintProgress,
) -> list[Row]:
    """Write the values, and do all the work with each of the system's clients (those of ``forms``, if it has any)."""
    source, rows = readable(system), []
    filled = await system.run(FILL, lambda: None)
    if filled.records < NAMES:
        raise RuntimeError(f"{filled.records} of {NAMES} values were written: {filled.first_error}")
    for label, reading, work in todo:
        for form in [one for one in source.readers if one in forms] or source.readers:

            async def do(work: Work, measuring: Measuring, reading: Reading = reading) -> Outcome:
                return await source.read(reading, work, measuring)

            try:
                row = await measure_one(system, run, replace(work, form=form), do, label=label, unit=UNIT)
            except SkippedError as error:
                print_progress(f"  {label}, {form}: skipped: {error}")
                continue
            rows.append(row)
            stated = f"{row.figures['reads/s']:,.0f} reads/s, p50 {row.figures.get('p50 ms', 0):.2f} ms"
            print_progress(f"  {label}, {form}: {stated}" + "".join(f" ({note})" for note in row.notes))
    return rows
