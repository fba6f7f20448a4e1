"""``python -m tests.interop.differential``: judge kraftpy by Kafka for as long as one likes."""

from __future__ import annotations

import argparse
import sys
import time

from tests.interop.differential.cluster import running
from tests.interop.jars import NoKafkaError, fetch


def main() -> int:
    """Run; 0 without a difference, 1 with one, 3 without a Kafka."""
    parser = argparse.ArgumentParser(prog="python -m tests.interop.differential", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the first episode (default: 1)")
    parser.add_argument("--requests", type=int, default=10_000, help="end with the episode that reaches this many")
    parser.add_argument("--failures", type=int, default=1, help="go on until so many kinds of differences were found")
    parser.add_argument("--steps", help="only these steps of the episode, as a failure names them")
    options = parser.parse_args()
    try:
        jars = fetch()
    except NoKafkaError as error:
        print(f"no Kafka to judge by: {error}", file=sys.stderr)
        return 3
    with running(jars) as judge:
        began = time.monotonic()
        if options.steps:
            failure = judge.episode(options.seed, [int(each) for each in options.steps.split(",")])
            failures = [] if failure is None else [failure]
        else:
            failures = judge.run(options.seed, options.requests, failures=options.failures)
        print(judge.figures.report())
        print(f"{time.monotonic() - began:.1f} s")
        for failure in failures:
            print(failure.report())
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
