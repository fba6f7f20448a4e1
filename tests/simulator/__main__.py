"""``python -m tests.simulator --seed 7`` runs one history; ``--seeds 1000 --first 1`` searches many for a bug.

Also: ``--seeds 1000 --first commit`` searches the seeds derived from the commit that is checked out;
``--known`` runs all histories again that ever failed (seeds.txt); ``--seed 7 --shrink`` makes a failing history small;
``--seed 7 --plant "a start forgets the vote"`` runs it with a planted bug; ``--planted`` writes the table of all
planted bugs (PLANTED.md), ``--planted --check`` tries the seeds of the committed one.

Exit status: 0 when every guarantee held (or every planted bug was found), 1 when not, 2 for a wrong command line.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

from tests.simulator.bugs import BUGS
from tests.simulator.known import FILE, first_seed_of, head, known_scenarios
from tests.simulator.planted import COMMITTED, committed_rows, differences, search_all, table
from tests.simulator.quiet import quiet_logs
from tests.simulator.scenario import Scenario, bug_named, expand, parse_changes
from tests.simulator.shrink import shrink
from tests.simulator.simulation import Verdict

SEEDS_PER_TASK = 10
PROGRESS_EVERY = 200
GARBAGE = 50_000
"""Threshold of the garbage collector's first generation, in objects; a far lower one costs an eighth of the time."""

MS_PER_HOUR = 3_600_000
FAILED_TO_REPORT_MAX = 20
"""How many failures are printed in full."""


