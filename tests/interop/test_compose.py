"""The parts of ``deploy/compose/compose.yaml``, without Docker: three controllers, three stock brokers, and a topic.

The controllers run the file's command with the file's properties. Each broker gets its environment from the file and is
set up as in Kafka's image: by the class of Kafka that makes ``server.properties`` of it and formats the directory.
Names, ports and volumes alone are others: names are 127.0.0.1, each port is a free one, each volume a directory.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from kraftpy.records.properties import parse_properties
from tests.fakes import compose
from tests.fakes.compose import Service, unescaped
from tests.interop.cluster import LOG4J, TOOL_TIMEOUT_S, java, jvm
from tests.interop.jars import Jars
from tests.interop.processes import HOST, Process, eventually, free_ports

ROOT = Path(__file__).resolve().parents[2]
SETUP = "kafka.docker.KafkaDockerWrapper"
TOPIC = "org.apache.kafka.tools.TopicCommand"
OTHER_CLUSTER_ID = "MkU3OEVBNTcwNTJENDM2Qg"
API_VERSIONS = "org.apache.kafka.tools.BrokerApiVersionsCommand"
KAFKA_PROGRAMS = "/opt/kafka/bin"
HOSTNAMES = ("{socket.gethostname()}", "$HOSTNAME")
"""How a health check names its own container, in Python and in a shell."""


class Composed:
    """What ``docker compose up`` would start, as processes on loopback."""

    def __init__(self, jars: Jars, root: Path) -> None:
        self.jars = jars
        self.root = root
        self.services = compose.services()
        self.controllers = [one for one in self.services.values() if one.command]
        self.brokers = [one for one in self.services.values() if not one.command]
        self.processes: dict[str, Process] = {}
        written = [text for one in self.services.values() for text in (*one.files.values(), *one.environment.values())]
        self._endpoint = re.compile(rf"\b({'|'.join(self.services)}|localhost):(\d+)\b")
        named = {self._inside(*match) for text in written for match in self._endpoint.findall(text)}
        self._ports = dict(zip(sorted(named), free_ports(len(named)), strict=True))
        self._programs = programs = root / "bin"
        programs.mkdir()
        tool = (*jvm(jars), "-cp", jars.classpath, API_VERSIONS)
        for name, words in (
            ("kraftpy", (sys.executable, "-m", "kraftpy")),
            ("python", (sys.executable,)),
            ("kafka-broker-api-versions.sh", tool),
        ):
            program = programs / name
            program.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n', encoding="utf-8")
            program.chmod(0o755)
        # What is set for a Kafka of this machine would be part of what its setup reads.
        self._outside = {name: value for name, value in os.environ.items() if not name.startswith("KAFKA_")}
        self._outside |= {"PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}

    def address(self, host: str, port: int) -> str:
        """Return the address in place of one that the file names."""
        return f"{HOST}:{self._ports[self._inside(host, str(port))]}"

    def here(self, service: Service, text: str) -> str:
        """Return a text of the file with the names, ports and paths of this run."""
        for path in (*service.volumes, *service.files):
            text = text.replace(path, str(self.directory(service) / path.lstrip("/")))
        return self._endpoint.sub(lambda match: self.address(match[1], int(match[2])), text)

    def directory(self, service: Service) -> Path:
        return self.root / service.name

    def environment(self, service: Service, **other: str) -> dict[str, str]:
        return self._outside | {name: self.here(service, value) for name, value in service.environment.items()} | other

    def start_controller(self, service: Service) -> None:
        for path, content in service.files.items():
            file = Path(self.here(service, path))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(self.here(service, content), encoding="utf-8")
        for path in service.volumes:
            Path(self.here(service, path)).mkdir(parents=True, exist_ok=True)
        self._start(service, self.command(service), self.environment(service))

    def command(self, service: Service) -> list[str]:
        return [self.here(service, word) for word in service.command]

    def is_healthy(self, service: Service) -> bool:
        """Run the health check of the file, which decides when brokers are started, and when ``up --wait`` returns.

        A container's name of its own machine is the service's name; here it is put where the check asks for it. Kafka's
        script is one that runs the class of the script in Kafka's image.
        """
        check = service.definition["healthcheck"]
        assert service.definition["hostname"] == service.name
        how, *words = map(unescaped, check["test"])
        for name in HOSTNAMES:
            words = [word.replace(name, service.name) for word in words]
        words = [word.replace(KAFKA_PROGRAMS, str(self._programs)) for word in words]
        if how == "CMD-SHELL":
            words = ["/bin/sh", "-c", *words]
        else:
            assert how == "CMD"
        try:
            subprocess.run(
                [self.here(service, word) for word in words],
                env=self.environment(service), stdin=subprocess.DEVNULL, capture_output=True, check=True,
                timeout=float(check["timeout"].removesuffix("s")),
            )  # fmt: skip
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            return False
        return True

    def wait_for_controllers(self) -> None:
        eventually("the controllers are ready", lambda: all(map(self.is_healthy, self.controllers)), self.running)

    def set_up(self, service: Service) -> subprocess.Popen[str]:
        """Begin what the image does ahead of Kafka's start."""
        places = {name: self.directory(service) / name for name in ("default", "mounted", "final")}
        for place in places.values():
            place.mkdir(parents=True, exist_ok=True)
        options = [word for name, place in places.items() for word in (f"--{name}-configs-dir", str(place))]
        command = [*jvm(self.jars), "-cp", self.jars.classpath, SETUP, "setup", *options]
        environment = self.environment(service)
        return subprocess.Popen(
            command,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
        )

    def start_broker(self, service: Service) -> None:
        log4j = self.directory(service) / "log4j2.properties"
        log4j.write_text(LOG4J, encoding="utf-8")
        options = [f"-Dlog4j2.configurationFile={log4j}", f"-Dkafka.logs.dir={self.directory(service)}"]
        config = str(self.directory(service) / "final" / "server.properties")
        self._start(service, [*jvm(self.jars), *options, "-cp", self.jars.classpath, "kafka.Kafka", config], {})

    def tool(self, *words: str) -> str:
        """Run Kafka's tool for topics as a client outside of the containers does, at the first broker."""
        published = self.brokers[0].ports
        (address,) = {f"localhost:{port}" for _, port in published.values()}
        done = java(self.jars, TOPIC, "--bootstrap-server", self.here(self.brokers[0], address), *words)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout

    @property
    def running(self) -> list[Process]:
        return list(self.processes.values())

    def _start(self, service: Service, command: list[str], environment: Mapping[str, str]) -> None:
        log = self.directory(service) / "node.log"
        self.processes[service.name] = Process(service.name, command, log, environment)

    def _inside(self, host: str, port: str) -> tuple[str, int]:
        """Return the container and its port; what is published on localhost leads there, too."""
        if host != "localhost":
            return host, int(port)
        found = [
            (one.name, inside)
            for one in self.services.values()
            for inside, (_, outside) in one.ports.items()
            if outside == int(port)
        ]
        assert len(found) == 1, f"localhost:{port} leads to {found}"
        return found[0]


