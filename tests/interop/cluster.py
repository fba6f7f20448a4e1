"""Quorums on loopback, of real Kafka nodes and of ours, side by side.

A member is a directory with a ``server.properties``, started as Kafka (``kafka.Kafka`` on the fetched classpath) or as
kraftpy; the same file serves both. Nothing outlives the quorum's ``with`` block.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Self
from urllib.request import urlopen

from kraftpy.model.ids import uuid_from_random, uuid_to_text
from tests.fakes import launched
from tests.interop.jars import Jars
from tests.interop.processes import HOST, Process, eventually, free_ports

CLUSTER_ID = "MkU3OEVBNTcwNTJENDM2Qg"
RELEASE = "4.3-IV0"
JVM = (
    "-Xms64m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-XX:-UsePerfData",
    "-Djava.awt.headless=true",
)  # fmt: skip
TOOL_TIMEOUT_S = 120
LOG4J = """\
rootLogger.level = INFO
logger.config.name = org.apache.kafka.common.config.AbstractConfig
logger.config.level = WARN
rootLogger.appenderRef.out.ref = OUT
appender.out.type = Console
appender.out.name = OUT
appender.out.layout.type = PatternLayout
appender.out.layout.pattern = [%d{HH:mm:ss.SSS}] %p %m (%c{1})%n%ex
"""


def jvm(jars: Jars) -> list[str]:
    """Return the beginning of a command: a JVM with its options, and with Kafka's classes as they were parsed once."""
    shared = [f"-XX:SharedArchiveFile={jars.archive}", "-Xlog:cds=off"] if jars.archive.is_file() else []
    return ["java", *JVM, *shared]


def archive_classes(jars: Jars) -> None:
    """Run a broker once to keep the classes that it loads, unless that was done: it saves 2 s of CPU per JVM.

    Best effort: without the archive, or with one of other jars, a JVM parses the classes as always.
    """
    if jars.archive.is_file():
        return
    with tempfile.TemporaryDirectory(dir=jars.archive.parent) as scratch:
        made = Path(scratch, jars.archive.name)
        with Quorum(jars, Path(scratch), kafka=[1], brokers=[2]) as quorum:
            controller, broker = quorum.members.values()
            controller.format()
            broker.format()
            controller.start()
            process = broker.start(f"-XX:ArchiveClassesAtExit={made}", "-Xlog:cds+dynamic=off")
            try:
                eventually("a broker has started", lambda: "Kafka Server started" in broker.log_text(), quorum.running)
            except AssertionError as error:
                print(f"no archive of Kafka's classes: {error}", file=sys.stderr)
                return
            process.stop()
        if made.is_file():
            made.replace(jars.archive)


def java(
    jars: Jars, main: str, *args: str, stdin: str | None = None, options: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    """Run one of Kafka's tools to its end; ``options`` are for the JVM."""
    command = [*jvm(jars), *options, "-cp", jars.classpath, main, *args]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False, timeout=TOOL_TIMEOUT_S)


def kraftpy(*args: str) -> subprocess.CompletedProcess[str]:
    """Run one of our commands to its end."""
    return launched.run(args, TOOL_TIMEOUT_S)