def main(arguments: list[str] | None = None) -> int:
    """Run one seed, many, or the planted bugs; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.simulator", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--seed", type=int, help="have this history")
    which.add_argument("--seeds", type=_count, metavar="N", help="have N histories, and stop at none that fails")
    which.add_argument("--known", action="store_true", help="have every history again that ever failed (seeds.txt)")
    which.add_argument("--planted", action="store_true", help="search for every planted bug; print PLANTED.md")
    parser.add_argument("--first", type=_first, default=1, metavar="K", help="the first of N seeds (1), or `commit`")
    parser.add_argument("--jobs", type=_count, metavar="J", help="processes for many histories (one a processor)")
    parser.add_argument("--verbose", action="store_true", help="print every event")
    parser.add_argument("--digests", action="store_true", help="print the digest of every history")
    parser.add_argument("--plant", metavar="BUG", help="plant this bug")
    parser.add_argument("--set", nargs="+", default=[], metavar="OPTION=N", help="options that differ from the seed's")
    parser.add_argument("--without", nargs="+", default=[], metavar="FAULT", help="faults that are left out: crash-3:5")
    parser.add_argument("--shrink", action="store_true", help="make a failing history small")
    parser.add_argument("--check", action="store_true", help="only replay the seeds of the committed table")
    chosen = parser.parse_args(arguments)
    quiet_logs()
    jobs = chosen.jobs or os.cpu_count() or 1
    if chosen.planted:
        return check_planted(jobs) if chosen.check else planted(jobs)
    try:
        scenario = Scenario(
            seed=chosen.seed if chosen.seed is not None else chosen.first,
            changes=parse_changes(chosen.set),
            left_out=expand(chosen.without),
            bug=None if chosen.plant is None else bug_named(chosen.plant).name,
        )
    except ValueError as wrong:
        parser.error(str(wrong))
    if chosen.seed is not None:
        return one(scenario, verbose=chosen.verbose, shrinks=chosen.shrink)
    if chosen.known:
        scenarios = known_scenarios(FILE.read_text())
        print(f"the {len(scenarios)} histories of {FILE.name}")
    else:
        last = scenario.seed + chosen.seeds - 1
        print(f"seeds {scenario.seed} to {last}: --seeds {chosen.seeds} --first {scenario.seed}")
        scenarios = [replace(scenario, seed=seed) for seed in range(scenario.seed, last + 1)]
    return many(scenarios, jobs, digests=chosen.digests, shrinks=chosen.shrink)


def _first(text: str) -> int:
    try:
        return first_seed_of(head()) if text == "commit" else int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not at least 1")
    return number


def one(scenario: Scenario, *, verbose: bool, shrinks: bool) -> int:
    """Run one history and print everything about it."""
    print(f"seed {scenario.seed}")
    print(f"options {scenario.options}")
    verdict = scenario.run(verbose=verbose)
    print(verdict.summary)
    print(f"faults {_listed(Counter(verdict.faults))}")
    if verdict.limit is not None:
        print(f"LIMIT {verdict.limit}")
    if verdict.failed is not None:
        tell(scenario, verdict, events=not verbose)
        if shrinks:
            report_shrunk(scenario, verdict)
    print(f"digest {verdict.digest}")
    return 0 if verdict.failed is None else 1


def many(scenarios: Sequence[Scenario], jobs: int, *, digests: bool, shrinks: bool) -> int:
    """Run many histories; print those that fail, and a summary."""
    failures: list[tuple[Scenario, Verdict]] = []
    limits: list[int] = []
    faults: Counter[str] = Counter()
    events = simulated_ms = refused = 0
    cpu_s = 0.0
    started = time.monotonic()
    for done, (scenario, verdict, used_s) in enumerate(histories(scenarios, jobs), 1):
        cpu_s += used_s
        events += verdict.events
        simulated_ms += verdict.simulated_ms
        refused += verdict.refused
        faults.update(verdict.faults)
        if verdict.limit is not None:
            limits.append(scenario.seed)
        if digests:
            print(f"seed {scenario.seed} digest {verdict.digest}")
        if verdict.failed is not None:
            failures.append((scenario, verdict))
            if len(failures) <= FAILED_TO_REPORT_MAX:
                tell(scenario, verdict, events=False)
        if done % PROGRESS_EVERY == 0 and not digests:
            print(f"{done} histories, {time.monotonic() - started:.0f} s, {len(failures)} failed", flush=True)
    if not digests:
        hours, ratio = simulated_ms / MS_PER_HOUR, simulated_ms / 1_000 / max(cpu_s, 0.001)
        print(f"faults {_listed(faults)}")
        print(f"{events:,} events, {sum(faults.values()):,} faults, {hours:.2f} simulated hours")
        print(f"{ratio:.1f} simulated hours per CPU hour ({cpu_s:.0f} CPU seconds)")
        each_s = cpu_s / len(scenarios)
        print(f"{each_s:.3f} CPU seconds per history, {3_600 / max(each_s, 0.001):,.0f} histories per CPU hour")
        print(f"{refused} clusters refused to go on, and said why")
    if limits:
        print(f"{len(limits)} lost what no node could know of (a limit, see README.md): {limits}")
    print(f"{len(scenarios)} histories, {len(failures)} failed: {[scenario.seed for scenario, _ in failures]}")
    if failures and shrinks:
        report_shrunk(*failures[0])
    return 1 if failures else 0


def histories(scenarios: Sequence[Scenario], jobs: int) -> Iterator[tuple[Scenario, Verdict, float]]:
    """Have one history after the other, in several processes; they come in the order that they are given in."""
    shares = [scenarios[start : start + SEEDS_PER_TASK] for start in range(0, len(scenarios), SEEDS_PER_TASK)]
    if jobs == 1:
        for share in shares:
            yield from _share(share)
        return
    with ProcessPoolExecutor(jobs) as pool:
        for results in pool.map(_share, shares):
            yield from results


def _share(share: Sequence[Scenario]) -> list[tuple[Scenario, Verdict, float]]:
    quiet_logs()
    gc.set_threshold(GARBAGE)
    results = []
    for scenario in share:
        began_s = time.process_time()
        verdict = scenario.run()
        results.append((scenario, verdict, time.process_time() - began_s))
    return results


def planted(jobs: int) -> int:
    """Search for every planted bug, and print the table."""
    rows = search_all(jobs)
    print(table(rows), end="")
    survivors = [row.bug for row in rows if row.seed is None]
    for bug in survivors:
        print(f"not found: {bug}", file=sys.stderr)
    return 1 if survivors else 0


def check_planted(jobs: int) -> int:
    """Check that the committed table has every planted bug, each found by its seed and rule."""
    rows = committed_rows()
    stale = COMMITTED.read_text() != table(rows) or [row.bug for row in rows] != [bug.name for bug in BUGS]
    if stale:
        print(f"{COMMITTED.name} does not list exactly the planted bugs", file=sys.stderr)
    changed = differences(rows, jobs)
    for row, now in changed:
        print(f"{row.bug}: seed {row.seed} was to find {row.rule!r}, and found {now.rule!r}", file=sys.stderr)
    if stale or changed:
        print(f"write the table again: python -m tests.simulator --planted > {COMMITTED}", file=sys.stderr)
        return 1
    print(f"{len(rows)} planted bugs, all found as {COMMITTED.name} states")
    return 0


def tell(scenario: Scenario, verdict: Verdict, *, events: bool) -> None:
    """Say what failed, what happened before, and how to see it again."""
    if events:
        print(*verdict.recent, sep="\n")
    print(f"seed {verdict.seed} FAILED {verdict.failed}")
    print(f"rerun: {scenario.command()} --verbose", flush=True)


def report_shrunk(scenario: Scenario, verdict: Verdict) -> None:
    """Make a failing history small, and say how to see it."""
    shrunk = shrink(scenario, verdict)
    print(shrunk.describe(scenario, verdict))
    print(f"rerun: {shrunk.scenario.command()} --verbose", flush=True)


def _listed(faults: Counter[str]) -> str:
    return ", ".join(f"{kind} {number:,}" for kind, number in sorted(faults.items())) or "none"


if __name__ == "__main__":
    sys.exit(main())
