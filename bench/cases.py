"""The cases of a workload for the active controller, over Kafka's protocol: a warm-up, then one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bench.brokers import Brokers
from bench.figures import measure_one
from bench.requests import Source, run_requests
from bench.runs import PrintProgress, Row
from bench.work import Measuring, Outcome, System, Work


@dataclass(frozen=True, slots=True)
class Case:
    """Some work.

    Attributes:
        label: names it in tables.
        work: how it is done; ``batch`` counts the units of a request.
        sources: makes the requests of each slot.
    """

    label: str
    work: Work
    sources: Callable[[], Sequence[Source]]


async def measure_cases(
    system: System,
    run: int,
    brokers: Brokers,
    cases: Sequence[Case],
    *,
    warm_up: Case,
    unit: str,
    print_progress: PrintProgress,
) -> list[Row]:
    """Warm the system up for as long as it needs, and do all the work; a case that fails is the last one.

    Raises:
        RuntimeError: there were errors in the warm-up.
    """
    await warmed_up(system, brokers, warm_up)
    rows = []
    for case in cases:

        async def measured(work: Work, measuring: Measuring, case: Case = case) -> Outcome:
            return await _do(system, brokers, case, work, measuring)

        try:
            _check(brokers)
            row = await measure_one(system, run, case.work, measured, label=case.label, unit=unit)
            # Without its brokers the controller did other work than what the row says.
            _check(brokers)
        except (OSError, RuntimeError, TimeoutError) as error:
            rows.append(Row(system=system.name, run=run, work="failed", notes=[f"{case.label}: {error}"]))
            print_progress(f"  {case.label} failed: {error}")
            break
        rows.append(row)
        stated = f"{row.figures[f'{unit}s/s']:,.0f} {unit}s/s, p50 {row.figures.get('p50 ms', 0):.1f} ms"
        print_progress(f"  {case.label}: {stated}" + "".join(f" ({note})" for note in row.notes))
    return rows


async def warmed_up(system: System, brokers: Brokers, case: Case) -> None:
    """Have a system do some work for as long as it needs.

    Raises:
        RuntimeError: there were errors.
    """
    work = replace(case.work, seconds=system.warm_up_s, warmup_s=0.0)
    outcome = await _do(system, brokers, case, work, lambda: None)
    if outcome.errors:
        raise RuntimeError(f"{outcome.errors} errors in the warm-up, the first: {outcome.first_error}")


async def _do(system: System, brokers: Brokers, case: Case, work: Work, measuring: Measuring) -> Outcome:
    return await run_requests(brokers.address, work, measuring, case.sources(), system.connections_max)


def _check(brokers: Brokers) -> None:
    if brokers.failure:
        raise RuntimeError(brokers.failure)
