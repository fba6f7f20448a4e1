"""Draw the dashboards of a cluster that loses its leader, and its status page without a broker."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.interop.browser import NoBrowserError, find_browser
from tests.interop.dashboard_pictures.drawing import Moment, Span, draw
from tests.interop.dashboard_pictures.observed_cluster import observed_cluster
from tests.interop.dashboard_pictures.panels import boards
from tests.interop.dashboard_pictures.status_page import take_status_page
from tests.interop.prometheus import NoPrometheusError, Prometheus, fetch

DOCS = Path(__file__).resolve().parents[3] / "docs"
SETTLING_S = 310
"""What a picture leaves out by default: until then a rate over 5 minutes is one over less."""


async def take(
    prometheus: Prometheus, browser: str, root: Path, into: Path, settling_s: int, part_s: int
) -> list[Path]:
    """Run a cluster for three parts of a time: healthy, without its first leader, and with it again.

    In the end a broker is killed, and the status page of the active controller is taken.
    """
    async with observed_cluster(prometheus, root) as observed:
        cluster = observed.cluster
        await asyncio.sleep(settling_s)
        start_s = time.time()
        await asyncio.sleep(part_s)
        leader_id = await cluster.leader()
        killed = Moment(f"controller {leader_id}, the active one, was killed", time.time())
        await cluster.kill(leader_id)
        await asyncio.sleep(part_s)
        restarted = Moment("it was started again", time.time())
        await cluster.start(leader_id)
        await asyncio.sleep(part_s)
        span = Span(start_s, time.time(), (killed, restarted))
        paths = []
        for board in boards():
            path = into / f"dashboard-{Path(board.file).stem}.png"
            await draw(observed.server, board, span, path)
            paths.append(path)
        return [*paths, await take_status_page(cluster, browser, root, into / "status-page.png")]


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the pictures; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.interop.dashboard_pictures", description=__doc__)
    parser.add_argument("--into", type=Path, default=DOCS, help="the directory of the pictures (default: docs)")
    parser.add_argument("--part-s", type=int, default=80, help="how long each of the three parts lasts")
    parser.add_argument("--settling-s", type=int, default=SETTLING_S, help="how long the load lasts before them")
    given = parser.parse_args(arguments)
    try:
        prometheus, browser = fetch(), find_browser()
    except (NoPrometheusError, NoBrowserError) as error:
        sys.stderr.write(f"no pictures: {error}\n")
        return 1
    with tempfile.TemporaryDirectory(prefix="kraftpy-") as name:
        paths = asyncio.run(take(prometheus, browser, Path(name), given.into, given.settling_s, given.part_s))
        for path in paths:
            print(f"{path}: {path.stat().st_size / 1_000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
