"""``commit``: how fast writes are acknowledged, closed loop and open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from bench.figures import measure_one
from bench.runs import PrintProgress, Row
from bench.work import ADMIN, SkippedError, System, Work

BATCH = 128
BATCH_IN_FLIGHT = 16
WARM_UP_IN_FLIGHT = 64


def works(
    in_flight: Sequence[int],
    value_bytes: Sequence[int],
    rates: Sequence[float],
    *,
    batches: bool,
    mixed: bool,
    seconds: float,
    warmup_s: float,
) -> list[Work]:
    """List the work: mixed writes and each size, each with each number in flight, in batches, and at each rate."""
    found = []
    kinds = [Work(is_mixed=True)] if mixed else []
    kinds += [Work(value_bytes=size) for size in value_bytes]
    for kind in kinds:
        at_all = _replaced(kind, seconds=seconds, warmup_s=warmup_s)
        found += [_replaced(at_all, in_flight=count) for count in in_flight]
        if batches:
            found.append(_replaced(at_all, in_flight=BATCH_IN_FLIGHT, batch=BATCH))
        found += [_replaced(at_all, rate=rate) for rate in rates]
    return found


def _replaced(work: Work, **changed: float) -> Work:
    return Work(**{**asdict(work), **changed})


def chosen_forms(own: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """Return those of a system's forms that are wanted; its first, if none is, or none but ``admin`` among others."""
    named = [one for one in own if one in wanted]
    has_asked_for_admin_only = set(wanted) == {ADMIN}
    return named if set(named) - {ADMIN} or (named and has_asked_for_admin_only) else [own[0], *named]


async def measure_commit(
    system: System, run: int, todo: Sequence[Work], forms: Sequence[str], print_progress: PrintProgress
) -> list[Row]:
    """Do all the work with each of the system's chosen forms."""
    rows = []
    # Once on every fresh cluster, so that no system's first case pays for its just-in-time compiler or caches.
    await system.run(Work(in_flight=WARM_UP_IN_FLIGHT, seconds=system.warm_up_s, warmup_s=0.0), lambda: None)
    for work in todo:
        for form in chosen_forms(system.forms, forms):
            try:
                row = await measure_one(system, run, work.with_form(form), system.run)
            except SkippedError as error:
                print_progress(f"  {work.label}, {form}: skipped: {error}")
                continue
            rows.append(row)
            figures = row.figures
            stated = f"{figures['records/s']:,.0f} records/s, p50 {figures.get('p50 ms', 0):.2f} ms"
            print_progress(f"  {work.label}, {form}: {stated}" + "".join(f" ({note})" for note in row.notes))
    return rows
