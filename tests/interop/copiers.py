"""Kafka's TransactionalMessageCopier, as Kafka's system tests run it: a topic is copied to another, exactly once.

A copier has one partition and a transactional id. It commits what it read and what it wrote in one transaction, so one
that is killed and started again goes on where its last committed transaction ended.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Self

from tests.interop.cluster import jvm
from tests.interop.jars import Jars
from tests.interop.processes import Process, eventually
from tests.interop.stock_tools.script import main_of
from tests.interop.stock_tools.servant import LOG4J, Servant
from tests.kafka_faults.world import REPLICAS, World

INPUT, OUTPUT = "input", "output"
GROUP: Final = "copiers"
PARTITIONS: Final = 2
KEYS: Final = 100
"""How many keys the records have, by which they are spread over the partitions."""
TOOLS: Final = "org.apache.kafka.tools."
TRANSACTION_TIMEOUT_MS: Final = 40_000
"""As in Kafka's test. A copier with the transactional id of one that was killed ends its transaction at once."""
END: Final = "end"
"""The value of records that are written after the copy: who was given that of a partition was given all before it."""
READ_TIMEOUT_MS: Final = 20_000
PRINTED: Final = re.compile(r"^Partition:(\d+)\tOffset:(\d+)\t(.*)$", re.MULTILINE)
SHOWN_MAX: Final = 5

Place = tuple[int, int]
"""Partition and offset."""
Log = dict[Place, str]
"""Values by their places."""


class Tool:
    """One of Kafka's programs that write a JSON object a line; each start has a log of its own."""

    def __init__(self, jars: Jars, directory: Path, name: str, main: str, *arguments: str) -> None:
        self.name = name
        self._directory = directory
        self._command = [*jvm(jars), f"-Dlog4j2.configurationFile={LOG4J}", "-cp", jars.classpath, TOOLS + main]
        self._command += arguments
        self._starts = 0
        self.start()

    def start(self) -> None:
        """Start it, or start it again."""
        self._starts += 1
        log = self._directory / f"{self.name}-{self._starts}.log"
        self.process = Process(self.name, self._command, log)

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield what it has printed since its last start."""
        yield from objects(self.process.log_text())


class Copier(Tool):
    """The copier of one partition."""

    def __init__(self, jars: Jars, directory: Path, servers: str, partition: int, per_transaction: int) -> None:
        options: dict[str, object] = {
            "broker-list": servers,
            "transactional-id": f"copier-{partition}",
            "consumer-group": GROUP,
            "input-topic": INPUT,
            "input-partition": partition,
            "output-topic": OUTPUT,
            "transaction-size": per_transaction,
            "transaction-timeout": TRANSACTION_TIMEOUT_MS,
        }
        arguments = [word for key, value in options.items() for word in (f"--{key}", str(value))]
        arguments += ["--use-group-metadata", "--enable-random-aborts"]
        super().__init__(jars, directory, f"copier-{partition}", "TransactionalMessageCopier", *arguments)

    def copied(self) -> int:
        """Return how many records it has committed since its last start."""
        return max((line["consumed"] for line in self.lines()), default=0)

    def is_done(self) -> bool:
        """Return whether it has copied all and ended."""
        if self.process.is_running:
            return False
        *_, last = self.lines()
        assert self.process.process.returncode == 0, self.process.log_text()[-2_000:]
        return bool(last["remaining"] == 0)

    def advances(self) -> None:
        """Wait until it commits more, with something left to do.

        Raises:
            AssertionError: it does not; or it has ended, and nothing would happen to a fault that comes now.
        """
        before = self.copied()
        eventually(f"{self.name} copies more", lambda: self.copied() > before, [self.process])
        assert self.process.is_running, f"{self.name} has copied all before the faults came; give it more"


class Copy:
    """A topic that is being copied: its records, the copiers, and a reader of what they commit.

    A context that ends the programs.

    Attributes:
        written: the records that are to be copied.
    """

    def __init__(self, world: World, tools: Servant, records: int, per_transaction: int) -> None:
        self._world, self._tools = world, tools
        replicated = ("--partitions", str(PARTITIONS), "--replication-factor", str(REPLICAS))
        for topic in INPUT, OUTPUT:
            self._call("kafka-topics", "--create", "--topic", topic, *replicated)
        producing = ("--max-messages", str(records), "--repeating-keys", str(KEYS))
        out = self._call("kafka-verifiable-producer", "--topic", INPUT, *producing)
        self.written = log_of(objects(out), "producer_send_success", INPUT)
        assert len(self.written) == records
        self.copiers = [
            Copier(world.jars, world.root, world.servers, one, per_transaction) for one in range(PARTITIONS)
        ]
        config = world.root / "reader.properties"
        config.write_text("isolation.level=read_committed\n", encoding="utf-8")
        reading = ("--topic", OUTPUT, "--group-id", "reader", "--reset-policy", "earliest", "--verbose")
        connecting = ("--bootstrap-server", world.servers, "--command-config", str(config))
        self._reader = Tool(world.jars, world.root, "reader", "VerifiableConsumer", *reading, *connecting)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for tool in (*self.copiers, self._reader):
            tool.process.kill()

    def leader(self) -> int:
        """Return the broker that leads the first partition of the copy, -1 for none."""
        return self._world.leader_of(OUTPUT)

    def advances(self) -> None:
        """Wait until every copier commits more."""
        for copier in self.copiers:
            copier.advances()

    def finish(self) -> Log:
        """Wait until all is copied; return the copies that were read meanwhile, up to the end of each partition."""
        for copier in self.copiers:
            eventually(f"{copier.name} has copied all", copier.is_done)
        ends = "".join(f"{key}:{END}\n" for key in range(KEYS))
        keyed = ("--reader-property", "parse.key=true", "--reader-property", "key.separator=:")
        self._call("kafka-console-producer", "--topic", OUTPUT, *keyed, stdin=ends)
        return eventually("the reader is at the end of each partition", self._read, [self._reader.process])

    def _read(self) -> Log:
        """Return the copies that the reader was given, or none while it is not at the ends."""
        read = log_of(self._reader.lines(), "record_data", OUTPUT)
        ended = {partition for (partition, _), value in read.items() if value == END}
        return {place: value for place, value in read.items() if value != END} if len(ended) == PARTITIONS else {}

    def read_again(self) -> Log:
        """Return the copies that another consumer reads from the beginning; it reads as many as there should be."""
        reading = ("--from-beginning", "--isolation-level", "read_committed", "--timeout-ms", str(READ_TIMEOUT_MS))
        shown = ("--formatter-property", "print.partition=true", "--formatter-property", "print.offset=true")
        most = ("--max-messages", str(len(self.written) + KEYS))
        return printed(self._call("kafka-console-consumer", "--topic", OUTPUT, *reading, *shown, *most))

    def _call(self, tool: str, *arguments: str, stdin: str = "") -> str:
        """Run one of Kafka's tools, which must succeed; return what it printed."""
        output = self._tools.call(main_of(tool), ["--bootstrap-server", self._world.servers, *arguments], stdin)
        assert output.code == "0", f"{tool} {arguments}: {output}"
        return output.out


def objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects among lines of text; the last line may not be whole yet."""
    for line in text.splitlines():
        if line.startswith("{") and line.endswith("}"):
            yield json.loads(line)


def log_of(lines: Iterable[Mapping[str, Any]], name: str, topic: str) -> Log:
    """Return the records that one kind of line names: ``producer_send_success`` or ``record_data``."""
    found: Log = {}
    for line in lines:
        if line.get("name") == name and line["topic"] == topic:
            place, value = (line["partition"], line["offset"]), line["value"]
            assert found.setdefault(place, value) == value, f"{topic} {place}: {found[place]}, and later {value}"
    return found


def printed(text: str) -> Log:
    """Return the copies among what kafka-console-consumer printed with partitions and offsets."""
    found = ((int(partition), int(offset), value) for partition, offset, value in PRINTED.findall(text))
    return {(partition, offset): value for partition, offset, value in found if value != END}


def complaints(written: Log, copied: Log) -> list[str]:
    """Say what is wrong with a copy; right is each value once, in the partition and the order of its original."""
    times = Counter(copied.values())
    originals = set(written.values())
    wrong = {
        "records were not copied": originals - times.keys(),
        "records were copied twice": {value for value, count in times.items() if count > 1},
        "records are no copies": times.keys() - originals,
    }
    faults = [
        f"{len(values)} {what}: {' '.join(sorted(values)[:SHOWN_MAX])}" for what, values in wrong.items() if values
    ]
    if not faults and _in_order(written) != _in_order(copied):
        faults.append("copies are not in the partition or in the order of their originals")
    return faults


def _in_order(log: Log) -> dict[int, list[str]]:
    """Return the values of each partition in the order of their offsets."""
    values = defaultdict(list)
    for (partition, _), value in sorted(log.items()):
        values[partition].append(value)
    return values
