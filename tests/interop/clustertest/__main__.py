"""``python -m tests.interop.clustertest``: run Kafka's suites, keep the results, write the page about them.

Without ``--class`` all suites run, one JVM after the other; that takes hours. With it only the named ones, and their
rows are replaced. Exits with 1 when a controller ended by itself; tests that fail are in the page.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.interop.clustertest import results
from tests.interop.clustertest.runner import Judge, RunError
from tests.interop.clustertest.suites import SHARE, fetch_tests, suites
from tests.interop.jars import NoKafkaError

TIMEOUT_S = 3_600


def main() -> int:
    """Run what the command line names; return the exit status."""
    parser = argparse.ArgumentParser(prog="tests.interop.clustertest", description=__doc__)
    parser.add_argument("--class", dest="names", action="append", help="a suite, by its full or short name; repeatable")
    parser.add_argument("--share", action="store_true", help="the suites that run on every landing")
    parser.add_argument("--list", action="store_true", help="print the suites and end")
    parser.add_argument("--keep", type=Path, help="directory for reports and logs; default: a temporary one")
    options = parser.parse_args()
    jars = fetch_tests()
    known = suites(jars)
    if options.list:
        print("\n".join(known))
        return 0
    by_name = {name.rpartition(".")[2]: name for name in known} | {name: name for name in known}
    wanted = [*(options.names or ()), *(SHARE if options.share else ())]
    unknown = [name for name in wanted if name not in by_name]
    if unknown:
        sys.exit(f"{', '.join(unknown)}: no suite of Kafka's; --list shows which there are")
    chosen = [by_name[name] for name in wanted] or known
    root = options.keep or Path(tempfile.mkdtemp(prefix="kafka-tests-"))
    root.mkdir(parents=True, exist_ok=True)
    print(f"reports and logs: {root}")
    return run(Judge(jars, root), chosen)


def run(judge: Judge, chosen: list[str]) -> int:
    """Run suites one by one and keep their results as they come."""
    troubles: list[str] = []
    for number, name in enumerate(chosen, 1):
        started = time.monotonic()
        try:
            found, trouble = judge.judge([name], timeout_s=TIMEOUT_S)
        except RunError as error:
            troubles.append(str(error))
            print(f"[{number}/{len(chosen)}] {name}: {error}", flush=True)
            continue
        _, stored = results.load()
        results.save(judge.jars.version, {**stored, **found})
        counts = ", ".join(f"{count} {what}" for what, count in results.counts(found[name]).items())
        print(f"[{number}/{len(chosen)}] {name}: {counts} in {time.monotonic() - started:.0f} s", flush=True)
        troubles += trouble
    for line in troubles:
        print(line, file=sys.stderr)
    return 1 if troubles else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except NoKafkaError as error:
        sys.exit(str(error))
