"""``python -m tests.interop.differential``: judge kraftpy by Kafka for as long as one likes."""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Final

from tests.interop.differential.cluster import running
from tests.interop.differential.judge import Failure, Figures
from tests.interop.jars import Jars, NoKafkaError, fetch

SEEDS_OF_A_JOB: Final = 100_000
"""How far apart the first seeds of two pairs of controllers are."""


def main() -> int:
    """Run; 0 without a difference, 1 with one, 3 without a Kafka."""
    parser = argparse.ArgumentParser(prog="python -m tests.interop.differential", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the first episode (default: 1)")
    parser.add_argument("--requests", type=int, default=10_000, help="end with the episode that reaches this many")
    parser.add_argument("--failures", type=int, default=1, help="go on until so many kinds of differences were found")
    parser.add_argument(
        "--jobs", type=int, default=1, help=f"share them out to pairs of controllers, {SEEDS_OF_A_JOB} seeds apart"
    )
    parser.add_argument("--steps", help="only these steps of the episode, as a failure names them")
    options = parser.parse_args()
    try:
        jars = fetch()
    except NoKafkaError as error:
        print(f"no Kafka to judge by: {error}", file=sys.stderr)
        return 3
    began = time.monotonic()
    if options.steps:
        with running(jars) as judge:
            failure = judge.episode(options.seed, [int(each) for each in options.steps.split(",")])
            figures, failures = judge.figures, [] if failure is None else [failure]
    else:
        figures, failures = _judged(jars, options)
    print(figures.report())
    print(f"{time.monotonic() - began:.1f} s")
    for failure in failures:
        print(failure.report())
    return 1 if failures else 0


def _judged(jars: Jars, options: argparse.Namespace) -> tuple[Figures, list[Failure]]:
    """Share the requests out to pairs of controllers; return what was compared, and the first failure of each kind."""
    share = -(-options.requests // options.jobs)
    firsts = [options.seed + number * SEEDS_OF_A_JOB for number in range(options.jobs)]
    figures, failures = Figures(), {}
    with ProcessPoolExecutor(options.jobs) as pool:
        for done, found in pool.map(partial(_judge, jars, share, options.failures), firsts):
            figures.add(done)
            failures |= {each.kind: each for each in found}
    return figures, list(failures.values())


def _judge(jars: Jars, requests: int, failures: int, first: int) -> tuple[Figures, list[Failure]]:
    with running(jars) as judge:
        return judge.figures, judge.run(first, requests, failures=failures)


if __name__ == "__main__":
    sys.exit(main())
