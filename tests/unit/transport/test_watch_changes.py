"""Watching typed changes over real gRPC: every kind of record, slices, transactions, snapshots, limits."""

from __future__ import annotations

import asyncio
import json
import random
from contextlib import aclosing

import grpc
import pytest

from kraftpy.client import values as v
from kraftpy.client.changes import record_of
from kraftpy.image.features import FeaturesImage
from kraftpy.image.image import MetadataImage
from kraftpy.model.features import SchemaSet
from kraftpy.pb.v1 import changes_pb2, cluster_pb2
from kraftpy.records.authors import Author, encode_author, with_author
from kraftpy.records.batch import encode_batch, parse_batch
from kraftpy.records.codec import AUTHOR_TAG
from kraftpy.records.metadata import (
    METADATA_RECORDS,
    AbortTransactionRecord,
    BeginTransactionRecord,
    ClusterIdRecord,
    ConfigRecord,
    EndTransactionRecord,
    FeatureLevelRecord,
    NoOpRecord,
    PartitionChangeRecord,
    TopicRecord,
    UserScramCredentialRecord,
    encode_for_level,
)
from kraftpy.records.metadata_changes import is_change, number_of
from kraftpy.records.schema import load
from kraftpy.transport.grpc.services import watch_changes
from kraftpy.transport.grpc.services.watch_changes import SLICES, change_of
from kraftpy.transport.grpc.services.watch_json import RecordTexts
from tests.unit.client.test_client import client_of
from tests.unit.records.instances import instance
from tests.unit.transport.fake_backend import FakeBackend, serving
from tests.unit.transport.test_api import PATIENCE, call

LEVEL = 40
TOPICS, CONFIGS, SCRAM = v.MetadataSlice.TOPICS, v.MetadataSlice.CONFIGS, v.MetadataSlice.SCRAM


@pytest.fixture
async def backend():
    backend = FakeBackend()
    backend.image = MetadataImage(features=FeaturesImage(FeaturesImage().levels.set("metadata.version", LEVEL)))
    return backend


def fill(backend, *batches):
    """Append batches of records, each batch a tuple."""
    for records in batches:
        values = [encode_for_level(record, LEVEL) for record in records]
        backend.log.append(encode_batch(values, base_offset=backend.end, epoch=1, timestamp_ms=0))
        backend.end += len(values)


async def changes(backend, offset, *slices, batches):
    """The changes of a watch, by the offset of their batch."""
    found = {}
    async with (
        serving(backend) as server,
        client_of(server.port) as client,
        asyncio.timeout(PATIENCE),
        aclosing(client.watch(offset, changes_of=slices)) as events,
    ):
        async for event in events:
            assert event.records == b""
            found[event.base_offset] = list(event.changes)
            if len(found) == batches:
                break
    return found


def topic(number):
    return TopicRecord(name=f"t{number}", topic_id=bytes([number]) * 16)


def test_every_kind_of_record_that_changes_the_state_has_a_slice_and_a_number():
    """The numbers are those of the API; a record of both schema sets does not collide with another."""
    kinds = [record for record in METADATA_RECORDS if is_change(record.NAME)]
    assert set(kinds) == set(SLICES)
    numbers = {field.number for field in changes_pb2.MetadataChange.DESCRIPTOR.oneofs_by_name["record"].fields}
    assert {number_of(record.NAME) for record in kinds} == numbers
    assert len(numbers) == len(kinds)
    slices = {name.removeprefix("METADATA_SLICE_").lower() for name in cluster_pb2.MetadataSlice.keys()[1:]}
    assert slices == set(SLICES.values()) == {one.name.lower() for one in v.MetadataSlice}


@pytest.mark.parametrize("schema", [one for one in load("metadata") if is_change(one.name)], ids=lambda one: one.name)
def test_a_change_carries_every_field(schema):
    """What a record holds, null and empty lists included, is what a client reads; unknown tags are left out."""
    rng = random.Random(schema.name)
    for _ in range(50):
        record = without_unknown_tags(instance("metadata", schema, schema.versions.high, rng))
        message = changes_pb2.MetadataChange.FromString(change_of(record).SerializeToString())
        assert record_of(message) == record


