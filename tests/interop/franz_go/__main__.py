"""``python -m tests.interop.franz_go``: run franz-go's tests on our controllers, keep the results, write the page.

Exits with 1 when a test failed twice. Where there is no Go, Java or maven, nothing runs, and it says so; with
``--required`` it exits with 1 then, too. With ``--controllers kafka`` or ``--test`` nothing is written.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.interop.client_cluster import KAFKA, KRAFTPY, ClientCluster
from tests.interop.franz_go import judge, page
from tests.interop.franz_go.judge import NoFranzGoError, Results, RunError
from tests.interop.jars import Jars, NoKafkaError, fetch


def main() -> int:
    """Run what the command line names; return the exit status."""
    parser = argparse.ArgumentParser(prog="tests.interop.franz_go", description=__doc__)
    parser.add_argument(
        "--controllers", choices=[KRAFTPY, KAFKA], default=KRAFTPY, help="whose; Kafka's are no results of ours"
    )
    parser.add_argument("--test", dest="names", action="append", help="a test by its name; repeatable")
    parser.add_argument("--required", action="store_true", help="fail where the tests cannot be had")
    options = parser.parse_args()
    try:
        jars, known = fetch(), judge.tests_with_a_cluster(judge.fetch())
    except (NoFranzGoError, NoKafkaError) as error:
        print(f"{'FAILED' if options.required else 'skipped'}: {error}", file=sys.stderr)
        return int(options.required)
    unknown = sorted(set(options.names or ()) - set(known))
    if unknown:
        sys.exit(f"{', '.join(unknown)}: no test of franz-go's that speaks to a cluster; there are {', '.join(known)}")
    root = Path(tempfile.mkdtemp(prefix="franz-go-"))
    print(f"directories and logs: {root}", flush=True)
    try:
        results = run(jars, root, options.names or known, options.controllers)
    except RunError as error:
        sys.exit(str(error))
    for name, one in sorted(results.items()):
        print(f"{one.outcome:8} {name} {one.reason}".rstrip())
    if options.controllers == KRAFTPY and not options.names:
        page.save(results)
    return int(any(one.outcome == "failed" for one in results.values()))


def run(jars: Jars, root: Path, names: list[str], controllers: str) -> Results:
    """Run tests; what failed is run once more by itself, and is "again" if it passes then."""
    program = judge.compiled(root)
    with ClientCluster(jars, root, controllers=controllers) as cluster:
        judge.add_user(cluster)
        results = judge.judge(cluster, program, names, root / "franz-go.log")
        for name in judge.failed(results):
            second = judge.judge(cluster, program, [name], root / f"{name}.log")
            results |= {key: judge.again(results.get(key), one) for key, one in second.items()}
    return results


if __name__ == "__main__":
    sys.exit(main())
