"""Clients of other authors, librdkafka and aiokafka, with a stock broker on controllers of ours.

They share no code with Kafka nor with us. ``CONTROLLERS=kafka`` runs the same tests on Kafka's controllers, which shows
whether a failure is one of ours.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, Self

import pytest

from tests.interop.client_cluster import BROKER, KRAFTPY, ClientCluster
from tests.interop.conftest import installed
from tests.interop.jars import Jars
from tests.interop.processes import DEADLINE_S, POLL_S, eventually

confluent = installed("confluent_kafka")
admin = installed("confluent_kafka.admin")
aiokafka = installed("aiokafka")
aiokafka_admin = installed("aiokafka.admin")
errors = installed("aiokafka.errors")

RECORDS = 240
CHUNK = 40
PARTITIONS = 3
TIMEOUT_S = 60.0
"""For one answer; a new active controller is found within seconds."""

Values = list[bytes]


@pytest.fixture(scope="module")
def cluster(jars: Jars, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClientCluster]:
    controllers = os.environ.get("CONTROLLERS", KRAFTPY)
    root = tmp_path_factory.mktemp("clients")
    print(f"directories and logs: {root}")
    with ClientCluster(jars, root, controllers=controllers) as made:
        yield made


# librdkafka


class Librdkafka:
    """An admin client whose answers are waited for."""

    def __init__(self, servers: str) -> None:
        self.servers = servers
        self.client = admin.AdminClient({"bootstrap.servers": servers})

    def do(self, call: str, *args: Any, **options: Any) -> Any:
        """Make a call, which must succeed; return its answer, or its answers in their order."""
        made = getattr(self.client, call)(*args, request_timeout=TIMEOUT_S, **options)
        if isinstance(made, Mapping):
            return [one.result(TIMEOUT_S) for one in made.values()]
        return made.result(TIMEOUT_S)

    def codes(self, call: str, *args: Any, **options: Any) -> list[str]:
        """Make a call; return the name of each part's code."""
        made = getattr(self.client, call)(*args, request_timeout=TIMEOUT_S, **options)
        return [code_of(one) for one in made.values()]

    def config(self, topic: str, key: str) -> str:
        (configs,) = self.do("describe_configs", [admin.ConfigResource("topic", topic)])
        return configs[key].value

    def partitions(self, topic: str) -> int:
        """The number of partitions that the broker knows and that have a leader."""
        (described,) = self.do("describe_topics", confluent.TopicCollection([topic]))
        return sum(one.leader is not None for one in described.partitions)

    def topic(self, name: str, **configs: str) -> None:
        self.do("create_topics", [admin.NewTopic(name, PARTITIONS, 1, config=configs)])
        eventually(f"{name} has its leaders", lambda: name in self.client.list_topics(timeout=TIMEOUT_S).topics)
        eventually(f"{name} has its leaders", lambda: self.partitions(name) == PARTITIONS)

    def producer(self, **configs: Any) -> Any:
        return confluent.Producer({"bootstrap.servers": self.servers, "enable.idempotence": True, **configs})

    def consumer(self, group: str, **configs: Any) -> Any:
        return confluent.Consumer(
            {
                "bootstrap.servers": self.servers,
                "group.id": group,
                "auto.offset.reset": "earliest",
                "enable.auto.commit": False,
                "isolation.level": "read_committed",
                **configs,
            }
        )


def code_of(future: Future[Any]) -> str:
    try:
        future.result(TIMEOUT_S)
    except confluent.KafkaException as error:
        return error.args[0].name()
    return "NO_ERROR"


@pytest.fixture
def librdkafka(cluster: ClientCluster) -> Librdkafka:
    return Librdkafka(cluster.plain)


