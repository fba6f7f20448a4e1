"""Watching with JSON over real gRPC: which schema decodes a record, and what a message can hold."""

from __future__ import annotations

import asyncio
import base64
import json
from contextlib import aclosing, asynccontextmanager

import grpc
import pytest

from kraftpy.client import values as v
from kraftpy.image.features import FeaturesImage
from kraftpy.image.image import MetadataImage
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.pb.v1 import cluster_pb2, common_pb2
from kraftpy.records.batch import encode_batch
from kraftpy.records.metadata import (
    ClusterIdRecord,
    ConfigRecord,
    FeatureLevelRecord,
    UnregisterControllerRecord,
    encode_for_level,
)
from kraftpy.transport.grpc.server import MESSAGE_BYTES_MAX
from kraftpy.transport.grpc.services.watch_json import JSON_MESSAGE_BYTES_MAX
from kraftpy.transport.node_api import Snapshot
from tests.unit.client.test_client import client_of
from tests.unit.transport.fake_backend import FakeBackend, serving
from tests.unit.transport.test_api import PATIENCE, call

OLD, NEW = 34, 40
"""Levels between which the key 29 changes its meaning."""


@pytest.fixture
async def backend():
    backend = FakeBackend()
    backend.image = MetadataImage(features=FeaturesImage(FeaturesImage().levels.set("metadata.version", NEW)))
    return backend


def level(number):
    return encode_for_level(FeatureLevelRecord("metadata.version", number), number)


def fill_with_upgrade(backend):
    """Append four batches: a level, a record with key 29 of it, a newer level, and a record with key 29 of that."""
    for value in (
        level(OLD), encode_for_level(UnregisterControllerRecord(7), OLD),
        level(NEW), encode_for_level(ClusterIdRecord("c"), NEW),
    ):  # fmt: skip
        backend.append(value=value)


@asynccontextmanager
async def watching(server, offset=0):
    async with (
        client_of(server.port) as client,
        asyncio.timeout(2 * PATIENCE),
        aclosing(client.watch(offset, include_json=True)) as events,
    ):
        yield events


async def types_from(server, offset, count):
    """Watch with JSON; return the types of ``count`` records, of snapshots, too."""
    types = []
    async with watching(server, offset) as events:
        while len(types) < count:
            types += [json.loads(text)["type"] for text in getattr(await anext(events), "json", ())]
    return types


async def test_each_record_is_decoded_by_the_level_it_was_written_at(server, backend):
    """From offset 0 on, the level follows the log and not the newest image."""
    fill_with_upgrade(backend)
    assert await types_from(server, 0, 4) == [
        "FEATURE_LEVEL_RECORD", "UNREGISTER_CONTROLLER_RECORD", "FEATURE_LEVEL_RECORD", "CLUSTER_ID_RECORD",
    ]  # fmt: skip


async def test_in_the_middle_the_newest_level_holds_until_the_log_states_another(server, backend):
    """A watch that begins between two levels knows the newest one."""
    fill_with_upgrade(backend)
    assert await types_from(server, 3, 1) == ["CLUSTER_ID_RECORD"]
    backend.append(value=level(OLD))
    backend.append(value=encode_for_level(UnregisterControllerRecord(7), OLD))
    assert (await types_from(server, 3, 3))[2] == "UNREGISTER_CONTROLLER_RECORD"


async def test_behind_a_snapshot_its_level_holds(server, backend, monkeypatch):
    """The level that a snapshot holds goes for its records and for the log behind it."""
    fill_with_upgrade(backend)
    backend.log_start = 3

    async def open_snapshot(_after=0):
        async def chunks():
            values = [level(NEW), encode_for_level(ClusterIdRecord("c"), NEW)]
            yield encode_batch(values, base_offset=0, epoch=1, timestamp_ms=0)

        return Snapshot(OffsetAndEpoch(epoch=1, offset=3), chunks())

    monkeypatch.setattr(backend, "open_snapshot", open_snapshot)
    backend.image = MetadataImage()
    assert await types_from(server, 1, 3) == ["FEATURE_LEVEL_RECORD", "CLUSTER_ID_RECORD", "CLUSTER_ID_RECORD"]


