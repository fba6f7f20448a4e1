"""A follower of the metadata log that only notes what comes when: a fake observer, which fetches from the leader.

While it follows it reads no more of a batch than its header, so that its own work does not delay what it measures;
:meth:`Observer.records` decodes afterwards.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, suppress
from typing import NamedTuple, Self

from bench.channel import Channel, connect, decoded
from bench.work import Address
from kraftpy.model.features import SchemaSet
from kraftpy.model.ids import METADATA_TOPIC_ID
from kraftpy.records.batch import iterate_batches, read_header
from kraftpy.records.generated import rpc
from kraftpy.records.metadata import LogRecord, decode_record

NODE_ID = 900
"""Of no controller and no broker."""
DIRECTORY_ID = (3 << 100 | NODE_ID).to_bytes(16, "big")
METADATA_TOPIC = "__cluster_metadata"
FETCH_VERSION = 18
"""From it on a fetch reports the high watermark that the follower knows, and is answered when there is a higher one."""
QUORUM_VERSION = 2
WAIT_MS = 500
BYTES_MAX = 8 * 1024 * 1024
BATCH_START_BYTES = 12
"""The base offset, and how many bytes follow."""


class Fetched(NamedTuple):
    """One answer with records, or with another high watermark: when it came (``time.perf_counter()``), and what."""

    at: float
    high_watermark: int
    records: bytes


class Observer(AbstractAsyncContextManager["Observer"]):
    """Follows the log of the active controller from its end on.

    Args:
        address: of the active controller.
        cluster_id: of its cluster.
        take: what takes each answer instead of its being kept.

    Attributes:
        fetched: what came so far.
        next_offset: the end of what came.
        high_watermark: the highest that was reported.
    """

    def __init__(self, address: Address, cluster_id: str, *, take: Callable[[Fetched], None] | None = None) -> None:
        self._address = address
        self._cluster_id = cluster_id
        self._channel: Channel | None = None
        self._epoch = -1
        self._following: asyncio.Task[None] | None = None
        self.fetched: list[Fetched] = []
        self._take = take or self.fetched.append
        self.next_offset = self.high_watermark = -1

    async def __aenter__(self) -> Self:
        self._channel = await connect(self._address)
        partition = rpc.DescribeQuorumRequestPartitionData(0)
        request = rpc.DescribeQuorumRequest([rpc.DescribeQuorumRequestTopicData(METADATA_TOPIC, [partition])])
        answer = await self._channel.ask(request, QUORUM_VERSION, rpc.DescribeQuorumResponse)
        quorum = answer.topics[0].partitions[0]
        if quorum.error_code:
            raise RuntimeError(f"the quorum was not described: error {quorum.error_code}")
        self._epoch = quorum.leader_epoch
        self.next_offset = self.high_watermark = quorum.high_watermark
        self._following = asyncio.get_running_loop().create_task(self._follow())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._channel is not None
        assert self._following is not None
        self._following.cancel()
        self._channel.close()
        with suppress(asyncio.CancelledError, ConnectionError):
            await self._following

    def check(self) -> None:
        """Raise what ended the following, if it has ended."""
        assert self._following is not None
        if self._following.done():
            self._following.result()

    async def _follow(self) -> None:
        assert self._channel is not None
        while True:
            request = self._request()
            payload = await self._channel.send(request, FETCH_VERSION)
            now = time.perf_counter()
            answer = decoded(request, FETCH_VERSION, payload, rpc.FetchResponse)
            if answer.error_code or not answer.responses:
                raise RuntimeError(f"a fetch of the observer was rejected: error {answer.error_code}")
            partition = answer.responses[0].partitions[0]
            if partition.error_code or partition.diverging_epoch.epoch >= 0 or partition.snapshot_id.end_offset >= 0:
                raise RuntimeError(
                    f"the observer cannot go on at offset {self.next_offset} of epoch {self._epoch}: error "
                    f"{partition.error_code}, another controller may have become active"
                )
            records, end = _whole(partition.records or b"")
            if records or partition.high_watermark > self.high_watermark:
                self._take(Fetched(now, partition.high_watermark, records))
            self.high_watermark = max(self.high_watermark, partition.high_watermark)
            self.next_offset = max(self.next_offset, end)

    def _request(self) -> rpc.FetchRequest:
        partition = rpc.FetchRequestFetchPartition(
            partition=0,
            current_leader_epoch=self._epoch,
            fetch_offset=self.next_offset,
            last_fetched_epoch=self._epoch,
            log_start_offset=0,
            partition_max_bytes=BYTES_MAX,
            replica_directory_id=DIRECTORY_ID,
            high_watermark=self.high_watermark,
        )
        return rpc.FetchRequest(
            cluster_id=self._cluster_id,
            replica_state=rpc.FetchRequestReplicaState(NODE_ID, -1),
            max_wait_ms=WAIT_MS,
            max_bytes=BYTES_MAX,
            topics=[rpc.FetchRequestFetchTopic(METADATA_TOPIC, METADATA_TOPIC_ID, [partition])],
        )

    def records(self) -> Iterator[tuple[float, int, LogRecord]]:
        """Return every record, with when it came and its offset."""
        for one in self.fetched:
            for offset, record in records_of(one):
                yield one.at, offset, record

    def committed_at(self, offset: int) -> float | None:
        """Return when it was first known that an offset is committed; ``None`` while it is not."""
        return next((one.at for one in self.fetched if one.high_watermark > offset), None)


def records_of(one: Fetched) -> Iterator[tuple[int, LogRecord]]:
    """Return every record of an answer, with its offset."""
    for batch in iterate_batches(one.records):
        if not batch.is_control:
            for place, value in enumerate(batch.values()):
                yield batch.base_offset + place, decode_record(value, SchemaSet.KAFKA)


def _whole(records: bytes) -> tuple[bytes, int]:
    """Return the whole batches of an answer, whose end may be cut, and the offset after them; -1 without batches."""
    at = start = 0
    while at + BATCH_START_BYTES <= len(records):
        size = BATCH_START_BYTES + int.from_bytes(records[at + 8 : at + BATCH_START_BYTES], "big")
        if at + size > len(records):
            break
        start, at = at, at + size
    return records[:at], read_header(records, start).next_offset if at else -1