def test_librdkafka_administers(librdkafka: Librdkafka) -> None:
    """Topics, partitions, configs, offsets, elections: what it asks for is what it reads afterwards."""
    do = librdkafka.do
    described = do("describe_cluster")
    assert [node.id for node in described.nodes] == [BROKER]
    librdkafka.topic("orders", **{"retention.ms": "60000", "cleanup.policy": "compact"})
    assert librdkafka.config("orders", "retention.ms") == "60000"
    do("create_partitions", [admin.NewPartitions("orders", 5)])
    eventually("there are five partitions", lambda: librdkafka.partitions("orders") == 5)

    change = admin.AlterConfigOpType
    entries = [
        admin.ConfigEntry("retention.ms", None, incremental_operation=change.DELETE),
        admin.ConfigEntry("cleanup.policy", "delete", incremental_operation=change.APPEND),
        admin.ConfigEntry("max.message.bytes", "4096", incremental_operation=change.SET),
    ]
    do("incremental_alter_configs", [admin.ConfigResource("topic", "orders", incremental_configs=entries)])
    eventually("the size is set", lambda: librdkafka.config("orders", "max.message.bytes") == "4096")
    assert librdkafka.config("orders", "retention.ms") == "604800000"
    assert librdkafka.config("orders", "cleanup.policy") == "compact,delete"
    with pytest.warns(DeprecationWarning, match="alter_configs"):  # which Kafka's own clients do not send any more
        do("alter_configs", [admin.ConfigResource("topic", "orders", set_config={"cleanup.policy": "delete"})])
    eventually("all others are gone", lambda: librdkafka.config("orders", "max.message.bytes") == "1048588")
    assert librdkafka.config("orders", "cleanup.policy") == "delete"
    broker = [admin.ConfigEntry("log.cleaner.threads", "2", incremental_operation=change.SET)]
    resource = admin.ConfigResource("broker", str(BROKER), incremental_configs=broker)
    do("incremental_alter_configs", [resource])
    eventually(
        "the broker has its config",
        lambda: (
            do("describe_configs", [admin.ConfigResource("broker", str(BROKER))])[0]["log.cleaner.threads"].value == "2"
        ),
    )

    produce(librdkafka.producer(), "orders", [b"%d" % number for number in range(10)], partition=1)
    partition = confluent.TopicPartition("orders", 1)
    (last,) = do("list_offsets", {partition: admin.OffsetSpec.latest()})
    (deleted,) = do("delete_records", [confluent.TopicPartition("orders", 1, 4)])
    (first,) = do("list_offsets", {partition: admin.OffsetSpec.earliest()})
    assert (last.offset, deleted.low_watermark, first.offset) == (10, 4, 4)
    elected = librdkafka.client.elect_leaders(confluent.ElectionType.PREFERRED, [partition]).result(TIMEOUT_S)
    assert [error.name() for error in elected.values()] == ["ELECTION_NOT_NEEDED"]
    do("delete_topics", ["orders"])
    eventually("the topic is gone", lambda: "orders" not in librdkafka.client.list_topics(timeout=TIMEOUT_S).topics)