def without_unknown_tags(record):
    """The record with no tagged field that its schema does not have."""
    record.unknown_tags = ()
    for name in record.__dataclass_fields__:
        rows = getattr(record, name)
        for row in rows if isinstance(rows, list) else ():
            if hasattr(row, "unknown_tags"):
                without_unknown_tags(row)
    return record


async def test_a_watch_has_the_changes_of_its_slices(backend):
    """Other batches come with their offsets and nothing else; two slices are two reasons to be sent."""
    config = ConfigRecord(resource_type=2, resource_name="t1", name="a", value="1")
    gone = PartitionChangeRecord(partition_id=0, topic_id=b"\1" * 16, isr=[], leader=-1)
    fill(backend, (topic(1), config), (NoOpRecord(),), (config,), (gone,))
    assert await changes(backend, 0, TOPICS, batches=4) == {0: [topic(1)], 2: [], 3: [], 4: [gone]}
    assert await changes(backend, 2, TOPICS, CONFIGS, batches=3) == {2: [], 3: [config], 4: [gone]}


async def test_a_change_has_the_author_that_the_log_names(backend):
    """Each change of a request, of a transaction too, and none of anybody else."""
    alice = Author("User:alice", "admin", b"r" * 16, -3)
    unreadable = topic(6)
    unreadable.unknown_tags = ((AUTHOR_TAG, b""),)
    begun = [BeginTransactionRecord(), topic(3)]
    values = with_author(begun, [encode_for_level(record, LEVEL) for record in begun], encode_author(alice))
    backend.log.append(encode_batch(values, base_offset=0, epoch=1, timestamp_ms=0))
    backend.end += 2
    fill(backend, (topic(4), EndTransactionRecord()), (unreadable, topic(7)))
    async with (
        serving(backend) as server,
        client_of(server.port) as client,
        asyncio.timeout(PATIENCE),
        aclosing(client.watch(0, changes_of=[TOPICS])) as events,
    ):
        found = [await anext(events) for _ in range(3)]
    assert [event.authors[:1] for event in found] == [(alice,), (None,), found[2].authors[:1]]
    assert [each and (each.principal, bool(each.fault)) for each in found[2].authors] == [("", True), None]
    record = found[2].changes[0]
    assert record.unknown_tags == ()


async def test_json_has_the_author_that_the_log_names():
    """A record has an author's name that is not its author's, or one that cannot be read ends the watch."""
    alice = Author("User:alice")
    both = [topic(1), topic(2)]
    values = [encode_for_level(record, LEVEL) for record in (*both, topic(3))]
    named = [*with_author(both, values[:2], encode_author(alice)), values[2]]
    batch = parse_batch(encode_batch(named, base_offset=0, epoch=1, timestamp_ms=0))
    found = [json.loads(text) async for text in RecordTexts(SchemaSet.KAFKA).of(batch)]
    assert [each.get("author") for each in found] == [alice.as_json(), alice.as_json(), None]


@pytest.mark.parametrize(("start", "batches"), [(0, 6), (2, 4), (3, 4), (4, 3), (5, 2), (6, 1)])
@pytest.mark.parametrize("end", [EndTransactionRecord(), AbortTransactionRecord(reason="leader changed")])
async def test_an_aborted_transaction_is_no_change(backend, start, batches, end):
    """Wherever a watch begins, before, at or in the middle of it."""
    fill(backend, (topic(1),), (topic(2),), (BeginTransactionRecord(), topic(3)), (topic(4),), (end,), (topic(6),))
    inside = isinstance(end, EndTransactionRecord)
    found = await changes(backend, start, TOPICS, batches=batches)
    wanted = {0: [topic(1)], 1: [topic(2)], 2: [topic(3)] * inside, 4: [topic(4)] * inside, 5: [], 6: [topic(6)]}
    assert found == {offset: wanted[offset] for offset in found}
    assert list(found)[-1] == 6


