"""The workload of a broker that goes: what the observer follows, and when all leaders have moved."""

from __future__ import annotations

import asyncio
import time

import pytest

from bench import broker_death
from bench.assigned import Partition
from bench.broker_death import QUIET_ENTRIES_MAX, QUIET_S, Quiet, measure_broker_death, moved_in
from bench.brokers import FIRST_ID, Broker, Brokers
from bench.observer import Fetched, Observer
from bench.work import eventually
from kraftpy.records.batch import encode_batch
from kraftpy.records.generated import rpc
from kraftpy.records.metadata import (
    BeginTransactionRecord,
    BrokerRegistrationChangeRecord,
    EndTransactionRecord,
    PartitionChangeRecord,
    encode_record,
)
from tests.unit.bench.scripted import BROKERS, Scripted
from tests.unit.bench.test_isr import created

GOES = FIRST_ID
TOPIC = bytes(15) + b"\1"
EPOCH = 3


def batch(offset, *records):
    return encode_batch([encode_record(one, 0) for one in records], base_offset=offset, epoch=EPOCH, timestamp_ms=1)


def move(index, leader=FIRST_ID + 1, topic_id=TOPIC):
    return PartitionChangeRecord(partition_id=index, topic_id=topic_id, leader=leader)


def fetched(*parts):
    observer = Observer(("", 0), "c")
    observer.fetched = [Fetched(*part) for part in parts]
    return observer


PARTITIONS = [Partition(TOPIC, index, [GOES, 1, 2]) for index in range(2)]
FENCED = BrokerRegistrationChangeRecord(broker_id=GOES, fenced=1)


def test_the_last_leader_and_the_knowledge_that_it_is_committed_count():
    """Records of other partitions, and those that change no leader, are no move."""
    observer = fetched(
        (1.0, 10, batch(10, FENCED, move(0), move(7))),
        (2.0, 13, batch(13, PartitionChangeRecord(partition_id=1, topic_id=TOPIC, isr=[1]), move(1, leader=GOES))),
        (3.0, 15, batch(15, move(1, leader=-1))),
        (4.0, 16, batch(16, move(1))),
        (5.0, 16, batch(17, move(5))),
        (6.0, 17, b""),
    )
    moved = moved_in(observer, GOES, PARTITIONS)
    assert (moved.first, moved.last, moved.committed) == (1.0, 4.0, 6.0)
    observer.fetched.pop()
    assert moved_in(observer, GOES, PARTITIONS) is None, "it is not known to be committed"
    del observer.fetched[3:]
    assert moved_in(observer, GOES, PARTITIONS) is None, "a partition has no leader"


def test_a_transaction_takes_effect_with_its_end():
    """Moves inside a metadata transaction are published by the record that ends it."""
    observer = fetched(
        (1.0, 0, batch(0, BeginTransactionRecord(), move(0))),
        (2.0, 2, batch(2, move(1))),
        (3.0, 4, batch(3, EndTransactionRecord())),
    )
    moved = moved_in(observer, GOES, PARTITIONS)
    assert (moved.first, moved.last, moved.committed) == (1.0, 3.0, 3.0)
    observer.fetched.pop()
    assert moved_in(observer, GOES, PARTITIONS) is None


def test_a_log_with_few_entries_a_while_is_quiet():
    """Some entries are none of the work; many, or few after many, mean that more may come."""
    quiet, begin, position = Quiet(), 100.0, 5_000
    assert not quiet.looked(begin, position), "nothing is known before the first look"
    position += QUIET_ENTRIES_MAX + 1
    assert not quiet.looked(begin + QUIET_S, position), "entries came"
    assert quiet.since == begin + QUIET_S
    assert not quiet.looked(begin + 1.5 * QUIET_S, position)
    assert quiet.looked(begin + 2 * QUIET_S, position + QUIET_ENTRIES_MAX)
    assert not quiet.looked(begin + 2.5 * QUIET_S, position + QUIET_ENTRIES_MAX), "the next while has begun"


class Growing:
    """An observer to which entries come, more at each look, until there are enough."""

    next_offset = high_watermark = 0

    def check(self):
        if self.next_offset < 400:
            self.next_offset += 20
            self.high_watermark = self.next_offset


async def test_nothing_is_decoded_while_entries_come(monkeypatch):
    """Although there is a record for each partition long before: decoding would delay the times of the others."""
    monkeypatch.setattr(broker_death, "QUIET_S", 0.0)
    monkeypatch.setattr(broker_death, "LOOK_S", 0.0)
    observer, brokers, ends = Growing(), Brokers(("", 0), "c", None, ()), []
    monkeypatch.setattr(broker_death, "moved_in", lambda *_: ends.append(observer.next_offset) or "moved")
    monkeypatch.setattr(broker_death, "cpu_s", lambda _: observer.next_offset)
    found = await broker_death._followed(observer, brokers, GOES, PARTITIONS, expected_end=2, leader=0)
    assert ends == [400], "it is decoded once"
    assert found == ("moved", 400), "the CPU time is that of when the log became quiet"


