"""A running Prometheus that scrapes nodes as ``deploy/monitoring/scrape.yaml`` says, and what it is asked."""

from __future__ import annotations

import asyncio
import json
import urllib.parse
import urllib.request
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import yaml

from tests.interop.processes import free_ports
from tests.interop.prometheus import Prometheus

SCRAPE_FILE = Path(__file__).resolve().parents[2] / "deploy" / "monitoring" / "scrape.yaml"
ANSWER_S = 10.0
"""How long an answer may take; without one there is no data."""


class Server:
    """A running Prometheus."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/api/v1"

    async def get(self, path: str) -> Any:
        """The data of an answer; nothing while there is none."""

        def get() -> Any:
            try:
                with urllib.request.urlopen(f"{self.url}/{path}", timeout=ANSWER_S) as answer:
                    return json.load(answer)["data"]
            except OSError:
                return {}

        return await asyncio.to_thread(get)

    async def version(self) -> str:
        """Its version."""
        return str((await self.get("status/buildinfo"))["version"])

    async def value(self, expression: str) -> float | None:
        """What an expression gives, if it is one number."""
        found = await self.instant(expression)
        return float(found[0]["value"][1]) if len(found) == 1 else None

    async def instant(self, expression: str) -> list[dict[str, Any]]:
        """What an expression gives now: labels and a value for each series."""
        answer = await self.get(f"query?query={urllib.parse.quote(expression)}")
        return list(answer.get("result", []))

    async def over_time(self, expression: str, start_s: float, end_s: float, step_s: float) -> list[dict[str, Any]]:
        """What an expression gave at each step of a time: labels and values for each series."""
        query = urllib.parse.urlencode({"query": expression, "start": start_s, "end": end_s, "step": step_s})
        return list((await self.get(f"query_range?{query}")).get("result", []))


@asynccontextmanager
async def observing(
    prometheus: Prometheus, root: Path, targets: Sequence[str], *, scrape_interval: str, rules: str | None = None
) -> AsyncIterator[Server]:
    """Start Prometheus with the text of some rules, or without any; in the end it is killed."""
    (port,) = free_ports(1)
    document = yaml.safe_load(SCRAPE_FILE.read_text(encoding="utf-8"))
    document["global"] = {"scrape_interval": scrape_interval, "scrape_timeout": scrape_interval}
    document["scrape_configs"][0]["static_configs"][0]["targets"] = list(targets)
    if rules is None:
        del document["rule_files"]
    else:
        (root / "rules.yaml").write_text(rules)
    (root / "prometheus.yaml").write_text(yaml.safe_dump(document))
    with (root / "prometheus.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            prometheus.server,
            f"--config.file={root / 'prometheus.yaml'}",
            f"--storage.tsdb.path={root / 'tsdb'}",
            f"--web.listen-address=127.0.0.1:{port}",
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        yield Server(port)
    finally:
        process.kill()
        await process.wait()
