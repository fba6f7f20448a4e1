"""Where the value of each key comes from: as Kafka's tool shows it, and over the public API in pages."""

from __future__ import annotations

from dataclasses import replace

import grpc
import pytest

from kraftpy.client import AsyncClient
from kraftpy.client.values import Resource
from kraftpy.config_keys.key_table import NODE_KEYS
from kraftpy.config_keys.types import ConfigType
from kraftpy.controller.config_schema import is_sensitive
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY
from kraftpy.image.provenance import Provenance
from kraftpy.model.config_sources import ConfigSource
from kraftpy.pb.v1 import cluster_pb2
from kraftpy.records.metadata import ConfigRecord, TopicRecord
from kraftpy.transport.config_entries import DESCRIBED, ConfigEntries, DescribedKey
from kraftpy.transport.node_api import MetadataView
from tests.unit.transport.fake_backend import FakeBackend, serving
from tests.unit.transport.test_api import call

TOPIC, BROKER, METRICS, GROUP = 2, 4, 16, 32
FOREVER = "9223372036854775807"
SECRET = "hunter2"

RECORDS = (
    TopicRecord(name="orders", topic_id=bytes(range(16))),
    ConfigRecord(TOPIC, "orders", "retention.ms", "5"),
    ConfigRecord(BROKER, "", "log.cleaner.threads", "2"),
    ConfigRecord(BROKER, "", "message.max.bytes", "2000000"),
    ConfigRecord(BROKER, "", "min.insync.replicas", "1"),
    ConfigRecord(GROUP, "g", "consumer.session.timeout.ms", "46000"),
    ConfigRecord(METRICS, "m", "interval.ms", "1000"),
)

KAFKA = f"""\
cleanup.policy=delete sensitive=false synonyms={{DEFAULT_CONFIG:log.cleanup.policy=delete}}
compression.gzip.level=-1 sensitive=false synonyms={{DEFAULT_CONFIG:compression.gzip.level=-1}}
compression.lz4.level=9 sensitive=false synonyms={{DEFAULT_CONFIG:compression.lz4.level=9}}
compression.type=producer sensitive=false synonyms={{DEFAULT_CONFIG:compression.type=producer}}
compression.zstd.level=3 sensitive=false synonyms={{DEFAULT_CONFIG:compression.zstd.level=3}}
delete.retention.ms=86400000 sensitive=false synonyms={{DEFAULT_CONFIG:log.cleaner.delete.retention.ms=86400000}}
file.delete.delay.ms=60000 sensitive=false synonyms={{DEFAULT_CONFIG:log.segment.delete.delay.ms=60000}}
flush.messages={FOREVER} sensitive=false synonyms={{DEFAULT_CONFIG:log.flush.interval.messages={FOREVER}}}
flush.ms={FOREVER} sensitive=false synonyms={{}}
follower.replication.throttled.replicas= sensitive=false synonyms={{}}
index.interval.bytes=4096 sensitive=false synonyms={{DEFAULT_CONFIG:log.index.interval.bytes=4096}}
leader.replication.throttled.replicas= sensitive=false synonyms={{}}
local.retention.bytes=-2 sensitive=false synonyms={{DEFAULT_CONFIG:log.local.retention.bytes=-2}}
local.retention.ms=-2 sensitive=false synonyms={{DEFAULT_CONFIG:log.local.retention.ms=-2}}
max.compaction.lag.ms={FOREVER} sensitive=false synonyms={{DEFAULT_CONFIG:log.cleaner.max.compaction.lag.ms={FOREVER}}}
max.message.bytes=2000000 sensitive=false synonyms={{DYNAMIC_DEFAULT_BROKER_CONFIG:message.max.bytes=2000000, \
DEFAULT_CONFIG:message.max.bytes=1048588}}
message.timestamp.after.max.ms=3600000 sensitive=false \
synonyms={{DEFAULT_CONFIG:log.message.timestamp.after.max.ms=3600000}}
message.timestamp.before.max.ms={FOREVER} sensitive=false \
synonyms={{DEFAULT_CONFIG:log.message.timestamp.before.max.ms={FOREVER}}}
message.timestamp.type=CreateTime sensitive=false synonyms={{DEFAULT_CONFIG:log.message.timestamp.type=CreateTime}}
min.cleanable.dirty.ratio=0.5 sensitive=false synonyms={{DEFAULT_CONFIG:log.cleaner.min.cleanable.ratio=0.5}}
min.compaction.lag.ms=0 sensitive=false synonyms={{DEFAULT_CONFIG:log.cleaner.min.compaction.lag.ms=0}}
min.insync.replicas=1 sensitive=false synonyms={{DYNAMIC_DEFAULT_BROKER_CONFIG:min.insync.replicas=1, \
DEFAULT_CONFIG:min.insync.replicas=1}}
preallocate=false sensitive=false synonyms={{DEFAULT_CONFIG:log.preallocate=false}}
remote.log.copy.disable=false sensitive=false synonyms={{}}
remote.log.delete.on.disable=false sensitive=false synonyms={{}}
remote.storage.enable=false sensitive=false synonyms={{}}
retention.bytes=-1 sensitive=false synonyms={{DEFAULT_CONFIG:log.retention.bytes=-1}}
retention.ms=5 sensitive=false synonyms={{DYNAMIC_TOPIC_CONFIG:retention.ms=5}}
segment.bytes=104857600 sensitive=false synonyms={{STATIC_BROKER_CONFIG:log.segment.bytes=104857600, \
DEFAULT_CONFIG:log.segment.bytes=1073741824}}
segment.index.bytes=10485760 sensitive=false synonyms={{DEFAULT_CONFIG:log.index.size.max.bytes=10485760}}
segment.jitter.ms=0 sensitive=false synonyms={{}}
segment.ms=604800000 sensitive=false synonyms={{}}
unclean.leader.election.enable=false sensitive=false synonyms={{DEFAULT_CONFIG:unclean.leader.election.enable=false}}
"""
"""What Kafka 4.3.0 prints at a controller with these records, and log.retention.hours and log.segment.bytes in its
file: ``kafka-configs.sh --bootstrap-controller ... --describe --all --entity-type topics --entity-name orders``."""


