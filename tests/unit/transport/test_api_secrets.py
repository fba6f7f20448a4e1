"""What is secret is not shown: in DescribeConfigs, in a session's answers, in the JSON of a watch."""

from __future__ import annotations

import asyncio
import json

import pytest

from kraftpy.controller.config_schema import is_sensitive
from kraftpy.controller.requests import ResourceType
from kraftpy.image.image import MetadataImage
from kraftpy.pb.v1 import cluster_pb2, session_pb2
from kraftpy.records.metadata import ConfigRecord, UserScramCredentialRecord, encode_for_level
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
    assert SECRET.encode() in rows[0].records
