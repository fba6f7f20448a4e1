"""One task of Trogdor's, run by an agent without a coordinator (``--exec``), and what the agent says of it.

Source: https://github.com/apache/kafka/blob/4.3.0/trogdor/README.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tests.interop.cluster import jvm
from tests.interop.jars import Jars, check_java, kafka_version, resolve
from tests.interop.jars import cache_directory as interop_cache
from tests.interop.processes import Process, eventually, free_ports
from tests.interop.stock_tools.servant import LOG4J

POM: Final = Path(__file__).with_name("pom.xml")
NODE: Final = "node0"
AGENT: Final = "org.apache.kafka.trogdor.agent.Agent"
WORKLOADS: Final = "org.apache.kafka.trogdor.workload."
DURATION_MS: Final = 600_000
"""When a task ends at the latest; each test has a shorter limit of its own."""
STATUS: Final = re.compile(r"^Task (succeeded|failed) with status (.*)", re.MULTILINE | re.DOTALL)


def fetch_trogdor() -> Jars:
    """Return Kafka's jars with Trogdor's, fetching them if the cache has none.

    Raises:
        NoKafkaError: java or maven is missing, or maven could not resolve the jars.
    """
    check_java()
    version = kafka_version()
    jars = Jars(interop_cache() / f"trogdor-{version}", version)
    if not jars.jar("trogdor").is_file():
        resolve(POM, jars.directory, jars.jar("trogdor").name, "Trogdor")
    return jars


class Task:
    """A task that an agent has begun; the agent ends with it."""

    def __init__(self, jars: Jars, directory: Path, name: str, workload: str, spec: Mapping[str, object]) -> None:
        """Start the agent.

        Args:
            jars: with Trogdor's.
            directory: for its files.
            name: of these.
            workload: the class of the specification, without its package.
            spec: the rest of the specification.
        """
        directory.mkdir(parents=True, exist_ok=True)
        ports = zip(("trogdor.agent.port", "trogdor.coordinator.port"), free_ports(2), strict=True)
        platform = {
            "platform": "org.apache.kafka.trogdor.basic.BasicPlatform",
            "nodes": {NODE: {"hostname": "localhost", **dict(ports)}},
        }
        config, task = directory / f"{name}-agent.json", directory / f"{name}.json"
        config.write_text(json.dumps(platform), encoding="utf-8")
        task.write_text(
            json.dumps({"class": WORKLOADS + workload, "durationMs": DURATION_MS, **spec}), encoding="utf-8"
        )
        command = [*jvm(jars), f"-Dlog4j2.configurationFile={LOG4J}", "-cp", jars.classpath, AGENT]
        command += ["--agent.config", str(config), "--node-name", NODE, "--exec", str(task)]
        self.process = Process(name, command, directory / f"{name}.log")

    @property
    def is_running(self) -> bool:
        return self.process.is_running

    def finish(self, timeout_s: float) -> Any:
        """Wait for the end of the task, which must succeed; return its last status.

        The agent says so, and then waits for its own end, for ever at times: it is killed.
        """
        match = eventually("the task has ended", self._ended, deadline_s=timeout_s)
        text = self.process.log_text()
        assert match is not None
        assert match[1] == "succeeded", text[-4_000:]
        status, _ = json.JSONDecoder().raw_decode(match[2])
        self.kill()
        return status

    def _ended(self) -> re.Match[str] | None:
        text = self.process.log_text()
        match = STATUS.search(text)
        assert match is not None or self.is_running, text[-4_000:]
        # The status is printed in one piece, with what follows it.
        return match if match is not None and match[2].rstrip().endswith(("}", "hook.")) else None

    def kill(self) -> None:
        """End the agent, if it has not ended."""
        self.process.kill()