class Log(Scripted):
    """A controller with a log: topics are not in it, and what brokers come to is."""

    def __init__(self):
        super().__init__(
            {
                **BROKERS,
                rpc.CreateTopicsRequest: self.created,
                rpc.DescribeQuorumRequest: self.describe,
                rpc.FetchRequest: self.fetch,
                rpc.BrokerHeartbeatRequest: self.beat,
            }
        )
        self.led = {}
        self.batches = []
        self.end = 5
        self.error = 0

    def created(self, request):
        for topic in request.topics:
            for index, row in enumerate(topic.assignments):
                self.led.setdefault(row.broker_ids[0], []).append((topic.name.encode().rjust(16, b"\0"), index))
        return created(request)

    def describe(self, _):
        quorum = rpc.DescribeQuorumResponsePartitionData(leader_epoch=EPOCH, high_watermark=self.end)
        return rpc.DescribeQuorumResponse(topics=[rpc.DescribeQuorumResponseTopicData(partitions=[quorum])])

    def append(self, *records):
        self.batches.append((self.end, batch(self.end, *records)))
        self.end += len(records)

    def beat(self, request):
        if request.want_shut_down:
            self.goes(request.broker_id)
        return rpc.BrokerHeartbeatResponse(is_fenced=False, should_shut_down=request.want_shut_down)

    def goes(self, broker_id):
        self.append(*(move(index, topic_id=topic_id) for topic_id, index in self.led.pop(broker_id, ())))

    async def fetch(self, request):
        wanted = request.topics[0].partitions[0]
        if wanted.fetch_offset >= self.end and wanted.high_watermark >= self.end:
            await asyncio.sleep(0.005)
        records = b"".join(data for offset, data in self.batches if offset >= wanted.fetch_offset)
        partition = rpc.FetchResponsePartitionData(
            error_code=self.error, high_watermark=wanted.fetch_offset, records=records + records[:20]
        )
        return rpc.FetchResponse(responses=[rpc.FetchResponseFetchableTopicResponse(partitions=[partition])])


@pytest.fixture
def hurried(monkeypatch):
    monkeypatch.setattr(broker_death, "WARM_UP_LEADERSHIPS", 20)
    monkeypatch.setattr(broker_death, "WARM_UPS", 1)
    monkeypatch.setattr(broker_death, "WAYS", ("shutdown",))
    monkeypatch.setattr(broker_death, "QUIET_S", 0.1)


async def test_a_run_has_a_row_for_each_number_of_leaderships(hurried):
    """Each measurement has a broker of its own, which leads that many partitions, and its time per 10,000."""
    async with Log() as system:
        rows = await measure_broker_death(system, 1, (50, 200), lambda _: None)
    assert [row.work for row in rows] == ["shutdown, 50 leaderships", "shutdown, 200 leaderships"]
    for row, count in zip(rows, (50, 200), strict=True):
        figures = row.figures
        assert 0 < figures["first record ms"] <= figures["moved ms"] <= figures["published ms"] < 60_000
        assert figures["ms per 10,000 leaders"] == pytest.approx(figures["published ms"] * 10_000 / count)
    fetches = system.of(rpc.FetchRequest)
    assert {one.topics[0].partitions[0].last_fetched_epoch for one in fetches} == {EPOCH}


async def test_a_death_counts_from_the_end_of_the_session(hurried, monkeypatch):
    """The broker sends no heartbeat any more; what comes before its session ends would be early, and costs nothing."""
    session_s, reads, sent, beat = 1.0, [], {}, Broker.beat

    async def noted(broker, **options):
        sent[broker.broker_id] = time.monotonic()
        return await beat(broker, **options)

    def cpu_s(_):
        reads.append(time.monotonic())
        return float(len(reads) > 1)

    monkeypatch.setattr(Broker, "beat", noted)
    monkeypatch.setattr(broker_death, "cpu_s", cpu_s)
    monkeypatch.setattr(broker_death, "SESSION_TIMEOUT_S", session_s)
    monkeypatch.setattr(broker_death, "WAYS", ("death",))
    monkeypatch.setattr(broker_death, "WARM_UPS", 0)
    async with Log() as system:
        running = asyncio.ensure_future(measure_broker_death(system, 1, (30,), lambda _: None))
        silent = FIRST_ID + broker_death.SURVIVORS

        async def is_followed():
            return bool(system.of(rpc.FetchRequest))

        await eventually(is_followed, "the log is followed", 30.0)
        system.goes(silent)
        (row,) = await running
    assert -1_000 * session_s <= row.figures["published ms"] < 0
    assert reads[0] >= sent[silent] + session_s - 0.01, "the CPU time counts from the end of the session"
    assert row.figures["leader CPU ms"] == 1_000


async def test_what_was_measured_before_a_failure_is_kept(hurried):
    """Another controller may have become active: the note states the work, the offset and the epoch."""
    async with Log() as system:

        def stated(text):
            system.error = 6 if "50 leaderships" in text else 0

        kept, failed = await measure_broker_death(system, 1, (50, 200, 300), stated)
    assert kept.work == "shutdown, 50 leaderships"
    assert failed.work == "failed"
    assert failed.notes[0].startswith("shutdown, 200 leaderships: the observer cannot go on at offset ")
    assert " of epoch 3: error 6" in failed.notes[0]
