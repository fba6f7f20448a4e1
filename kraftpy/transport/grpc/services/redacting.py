"""Redact the log's batches for a watcher that did not request secrets: ``[hidden]`` replaces them.

A batch without secrets is sent as it is in the log, byte for byte. One with secrets is rewritten: its offsets and its
epoch are the same, its checksum is valid, and its bytes differ from the log's. Watchers read the same batches, so the
latest redacted ones are cached, and of those who come at the same time one does it for all: another watcher costs a
look-up and no decoding.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final

from kraftpy.model.errors import TooLargeError
from kraftpy.records.batch import Batch, iterate_batches
from kraftpy.records.redaction import redacted_value, with_values
from kraftpy.transport.grpc.reads import HIDDEN
from kraftpy.transport.grpc.services.conversions import WatchTurns, cost_of, pieces

REDACTED_PER_COST: Final = 5
"""To look at this many records for secrets costs as much as to convert one."""

REMEMBERED_BYTES_MAX: Final = 16 * 1024 * 1024
"""How many bytes of batches, as they are in the log and as they are shown, are kept for the next watcher."""


class Remembered:
    """What was made of batches, the latest used last; beyond a number of bytes the one used longest ago is dropped."""

    def __init__(self, bytes_max: int) -> None:
        self._bytes_max = bytes_max
        self._bytes = 0
        self._shown: OrderedDict[bytes, bytes] = OrderedDict()

    def find(self, data: bytes) -> bytes | None:
        """Return what is shown for the bytes of a batch, ``None`` when that is not known."""
        shown = self._shown.get(data)
        if shown is not None:
            self._shown.move_to_end(data)
        return shown

    def keep(self, data: bytes, shown: bytes) -> None:
        """Keep what is shown for a batch."""
        if data not in self._shown:
            self._bytes += len(data) + len(shown)
        self._shown[data] = shown
        while self._bytes > self._bytes_max:
            oldest, its = self._shown.popitem(last=False)
            self._bytes -= len(oldest) + len(its)


_remembered = Remembered(REMEMBERED_BYTES_MAX)
_in_progress: dict[bytes, asyncio.Future[bytes | None]] = {}


async def without_secrets(data: bytes, turns: WatchTurns | None = None) -> bytes:
    """Return whole batches without the secrets of their records.

    Args:
        data: the batches.
        turns: where the work queues.

    Raises:
        MalformedError: a batch does not divide into records.
    """
    turns = turns or WatchTurns()
    parts = []
    for batch in iterate_batches(data, verify_crc=False):
        shown = batch.data if batch.is_control else _remembered.find(batch.data)
        parts.append(await _batch_shown(batch, turns) if shown is None else shown)
    return parts[0] if len(parts) == 1 else b"".join(parts)


async def _batch_shown(batch: Batch, turns: WatchTurns) -> bytes:
    """Return a batch as it is shown; made now, unless another watcher makes it already."""
    key = batch.data
    while (making := _in_progress.get(key)) is not None:
        await asyncio.wait({making})
        if (made := making.result()) is not None:
            return made
    shown: bytes | None = None
    making = _in_progress[key] = asyncio.get_running_loop().create_future()
    try:
        shown = await _batch_without_secrets(batch, turns)
    finally:
        del _in_progress[key]
        # None where this watcher failed or left: another one tries.
        making.set_result(shown)
    _remembered.keep(key, shown)
    return shown


async def _batch_without_secrets(batch: Batch, turns: WatchTurns) -> bytes:
    values = batch.values()
    shown: list[bytes] = []
    for _, piece in pieces(values):
        await turns.take(1 + cost_of(*piece) // REDACTED_PER_COST)
        shown += [redacted_value(value, HIDDEN) for value in piece]
    if all(one is other for one, other in zip(values, shown, strict=True)):
        return batch.data
    try:
        return with_values(batch, shown)
    except TooLargeError:
        # The markers are longer than the secrets were: the values are left out then.
        return with_values(batch, [redacted_value(value, "") for value in values])
