"""The calls of ``commands.txt``, which says itself how it is written."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

COMMANDS: Final = Path(__file__).with_name("commands.txt")

TOOLS: Final = {
    "kafka-acls": "AclCommand",
    "kafka-broker-api-versions": "BrokerApiVersionsCommand",
    "kafka-client-metrics": "ClientMetricsCommand",
    "kafka-cluster": "ClusterTool",
    "kafka-configs": "kafka.admin.ConfigCommand",
    "kafka-console-consumer": "consumer.ConsoleConsumer",
    "kafka-console-producer": "ConsoleProducer",
    "kafka-console-share-consumer": "consumer.ConsoleShareConsumer",
    "kafka-consumer-groups": "consumer.group.ConsumerGroupCommand",
    "kafka-consumer-perf-test": "ConsumerPerformance",
    "kafka-delegation-tokens": "DelegationTokenCommand",
    "kafka-delete-records": "DeleteRecordsCommand",
    "kafka-e2e-latency": "EndToEndLatency",
    "kafka-features": "FeatureCommand",
    "kafka-get-offsets": "GetOffsetShell",
    "kafka-groups": "GroupsCommand",
    "kafka-leader-election": "LeaderElectionCommand",
    "kafka-log-dirs": "LogDirsCommand",
    "kafka-metadata-quorum": "MetadataQuorumCommand",
    "kafka-producer-perf-test": "ProducerPerformance",
    "kafka-reassign-partitions": "reassign.ReassignPartitionsCommand",
    "kafka-share-groups": "consumer.group.ShareGroupCommand",
    "kafka-streams-groups": "streams.StreamsGroupCommand",
    "kafka-topics": "TopicCommand",
    "kafka-transactions": "TransactionsCommand",
    "kafka-verifiable-consumer": "VerifiableConsumer",
    "kafka-verifiable-producer": "VerifiableProducer",
}
"""The main class that a script of Kafka's starts; without a package it is in that of the tools."""

READING: Final = frozenset(
    {"--describe", "describe", "--list", "list", "list-endpoints", "cluster-id", "--verify", "describe-producers"}
)
READING_TOOLS: Final = frozenset({"kafka-get-offsets", "kafka-broker-api-versions"})


@dataclass(frozen=True, slots=True)
class File:
    """A file that later calls name."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker is stopped or started."""

    starts: bool
    node_id: int


@dataclass(frozen=True, slots=True)
class Reassigned:
    """No partition is being reassigned any more."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool, as it is written."""

    text: str

    @property
    def tool(self) -> str:
        return self.text.split()[0]

    @property
    def stdin(self) -> str | None:
        """The name of the file that is read from the standard input."""
        _, sign, name = self.text.partition(" < ")
        return name if sign else None

    @property
    def reads_only(self) -> bool:
        """Whether it can be repeated without an effect."""
        return self.tool in READING_TOOLS or not READING.isdisjoint(self.text.split())

    def arguments(self, places: Mapping[str, str]) -> list[str]:
        """Return the arguments with the names of places filled in."""
        words = shlex.split(self.text.partition(" < ")[0])[1:]
        for name, value in places.items():
            words = [word.replace(f"{{{name}}}", value) for word in words]
        return words


Step = File | Broker | Reassigned | Call


def main_of(tool: str) -> str:
    """Return the class that has a tool's main method."""
    name = TOOLS[tool]
    return name if name.startswith("kafka.") else f"org.apache.kafka.tools.{name}"


def steps(text: str) -> Iterator[Step]:
    """Yield what a script says.

    Raises:
        ValueError: a line is none of the forms that there are.
    """
    for number, line in enumerate(text.splitlines(), 1):
        word, _, rest = line.partition(" ")
        if not line or line.startswith("#"):
            continue
        if word == "file":
            name, _, content = rest.partition(" ")
            yield File(name, content.replace("\\n", "\n"))
        elif word in {"@stop", "@start"}:
            yield Broker(word == "@start", int(rest))
        elif line == "@reassigned":
            yield Reassigned()
        elif word in TOOLS:
            yield Call(line)
        else:
            raise ValueError(
                f"{COMMANDS.name}:{number}: {word!r} is no tool of Kafka's, nor file, @stop, @start or @reassigned"
            )


def load() -> list[Step]:
    """Return the script."""
    return list(steps(COMMANDS.read_text(encoding="utf-8")))