async def test_a_level_of_an_aborted_transaction_is_not_in_force(backend):
    """The records behind it are read with the level before it."""
    fill(
        backend,
        (FeatureLevelRecord(name="metadata.version", feature_level=LEVEL),),
        (BeginTransactionRecord(), FeatureLevelRecord(name="metadata.version", feature_level=30)),
        (AbortTransactionRecord(),),
        (ClusterIdRecord(cluster_id="c"),),
    )
    found = await changes(backend, 0, v.MetadataSlice.FEATURES, v.MetadataSlice.CLUSTER_ID, batches=4)
    assert [record for records in found.values() for record in records] == [
        FeatureLevelRecord(name="metadata.version", feature_level=LEVEL),
        ClusterIdRecord(cluster_id="c"),
    ]


async def test_a_long_log_is_looked_through_a_piece_at_a_time(backend, monkeypatch):
    """A watch that begins in it finds the end of an aborted transaction far behind, with another watch beside it."""
    monkeypatch.setattr(watch_changes, "SCAN_BYTES", 200)
    fill(backend, (BeginTransactionRecord(),), *[(topic(number),) for number in range(1, 100)])
    fill(backend, (AbortTransactionRecord(),), (topic(100),))
    wanted = {offset: [] for offset in range(50, 101)} | {101: [topic(100)]}
    both = await asyncio.gather(*(changes(backend, 50, TOPICS, batches=52) for _ in range(2)))
    assert both == [wanted, wanted]


async def test_a_snapshot_is_sent_as_changes(backend):
    """Where the log was cut, the state comes as typed changes of the slices, too."""
    values = [encode_for_level(record, LEVEL) for record in (topic(1), topic(2))]
    backend.snapshot_chunks = [encode_batch(values, base_offset=0, epoch=1, timestamp_ms=0)]
    backend.log_start = backend.end = 5
    async with (
        serving(backend) as server,
        client_of(server.port) as client,
        asyncio.timeout(PATIENCE),
        aclosing(client.watch(0, changes_of=[TOPICS])) as events,
    ):
        assert isinstance(await anext(events), v.SnapshotBegins)
        assert await anext(events) == v.SnapshotPart(b"", (), (topic(1), topic(2)))
        assert isinstance(await anext(events), v.SnapshotEnds)


async def test_credentials_are_hidden_unless_requested(backend):
    """As in the records."""
    secret = UserScramCredentialRecord(name="a", mechanism=1, salt=b"s", stored_key=b"k", server_key=b"v", iterations=9)
    fill(backend, (secret,))
    found = await changes(backend, 0, SCRAM, batches=1)
    assert (found[0][0].name, found[0][0].stored_key) == ("a", b"[hidden]")


async def test_large_batches_take_several_messages(backend):
    """No message is larger than the limit of the API, and the client sees one batch."""
    records = tuple(ConfigRecord(2, f"t{number}", "a", "x" * 1_000) for number in range(2_000))
    fill(backend, records)
    async with (
        serving(backend, message_bytes_max=1_000_000) as server,
        grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel,
    ):
        stream = call(channel, "Watch")(cluster_pb2.WatchRequest(changes_of=[cluster_pb2.METADATA_SLICE_CONFIGS]))
        seen, sizes, goes_on = [], [], True
        async with asyncio.timeout(PATIENCE):
            while goes_on:
                message = await stream.read()
                sizes.append(message.ByteSize())
                seen += [record_of(one) for row in message.batches.batches for one in row.changes]
                goes_on = message.batches.batches[-1].json_continues
    assert tuple(seen) == records
    assert len(sizes) > 2
    assert max(sizes) < 300_000


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"changes_of": [0]}, "changes_of has 0"),
        ({"changes_of": [5, 99]}, "changes_of has 99"),
        ({"changes_of": [5], "include_json": True}, "cannot be given together"),
    ],
)
async def test_what_cannot_be_watched_is_refused(backend, options, text):
    async with serving(backend) as server, grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        stream = call(channel, "Watch")(cluster_pb2.WatchRequest(**options))
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            async with asyncio.timeout(PATIENCE):
                await stream.read()
    assert raised.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert text in raised.value.details()
