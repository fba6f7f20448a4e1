"""``python -m tests.robustness``: campaigns against real processes, or judging a kept history again.

Prints one line per campaign, and for a failure the line that replays it (the same faults in the same order; how the
processes and the clock fall is the machine's).
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

from tests.robustness.campaign import campaign
from tests.robustness.history import load
from tests.robustness.linear import check


def main() -> int:
    """Run; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.robustness")
    parser.add_argument("--minutes", type=float, default=10.0, help="how long to go on")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--each", type=float, default=60.0, help="how many seconds a campaign lasts")
    parser.add_argument("--only", action="append", default=[], help="only this fault (may be repeated)")
    parser.add_argument("--keep", type=Path, help="keep the directories of all campaigns here")
    parser.add_argument("--judge", type=Path, help="judge a history.jsonl again, key by key, and stop")
    words = parser.parse_args()
    if words.judge is not None:
        verdicts = check(load(words.judge))
        print(*(f"{key}: {verdict}" for key, verdict in verdicts.items()), sep="\n")
        return 0 if set(verdicts.values()) <= {"valid"} else 1
    with tempfile.TemporaryDirectory(prefix="kraftpy-robustness-") as made:
        return _campaigns(words, words.keep or Path(made))


def _campaigns(words: argparse.Namespace, root: Path) -> int:
    seed, ends = words.first, time.monotonic() + 60 * words.minutes
    while time.monotonic() < ends or seed == words.first:
        directory = root / f"seed-{seed}"
        directory.mkdir(parents=True)
        each = min(words.each, max(1.0, ends - time.monotonic()))
        report = asyncio.run(campaign(directory, seed=seed, seconds=each, only=tuple(words.only)))
        print(report, flush=True)
        assert report.judgement is not None
        if not report.judgement.is_clean:
            print(*report.judgement.complaints, sep="\n")
            print(f"again: python -m tests.robustness --first {seed} --each {words.each:g} --minutes 0")
            return 1
        seed += 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
