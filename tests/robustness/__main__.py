"""``python -m tests.robustness``: campaigns against real processes, or judging a kept one again.

Prints one line per campaign and one for all of them, and for a failure the line that replays it (the same faults in
the same order; how the processes and the clock fall is the machine's). The first campaign goes on until each fault of
the experiment has happened once, so a short run is a whole one. What clients did and saw, and the log that the cluster
ended up with, are kept (``--keep``); of a campaign that failed the nodes' directories and logs, too.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import time
from collections import Counter
from pathlib import Path

from tests.robustness.campaign import EXPERIMENTS, HISTORY, LOG, Report, campaign, judge_again
from tests.robustness.history import load
from tests.robustness.judge import Judgement
from tests.robustness.linear import check
from tests.robustness.protection import Protection, drawn, why_no_tls
from tests.simulator.known import first_seed_of, head

KEPT = Path("build") / "robustness"
DRAWN = "drawn"


def main() -> int:
    """Run; return the exit code: 0 when all is well, 1 when something was lost or made no progress."""
    parser = argparse.ArgumentParser(prog="python -m tests.robustness", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--experiment", choices=EXPERIMENTS, default="all", help="which faults (all)")
    parser.add_argument("--minutes", type=float, default=10.0, help="how long to go on, at least (10)")
    parser.add_argument("--first", type=_first, default=1, metavar="K", help="the first seed (1), or `commit`")
    parser.add_argument("--each", type=float, default=60.0, help="how many seconds a campaign lasts (60)")
    parser.add_argument("--only", action="append", default=[], help="only this fault, by its name (may be repeated)")
    parser.add_argument(
        "--protection", choices=(DRAWN, *Protection), default=DRAWN, help=f"of the ports ({DRAWN}, by the seed)"
    )
    parser.add_argument("--keep", type=Path, default=KEPT, help=f"where to keep what happened ({KEPT})")
    parser.add_argument("--judge", type=Path, metavar="PATH", help="judge a kept campaign, or a history, and stop")
    words = parser.parse_args()
    return _judge_again(words.judge) if words.judge is not None else _campaigns(words)


def _first(text: str) -> int:
    """Read the first seed: a number, or the first of the commit's own range."""
    return first_seed_of(head()) if text == "commit" else int(text)


def _protection(wanted: str, seed: int) -> Protection:
    """Return what protects the ports of a campaign."""
    protection = drawn(seed) if wanted == DRAWN else Protection(wanted)
    why = why_no_tls()
    if protection is not Protection.NONE and why:
        print(f"seed {seed}: no TLS here: {why}", flush=True)
        return Protection.NONE
    return protection


def _judge_again(path: Path) -> int:
    """Judge a directory with history and log, or a history alone: then key by key only."""
    if path.is_dir():
        judgement = judge_again(path)
        print(*(f"{key}: {verdict}" for key, verdict in judgement.verdicts.items()), *judgement.complaints, sep="\n")
        return 0 if judgement.is_clean else 1
    verdicts = check(load(path))
    print(*(f"{key}: {verdict}" for key, verdict in verdicts.items()), sep="\n")
    return 0 if set(verdicts.values()) <= {"valid"} else 1


def _campaigns(words: argparse.Namespace) -> int:
    only = (*EXPERIMENTS[words.experiment], *words.only)
    root = words.keep / time.strftime("%Y-%m-%dT%H-%M-%S")
    seed, ends, reports = words.first, time.monotonic() + 60 * words.minutes, list[Report]()
    while time.monotonic() < ends or seed == words.first:
        directory = root / f"seed-{seed}"
        directory.mkdir(parents=True)
        each = min(words.each, max(1.0, ends - time.monotonic()))
        protection = _protection(words.protection, seed)
        again = f"python -m tests.robustness --first {seed} --each {words.each:g} --minutes 0"
        again += f" --protection {protection}"
        again += "".join(f" --only '{name}'" for name in only)
        try:
            report = asyncio.run(
                campaign(
                    directory, seed=seed, seconds=each, only=only, each_fault=seed == words.first, protection=protection
                )
            )
        except (AssertionError, BaseExceptionGroup):
            print(f"seed {seed} failed; its directories are kept in {directory}\nagain: {again}", flush=True)
            raise
        print(report, flush=True)
        judgement = report.judgement
        assert judgement is not None
        if not judgement.is_clean:
            print(*judgement.complaints, f"kept in {directory}", f"again: {again}", sep="\n")
            return 1
        shutil.rmtree(directory / "cluster")
        reports.append(report)
        seed += 1
    print(_sum(reports), f"kept in {root}: {HISTORY} and {LOG} of each; judged again by --judge DIRECTORY", sep="\n")
    return 0


def _sum(reports: list[Report]) -> str:
    judgements = [report.judgement for report in reports if isinstance(report.judgement, Judgement)]
    faults = sum((report.faults for report in reports), Counter[str]())
    counts = sum((Counter(judgement.counts) for judgement in judgements), Counter[str]())
    skipped = {name: why for report in reports for name, why in report.skipped.items()}
    left_out = "".join(f"; no {name}: {why}" for name, why in sorted(skipped.items()))
    return (
        f"{len(reports)} campaigns, {sum(report.seconds for report in reports) / 60:.1f} minutes, "
        f"{faults.total()} faults of {len(faults)} kinds{left_out}: {dict(sorted(faults.items()))}; "
        f"{sum(report.bits_flipped for report in reports)} bits flipped, {sum(report.repairs for report in reports)} "
        f"repairs; {sum(report.bytes_lost for report in reports)} unsynced bytes lost; operations {dict(counts)}; "
        f"{sum(len(judgement.verdicts) for judgement in judgements)} keys, all valid; "
        "0 acknowledged writes lost"
    )


if __name__ == "__main__":
    sys.exit(main())