async def test_a_batch_whose_json_is_large_comes_in_several_messages(server, backend):
    """No message passes the limit, and the client hands the batch out once, whole, with all of its JSON."""
    large = encode_for_level(ConfigRecord(2, "t", "k", "\0" * 2_000), NEW)  # six bytes of JSON for each of the log's
    backend.append(4_000, value=large)
    backend.append(2, value=level(NEW))
    request = cluster_pb2.WatchRequest(include_json=True)
    async with grpc.aio.insecure_channel(
        f"127.0.0.1:{server.port}", options=[("grpc.max_receive_message_length", MESSAGE_BYTES_MAX)]
    ) as channel, asyncio.timeout(PATIENCE):  # fmt: skip
        stream = call(channel, "Watch")(request)
        rows = (await stream.read()).batches.batches
        assert [(row.base_offset, row.last_offset, row.json_continues) for row in rows] == [(0, 3_999, True)]
        stream.cancel()
    async with watching(server) as events:
        first, second = [await anext(events) for _ in range(2)]
    assert (first.base_offset, first.last_offset, len(first.json)) == (0, 3_999, 4_000)
    assert first.records == backend.log[0]
    assert isinstance(second, v.WatchedBatch)
    assert (second.base_offset, second.last_offset, len(second.json)) == (4_000, 4_001, 2)


async def test_a_record_that_breaks_its_schema_is_shown_as_it_is(server, backend):
    """It is committed and in the log: the watch shows its bytes and goes on after it."""
    broken = b"\x01\x0c\x00\x00"
    backend.append(value=broken)
    backend.append(value=level(NEW))
    async with watching(server) as events:
        first, second = [json.loads((await anext(events)).json[0]) for _ in range(2)]
    assert (first["type"], first["version"], base64.b64decode(first["data"]["bytes"])) == ("UNREADABLE", None, broken)
    assert "FeatureLevelRecord.Name at offset 4" in first["data"]["error"]
    assert second["type"] == "FEATURE_LEVEL_RECORD"


SMALL = 16_384


@asynccontextmanager
async def small_channel(backend):
    """A server whose messages are small, and a channel that takes no larger ones."""
    options = [("grpc.max_receive_message_length", SMALL)]
    async with (
        serving(backend, message_bytes_max=SMALL) as server,
        grpc.aio.insecure_channel(f"127.0.0.1:{server.port}", options=options) as channel,
        asyncio.timeout(PATIENCE),
    ):
        yield channel


@pytest.mark.parametrize("include_json", [False, True])
async def test_messages_of_a_watch_obey_a_lowered_limit(backend, include_json):
    """Small batches, one that fills most of a message, and their JSON: all of it comes, in messages that fit."""
    for size in (10, 100, 1_000, 3_000, 7_000, 15_000):
        value = encode_for_level(ConfigRecord(2, "t", "k", "\0" * size), NEW)
        for _ in range(10):
            backend.append(value=value)
    seen, texts = b"", []
    async with small_channel(backend) as channel:
        stream = call(channel, "Watch")(cluster_pb2.WatchRequest(include_json=include_json))
        while len(seen) < sum(map(len, backend.log)) or len(texts) < 60 * include_json:
            message = await stream.read()
            assert message.ByteSize() <= SMALL
            for row in message.batches.batches:
                seen += row.records
                texts += row.json
        stream.cancel()
    assert seen == b"".join(backend.log)


