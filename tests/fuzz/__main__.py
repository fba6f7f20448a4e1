"""``python -m tests.fuzz --seconds 60``: every decoder and both ports against malformed inputs.

Uses atheris where this Python has it, and the seeded mutator beside it; the time is shared among the targets. A finding
is printed with its input; ``--replay HEX --target X`` runs it again, ``--keep NAME`` puts it into the corpus.

Exit status: 0 when nothing was found, 1 when something was, 2 for a wrong command line.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor

from tests.fuzz import corpus
from tests.fuzz.catalogue import NAMES, find
from tests.fuzz.engines import ATHERIS, SEEDED, Report, has_atheris, run_apart, shown
from tests.fuzz.judge import Judge, timers
from tests.simulator.quiet import quiet_logs


def main(arguments: list[str] | None = None) -> int:
    """Search, or replay one input, or write the samples; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="for all targets together (60)")
    parser.add_argument("--target", action="append", choices=NAMES, help="only this one; may be repeated")
    parser.add_argument("--seed", default="1", help="of the mutations (1)")
    parser.add_argument("--engine", choices=(ATHERIS, SEEDED), help="only this one (both, where atheris is installed)")
    parser.add_argument("--jobs", type=int, default=1, help="how many targets at once (1)")
    parser.add_argument("--samples", action="store_true", help="write anew what our encoders make, and end")
    parser.add_argument("--replay", metavar="HEX", help="run one input of one target, and end")
    parser.add_argument("--keep", metavar="NAME", help="with --replay: keep the input in the corpus")
    chosen = parser.parse_args(arguments)
    quiet_logs()
    names = chosen.target or NAMES
    if chosen.samples:
        for name in names:
            print(f"{name}: {corpus.renew_samples(find(name))} inputs")
        return 0
    if chosen.replay is not None:
        if len(names) != 1:
            parser.error("--replay needs one --target")
        return replay(names[0], bytes.fromhex(chosen.replay), chosen.keep)
    engines = [chosen.engine] if chosen.engine else [ATHERIS, SEEDED] if has_atheris() else [SEEDED]
    if engines == [SEEDED] and not chosen.engine:
        print("skipped: atheris is not installed for this Python; the mutator runs alone, without coverage")
    return search(names, engines, chosen.seconds, chosen.seed, chosen.jobs)


def replay(name: str, data: bytes, keep: str | None) -> int:
    """Run one input with its memory counted."""
    target = find(name)
    if keep is not None:
        corpus.add_found(target, keep, data)
    with timers():
        found = Judge(target).judge(data) or Judge(target, measured_every=1).judge(data)
    print("nothing wrong" if found is None else f"{found.place}: {found.story}")
    return 0 if found is None else 1


def search(names: list[str] | tuple[str, ...], engines: list[str], seconds: float, seed: str, jobs: int) -> int:
    """Search all targets, each for its share of the time."""
    share = seconds * jobs / (len(names) * len(engines))
    work = [(engine, name) for name in names for engine in engines]
    reports: list[Report] = []
    with ThreadPoolExecutor(jobs) as pool:
        for report in pool.map(lambda one: run_apart(*one, share, seed), work):
            reports.append(report)
            for one in report.findings:
                print(f"{report.target} ({report.engine}, seed {seed}): {one['place']}: {one['story']}")
                print(f"  python -m tests.fuzz --target {report.target} --replay {one['data']}", flush=True)
    print(shown(reports))
    total, found = sum(one.inputs for one in reports), sum(len(one.findings) for one in reports)
    print(f"{total:,} inputs, {found} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
