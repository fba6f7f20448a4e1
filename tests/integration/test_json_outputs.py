"""Every command on a real cluster with ``-o json``: each output is as its schema has it, and none is left out.

Each that is given controllers is given both kinds of their ports: what only reads at one after the other, and what
changes something at one, and at the other for another change or a dry run.

One cluster, so that it is quick: a dynamic quorum of two controllers, a third that replaces them, and two brokers.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.json_outputs import OUTPUTS, OutputForm
from kraftpy.model.ids import uuid_to_text
from tests.fakes.launched import launch
from tests.fakes.processes import PATIENT, ROOT, Cluster, configure, eventually, kraftpy, running
from tests.unit.cli.json_outputs import BY_NAME, ELSEWHERE, faults
from tests.unit.cli.test_help_examples import LEAVES

VOTERS, JOINING = (1, 2), 3
BROKERS = (4, 5)
CLUSTER_ID = uuid_to_text(b"one cluster json")
EXTRA = {
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super.users": "User:ANONYMOUS",
    "unstable.feature.versions.enable": "true",
}
FOUND = frozenset({ExitCode.OK, ExitCode.FINDINGS, ExitCode.INCOMPLETE})
"""How a command ends that judges what it reads."""

MOVED_AWAY = {"version": 1, "partitions": [{"topic": "t", "partition": 0, "replicas": [98, 99]}]}
"""To brokers that do not exist."""

LINES = {OutputForm.LINES, OutputForm.JSONL_LINES}

GRPC, KAFKA = "grpc.listener", "Kafka's listener"
PORTS = (GRPC, KAFKA)

ONE_KIND = {"log-dirs": "asks the brokers that it is given, and of those only the grpc.listener answers (docs/cli.md)"}
"""Outputs of commands that take addresses of one kind, and why."""


@dataclass
class Printed:
    """Runs commands, and validates what they print.

    Attributes:
        root: a directory for their files.
        names: the outputs that were validated.
        addresses: of all controllers, by the kind of their ports.
        asked: output to the kinds of ports that its command was given, in order.
    """

    root: Path
    names: set[str] = field(default_factory=set)
    addresses: dict[str, str] = field(default_factory=dict)
    asked: dict[str, list[str]] = field(default_factory=dict)

    async def at_one(self, name: str, *words: object, **more: Any) -> Any:
        """Run the command of an output at the kind of port that it was given less often; return what it printed."""
        asked = self.asked.setdefault(name, [])
        kind = min(PORTS, key=asked.count)
        asked.append(kind)
        return await self.of(name, *words, "-C", self.addresses[kind], **more)

    async def at_both(self, name: str, *words: object, **more: Any) -> Any:
        """Run it at one kind of port, then at the other; return what it printed last."""
        await self.at_one(name, *words, **more)
        return await self.at_one(name, *words, **more)

    async def of(self, name: str, *words: object, codes: frozenset[ExitCode] = frozenset({ExitCode.OK})) -> Any:
        """Run the command of an output with more words; return what it printed."""
        form = () if "-o" in name.split() else ("-o", "json")
        done = await asyncio.to_thread(kraftpy, *name.split(), *words, *form)
        assert done.returncode in codes, (name, done.returncode, done.stdout, done.stderr)
        return self.checked(name, done.stdout)

    def checked(self, name: str, text: str) -> Any:
        """Validate a text as an output."""
        if BY_NAME[name].form not in LINES:
            data = json.loads(text)
            found = faults(name, data)
        else:
            data = [json.loads(line) for line in text.splitlines()]
            assert data, name
            found = [fault for line in data for fault in faults(name, line)]
        assert not found, f"{name}: {found}"
        self.names.add(name)
        return data

    def file(self, name: str, content: object) -> Path:
        """Write a file of JSON."""
        path = self.root / name
        path.write_text(json.dumps(content))
        return path


def kafka_addresses(cluster: Cluster) -> str:
    return ",".join(node.kafka_endpoint for node in cluster.sandbox.controllers)


def grpc_addresses(cluster: Cluster, *node_ids: int) -> str:
    return ",".join(str(cluster.node(node_id).grpc_endpoint) for node_id in node_ids)


async def format_nodes(printed: Printed, cluster: Cluster) -> None:
    """Give every node its directory: two controllers as voters, the third as an observer, at Kafka's 4.4-IV2."""
    voters = ",".join(
        f"{one}@{cluster.node(one).kafka_endpoint}:{uuid_to_text(bytes([64 + one]) * 16)}" for one in VOTERS
    )
    for node in cluster.sandbox.nodes:
        node.properties.pop("controller.quorum.voters", None)
        configure(node, controller__quorum__bootstrap__servers=kafka_addresses(cluster))
        words = ("-c", node.config_file, "-t", CLUSTER_ID, "-r", "4.4-IV2")
        more = ("-I", voters) if node.node_id in VOTERS else ("-N",)
        await printed.of("storage format", *words, *(more if node.node_id not in BROKERS else ()))