def view(*more: ConfigRecord) -> MetadataView:
    delta = MetadataDelta(EMPTY)
    delta.replay_all((*RECORDS, *more))
    state = delta.apply(Provenance(9, 1, 0, batch_aligned=True))
    static = {"log.segment.bytes": "104857600", "log.retention.hours": "100"}
    return MetadataView(9, 1, 0, state, node_id=1, topic_settings=static)


def entries(state: MetadataView) -> ConfigEntries[DescribedKey]:
    return ConfigEntries(state, lambda entry: entry)


def printed(entry: DescribedKey) -> str:
    """Write an entry as Kafka's tool does."""
    synonyms = ", ".join(f"{one.source.name}:{one.name}={one.value}" for one in entry.synonyms)
    return f"{entry.name}={entry.value} sensitive={str(entry.is_sensitive).lower()} synonyms={{{synonyms}}}\n"


def found(kind: int, name: str, *more: ConfigRecord) -> dict[str, DescribedKey]:
    return {entry.name: entry for entry in entries(view(*more)).of(kind, name)}


def test_a_topic_is_described_as_kafka_s_controller_does():
    """Key by key: values, sources and synonyms."""
    assert "".join(map(printed, entries(view()).of(TOPIC, "orders"))) == KAFKA


def test_a_value_in_another_unit_is_in_force_without_being_a_synonym():
    """As in Kafka: log.retention.hours is no key that a topic's retention is described by."""
    entry = found(TOPIC, "other")["retention.ms"]
    assert (entry.value, entry.source, entry.synonyms) == ("360000000", ConfigSource.DEFAULT_CONFIG, ())