async def test_a_batch_that_no_message_holds_ends_the_watch_with_the_way_out(backend):
    """It names the batch, its size and the key to raise; what comes before it was sent."""
    backend.append(value=level(NEW))
    backend.append(value=encode_for_level(ConfigRecord(2, "t", "k", "x" * SMALL), NEW))
    async with small_channel(backend) as channel:
        stream = call(channel, "Watch")(cluster_pb2.WatchRequest())
        assert (await stream.read()).batches.batches[0].last_offset == 0
        with pytest.raises(grpc.aio.AioRpcError, match=r"offset 1 takes .*grpc.max.message.bytes") as raised:
            await stream.read()
    assert raised.value.code() is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.parametrize("name", ["Watch", "GetImage"])
async def test_snapshots_obey_a_lowered_limit(backend, monkeypatch, name):
    """What is one chunk elsewhere is cut between its batches."""
    value = encode_for_level(ConfigRecord(2, "t", "k", "\0" * 1_000), NEW)
    whole = b"".join(encode_batch([value], base_offset=n, epoch=1, timestamp_ms=0) for n in range(100))

    async def open_snapshot(_after=0):
        async def chunks():
            yield whole

        return Snapshot(OffsetAndEpoch(epoch=1, offset=3), chunks())

    monkeypatch.setattr(backend, "open_snapshot", open_snapshot)
    monkeypatch.setattr(backend, "open_image", open_snapshot)
    backend.log_start = 1
    requests = {"Watch": cluster_pb2.WatchRequest(include_json=True), "GetImage": cluster_pb2.GetImageRequest()}
    seen = b""
    async with small_channel(backend) as channel:
        stream = call(channel, name)(requests[name])
        while len(seen) < len(whole):
            message = await stream.read()
            assert message.ByteSize() <= SMALL
            seen += message.snapshot_chunk.records if name == "Watch" else message.chunk.records
        stream.cancel()
    assert seen == whole


async def test_a_record_whose_json_is_too_large_is_named(server, backend):
    """A single record beyond the limit is shown without its data, and says so."""
    backend.append(value=b"\x01\x63\x00" + b"x" * JSON_MESSAGE_BYTES_MAX)
    async with watching(server) as events:
        shown = json.loads((await anext(events)).json[0])
    assert (shown["version"], shown["data"]) == (0, None)
    assert shown["leftOut"] > JSON_MESSAGE_BYTES_MAX


async def test_a_snapshot_whose_json_is_large_comes_in_more_chunks(server, backend, monkeypatch):
    """Chunks of a snapshot keep to the limit as well, and all of the JSON arrives."""
    values = [encode_for_level(ConfigRecord(2, "t", "k", "\0" * 2_000), NEW)] * 800
    backend.append(2, value=level(NEW))
    backend.log_start = 1

    async def open_snapshot(_after=0):
        async def chunks():
            yield encode_batch(values, base_offset=0, epoch=1, timestamp_ms=0)

        return Snapshot(OffsetAndEpoch(epoch=1, offset=1), chunks())

    monkeypatch.setattr(backend, "open_snapshot", open_snapshot)
    async with watching(server) as events:
        parts = [await anext(events) for _ in range(5)][1:-1]
    assert [bool(part.records) for part in parts] == [True, False, False]
    assert sum(len(part.json) for part in parts) == 800


async def test_a_watch_begins_when_what_it_asks_for_is_there(channel, backend):
    """An offset that this node does not have yet is waited for; a plain watch waits for nothing."""
    backend.append(3)
    plain = call(channel, "Watch", streams=True)(cluster_pb2.WatchRequest())
    assert (await plain.read()).HasField("batches")
    plain.cancel()
    assert backend.asked_at == []
    backend.read_gate.clear()
    read = common_pb2.ReadOptions(min_offset=3)
    ahead = call(channel, "Watch", streams=True)(cluster_pb2.WatchRequest(from_offset=4, read=read))
    first = asyncio.ensure_future(ahead.read())
    await ahead.initial_metadata()
    backend.append(2)
    backend.read_gate.set()
    assert (await first).batches.batches[0].base_offset == 3
    assert [at.min_offset for at in backend.asked_at] == [3]
    ahead.cancel()