async def files_alone(printed: Printed) -> None:
    """The commands that need no node."""
    await printed.of("storage random-uuid")
    await printed.of("storage version-mapping")
    await printed.of("storage feature-dependencies", "-f", "transaction.version=2")
    made = await printed.of(
        "config generate", "--controllers", "a,b,c", "--brokers", "d", "--out", printed.root / "new"
    )
    await printed.of("config check", *(path for path in made["files"] if path.endswith(".properties")), codes=FOUND)
    await printed.of("completion install", "bash")
    await printed.of("audit --list-rules")


async def topics(printed: Printed) -> None:
    """Topics, and their configs."""
    for name in ("t", "gone"):
        await printed.at_one("topics create", "--topic", name, "--partitions", 2, "--replication-factor", 1)
    await printed.at_one("topics alter", "--topic", "t", "--partitions", 3)
    await printed.at_both("topics list")
    await printed.at_both("topics describe")
    await printed.at_both("leader-election", "--election-type", "preferred", "--all-topic-partitions")
    await replicas(printed)
    await printed.at_one("configs alter", "--topic", "t", "--add", "retention.ms=1000")
    await printed.at_both("configs describe", "--topic", "t")
    await printed.at_both("configs describe --all", "--topic", "t")
    await printed.at_one("topics delete", "--topic", "gone")
    await refusals(printed)


async def replicas(printed: Printed) -> None:
    """Where replicas are, and moving them."""
    moves = printed.file("moves.json", {"version": 1, "partitions": [{"topic": "t", "partition": 0, "replicas": [5]}]})
    await printed.at_both("reassign plan", "--broker-list", "4,5")
    await printed.at_one("reassign apply", moves, "--throttle", 1_000)
    await printed.at_both("reassign status", moves)
    await printed.at_both("reassign cancel", moves)
    file = ("--reassignment-json-file", moves)
    await printed.at_both("reassign-partitions --generate", "--broker-list", "4,5")
    await printed.at_both("reassign-partitions --execute", *file, "--dry-run")
    await printed.at_one("reassign-partitions --execute", *file)
    await printed.at_both("reassign-partitions --list")
    await printed.at_both("reassign-partitions --verify", *file)
    await printed.at_both("reassign-partitions --cancel", *file)


async def refusals(printed: Printed) -> None:
    """Dry runs of changes that a real controller would refuse: 3, and a body that says why."""
    entry = ("--topic", "t" * 40_000, "--allow-principal", "User:alice", "--operation", "Read")
    for name, words, reason in (
        ("topics create", ("--topic", "t"), "TOPIC_ALREADY_EXISTS"),
        ("topics alter", ("--topic", "t", "--partitions", 1), "INVALID_PARTITIONS"),
        ("topics delete", ("--topic", "gone"), "does not exist"),
        ("configs alter", ("--topic", "t", "--add", "retention.ms=x"), "INVALID_CONFIG"),
        ("configs alter --user", ("alice", "--add", "nonsense=1"), "nonsense"),
        ("acls add", entry, "("),
        ("cluster unregister", ("--id", 99), "BROKER_ID_NOT_REGISTERED"),
        ("metadata-quorum transfer-leader", ("--to", 99), "not a voter"),
        ("reassign apply", (printed.file("far.json", MOVED_AWAY),), "INVALID_REPLICA_ASSIGNMENT"),
    ):
        shown = await printed.at_one(name, *words, "--dry-run", codes=frozenset({ExitCode.FINDINGS}))
        (body,) = shown if isinstance(shown, list) else [shown]
        assert (body["accepted"], body["dryRun"], reason in body["reason"]) == (False, True, True), (name, body)


