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
from itertools import repeat
from typing import Any, Final, TypeAlias

from kraftpy.controller.config_schema import ANY_TEXT_KEYS
from kraftpy.controller.requests import AlterOp, SetConfigs
from kraftpy.records.alike import ROWS_AT_ONCE, pieces_in_all, stands_in_all, texts_in_all
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

_Columns: TypeAlias = tuple[list[str], list[str], list[str], list[bytes], list[bytes]]
"""What was read so far: names, keys, values, records, and resources as they stand in the request."""

_Form: TypeAlias = tuple[bytes, int, bytes, int, str, bytes]
"""What resources of one form have in common: the type and the name's length, the size of both and the name, the bytes
between name and value, the value's size, the key, and what stands in a record for it and for the value's length."""

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
    columns: _Columns = ([], [], [], [], [])
    names, keys, values, records, resources = columns
    while len(names) < count:
        start, size = at, data[at + 1]
        at += size + 1
        if data[start] != kind or not 0 < size < SHORT or data[at] != _ONE:
            return None
        end = at + data[at + 1] + 2
        key, key_bytes = _KEYS.get(data[at + 1 : end], _UNKNOWN)
        value_at, size = end + 1, data[end]
        if size >= SHORT:
            more = data[value_at]
            if not 0 < more < SHORT:
                return None
            size += (more - 1) * SHORT
            value_at += 1
        stop = value_at + size - 1
        if not key or not size or data[stop : stop + 2] != _NO_TAGS:
            return None
        resource = data[start:at]
        resources.append(resource)
        names.append(resource[2:].decode())
        keys.append(key)
        values.append(data[value_at:stop].decode())
        records.append(CONFIG_FRAME + resource + key_bytes + data[end : stop + 1])
        if len(names) < count and data[stop + 2 : stop + 4] == resource[:2]:
            form = (resource[:2], at - start, data[at:value_at], size - 1, key, key_bytes + data[end:value_at])
            at = _read_many(data, stop + 2, count, form, columns)
            at = _read_alike(data, at, count, form, columns)
        else:
            at = stop + 2
    validate_only = data[at]
    if kind >= _SIGN or validate_only > 1 or data[at + 1] or at + 2 != len(data):
        return None
    fields = (kind, tuple(names), tuple(keys), tuple(values), tuple(records), validate_only == 1)
    request: SetConfigs = _new(SetConfigs, fields)
    return request, tuple(resources)


def _read_many(data: bytes, at: int, count: int, form: _Form, columns: _Columns) -> int:
    """Read resources by ROWS_AT_ONCE, as long as all of them are of a form; return where they end.

    Resources of one request are mostly of one form: the same key, and texts of the same lengths.
    """
    head, name_size, middle, value_size, key, record_middle = form
    names, keys, values, records, resources = columns
    value_at = name_size + len(middle)
    tags_at = value_at + value_size
    stride = tags_at + len(_NO_TAGS)
    while len(names) < count:
        rows = min(count - len(names), ROWS_AT_ONCE)
        if not (
            stands_in_all(head, data, at, stride, rows)
            and stands_in_all(middle, data, at + name_size, stride, rows)
            and stands_in_all(_NO_TAGS, data, at + tags_at, stride, rows)
        ):
            break
        found = pieces_in_all(data, at, name_size, stride, rows)
        with_tags = pieces_in_all(data, at + value_at, value_size + 1, stride, rows)
        resources.extend(found)
        names.extend(texts_in_all(data, at + len(head), name_size - len(head), stride, rows))
        keys.extend(repeat(key, rows))
        values.extend(texts_in_all(data, at + value_at, value_size, stride, rows))
        records.extend(map(b"".join, zip(repeat(CONFIG_FRAME), found, repeat(record_middle), with_tags, strict=False)))
        at += rows * stride
    return at


def _read_alike(data: bytes, at: int, count: int, form: _Form, columns: _Columns) -> int:
    """Read resources from ``at`` on as long as they are of a form, one by one; return where they end."""
    head, name_size, middle, value_size, key, record_middle = form
    names, keys, values, records, resources = columns
    for _ in range(count - len(names)):
        name_end = at + name_size
        value_at = name_end + len(middle)
        stop = value_at + value_size
        if data[at : at + 2] != head or data[name_end:value_at] != middle or data[stop : stop + 2] != _NO_TAGS:
            break
        resource = data[at:name_end]
        resources.append(resource)
        names.append(resource[2:].decode())
        keys.append(key)
        values.append(data[value_at:stop].decode())
        records.append(CONFIG_FRAME + resource + record_middle + data[value_at : stop + 1])
        at = stop + 2
    return at


_UNKNOWN: Final = ("", b"")
"""What is found for a key that is not in the table."""
