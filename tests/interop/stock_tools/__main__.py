"""``python -m tests.interop.stock_tools``: Kafka's tools on both kinds of controllers, and docs/kafka-tools.md.

The calls of ``commands.txt`` are made on Kafka's controllers, then on ours. With ``--ours`` they are made on ours alone
and compared with what was recorded. Exits with 1 when a call came to something that no difference explains.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.interop.jars import Jars, NoKafkaError, fetch
from tests.interop.stock_tools import results
from tests.interop.stock_tools.differences import DIFFERENCES, WRONG
from tests.interop.stock_tools.judging import compare, record
from tests.interop.stock_tools.results import Result


def main() -> int:
    """Run what the command line names; return the exit status."""
    parser = argparse.ArgumentParser(prog="tests.interop.stock_tools", description=__doc__)
    parser.add_argument("--ours", action="store_true", help="compare with the recording, and record nothing")
    parser.add_argument("--keep", type=Path, help="directory for nodes and logs; default: a temporary one")
    options = parser.parse_args()
    root = options.keep or Path(tempfile.mkdtemp(prefix="kafka-tools-"))
    print(f"nodes and logs: {root}")
    return run(fetch(), root, ours_alone=options.ours)


def run(jars: Jars, root: Path, *, ours_alone: bool) -> int:
    """Make the calls, print what differs, and keep the results."""
    _, before = results.load() if results.RESULTS.is_file() else ("", [])
    started = time.monotonic()
    if ours_alone:
        recorded = [(result.call, result.theirs) for result in before]
    else:
        recorded = record(jars, root / "kafka", before)
        print(f"Kafka's controllers: {len(recorded)} calls in {time.monotonic() - started:.0f} s", flush=True)
        started = time.monotonic()
    kept, wrong = [], 0
    for found in compare(jars, root / "kraftpy", recorded):
        if found.verdict == WRONG:
            wrong += 1
            print(f"\n{found}", flush=True)
        kept.append(Result(found.call, found.theirs, found.verdict))
    print(f"kraftpy's controllers: {len(kept)} calls in {time.monotonic() - started:.0f} s, {wrong} differ", flush=True)
    missing = {one.name for one in DIFFERENCES} - {result.verdict for result in kept}
    for name in sorted(missing):
        print(f"{name} did not occur: it is no difference any more, or nothing asks for it", file=sys.stderr)
    if not ours_alone:
        results.save(jars.version, kept)
    return 1 if wrong or missing else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except NoKafkaError as error:
        sys.exit(str(error))