async def settings(printed: Printed) -> None:
    """Users, access, features and hosts. Hosts have ids from metadata.version 41 on, controllers end before it."""
    await printed.at_one("configs alter --user", "alice", "--add", "producer_byte_rate=1024")
    await printed.at_one("configs alter --user", "alice", "--add", "SCRAM-SHA-256=[password=secret]")
    await printed.at_both("configs describe --user", "alice")
    entry = ("--topic", "t", "--allow-principal", "User:alice", "--operation", "Read")
    await printed.at_one("acls add", *entry)
    await printed.at_both("acls list")
    await printed.at_one("acls remove", *entry, "--dry-run")
    await printed.at_one("acls remove", *entry)
    await printed.at_both("cluster unregister-controller", "--id", JOINING, "--dry-run")
    await printed.at_both("features describe")
    await printed.at_one("features upgrade", "-f", "metadata.version=41", "--dry-run")
    await printed.at_one("features upgrade", "-f", "metadata.version=41")
    await printed.at_both("features downgrade", "-f", "group.version=0", "--dry-run")
    await printed.at_both("features disable", "-f", "eligible.leader.replicas.version", "--dry-run")
    await printed.at_one("broker-ids set", "--host", "kafka-9", "--id", 9, "--dry-run")
    await printed.at_one("broker-ids set", "--host", "kafka-9", "--id", 9)
    await printed.at_both("broker-ids list")
    await printed.at_one("broker-ids delete", "--host", "kafka-9", "--dry-run")
    await printed.at_one("broker-ids delete", "--host", "kafka-9")


async def nodes(printed: Printed, cluster: Cluster) -> None:
    """The nodes, and what is known of them."""
    metrics = ("--metrics", ",".join(node.properties["metrics.listener"] for node in cluster.sandbox.nodes))
    await printed.at_both("cluster cluster-id")
    await printed.at_both("cluster describe")
    await printed.at_both("cluster ok-to-stop", BROKERS[0], codes=FOUND)
    await printed.at_one("cluster unregister", "--id", BROKERS[0], "--dry-run")
    await printed.of("log-dirs", "--describe", "-C", grpc_addresses(cluster, *BROKERS))
    await printed.at_one("doctor", *metrics, codes=FOUND)
    assert (await printed.at_one("doctor", "--upgrade-to", "4.3", codes=FOUND))["upgradeTo"] is not None
    for name in ("first.tar.gz", "second.tar.gz"):
        words = ("--out", printed.root / name, cluster.node(1).config_file, *metrics)
        await printed.at_one("support-bundle", *words, codes=FOUND)
    await printed.at_both("metadata-quorum describe --status")
    await printed.at_both("metadata-quorum describe --replication")
    await printed.at_both("metadata-quorum ok-to-stop", VOTERS[0], codes=FOUND)
    await printed.at_one("metadata-quorum transfer-leader", "--to", VOTERS[1])
    await printed.at_both("watch", "--count", 3, "--from", 0)
    for kind in PORTS:
        printed.checked("observe", await observed(printed.root, printed.addresses[kind]))
        printed.asked.setdefault("observe", []).append(kind)


async def observed(root: Path, addresses: str) -> str:
    """The first records that ``observe`` prints."""
    log = root / "observed"
    log.unlink(missing_ok=True)
    words = ["observe", "-C", addresses, "-o", "jsonl"]
    process = await launch("apart", log, [str(root / "errors"), *words])
    try:

        async def lines() -> list[str]:
            return [line for line in log.read_text().splitlines(keepends=True) if line.endswith("\n")]

        return "".join(await eventually(lines, lambda found: len(found) > 2, "observe prints three records"))
    finally:
        process.send_signal(15)
        await process.wait()


async def members(printed: Printed, cluster: Cluster) -> None:
    """Who votes: one more, one less, and two that are replaced by one and return."""
    joining = cluster.node(JOINING).config_file
    for dry_run in (["--dry-run"], []):
        await printed.at_one("metadata-quorum add-controller", "--config", joining, *dry_run)
    for dry_run in (["--dry-run"], []):
        await printed.at_one("metadata-quorum remove-controller", "--controller-id", JOINING, *dry_run)
    files = [word for one in BROKERS for word in ("--broker-config", cluster.node(one).config_file)]
    for name in ("first.json", "second.json"):
        plan = printed.root / name
        await printed.at_one("migrate plan", "--to", joining, *files, "--out", plan)
    await printed.of("migrate status", plan)
    await printed.of("migrate run", plan)
    await printed.of("migrate back", plan)


async def restarts(printed: Printed, cluster: Cluster) -> None:
    """A roll of a broker that is restarted by hand, and a shutdown."""
    plan = printed.root / "roll.json"

    async def planned() -> Any:
        words = ("--node", BROKERS[1], "--allow-unavailable", "--out", plan)
        return await printed.at_both("roll plan", *words, codes=FOUND)

    await eventually(planned, lambda made: made["planFile"] is not None, "every node has caught up")
    await printed.at_both("roll status", "--plan", plan, codes=FOUND)
    await printed.at_both("roll run --dry-run", "--plan", plan, "--restart", "true {id}")
    await cluster.terminate(BROKERS[1])
    await cluster.start(BROKERS[1])
    await printed.at_both("roll run", "--plan", plan, "--restart", "false {id}")
    record = ("--record", printed.root / "stopped.json")
    for _ in PORTS:
        await printed.at_one("cluster stop", *record)
        await printed.at_one("cluster start", *record)