def test_librdkafka_is_refused(librdkafka: Librdkafka) -> None:
    """The codes are those of Kafka's controllers."""
    codes = librdkafka.codes
    librdkafka.topic("there")
    new = admin.NewTopic
    wrong = [
        new("there", 1, 1),
        new("bad-config", 1, 1, config={"cleanup.policy": "burn"}),
        new("unknown-config", 1, 1, config={"no.such.key": "1"}),
        new("too-many-replicas", 1, 2),
        new("no brokers' name", 1, 1),
        new("unknown-broker", 1, replica_assignment=[[7]]),
    ]
    assert codes("create_topics", wrong) == [
        "TOPIC_ALREADY_EXISTS", "INVALID_CONFIG", "INVALID_CONFIG", "INVALID_REPLICATION_FACTOR", "TOPIC_EXCEPTION",
        "INVALID_REPLICA_ASSIGNMENT",
    ]  # fmt: skip
    assert codes("create_topics", [new("there", 1, 1), new("only-asked", 1, 1)], validate_only=True) == [
        "TOPIC_ALREADY_EXISTS", "NO_ERROR",
    ]  # fmt: skip
    assert "only-asked" not in librdkafka.client.list_topics(timeout=TIMEOUT_S).topics
    assert codes("create_partitions", [admin.NewPartitions("there", 2)]) == ["INVALID_PARTITIONS"]
    assert codes("create_partitions", [admin.NewPartitions("absent", 2)]) == ["UNKNOWN_TOPIC_OR_PART"]
    assert codes("delete_topics", ["absent"]) == ["UNKNOWN_TOPIC_OR_PART"]
    change = admin.AlterConfigOpType
    entries = [admin.ConfigEntry("retention.ms", "soon", incremental_operation=change.SET)]
    alterations = [admin.ConfigResource("topic", name, incremental_configs=entries) for name in ("there", "absent")]
    assert codes("incremental_alter_configs", alterations) == ["INVALID_CONFIG", "INVALID_CONFIG"]
    entries = [admin.ConfigEntry("retention.ms", "1", incremental_operation=change.SET)]
    absent = admin.ConfigResource("topic", "absent", incremental_configs=entries)
    assert codes("incremental_alter_configs", [absent]) == ["UNKNOWN_TOPIC_OR_PART"]
    user = admin.UserScramCredentialDeletion("stranger", admin.ScramMechanism.SCRAM_SHA_256)
    assert codes("alter_user_scram_credentials", [user]) == ["RESOURCE_NOT_FOUND"]
    # The first question about a group makes the topic of their offsets, which the broker then has to load.
    eventually("a group is not there", lambda: codes("delete_consumer_groups", ["absent"]) == ["GROUP_ID_NOT_FOUND"])


def test_librdkafka_users_and_entries(cluster: ClientCluster, librdkafka: Librdkafka) -> None:
    """A user whom it adds can log in, and may write where an entry that it adds allows it; both can be taken away."""
    do = librdkafka.do
    for name in ("allowed", "forbidden"):
        librdkafka.topic(name)
    info = admin.ScramCredentialInfo(admin.ScramMechanism.SCRAM_SHA_256, 4096)
    do("alter_user_scram_credentials", [admin.UserScramCredentialUpsertion("alice", info, b"secret")])
    described = ("describe_user_scram_credentials", ["alice"])
    eventually("the broker has the user", lambda: librdkafka.codes(*described) == ["NO_ERROR"])
    (alice,) = do(*described)
    assert [(one.mechanism, one.iterations) for one in alice.scram_credential_infos] == [(info.mechanism, 4096)]
    words = ("User:alice", "*", admin.AclOperation.WRITE, admin.AclPermissionType.ALLOW)
    prefix = ("topic", "allow", admin.ResourcePatternType.PREFIXED)
    do("create_acls", [admin.AclBinding(*prefix, *words)])
    every = admin.AclBindingFilter("any", None, admin.ResourcePatternType.ANY, None, None, 1, 1)

    def entries() -> list[tuple[str, str]]:
        return [(one.name, one.principal) for one in do("describe_acls", every)]

    eventually("the broker has the entry", lambda: entries() == [("allow", "User:alice")])
    login = {
        "bootstrap.servers": cluster.sasl,
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": "SCRAM-SHA-256",
        "sasl.username": "alice",
        "sasl.password": "secret",
        "message.timeout.ms": int(TIMEOUT_S * 1000),
    }
    writer = confluent.Producer(login)
    eventually("alice may write", lambda: outcome(writer, "allowed") == "NO_ERROR")
    assert outcome(writer, "forbidden") == "TOPIC_AUTHORIZATION_FAILED"

    (removed,) = do("delete_acls", [admin.AclBindingFilter(*prefix, *words)])
    assert [one.name for one in removed] == ["allow"]
    eventually("the entry is gone", lambda: entries() == [])
    eventually("alice may not write", lambda: outcome(writer, "allowed") == "TOPIC_AUTHORIZATION_FAILED")
    do("alter_user_scram_credentials", [admin.UserScramCredentialDeletion("alice", info.mechanism)])
    eventually("the user is gone", lambda: librdkafka.codes(*described) == ["RESOURCE_NOT_FOUND"])


