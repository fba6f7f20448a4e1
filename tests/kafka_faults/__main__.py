"""``python -m tests.kafka_faults``: stock brokers on controllers of ours, or of Kafka, under faults drawn from a seed.

Prints what happened and how long each phase of a failover took, and for a failure the line that replays it (the same
faults in the same order; how the processes and the clock fall is the machine's).
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from pathlib import Path

from tests.interop.jars import NoKafkaError, fetch
from tests.kafka_faults.campaign import campaign
from tests.kafka_faults.world import MANY_EACH

KEPT = Path("build") / "kafka-faults"
OURS, KAFKA = "kraftpy", "kafka"


def main() -> int:
    """Run; return the exit code: 0 when all is well, 1 when something was lost, 2 when there is no Kafka."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.kafka_faults", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--controllers", choices=(OURS, KAFKA), default=OURS, help=f"whose ({OURS})")
    parser.add_argument("--minutes", type=float, default=10.0, help="how long to make faults (10)")
    parser.add_argument("--first", type=int, default=1, metavar="K", help="the seed (1)")
    parser.add_argument("--rounds", type=int, default=3, help="how often each kind of failover is timed before (3)")
    parser.add_argument("--only", action="append", default=[], help="only this fault, by its name (may be repeated)")
    parser.add_argument("--partitions", type=int, default=0, metavar="N",
                        help=f"N more partitions, in topics of {MANY_EACH}, that one broker leads (0)")  # fmt: skip
    parser.add_argument("--keep", type=Path, default=KEPT, help=f"where to keep what happened ({KEPT})")
    words = parser.parse_args()
    try:
        jars = fetch()
    except NoKafkaError as error:
        print(f"no real Kafka: {error}", file=sys.stderr)
        return 2
    root = (words.keep / f"{time.strftime('%Y-%m-%dT%H-%M-%S')}-{words.controllers}").absolute()
    root.mkdir(parents=True)
    again = f"python -m tests.kafka_faults --controllers {words.controllers} --first {words.first}"
    again += f" --minutes {words.minutes:g} --rounds {words.rounds}"
    again += f" --partitions {words.partitions}" if words.partitions else ""
    again += "".join(f" --only '{name}'" for name in words.only)
    try:
        report = campaign(
            jars, root, seed=words.first, seconds=60 * words.minutes, ours=words.controllers == OURS,
            rounds=words.rounds, only=words.only, many=words.partitions,
        )  # fmt: skip
    except AssertionError:
        print(f"seed {words.first} failed; its directories are kept in {root}\nagain: {again}", flush=True)
        raise
    print(report, flush=True)
    if report.complaints:
        print(*report.complaints, f"kept in {root}", f"again: {again}", sep="\n")
        return 1
    for path in root.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
    print(f"0 acknowledged records lost; the lines of the load are kept in {root}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
