"""What is secret is not shown: in DescribeConfigs, in a session's answers, in the JSON of a watch."""

from __future__ import annotations

import asyncio
import json

import pytest

from kraftpy.controller.config_schema import is_sensitive
from kraftpy.image.image import MetadataImage
from kraftpy.model.features import SchemaSet
from kraftpy.model.resource_types import ResourceType
from kraftpy.pb.v1 import cluster_pb2, session_pb2
from kraftpy.records.batch import BATCH_BYTES_MAX, encode_batch, parse_batch
from kraftpy.records.metadata import ConfigRecord, UserScramCredentialRecord, decode_record, encode_for_level
from kraftpy.transport.grpc.services import redacting
from kraftpy.transport.grpc.services.redacting import without_secrets
from tests.unit.image.support import configs_of
from tests.unit.transport.fake_backend import FakeBackend
from tests.unit.transport.test_api import PATIENCE, call, exchange, read_batches

LEVEL = 40
SECRET = "hunter2"
ALL = cluster_pb2.DescribeConfigsRequest()


@pytest.fixture
async def backend():
    backend = FakeBackend()
    values = {"ssl.key.password": SECRET, "log.cleaner.threads": "2"}
    backend.image = MetadataImage(configs=configs_of({(4, "1"): values, (2, "t"): {"retention.ms": "9"}}))
    return backend


SENSITIVE = (
    "ssl.keystore.password", "ssl.key.password", "ssl.truststore.password", "ssl.keystore.key",
    "ssl.keystore.certificate.chain", "ssl.truststore.certificates", "sasl.jaas.config", "delegation.token.secret.key",
    "delegation.token.master.key", "password.encoder.secret", "listener.name.external.ssl.keystore.key",
    "listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config", "sasl.oauthbearer.client.secret", "my.plugin.password",
    "listener.name.x.SSL.KEY.PASSWORD",
)  # fmt: skip
OPEN = ("ssl.keystore.location", "ssl.keystore.type", "log.cleaner.threads", "password.encoder.iterations", "k")


@pytest.mark.parametrize("name", SENSITIVE)
def test_sensitive_keys(name):
    """A broker's key that holds a secret is known as such, with a listener before it, too."""
    assert is_sensitive(ResourceType.BROKER, name)


@pytest.mark.parametrize("name", OPEN)
def test_open_keys(name):
    """Other keys are shown, and so are the keys of topics, whatever their name."""
    assert not is_sensitive(ResourceType.BROKER, name)
    assert not is_sensitive(ResourceType.TOPIC, "retention.ms")


async def test_described_configs_hide_secrets(channel):
    """DescribeConfigs names sensitive keys without their values, alone and in a session."""
    alone = await call(channel, "DescribeConfigs")(ALL, timeout=PATIENCE)
    stream = call(channel, "Session")()
    answers, _ = await exchange(stream, [session_pb2.Request(id=1, describe_configs=ALL)])
    stream.cancel()
    for answer in (alone, answers[1].describe_configs):
        shown = [(entry.name, entry.value) for row in answer.resources for entry in row.entries]
        assert shown == [("retention.ms", "9"), ("log.cleaner.threads", "2"), ("ssl.key.password", "[hidden]")]


async def test_the_json_of_a_watch_hides_secrets(channel, backend):
    """A secret shows neither in a config's JSON nor in a credential's; the bytes of the log are left alone."""
    records = (
        ConfigRecord(4, "1", "ssl.key.password", SECRET),
        ConfigRecord(4, "1", "ssl.key.password", None),
        ConfigRecord(2, "t", "retention.ms", "9"),
        UserScramCredentialRecord("u", 1, b"salt", b"stored", b"server", 4096),
    )
    for record in records:
        backend.append(value=encode_for_level(record, LEVEL))
    stream = call(channel, "Watch")(cluster_pb2.WatchRequest(include_json=True))
    async with asyncio.timeout(PATIENCE):
        rows = await read_batches(stream, len(records))
    stream.cancel()
    data = [json.loads(row.json[0])["data"] for row in rows]
    assert [each["value"] for each in data[:3]] == ["[hidden]", None, "9"]
    assert [data[3][name] for name in ("name", "salt", "storedKey", "serverKey", "iterations")] == [
        "u", "[hidden]", "[hidden]", "[hidden]", 4096,
    ]  # fmt: skip
    assert SECRET.encode() not in rows[0].records


# Watch and GetImage.

RECORDS = (
    UserScramCredentialRecord("alice", 1, b"salt-hunter2", b"stored", b"server", 4096),
    ConfigRecord(4, "1", "ssl.key.password", SECRET),
    ConfigRecord(2, "t", "retention.ms", "9"),
)


def values_of(*records):
    return [encode_for_level(record, LEVEL) for record in records]


async def parts_of(channel, name, request, count):
    """The first parts of a stream."""
    stream = call(channel, name)(request)
    async with asyncio.timeout(PATIENCE):
        parts = [await anext(aiter(stream)) for _ in range(count)]
    stream.cancel()
    return parts


