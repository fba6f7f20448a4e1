"""The writes: one config value each.

They are all of one form, a CLIENT_METRICS resource whose ``metrics`` key takes any text, so that other systems can make
the same writes; or of many forms (:mod:`bench.mixed`). Each write changes the value that is there, for a write that
changes nothing appends nothing.

The lean client's frames are a request's bytes up to its id for repeating, which is appended: a field that occurs twice
in a protobuf message is merged. So a request costs the client a few hundred nanoseconds, and the service the same as
any other client's.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial
from itertools import count
from typing import Any, TypeAlias

from bench.mixed import OneWrite, mixed_write
from bench.work import NAMES, Work
from kraftpy.client.values import ConfigChange, Resource
from kraftpy.model.resource_types import ResourceType
from kraftpy.pb.v1 import admin_pb2, session_pb2

KEY = "metrics"
COUNTER_DIGITS = 10
MARK_INDEX = 9_999_999
"""A resource that no work writes: see the peers that show by it how far their state reaches."""
REQUEST_ID_BYTES = 16
TIMEOUT_MS = 30_000

_ALTER_CONFIGS_TAG = b"\x5a"  # field 11 of Request, length-delimited
_OPTIONS_TAG = b"\x0a"  # field 1 of IncrementalAlterConfigsRequest
_REQUEST_ID_TAG = b"\x12"  # field 2 of WriteOptions
_REQUESTS_TAG = b"\x0a"  # field 1 of RequestBatch
_ID_PREFIX = (
    _ALTER_CONFIGS_TAG
    + bytes([REQUEST_ID_BYTES + 4])
    + _OPTIONS_TAG
    + bytes([REQUEST_ID_BYTES + 2])
    + _REQUEST_ID_TAG
    + bytes([REQUEST_ID_BYTES])
)
_ID_FIELD_BYTES = len(_ID_PREFIX) + REQUEST_ID_BYTES


_serials = count(1_000_000_000)
"""Values of frames that are made ahead: apart from the serial numbers of those that are not."""


Values: TypeAlias = Callable[[int], OneWrite]
"""What is written, by index."""


def fresh_values(work: Work, how_many: int) -> list[Values]:
    """Return what no run of this process has written: a value that is there already would append nothing."""
    return [values_of(work, next(_serials)) for _ in range(how_many)]


def values_of(work: Work, serial: int) -> Values:
    """Return what a serial number writes."""
    return partial(mixed_write, serial=serial) if work.is_mixed else alike(value_of(serial, work.value_bytes))


def alike(value: str) -> Values:
    """Return writes of one value."""
    return lambda index: OneWrite(ResourceType.CLIENT_METRICS, name_of(index), KEY, value)


def by_resource(writes: Iterable[OneWrite]) -> dict[Resource, list[ConfigChange]]:
    """Return the writes of one request, by the resources that it names."""
    found: dict[Resource, list[ConfigChange]] = {}
    for one in writes:
        found.setdefault(Resource(one.kind, one.name), []).append(ConfigChange(one.key, one.value))
    return found


def name_of(index: int) -> str:
    """Return the resource of an index."""
    return f"bench-{index:07d}"


def value_of(serial: int, size: int) -> str:
    """Return a value of ``size`` bytes that differs from those of other serial numbers."""
    return f"{serial:0{COUNTER_DIGITS}d}".ljust(size, "x")[: max(size, COUNTER_DIGITS)]


def changes(serial: int, work: Work) -> dict[Resource, list[ConfigChange]]:
    """Return the serial-th request of a stream of requests, for the public client.

    In a work with a total it has that many names and the last request may be shorter; else the names come in
    turn.
    """
    batch, total, first = work.batch, work.total, serial * work.batch
    indexes = range(first, min(first + batch, total)) if total else [(first + at) % NAMES for at in range(batch)]
    return by_resource(map(values_of(work, serial), indexes))


def message(first_index: int, batch: int, values: Values) -> admin_pb2.IncrementalAlterConfigsRequest:
    """Build a request that makes ``batch`` neighbouring writes."""
    request = admin_pb2.IncrementalAlterConfigsRequest()
    for resource, configs in by_resource(map(values, range(first_index, first_index + batch))).items():
        row = request.resources.add()
        row.resource.type = int(resource.type)
        row.resource.name = resource.name
        for config in configs:
            row.alterations.add(name=config.name, value=config.value)
    return request


def fresh_id() -> bytes:
    """Draw an id that distinguishes a repeated write from a new one."""
    return os.urandom(REQUEST_ID_BYTES)


def frame(call_id: int, request: admin_pb2.IncrementalAlterConfigsRequest) -> bytes:
    """Encode a call up to its request id (see :func:`finished`), as an element of a RequestBatch."""
    call = session_pb2.Request(id=call_id, timeout_ms=TIMEOUT_MS, incremental_alter_configs=request)
    data = call.SerializeToString()
    return _REQUESTS_TAG + _varint(len(data) + _ID_FIELD_BYTES) + data


def finished(unfinished: bytes) -> bytes:
    """Return the frame with a fresh request id."""
    return unfinished + _ID_PREFIX + os.urandom(REQUEST_ID_BYTES)


def is_acknowledged(response: Any) -> bool:
    """Return whether every record of a request was written."""
    if response.WhichOneof("outcome") != "incremental_alter_configs":
        return False
    return not any(result.HasField("error") for result in response.incremental_alter_configs.results)


class Frames:
    """Frames by slot, made ahead."""

    def __init__(self, work: Work, slots: int) -> None:
        self._work = work
        self._at = [0] * slots
        self._values = fresh_values(work, 2)
        self._ready = [self._cycle(slot, slots) for slot in range(slots)]

    def _cycle(self, slot: int, slots: int) -> list[bytes]:
        """Two values for each of the slot's own names, in turn, so that every write changes something."""
        work = self._work
        per_slot = max(1, NAMES // (slots * work.batch))
        return [
            frame(slot + 1, message((slot * per_slot + at) * work.batch, work.batch, values))
            for values in self._values
            for at in range(per_slot)
        ]

    def next(self, slot: int) -> bytes:
        """Return the slot's next call, complete."""
        cycle, at = self._ready[slot], self._at[slot]
        self._at[slot] = (at + 1) % len(cycle)
        return finished(cycle[at])


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)
