"""Partitions as a follower of the log has them, which is how brokers know them; and how many records of each kind came.

What :mod:`bench.observer` fetches is decoded a few records at a time, so that a large batch of them does not delay the
answers for which others wait in the same event loop.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from typing import Final

from bench.assigned import UNCHANGED, Partition
from bench.observer import Fetched, records_of
from kraftpy.model.ids import Uuid
from kraftpy.records.metadata import LogRecord, NoOpRecord, PartitionChangeRecord, PartitionRecord, RemoveTopicRecord

DECODED_AT_ONCE: Final = 64
FOLLOW_TIMEOUT_S: Final = 60.0


class Followed:
    """The partitions that are created from now on, and what becomes of them.

    Attributes:
        records: how many came of each type; of all topics, and those of other things.
    """

    def __init__(self) -> None:
        self._by_key: dict[tuple[Uuid, int], Partition] = {}
        self.records: Counter[str] = Counter()
        self._fetched: deque[Fetched] = deque()
        self._came = asyncio.Event()
        self._applied = asyncio.Event()
        self._is_applying = False

    @property
    def partitions(self) -> list[Partition]:
        """What there is."""
        return list(self._by_key.values())

    def is_newer(self, before: Partition) -> bool:
        """Return whether a partition has changed since a copy of it was made, or is gone."""
        now = self._by_key.get((before.topic_id, before.index))
        return now is None or now.partition_epoch > before.partition_epoch

    @property
    def is_idle(self) -> bool:
        """Whether everything that was taken has been applied."""
        return not self._fetched and not self._is_applying

    @property
    def written(self) -> int:
        """How many records came that say something: no NoOpRecords, which Kafka appends every 500 ms."""
        return self.records.total() - self.records[NoOpRecord.NAME]

    def take(self, fetched: Fetched) -> None:
        """Take an answer, to be decoded by :meth:`follow`."""
        if fetched.records:
            self._fetched.append(fetched)
            self._came.set()

    async def follow(self) -> None:
        """Apply what comes, for ever."""
        while True:
            await self._came.wait()
            self._came.clear()
            self._is_applying = True
            while self._fetched:
                for place, (_, record) in enumerate(records_of(self._fetched.popleft()), 1):
                    self._apply(record)
                    if place % DECODED_AT_ONCE == 0:
                        await asyncio.sleep(0)
            self._is_applying = False
            applied, self._applied = self._applied, asyncio.Event()
            applied.set()

    def _apply(self, record: LogRecord) -> None:
        self.records[record.NAME] += 1
        if isinstance(record, PartitionChangeRecord):
            partition = self._by_key.get((record.topic_id, record.partition_id))
            if partition is not None:
                _change(partition, record)
        elif isinstance(record, PartitionRecord):
            created = Partition(
                record.topic_id,
                record.partition_id,
                list(record.replicas),
                list(record.isr),
                record.leader_epoch,
                record.partition_epoch,
            )
            # The preferred leader may be fenced.
            created.leader = record.leader
            self._by_key[created.topic_id, created.index] = created
        elif isinstance(record, RemoveTopicRecord):
            for key in [one for one in self._by_key if one[0] == record.topic_id]:
                del self._by_key[key]

    async def until(self, is_reached: Callable[[], bool], what: str) -> None:
        """Wait until the records that came have made something true.

        Raises:
            TimeoutError: they have not.
        """
        try:
            async with asyncio.timeout(FOLLOW_TIMEOUT_S):
                while not is_reached():
                    await self._applied.wait()
        except TimeoutError as error:
            raise TimeoutError(f"the log has not within {FOLLOW_TIMEOUT_S:g} s: {what}") from error


def _change(partition: Partition, record: PartitionChangeRecord) -> None:
    partition.partition_epoch += 1
    if record.isr is not None:
        partition.isr = list(record.isr)
    if record.leader != UNCHANGED:
        partition.leader = record.leader
        partition.leader_epoch += 1