class Member:
    """One node: its directory and configuration, and the process while it runs."""

    def __init__(self, jars: Jars, root: Path, node_id: int, *, ours: bool, properties: Mapping[str, str]) -> None:
        self.jars = jars
        self.node_id = node_id
        self.ours = ours
        self.name = f"{'kraftpy' if ours else 'kafka'}-{node_id}"
        self.directory = root / self.name
        self.data = self.directory / "data"
        self.properties = {"node.id": str(node_id), "log.dirs": str(self.data), **properties}
        self.config_file = self.directory / "server.properties"
        self.directory.mkdir(parents=True)
        self.environment: Mapping[str, str] = {}
        self.process: Process | None = None
        self.write_config()

    def write_config(self) -> None:
        lines = [f"{key}={value}\n" for key, value in self.properties.items()]
        self.config_file.write_text("".join(lines), encoding="utf-8")

    @property
    def log_dir(self) -> Path:
        """The directory of the metadata log."""
        return self.data / "__cluster_metadata-0"

    @property
    def kind(self) -> str:
        return "controller" if "controller" in self.properties["process.roles"] else "broker"

    def format(self, *, release: str = RELEASE, extra: Sequence[str] = ()) -> None:
        """Prepare the directories with the node's own tool."""
        args = ["-c", str(self.config_file), "-t", CLUSTER_ID, "--release-version", release, *extra]
        if self.ours:
            done = kraftpy("storage", "format", *args)
        else:
            done = java(self.jars, "kafka.tools.StorageTool", "format", *args)
        assert done.returncode == 0, f"{self.name}: {done.stdout}{done.stderr}"

    def start(self, *options: str) -> Process:
        """Start it; ``options`` are for the JVM of Kafka's."""
        if self.ours:
            command = [sys.executable, "-m", "kraftpy", self.kind, "--config", str(self.config_file)]
        else:
            log4j = self.directory / "log4j2.properties"
            log4j.write_text(LOG4J, encoding="utf-8")
            command = [
                *jvm(self.jars),
                *options,
                f"-Dlog4j2.configurationFile={log4j}",
                f"-Dkafka.logs.dir={self.directory}",
            ]
            command += ["-cp", self.jars.classpath, "kafka.Kafka", str(self.config_file)]
        self.process = Process(self.name, command, self.directory / "node.log", self.environment)
        return self.process

    def stop(self) -> int:
        assert self.process is not None
        return self.process.stop()

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()

    def log_text(self) -> str:
        return "" if self.process is None else self.process.log_text()

    def quorum_state(self) -> dict[str, int]:
        """Return what the node last wrote to ``quorum-state``; empty when there is none."""
        try:
            # kraftpy writes a checksum behind the line that Kafka knows.
            line, _, _ = (self.log_dir / "quorum-state").read_text(encoding="utf-8").partition("\n")
            state = json.loads(line)
        except (FileNotFoundError, json.JSONDecodeError):
            return {}
        return {key: value for key, value in state.items() if isinstance(value, int)}

    def snapshots(self) -> list[Path]:
        return sorted(self.log_dir.glob("*.checkpoint"))

    def metric(self, name: str) -> float:
        """Read one of our metrics of a member that runs."""
        with urlopen(f"http://{self.properties['metrics.listener']}/metrics", timeout=60) as page:
            lines = page.read().decode().splitlines()
        return next(float(line.split()[1]) for line in lines if line.startswith(f"{name} "))

    def segments(self) -> list[Path]:
        return sorted(self.log_dir.glob("*.log"))