def test_this_node_s_own_value_comes_before_that_of_all_brokers():
    own = ConfigRecord(BROKER, "1", "message.max.bytes", "7")
    entry = found(TOPIC, "orders", own)["max.message.bytes"]
    assert (entry.value, entry.source) == ("7", ConfigSource.DYNAMIC_BROKER_CONFIG)
    assert [one.value for one in entry.synonyms] == ["7", "2000000", "1048588"]
    of_another = found(TOPIC, "orders", replace(own, resource_name="2"))["max.message.bytes"]
    assert of_another.value == "2000000"


OWN, FOR_ALL, FILE = (
    ConfigSource.DYNAMIC_BROKER_CONFIG,
    ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG,
    ConfigSource.STATIC_BROKER_CONFIG,
)


@pytest.mark.parametrize(
    ("more", "value", "places"),
    [
        ((), "50", [FILE]),
        ((("", "60"),), "60", [FOR_ALL, FILE]),
        ((("", "60"), ("1", "70")), "70", [OWN, FOR_ALL, FILE]),
        ((("", "60"), ("1", "0")), "60", [FOR_ALL, FILE]),
        ((("", "x"), ("1", "-1")), "50", [FILE]),
    ],
)
def test_a_key_that_this_node_follows_has_the_value_in_force(more, value, places):
    """A value that the node passes over is no synonym of it: the answer would claim an effect that is not there."""
    records = [ConfigRecord(BROKER, name, "max.connections", text) for name, text in more]
    state = replace(view(*records), file_settings={"max.connections": "50"})
    found = {entry.name: entry for entry in entries(state).of(BROKER, "1")}
    entry = found["max.connections"]
    assert (entry.value, entry.source) == (value, places[0])
    assert [one.source for one in entry.synonyms] == [*places, ConfigSource.DEFAULT_CONFIG]
    assert (found["log.level"].value, found["log.level"].source) == ("info", ConfigSource.DEFAULT_CONFIG)


def test_this_node_describes_what_controllers_should_have_alike():
    """Its file, else the default; of another node neither, and no secret."""
    timeout, session = "controller.quorum.fetch.timeout.ms", "broker.session.timeout.ms"
    state = replace(view(), file_settings={timeout: "900"})
    found = {entry.name: entry for entry in entries(state).of(BROKER, "1")}
    assert (found[timeout].value, found[timeout].source) == ("900", FILE)
    assert [one.source for one in found[timeout].synonyms] == [FILE, ConfigSource.DEFAULT_CONFIG]
    assert (found[session].value, found[session].source) == ("9000", ConfigSource.DEFAULT_CONFIG)
    assert (found["num.partitions"].value, found["num.partitions"].source) == ("1", ConfigSource.DEFAULT_CONFIG)
    assert (found["min.insync.replicas"].value, found["min.insync.replicas"].source) == ("1", FOR_ALL)
    assert timeout not in {entry.name for entry in entries(state).of(BROKER, "2")}
    described = DESCRIBED & NODE_KEYS.keys()
    assert not [key for key in described if is_sensitive(BROKER, key) or NODE_KEYS[key].type is ConfigType.PASSWORD]
    assert not DESCRIBED & {"super.users", "delegation.token.secret.key", "ssl.client.auth", "sasl.enabled.mechanisms"}


def test_a_limit_of_one_listener_is_shown_where_this_node_can_use_it():
    key = "listener.name.controller.max.connections"
    state = view(ConfigRecord(BROKER, "", key, "7"), ConfigRecord(BROKER, "1", key, "0"))
    (entry,) = (one for one in entries(state).of(BROKER, "1") if one.name == key)
    assert (entry.value, [one.source for one in entry.synonyms]) == ("7", [FOR_ALL])


def test_of_another_node_and_of_all_the_log_is_shown():
    """What is in another node's file is not known here, nor what it makes of a value."""
    records = (ConfigRecord(BROKER, "2", "max.connections", "0"), ConfigRecord(BROKER, "", "log.level", "x"))
    state = replace(view(*records), file_settings={"max.connections": "50"})
    assert {one.name: one.value for one in entries(state).of(BROKER, "2")}["max.connections"] == "0"
    assert "max.connections" not in {one.name for one in entries(state).of(BROKER, "")}
    assert {one.name: one.value for one in entries(state).of(BROKER, "")}["log.level"] == "x"


