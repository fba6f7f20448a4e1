"""The plainest IncrementalAlterConfigs, from bytes to columns: each resource has one key, which is set to a value.

Nearly all requests are of this form, the large ones above all. Such a request and the records that it leads to are the
same bytes but for their frames: a resource's type and name, a key, a value, each with its length before it. So the
records are cut out of the request, and nothing of it is encoded again::

    request    type name  count  key  SET  value  no tags  no tags
    record     frame  type name  key  value  no tags

What is cut out must be what would be encoded, so a length that could be written shorter is left to the general way; so
is every request that is not of this form: :func:`read_plain` decides about no byte, it only says what it understood.

Source: KIP-339; Kafka ``IncrementalAlterConfigsRequest.json``, ``ConfigRecord.json``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from kraftpy.controller.config_schema import ANY_TEXT_KEYS
from kraftpy.controller.requests import AlterOp, SetConfigs
from kraftpy.records.codec import SHORT, length_prefix, read_uvarint, string_prefix
from kraftpy.records.metadata import CONFIG_FRAME
from kraftpy.transport.kafka.items import ITEMS_MAX

_SIGN: Final = 0x80
"""A type from here on is a negative number."""
_ONE: Final = length_prefix(1)[0]
"""The count of a single config."""
_NO_TAGS: Final = b"\0\0"
"""Neither the config nor its resource has tagged fields."""

_KEYS: Final = {
    string_prefix(len(key)) + key.encode() + bytes((AlterOp.SET,)): (key, string_prefix(len(key)) + key.encode())
    for keys in ANY_TEXT_KEYS.values()
    for key in sorted(keys)
}
"""By what stands in a request for setting a key: the key, and what stands in a record for it. Keys that have to be
judged are not here; nor is any that a client made up."""

_new: Final[Any] = tuple.__new__
"""Makes a NamedTuple of a tuple without the detour over its ``__new__``, which is written in Python."""


def read_plain(data: bytes, at: int) -> tuple[SetConfigs, Sequence[bytes]] | None:
    """Read a version 1 message, and cut out each resource's type and name; ``None`` when it is not of this form.

    Invariant: the request, widened, is what the generated decoder reads; its records are what the encoder writes.
    """
    try:
        count, at = read_uvarint(data, at)
        # Each resource is two items, and at least one byte of what is left.
        if not 1 < count <= min(ITEMS_MAX // 2, len(data) - at) + 1:
            return None
        return _read(data, at, count - 1)
    except (IndexError, ValueError):
        return None


def _read(data: bytes, at: int, count: int) -> tuple[SetConfigs, Sequence[bytes]] | None:
    kind = data[at]
    resources: list[bytes] = []
    names: list[str] = []
    keys: list[str] = []
    values: list[str] = []
    records: list[bytes] = []
    for _ in range(count):
        start = at
        size = data[at + 1]
        at += size + 1
        if data[start] != kind or not 0 < size < SHORT or data[at] != _ONE:
            return None
        resource = data[start:at]
        end = at + data[at + 1] + 2
        key, key_bytes = _KEYS.get(data[at + 1 : end], _UNKNOWN)
        start, size = end, data[end]
        end += 1
        if size >= SHORT:
            more = data[end]
            if not 0 < more < SHORT:
                return None
            size += (more - 1) * SHORT
            end += 1
        at = end + size - 1
        if not key or not size or data[at : at + 2] != _NO_TAGS:
            return None
        resources.append(resource)
        names.append(resource[2:].decode())
        keys.append(key)
        values.append(data[end:at].decode())
        at += 1
        records.append(CONFIG_FRAME + resource + key_bytes + data[start:at])
        at += 1
    validate_only = data[at]
    if kind >= _SIGN or validate_only > 1 or data[at + 1] or at + 2 != len(data):
        return None
    columns = (kind, tuple(names), tuple(keys), tuple(values), tuple(records), validate_only == 1)
    request: SetConfigs = _new(SetConfigs, columns)
    return request, resources


_UNKNOWN: Final = ("", b"")
"""What is found for a key that is not in the table."""