@pytest.fixture
def composed(jars: Jars, root: Path) -> Iterator[Composed]:
    cluster = Composed(jars, root)
    try:
        yield cluster
    finally:
        for process in reversed(cluster.running):
            process.kill()


def meta_properties(composed: Composed, service: Service) -> dict[str, str]:
    (volume,) = service.volumes
    (file,) = Path(composed.here(service, volume)).rglob("meta.properties")
    return parse(file)


def parse(file: Path) -> dict[str, str]:
    return parse_properties(file.read_text(encoding="utf-8"))


@pytest.mark.timeout(300)
def test_a_cluster_of_the_compose_file(composed: Composed) -> None:
    """Brokers would be of another cluster or release than the controllers, not find them, or not be reachable."""
    for controller in composed.controllers:
        composed.start_controller(controller)
    composed.wait_for_controllers()

    setups = [(one, composed.set_up(one)) for one in composed.brokers]
    assert not composed.is_healthy(composed.brokers[0]), "it does not run yet"
    for broker, setup in setups:
        output, _ = setup.communicate(timeout=TOOL_TIMEOUT_S)
        assert setup.returncode == 0, output
        made = parse(composed.directory(broker) / "final" / "server.properties")
        assert made == compose.kafka_properties({k: composed.here(broker, v) for k, v in broker.environment.items()})
        composed.start_broker(broker)
    eventually("the brokers serve", lambda: all(map(composed.is_healthy, composed.brokers)), composed.running)
    identified = {name: meta_properties(composed, one) for name, one in composed.services.items()}
    assert {one["cluster.id"] for one in identified.values()} == {compose.document()["x-cluster"]["CLUSTER_ID"]}

    composed.tool("--create", "--topic", "orders", "--partitions", "3")

    # The same start with the same volumes: `docker compose restart`, or `down` and `up`.
    repeated = composed.set_up(composed.brokers[0])
    again = composed.controllers[1]
    process = composed.processes[again.name]
    assert process.stop() == 0, process.log_text()
    assert not composed.is_healthy(again)
    foreign = composed.environment(again, CLUSTER_ID=OTHER_CLUSTER_ID)
    refused = subprocess.run(
        composed.command(again), env=foreign, capture_output=True, text=True, check=False, timeout=TOOL_TIMEOUT_S
    )
    assert (refused.returncode, OTHER_CLUSTER_ID in refused.stderr) == (1, True), refused.stderr
    composed.start_controller(again)
    composed.wait_for_controllers()
    assert "All of the log directories are already formatted." in composed.processes[again.name].log_text()
    assert meta_properties(composed, again) == identified[again.name]
    output, _ = repeated.communicate(timeout=TOOL_TIMEOUT_S)
    assert "already formatted" in output, "the words by which the image knows that it may go on"

    described = composed.tool("--describe", "--topic", "orders")
    assert "PartitionCount: 3\tReplicationFactor: 3\t" in described
    assert "min.insync.replicas=2" in described
    assert len(re.findall(r"\tLeader: 10[123]\t.*\tIsr: (?:\d+,){2}\d+\t", described)) == 3, described