def outcome(producer: Any, topic: str) -> str:
    """Write a record; return the name of the code that came back."""
    found: list[str] = []
    producer.produce(
        topic, b"x", on_delivery=lambda error, _: found.append("NO_ERROR" if error is None else error.name())
    )
    assert producer.flush(TIMEOUT_S) == 0
    return found[0]


def produce(producer: Any, topic: str, values: Sequence[bytes], *, partition: int | None = None) -> None:
    """Write records, each of which must be acknowledged."""
    failed: list[str] = []
    for number, value in enumerate(values):
        producer.produce(
            topic,
            value,
            partition=number % PARTITIONS if partition is None else partition,
            on_delivery=lambda error, _: failed.append(error.str()) if error else None,
        )
    assert (producer.flush(TIMEOUT_S), failed) == (0, [])


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
@pytest.mark.timeout(240)
def test_librdkafka_copies_exactly_once(cluster: ClientCluster, librdkafka: Librdkafka, protocol: str) -> None:
    """A group reads, a transactional producer writes and commits the offsets; some transactions are aborted.

    The active controller is killed within a transaction. A topic and a second producer need the next one.
    """
    source, sinks = f"{protocol}-source", (f"{protocol}-sink-0", f"{protocol}-sink-1")
    values = [b"%d" % number for number in range(RECORDS)]
    librdkafka.topic(source)
    librdkafka.topic(sinks[0])
    idempotent = librdkafka.producer()
    produce(idempotent, source, values[: RECORDS // 2])

    copier = Copier(librdkafka, source, protocol)
    copier.copy(sinks[0], abort_first=True)
    copier.attempt(sinks[0])
    with cluster.losing_the_active_controller():
        produce(idempotent, source, values[RECORDS // 2 :])
        copier.commit()
        copier.copy(sinks[0], abort_first=True)
        librdkafka.topic(sinks[1])
        # A new incarnation of the same producer, and a member that knows only what the group committed.
        copier.close()
        copier = Copier(librdkafka, source, protocol)
        left = RECORDS - copier.position()
        left -= copier.copy(sinks[1], abort_first=True)
    while left > 0:
        left -= copier.copy(sinks[1], abort_first=False)
    # The broker answers a commit before it has written the markers that make the offsets count.
    eventually("all offsets are committed", lambda: copier.position() == RECORDS)
    copier.close()

    committed = read_all(librdkafka, sinks, protocol, isolation="read_committed")
    assert Counter(committed) == Counter(values)
    uncommitted = read_all(librdkafka, sinks, protocol, isolation="read_uncommitted")
    assert len(uncommitted) > len(committed), "nothing was aborted"
    listed = librdkafka.do("list_consumer_groups")
    kinds = {one.group_id: one.type.name.lower() for one in listed.valid}
    assert kinds[copier.group] == protocol
    (described,) = librdkafka.do("describe_consumer_groups", [copier.group])
    assert described.members == []
    librdkafka.do("delete_consumer_groups", [copier.group])
    assert copier.group not in {one.group_id for one in librdkafka.do("list_consumer_groups").valid}


class Copier:
    """A member of a group and a transactional producer: what is read, is written with the offsets that say so."""

    def __init__(self, librdkafka: Librdkafka, source: str, protocol: str) -> None:
        self.source, self.group = source, f"{source}-copiers"
        self.producer = librdkafka.producer(**{"transactional.id": self.group})
        self.producer.init_transactions(TIMEOUT_S)
        self.consumer = librdkafka.consumer(self.group, **{"group.protocol": protocol})
        self.consumer.subscribe([source])

    def copy(self, sink: str, *, abort_first: bool) -> int:
        """Copy a chunk; if asked for, abort that once, and read again. Return how many records were copied."""
        messages = self.attempt(sink)
        if abort_first:
            self.producer.abort_transaction(TIMEOUT_S)
            self._rewind(messages)
            messages = self.attempt(sink)
        self.commit()
        return len(messages)

    def attempt(self, sink: str) -> list[Any]:
        """Copy a chunk, and leave the transaction open; return what was read."""
        messages: list[Any] = eventually("there are records", lambda: self.consumer.consume(CHUNK, timeout=1.0))
        assert [one.error() for one in messages if one.error()] == []
        self.producer.begin_transaction()
        produce(self.producer, sink, [message.value() for message in messages])
        offsets = self.consumer.position(self.consumer.assignment())
        self.producer.send_offsets_to_transaction(offsets, self.consumer.consumer_group_metadata(), TIMEOUT_S)
        return messages

    def commit(self) -> None:
        self.producer.commit_transaction(TIMEOUT_S)

    def _rewind(self, messages: Sequence[Any]) -> None:
        first: dict[int, int] = {}
        for message in messages:
            first.setdefault(message.partition(), message.offset())
        for partition, offset in first.items():
            self.consumer.seek(confluent.TopicPartition(self.source, partition, offset))

    def position(self) -> int:
        """How many records the group has committed."""
        partitions = [confluent.TopicPartition(self.source, number) for number in range(PARTITIONS)]
        return sum(max(0, one.offset) for one in self.consumer.committed(partitions, timeout=TIMEOUT_S))

    def close(self) -> None:
        self.consumer.close()


def read_all(librdkafka: Librdkafka, topics: Sequence[str], protocol: str, *, isolation: str) -> Values:
    """Read topics from the beginning to the end that each partition has now."""
    configs = {"group.protocol": protocol, "isolation.level": isolation, "enable.partition.eof": True}
    reader = librdkafka.consumer(f"{topics[0]}-{isolation}", **configs)
    reader.subscribe(list(topics))
    values: Values = []
    ended: set[tuple[str, int]] = set()

    def is_at_the_end() -> bool:
        for message in reader.consume(500, timeout=1.0):
            if message.error() is None:
                values.append(message.value())
            else:
                assert message.error().code() == confluent.KafkaError._PARTITION_EOF, message.error()
                ended.add((message.topic(), message.partition()))
        return len(ended) == PARTITIONS * len(topics)

    eventually("all partitions are read", is_at_the_end)
    reader.close()
    return values


# aiokafka


@pytest.fixture
async def administrator(cluster: ClientCluster) -> AsyncIterator[Any]:
    client = aiokafka_admin.AIOKafkaAdminClient(bootstrap_servers=cluster.plain)
    await client.start()
    yield client
    await client.close()


async def until(what: str, probe: Callable[[], Awaitable[bool]]) -> None:
    """Ask ``probe`` until its answer is true."""
    try:
        async with asyncio.timeout(DEADLINE_S):
            while not await probe():  # noqa: ASYNC110 - other processes change what is asked for
                await asyncio.sleep(POLL_S)
    except TimeoutError:
        pytest.fail(f"{what}: not within {DEADLINE_S:.0f} s")


async def new_topic(client: Any, name: str, **configs: str) -> None:
    """Create a topic, and wait until the broker leads its partitions."""
    made = await client.create_topics([aiokafka_admin.NewTopic(name, PARTITIONS, 1, topic_configs=configs)])
    assert codes_in(made.topic_errors) == ["NO_ERROR"], made
    await until(f"{name} has its leaders", lambda: has_partitions(client, name, PARTITIONS))


async def has_partitions(client: Any, topic: str, count: int) -> bool:
    (described,) = await client.describe_topics([topic])
    return [one["error_code"] for one in described["partitions"]] == [0] * count


async def config_of(client: Any, topic: str, key: str) -> str:
    kind = aiokafka_admin.config_resource.ConfigResourceType.TOPIC
    (answer,) = await client.describe_configs([aiokafka_admin.config_resource.ConfigResource(kind, topic)])
    ((code, _, _, _, entries),) = answer.resources
    assert code == 0, answer
    return next(value for name, value, *_ in entries if name == key)


def codes_in(results: Sequence[Sequence[Any]]) -> list[str]:
    """Return the names of the codes; each result has a name and a code."""
    return [name_of(code) for _, code, *_ in results]


def name_of(code: int) -> str:
    return "NO_ERROR" if code == 0 else errors.for_code(code).message


async def test_aiokafka_administers(administrator: Any) -> None:
    """Topics, partitions, configs and offsets: what it asks for is what it reads afterwards."""
    described = await administrator.describe_cluster()
    assert [broker["node_id"] for broker in described["brokers"]] == [BROKER]
    await new_topic(administrator, "payments", **{"retention.ms": "60000"})
    assert await config_of(administrator, "payments", "retention.ms") == "60000"
    grown = await administrator.create_partitions({"payments": aiokafka_admin.NewPartitions(5)})
    assert codes_in(grown.topic_errors) == ["NO_ERROR"], grown
    await until("there are five partitions", lambda: has_partitions(administrator, "payments", 5))
    kind = aiokafka_admin.config_resource.ConfigResourceType.TOPIC
    resource = aiokafka_admin.config_resource.ConfigResource(kind, "payments", {"cleanup.policy": "compact"})
    (altered,) = await administrator.alter_configs([resource])
    assert [code for code, *_ in altered.resources] == [0], altered

    async def is_replaced() -> bool:
        return await config_of(administrator, "payments", "cleanup.policy") == "compact"

    await until("the configs are replaced", is_replaced)
    assert await config_of(administrator, "payments", "retention.ms") == "604800000"
    deleted = await administrator.delete_topics(["payments"])
    assert codes_in(deleted.topic_error_codes) == ["NO_ERROR"], deleted

    async def is_gone() -> bool:
        return "payments" not in await administrator.list_topics()

    await until("the topic is gone", is_gone)


async def test_aiokafka_is_refused(administrator: Any) -> None:
    """The codes are those of Kafka's controllers."""
    await new_topic(administrator, "here")
    new = aiokafka_admin.NewTopic
    wrong = [
        new("here", 1, 1),
        new("bad-config", 1, 1, topic_configs={"cleanup.policy": "burn"}),
        new("too-many-replicas", 1, 2),
        new("no name", 1, 1),
    ]
    refused = await administrator.create_topics(wrong)
    assert codes_in(refused.topic_errors) == [
        "TOPIC_ALREADY_EXISTS", "INVALID_CONFIG", "INVALID_REPLICATION_FACTOR", "INVALID_TOPIC",
    ]  # fmt: skip
    with pytest.raises(errors.InvalidPartitionsError):
        await administrator.create_partitions({"here": aiokafka_admin.NewPartitions(2)})
    deleted = await administrator.delete_topics(["absent"])
    assert codes_in(deleted.topic_error_codes) == ["UNKNOWN_TOPIC_OR_PARTITION"]


@pytest.mark.timeout(240)
async def test_aiokafka_copies_exactly_once(cluster: ClientCluster, administrator: Any) -> None:
    """As with librdkafka: a group, transactions, aborted ones, and the active controller killed within one."""
    source, sinks = "source", ("sink-0", "sink-1")
    values = [b"%d" % number for number in range(RECORDS)]
    await new_topic(administrator, source)
    await new_topic(administrator, sinks[0])
    async with aiokafka.AIOKafkaProducer(bootstrap_servers=cluster.plain, enable_idempotence=True) as idempotent:
        await write(idempotent, source, values[: RECORDS // 2])
        async with AioCopier(cluster, source) as copier:
            await copier.copy(sinks[0], abort_first=True)
            await copier.attempt(sinks[0])
            with cluster.losing_the_active_controller():
                await write(idempotent, source, values[RECORDS // 2 :])
                await copier.commit()
                await copier.copy(sinks[0], abort_first=True)
                await new_topic(administrator, sinks[1])
    # A new incarnation of the same producer, and a member that knows only what the group committed.
    async with AioCopier(cluster, source) as copier:
        left = RECORDS - await copier.position()
        left -= await copier.copy(sinks[1], abort_first=True)
        while left > 0:
            left -= await copier.copy(sinks[1], abort_first=False)

        async def is_committed() -> bool:
            return await copier.position() == RECORDS

        await until("all offsets are committed", is_committed)

    committed = await read_by_aiokafka(cluster, sinks, isolation="read_committed")
    assert Counter(committed) == Counter(values)
    uncommitted = await read_by_aiokafka(cluster, sinks, isolation="read_uncommitted")
    assert len(uncommitted) > len(committed), "nothing was aborted"
    assert copier.group in {name for name, *_ in await administrator.list_consumer_groups()}
    offsets = await administrator.list_consumer_group_offsets(copier.group)
    assert sum(one.offset for one in offsets.values()) == RECORDS
    partition = aiokafka.TopicPartition(source, 0)
    deleted = await administrator.delete_records({partition: aiokafka_admin.RecordsToDelete(7)})
    assert deleted == {partition: 7}
    async with aiokafka.AIOKafkaConsumer(bootstrap_servers=cluster.plain) as reader:
        assert await reader.beginning_offsets([partition]) == {partition: 7}
        assert await reader.end_offsets([partition]) == {partition: RECORDS // PARTITIONS}


class AioCopier:
    """A member of a group and a transactional producer, as :class:`Copier`."""

    def __init__(self, cluster: ClientCluster, source: str) -> None:
        self.source, self.group = source, f"{source}-copiers"
        self.producer = aiokafka.AIOKafkaProducer(bootstrap_servers=cluster.plain, transactional_id=self.group)
        self.consumer = aiokafka_consumer(cluster, source, group=self.group)

    async def __aenter__(self) -> Self:
        await self.producer.start()
        await self.consumer.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.consumer.stop()
        await self.producer.stop()

    async def copy(self, sink: str, *, abort_first: bool) -> int:
        chunk = await self.attempt(sink)
        if abort_first:
            await self.producer.abort_transaction()
            for partition, messages in chunk.items():
                self.consumer.seek(partition, messages[0].offset)
            chunk = await self.attempt(sink)
        await self.commit()
        return sum(map(len, chunk.values()))

    async def attempt(self, sink: str) -> Mapping[Any, Sequence[Any]]:
        chunk = await self.consumer.getmany(timeout_ms=int(TIMEOUT_S * 1000), max_records=CHUNK)
        await self.producer.begin_transaction()
        await write(self.producer, sink, [message.value for messages in chunk.values() for message in messages])
        offsets = {partition: messages[-1].offset + 1 for partition, messages in chunk.items()}
        await self.producer.send_offsets_to_transaction(offsets, self.group)
        return chunk

    async def commit(self) -> None:
        await self.producer.commit_transaction()

    async def position(self) -> int:
        """How many records the group has committed."""
        partitions = [aiokafka.TopicPartition(self.source, number) for number in range(PARTITIONS)]
        return sum([await self.consumer.committed(one) or 0 for one in partitions])


def aiokafka_consumer(cluster: ClientCluster, *topics: str, group: str, isolation: str = "read_committed") -> Any:
    return aiokafka.AIOKafkaConsumer(
        *topics,
        bootstrap_servers=cluster.plain,
        group_id=group,
        enable_auto_commit=False,
        auto_offset_reset="earliest",
        isolation_level=isolation,
    )


async def write(producer: Any, topic: str, values: Sequence[bytes]) -> None:
    """Write records, each of which must be acknowledged."""
    sent = [await producer.send(topic, value, partition=n % PARTITIONS) for n, value in enumerate(values)]
    await asyncio.wait_for(asyncio.gather(*sent), TIMEOUT_S)


async def read_by_aiokafka(cluster: ClientCluster, topics: Sequence[str], *, isolation: str) -> Values:
    """Read topics from the beginning to the end that each partition has now."""
    values: Values = []
    reader = aiokafka_consumer(cluster, *topics, group=f"{topics[0]}-{isolation}", isolation=isolation)
    async with reader:
        partitions = [aiokafka.TopicPartition(topic, number) for topic in topics for number in range(PARTITIONS)]
        ends = await reader.end_offsets(partitions)

        async def is_at_the_end() -> bool:
            for messages in (await reader.getmany(timeout_ms=1000)).values():
                values.extend(message.value for message in messages)
            return reader.assignment() == set(ends) and all(
                [await reader.position(one) >= end for one, end in ends.items()]
            )

        await until("all partitions are read", is_at_the_end)
    return values