class Quorum:
    """Some members with one quorum of their controllers; a context that ends what it started.

    A static quorum is in every node's configuration, a dynamic one in the log, where formatting puts it.
    """

    def __init__(
        self,
        jars: Jars,
        root: Path,
        *,
        kafka: Sequence[int] = (),
        ours: Sequence[int] = (),
        brokers: Sequence[int] = (),
        extra: Mapping[str, str] | None = None,
        dynamic: bool = False,
    ) -> None:
        self.jars = jars
        self.root = root
        self._stack = ExitStack()
        ids = sorted((*kafka, *ours))
        ports = dict(zip(ids, free_ports(len(ids)), strict=True))
        self.addresses = {node_id: f"{HOST}:{port}" for node_id, port in ports.items()}
        self.initial_controllers = ""
        if dynamic:
            keys = ((node_id, uuid_to_text(uuid_from_random(os.urandom))) for node_id in ids)
            self.initial_controllers = ",".join(f"{one}@{self.addresses[one]}:{directory}" for one, directory in keys)
            key, value = "controller.quorum.bootstrap.servers", ",".join(self.addresses.values())
        else:
            value = ",".join(f"{node_id}@{address}" for node_id, address in self.addresses.items())
            key = "controller.quorum.voters"
        self.common = {
            key: value,
            "controller.listener.names": "CONTROLLER",
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
            **(extra or {}),
        }
        self.members: dict[int, Member] = {}
        for node_id in ids:
            self.add_controller(node_id, ours=node_id in ours)
        for node_id in brokers:
            self.add_broker(node_id)

    def add_controller(self, node_id: int, *, ours: bool) -> Member:
        properties = {
            "process.roles": "controller",
            "listeners": f"CONTROLLER://{self.addresses[node_id]}",
            **self.common,
        }
        if ours:
            grpc, http = free_ports(2)
            properties |= {"grpc.listener": f"{HOST}:{grpc}", "metrics.listener": f"{HOST}:{http}"}
        return self.add(node_id, ours=ours, properties=properties)

    def add_broker(self, node_id: int, *, ours: bool = False) -> Member:
        properties = {
            "process.roles": "broker",
            "listeners": f"PLAINTEXT://{HOST}:{free_ports(1)[0]}",
            "offsets.topic.replication.factor": "1",
            **self.common,
        }
        return self.add(node_id, ours=ours, properties=properties)

    def add(self, node_id: int, *, ours: bool, properties: Mapping[str, str]) -> Member:
        """Add a member with properties of its own."""
        member = Member(self.jars, self.root, node_id, ours=ours, properties=properties)
        self.members[node_id] = member
        return member

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for member in reversed(self.members.values()):
            if member.process is not None:
                member.process.kill()
        self._stack.close()

    @property
    def bootstrap(self) -> str:
        """The controllers' endpoints."""
        return ",".join(self.addresses.values())

    @property
    def controllers(self) -> list[Member]:
        return [member for member in self.members.values() if member.kind == "controller"]

    @property
    def running(self) -> list[Process]:
        return [member.process for member in self.members.values() if member.process and member.process.is_running]

    def format_and_start(self) -> None:
        for member in self.members.values():
            is_initial = bool(self.initial_controllers) and member.kind == "controller"
            member.format(extra=["--initial-controllers", self.initial_controllers] if is_initial else [])
        for member in self.members.values():
            member.start()

    def leader(self) -> Member | None:
        """Return who leads, if a majority of the running controllers wrote so in the newest epoch."""
        states = [member.quorum_state() for member in self.controllers if member.process and member.process.is_running]
        newest = max((state.get("leaderEpoch", 0) for state in states), default=0)
        named = [state["leaderId"] for state in states if state.get("leaderEpoch") == newest and state["leaderId"] >= 0]
        if newest == 0 or len(named) * 2 <= len(self.controllers):
            return None
        leader = self.members[named[0]]
        return leader if leader.process and leader.process.is_running else None

    def wait_for_leader(self, *, other_than: int | None = None) -> Member:
        def probe() -> Member | None:
            leader = self.leader()
            return None if leader is None or leader.node_id == other_than else leader

        found = eventually("a leader is known to a majority", probe, self.running)
        assert found is not None
        return found


class AdminClient:
    """Kafka's own admin client in a JVM of its own, spoken to line by line."""

    def __init__(
        self, jars: Jars, directory: Path, *, controllers: str | None = None, brokers: str | None = None
    ) -> None:
        key, servers = ("bootstrap.controllers", controllers) if controllers else ("bootstrap.servers", brokers)
        assert servers is not None
        source = Path(__file__).with_name("InteropAdmin.java")
        self._log = (directory / "admin.log").open("ab")
        command = ["java", *JVM, "-cp", jars.classpath, str(source), key, servers]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, text=True, start_new_session=True
        )
        self._checked("start", self._line())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()
        self._log.close()

    def ask(self, command: str) -> str:
        """Carry out a command; raise what Kafka answered when it refused."""
        return self._checked(command, self.reported(command))

    def reported(self, command: str) -> str:
        """Carry out a command; return the printed outcome: ``ok`` and an answer, or ``error`` and a reason."""
        assert self._process.stdin is not None
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        return self._line()

    def _line(self) -> str:
        """Return the next outcome; Kafka's client logs to the same place."""
        assert self._process.stdout is not None
        while line := self._process.stdout.readline():
            if line.startswith(("ok ", "error ")):
                return line.strip()
        return "error the admin client ended"

    def _checked(self, command: str, line: str) -> str:
        word, _, rest = line.partition(" ")
        assert word == "ok", f"{command}: {line}"
        return rest

    def quorum(self) -> dict[str, str]:
        return dict(item.split("=", 1) for item in self.ask("quorum").split())