def test_a_value_in_the_log_that_this_node_reads_in_its_file_alone_is_not_shown():
    """As in Kafka, whose brokers drop what cannot be changed while they run; what a broker of Kafka may use stays."""
    keys = ("node.id", "queued.max.requests", "sasl.enabled.mechanisms", "num.io.threads", "some.plugin.key")
    found = {
        entry.name for entry in entries(view(*(ConfigRecord(BROKER, "1", key, "1") for key in keys))).of(BROKER, "1")
    }
    assert found.intersection(keys) == {"num.io.threads", "some.plugin.key"}


@pytest.mark.parametrize(
    ("kind", "name", "key", "line"),
    [
        (
            GROUP,
            "g",
            "consumer.session.timeout.ms",
            (
                "consumer.session.timeout.ms=46000 sensitive=false synonyms={DYNAMIC_GROUP_CONFIG:"
                "consumer.session.timeout.ms=46000, DEFAULT_CONFIG:group.consumer.session.timeout.ms=45000}\n"
            ),
        ),
        (
            GROUP,
            "g",
            "share.auto.offset.reset",
            "share.auto.offset.reset=latest sensitive=false synonyms={DEFAULT_CONFIG:share.auto.offset.reset=latest}\n",
        ),
        (
            METRICS,
            "m",
            "interval.ms",
            "interval.ms=1000 sensitive=false synonyms={DYNAMIC_CLIENT_METRICS_CONFIG:interval.ms=1000}\n",
        ),
        (METRICS, "m", "match", "match= sensitive=false synonyms={}\n"),
        (
            BROKER,
            "",
            "log.cleaner.threads",
            "log.cleaner.threads=2 sensitive=false synonyms={DYNAMIC_DEFAULT_BROKER_CONFIG:log.cleaner.threads=2}\n",
        ),
    ],
)
def test_other_resources_are_described_as_kafka_does(kind, name, key, line):
    """Each line is one of Kafka's tool."""
    assert printed(found(kind, name)[key]) == line


def test_a_broker_has_its_dynamic_values_over_those_of_all():
    own = (ConfigRecord(BROKER, "3", "log.cleaner.threads", "4"), ConfigRecord(BROKER, "3", "ssl.key.password", SECRET))
    entries = found(BROKER, "3", *own)
    assert {name: (entry.value, entry.source.name) for name, entry in entries.items()} == {
        "log.cleaner.threads": ("4", "DYNAMIC_BROKER_CONFIG"),
        "message.max.bytes": ("2000000", "DYNAMIC_DEFAULT_BROKER_CONFIG"),
        "min.insync.replicas": ("1", "DYNAMIC_DEFAULT_BROKER_CONFIG"),
        "ssl.key.password": (None, "DYNAMIC_BROKER_CONFIG"),
    }
    assert SECRET not in str(entries)


def test_what_one_resource_overrides_is_not_another_s():
    """Defaults are shared between resources: without care, one topic's value is reported for all after it."""
    more = (
        ConfigRecord(TOPIC, "other", "internal.segment.bytes", "9"),
        ConfigRecord(GROUP, "h", "key.of.yesterday", "x"),
        ConfigRecord(METRICS, "m", "match", "client_id=a"),
    )
    shared = entries(view(*more))
    asked = [(TOPIC, "orders"), (TOPIC, "other"), (TOPIC, "third"), (GROUP, "g"), (GROUP, "h"), (METRICS, "m"), (8, "")]
    for kind, name in [*asked, *reversed(asked)]:
        assert list(shared.of(kind, name)) == list(entries(view(*more)).of(kind, name)), name
    names = {name: [entry.name for entry in shared.of(kind, name)] for kind, name in asked}
    assert set(names["other"]) - set(names["orders"]) == {"internal.segment.bytes"}
    assert set(names["h"]) - set(names["g"]) == {"key.of.yesterday"}
    assert all(each == sorted(each) for each in names.values())


