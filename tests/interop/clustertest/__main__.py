"""``python -m tests.interop.clustertest``: run Kafka's suites, keep the results, write the pages about them.

Without ``--class`` all suites run, one JVM after the other or ``--jobs`` of them at once; that takes hours. With it
only the named ones, and their rows are replaced. Exits with 1 when a controller ended by itself; tests that fail are in
the pages.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from tests.interop.clustertest import results
from tests.interop.clustertest.core_suites import core_suites
from tests.interop.clustertest.runner import CoreJudge, Judge, RunError
from tests.interop.clustertest.suites import SHARE, fetch_tests, suites
from tests.interop.jars import Jars, NoKafkaError

TIMEOUT_S = 3_600
JOBS_MAX = 8


@dataclass(frozen=True, slots=True)
class Kind:
    """Suites that start their clusters in the same way."""

    suites: Callable[[Jars], list[str]]
    judge: type[Judge]
    kept: results.Kept


KINDS = {
    "cluster": Kind(suites, Judge, results.CLUSTER_TESTS),
    "core": Kind(core_suites, CoreJudge, results.CORE_TESTS),
}


def main() -> int:
    """Run what the command line names; return the exit status."""
    parser = argparse.ArgumentParser(prog="tests.interop.clustertest", description=__doc__)
    parser.add_argument("--class", dest="names", action="append", help="a suite, by its full or short name; repeatable")
    parser.add_argument("--kind", choices=KINDS, action="append", help="the suites of this kind alone")
    parser.add_argument("--share", action="store_true", help="the suites that run on every landing")
    parser.add_argument("--list", action="store_true", help="print the suites and end")
    parser.add_argument("--jobs", type=int, default=1, choices=range(1, JOBS_MAX + 1), metavar="N",
                        help=f"how many suites run at the same time, {JOBS_MAX} at most (default: 1)")  # fmt: skip
    parser.add_argument("--missing", action="store_true", help="of these, only those that have no results yet")
    parser.add_argument("--keep", type=Path, help="directory for reports and logs; default: a temporary one")
    options = parser.parse_args()
    jars = fetch_tests()
    known = {name: key for key in options.kind or KINDS for name in KINDS[key].suites(jars)}
    if options.list:
        print("\n".join(known))
        return 0
    wanted = [*(options.names or ()), *(SHARE if options.share else ())]
    chosen = [chosen_suite(name, list(known)) for name in wanted] or list(known)
    root = options.keep or Path(tempfile.mkdtemp(prefix="kafka-tests-"))
    print(f"reports and logs: {root}")
    troubles: list[str] = []
    for key, kind in KINDS.items():
        of_kind = [one for one in known if known[one] == key]
        names = [name for name in chosen if known[name] == key]
        if options.missing:
            _, stored = results.load(kind.kept)
            names = [name for name in names if not stored.get(name)]
        if names:
            directory = root / key
            directory.mkdir(parents=True, exist_ok=True)
            judging = Judging(kind.judge(jars, directory), of_kind, kind.kept)
            troubles += judging.run(names, options.jobs)
    for line in troubles:
        print(line, file=sys.stderr)
    return 1 if troubles else 0


def chosen_suite(name: str, known: Sequence[str]) -> str:
    """Return the full name of a suite that is named in full, or in short where only one has that name."""
    found = [one for one in known if name in (one, one.rpartition(".")[2])]
    if not found:
        sys.exit(f"{name}: no suite of Kafka's; --list shows which there are")
    if len(found) > 1:
        sys.exit(f"{name}: more than one suite, {', '.join(found)}; give the full name")
    return found[0]


@dataclass(frozen=True, slots=True)
class Judging:
    """Runs suites and keeps their results as they come.

    Attributes:
        judge: runs them.
        known: the names of all of their kind.
        kept: where the results are kept.
    """

    judge: Judge
    known: Sequence[str]
    kept: results.Kept
    _keeping: Lock = field(default_factory=Lock)

    def run(self, names: Sequence[str], jobs: int) -> list[str]:
        """Run suites, some at the same time; return what went wrong besides tests."""
        with ThreadPoolExecutor(jobs) as pool:
            found = pool.map(self._run_one, names, itertools.count(1), itertools.repeat(len(names)))
            return [trouble for troubles in found for trouble in troubles]

    def _run_one(self, name: str, number: int, count: int) -> list[str]:
        started = time.monotonic()
        try:
            found, trouble = self.judge.judge([name], timeout_s=TIMEOUT_S)
        except RunError as error:
            print(f"[{number}/{count}] {name}: {error}", flush=True)
            return [str(error)]
        with self._keeping:
            _, stored = results.load(self.kept)
            not_run: results.Suites = {one: {} for one in self.known}
            results.save(self.judge.jars.version, {**not_run, **stored, **found}, self.kept)
        counts = ", ".join(f"{count} {what}" for what, count in results.counts(found[name]).items())
        print(f"[{number}/{count}] {name}: {counts} in {time.monotonic() - started:.0f} s", flush=True)
        return trouble


if __name__ == "__main__":
    try:
        sys.exit(main())
    except NoKafkaError as error:
        sys.exit(str(error))