async def logs(printed: Printed, cluster: Cluster) -> None:
    """The directories of a running cluster."""
    directory, root = cluster.node(VOTERS[0]).log_dirs[0], printed.root
    await printed.of("storage info", "-c", cluster.node(VOTERS[0]).config_file)
    await printed.of("storage probe", "--syncs", 9, directory, codes=FOUND)
    await printed.of("inspect", directory)
    segment = next(cluster.data(VOTERS[0]).glob("*.log"))
    await printed.of("dump-log", segment)
    await printed.of("dump-log -o jsonl", segment)
    assert (await printed.of("audit", directory, "--growth", codes=FOUND))["growth"]["byEntity"]
    await printed.of("audit -o jsonl", broken(directory, root / "broken"), codes=FOUND)
    assert await printed.of("history", "topic", "t", directory)
    assert await printed.of("diff", f"{directory}@5", directory, codes=FOUND)
    await printed.of("compact", directory, "--out", root / "compacted")
    backup = await printed.of("backup", "--dir", directory, "--out", root / "backup")
    await printed.of(
        "restore", backup["file"], "--dir", root / "restored", "--node-id", 1, "--address", "localhost:9093"
    )


def broken(directory: Path, copy: Path) -> Path:
    """A copy of a log with a batch that is no longer what was written."""
    copy.mkdir()
    for segment in directory.rglob("*.log"):
        content = bytearray(segment.read_bytes())
        content[len(content.rstrip(b"\0")) - 1] ^= 1
        (copy / segment.name).write_bytes(content)
    return copy


async def rescues(printed: Printed, cluster: Cluster) -> None:
    """The directories of a cluster that has ended."""
    directories = ",".join(str(cluster.node(node_id).log_dirs[0]) for node_id in VOTERS)
    await printed.of("repair show", "--dirs", directories)
    plan = printed.root / "recovery.json"
    made = await printed.of("recover plan", "--dirs", directories, "--out", plan)
    await printed.of("recover apply", plan, "--digest", made["digest"])
    await printed.of("recover undo", "--dirs", directories)


@pytest.mark.landing
@pytest.mark.timeout(300)
async def test_every_output_of_a_real_cluster_is_as_its_schema(tmp_path, monkeypatch):
    """A command prints a name that is not in the registry, leaves one out, or a new one is not run here."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    printed = Printed(home)
    await files_alone(printed)
    async with running(tmp_path / "cluster", brokers=len(BROKERS), extra=EXTRA | PATIENT, start=False) as cluster:
        await format_nodes(printed, cluster)
        await cluster.start(*(node.node_id for node in cluster.sandbox.nodes))
        unfenced = dict.fromkeys(BROKERS, False)
        await eventually(cluster.brokers, lambda found: found == unfenced, "the brokers are unfenced")
        controllers = grpc_addresses(cluster, *cluster.controller_ids)
        printed.addresses = {GRPC: controllers, KAFKA: kafka_addresses(cluster)}
        await topics(printed)
        await settings(printed)
        await nodes(printed, cluster)
        await members(printed, cluster)
        await restarts(printed, cluster)
        await logs(printed, cluster)
    await rescues(printed, cluster)
    assert printed.names == {one.name for one in OUTPUTS} - set(ELSEWHERE)
    online = {one.name for one in OUTPUTS if takes_controllers(one.command)} - ELSEWHERE.keys() - ONE_KIND.keys()
    assert {name for name, kinds in printed.asked.items() if set(kinds) == set(PORTS)} == online


def takes_controllers(command: str) -> bool:
    """Whether a command has ``-C``."""
    leaf = LEAVES.get(command)
    return leaf is not None and any("--bootstrap-controller" in param.opts for param in leaf.params)


def test_what_no_plain_cluster_prints_is_validated_elsewhere():
    """An output is in the list by mistake, or its own test does not validate it."""
    assert set(ELSEWHERE) <= set(BY_NAME)
    for name, (path, reason) in ELSEWHERE.items():
        assert reason
        text = (ROOT / path).read_text(encoding="utf-8")
        assert "tests/unit/cli/" in path or "faults(" in text, (name, path)