@pytest.mark.parametrize(("kind", "name"), [(TOPIC, "orders"), (GROUP, "g"), (METRICS, "m"), (BROKER, "1"), (8, "x")])
def test_keys_that_are_named_are_those_of_the_whole(kind, name):
    """A client that asks for some keys gets others, gets them twice, or gets values that do not hold."""
    every = entries(view()).of(kind, name)
    wanted = ["retention.ms", "segment.ms", "retention.ms", "log.cleaner.threads", "interval.ms", "nope"]
    some = entries(view()).of(kind, name, only=wanted)
    assert list(some) == [entry for entry in every if entry.name in wanted]
    behind = entries(view()).of(kind, name, above="log", only=wanted)
    assert list(behind) == [entry for entry in entries(view()).of(kind, name, above="log") if entry.name in wanted]


def test_a_type_that_is_not_known_has_no_keys():
    assert found(8, "x") == {}


# The public API.


@pytest.fixture
async def backend():
    backend = FakeBackend()
    backend.image = view(ConfigRecord(BROKER, "3", "ssl.key.password", SECRET)).image
    return backend


RESOURCES = [Resource(TOPIC, "nope"), Resource(TOPIC, "orders"), Resource(BROKER, "3"), Resource(GROUP, "g")]


async def test_a_client_gets_every_key_with_its_places(backend):
    """Without asking for it, only what is set; a topic that does not exist has no keys; a secret is hidden."""
    async with serving(backend) as server, AsyncClient([f"127.0.0.1:{server.port}"]) as client:
        every = await client.describe_configs(RESOURCES, include_defaults=True)
        plain = await client.describe_configs(RESOURCES)
    assert plain.entries == {}
    assert plain.resources[RESOURCES[1]] == {"retention.ms": "5"}
    assert (every.resources[RESOURCES[0]], RESOURCES[0] in every.entries) == ({}, False)
    assert list(every.resources[RESOURCES[1]]) == [line.partition("=")[0] for line in KAFKA.splitlines()]
    maximum = next(one for one in every.entries[RESOURCES[1]] if one.name == "max.message.bytes")
    assert (maximum.value, maximum.source) == ("2000000", ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG)
    assert [(one.name, one.value, one.source.name) for one in maximum.synonyms] == [
        ("message.max.bytes", "2000000", "DYNAMIC_DEFAULT_BROKER_CONFIG"),
        ("message.max.bytes", "1048588", "DEFAULT_CONFIG"),
    ]
    secret = next(one for one in every.entries[RESOURCES[2]] if one.name == "ssl.key.password")
    assert (secret.value, secret.is_sensitive, secret.synonyms[0].value) == ("[hidden]", True, "[hidden]")


@pytest.mark.parametrize("size", [1, 7])
async def test_pages_have_every_key_once(backend, size):
    """A resource goes on in the next page behind its last key; a token is for the same question alone."""
    named = [{"type": one.type, "name": one.name} for one in RESOURCES]
    request = cluster_pb2.DescribeConfigsRequest(resources=named, include_defaults=True, page_size=size)
    async with serving(backend) as server, grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        describe = call(channel, "DescribeConfigs")
        whole = await describe(cluster_pb2.DescribeConfigsRequest(resources=named, include_defaults=True))
        rows: list[tuple[str, str]] = []
        while True:
            page = await describe(request)
            assert sum(max(1, len(row.entries)) for row in page.resources) <= size
            rows += [(row.resource.name, entry.name) for row in page.resources for entry in row.entries]
            if not page.next_page_token:
                break
            request.page_token = page.next_page_token
        assert rows == [(row.resource.name, entry.name) for row in whole.resources for entry in row.entries]
        request.include_defaults = False
        with pytest.raises(grpc.aio.AioRpcError, match="page_token"):
            await describe(request)