@pytest.mark.parametrize("include_json", [False, True])
async def test_a_watch_hides_secrets_in_the_records_bytes(channel, backend, include_json):
    """The batch with secrets is rewritten, the one without is that of the log; a request for secrets gets the log."""
    with_secrets = encode_batch(values_of(*RECORDS), base_offset=0, epoch=3, timestamp_ms=7)
    without = encode_batch(values_of(RECORDS[2]), base_offset=3, epoch=3, timestamp_ms=7)
    backend.log, backend.end = [with_secrets, without], 4
    request = cluster_pb2.WatchRequest(include_json=include_json)
    (part,) = await parts_of(channel, "Watch", request, 1)
    rows = part.batches.batches
    assert [(row.base_offset, row.last_offset, row.epoch) for row in rows] == [(0, 2, 3), (3, 3, 3)]
    assert rows[1].records == without
    shown = parse_batch(rows[0].records)  # with its checksum
    assert (shown.base_offset, shown.last_offset, shown.epoch) == (0, 2, 3)
    assert b"hunter2" not in part.SerializeToString()
    assert shown.values()[2] == values_of(RECORDS[2])[0]
    texts = [json.loads(text)["data"] for text in rows[0].json]
    assert [text.get("value", text.get("salt")) for text in texts] == (["[hidden]", "[hidden]", "9"] * include_json)
    request.include_secrets = True
    (part,) = await parts_of(channel, "Watch", request, 1)
    assert [row.records for row in part.batches.batches] == [with_secrets, without]
    texts = [json.loads(text)["data"] for text in part.batches.batches[0].json]
    assert [text.get("value") for text in texts] == ([None, SECRET, "9"] * include_json)


@pytest.mark.parametrize("name", ["GetImage", "Watch"])
async def test_a_snapshot_hides_secrets(channel, backend, name):
    """In the state that GetImage streams, and in the snapshot that a watcher begins with."""
    backend.snapshot_chunks = [encode_batch(values_of(*RECORDS), base_offset=0, epoch=3, timestamp_ms=7)]
    backend.log_start = backend.end = 100
    kind = {"GetImage": cluster_pb2.GetImageRequest, "Watch": cluster_pb2.WatchRequest}[name]
    for include_secrets in (False, True):
        parts = await parts_of(channel, name, kind(include_secrets=include_secrets), 2)
        chunk = parts[1].chunk if name == "GetImage" else parts[1].snapshot_chunk
        assert len(parse_batch(chunk.records).values()) == len(RECORDS)
        assert (b"hunter2" in chunk.records) is include_secrets


async def test_markers_that_do_not_fit_into_a_batch_are_left_out():
    """A batch of 8 MiB may not grow: then nothing replaces the secrets."""
    value = values_of(ConfigRecord(4, "1", "password", "x"))[0]
    count = BATCH_BYTES_MAX // (len(value) + 10)
    data = encode_batch([value] * count, base_offset=0, epoch=1, timestamp_ms=0)
    shown = parse_batch(await without_secrets(data))
    assert shown.last_offset == count - 1
    assert decode_record(shown.values()[0], SchemaSet.KAFKA) == ConfigRecord(4, "1", "password", "")


async def test_a_batch_is_decoded_once_however_many_watch_it(monkeypatch):
    """Each watcher would decode each batch on the node's loop otherwise, and many of them could hold up a leader."""
    monkeypatch.setattr(redacting, "_remembered", redacting.Remembered(1 << 20))
    decoded = []
    real = redacting.redacted_value
    monkeypatch.setattr(redacting, "redacted_value", lambda value, marker: decoded.append(value) or real(value, marker))
    (value,) = values_of(ConfigRecord(4, "1", "ssl.key.password", SECRET))
    data = encode_batch([value] * 3, base_offset=7, epoch=1, timestamp_ms=0)
    first, *others = await asyncio.gather(*[without_secrets(data) for _ in range(20)])
    assert len(decoded) == 3
    assert others == [first] * 19
    assert await without_secrets(bytes(bytearray(data))) == first
    assert len(decoded) == 3
    assert SECRET.encode() not in first


def test_what_is_remembered_of_batches_is_bounded():
    """The batch used longest ago goes first, and one that is larger than all of it is not kept."""
    remembered = redacting.Remembered(20)
    remembered.keep(b"aaaa", b"AAAA")
    remembered.keep(b"bbbb", b"BBBB")
    assert remembered.find(b"aaaa") == b"AAAA"
    remembered.keep(b"cccc", b"CCCC")
    assert (remembered.find(b"bbbb"), remembered.find(b"aaaa"), remembered.find(b"cccc")) == (None, b"AAAA", b"CCCC")
    remembered.keep(b"d" * 11, b"D" * 11)
    assert [remembered.find(each) for each in (b"aaaa", b"cccc", b"d" * 11)] == [None] * 3
