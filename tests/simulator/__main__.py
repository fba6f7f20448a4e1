"""``python -m tests.simulator --seed 7`` replays one run; ``--seeds 1000 --first 1`` searches.

Exit status: 0 when every guarantee held, 1 when one was broken, 2 for a wrong command line.
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.simulator.quiet import quiet_logs
from tests.simulator.simulation import Simulation, Verdict, rerun_command


def main(arguments: list[str] | None = None) -> int:
    """Run one seed or many; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulator", description=__doc__)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--seed", type=int, help="run this seed")
    which.add_argument("--seeds", type=int, metavar="N", help="run N seeds, and stop at none that fails")
    parser.add_argument("--first", type=int, default=1, metavar="K", help="the first of N seeds (1)")
    parser.add_argument("--verbose", action="store_true", help="print every event")
    parser.add_argument("--digests", action="store_true", help="print the digest of every seed")
    chosen = parser.parse_args(arguments)
    quiet_logs()
    if chosen.seed is not None:
        return one(chosen.seed, verbose=chosen.verbose)
    return many(chosen.first, chosen.seeds, digests=chosen.digests)


def one(seed: int, *, verbose: bool) -> int:
    """Run a seed and tell everything about it."""
    simulation = Simulation(seed, verbose=verbose)
    print(f"seed {seed}")
    print(f"options {simulation.options}")
    verdict = simulation.run()
    print(verdict.summary)
    if verdict.failed is not None:
        tell(verdict, events=not verbose)
    print(f"digest {verdict.digest}")
    return 0 if verdict.failed is None else 1


def many(first: int, count: int, *, digests: bool) -> int:
    """Run seeds one after the other; tell of those that fail."""
    failures: list[Verdict] = []
    started, events = time.monotonic(), 0
    print(f"seeds {first} to {first + count - 1}")
    for seed in range(first, first + count):
        verdict = Simulation(seed).run()
        events += verdict.events
        if digests:
            print(f"seed {seed} digest {verdict.digest}")
        if verdict.failed is not None:
            failures.append(verdict)
            tell(verdict, events=False)
        if (seed - first + 1) % 100 == 0:
            elapsed = time.monotonic() - started
            print(f"{seed - first + 1} seeds, {events} events, {elapsed:.0f} s, {len(failures)} failed", flush=True)
    print(f"{count} seeds, {events} events, {len(failures)} failed: {[each.seed for each in failures]}")
    return 1 if failures else 0


def tell(verdict: Verdict, *, events: bool) -> None:
    """Say what failed, what happened before, and how to see it again."""
    if events:
        print(*verdict.recent, sep="\n")
    print(f"seed {verdict.seed} FAILED {verdict.failed}")
    print(f"rerun: {rerun_command(verdict.seed)}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
