"""Fields of records as JSON, many records at a time: the texts of ``records.json_text``, column by column.

Nearly all records of a log are of a few types in a few plain forms. In those, everything but numbers and names repeats:
topic ids, lists of brokers, lists of directories. So each distinct range of bytes is decoded once for all records that
have it (Arrow's dictionaries), numbers are formatted by Arrow, and the pieces are joined there. The names of fields are
those of ``records.json_text``.

A record in any other form (long names, characters that JSON escapes, tagged fields, other types) is decoded by itself
and written by ``records.json_text``. Tests compare the texts of both.
"""

from __future__ import annotations

import json
from binascii import b2a_base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from struct import Struct
from typing import Any, Final, TypeAlias

from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.batch_runs import Data
from kraftpy.audit.reading.binaries import binaries
from kraftpy.audit.reading.columns import CORRUPT
from kraftpy.audit.reading.entries import decode
from kraftpy.audit.reading.topic_records import (
    FRAME_BYTES,
    UUID_BYTES,
    FieldReader,
    Values,
    find_changed,
    find_stated,
    is_plain,
)
from kraftpy.model.errors import MalformedError
from kraftpy.model.ids import uuid_to_text
from kraftpy.records.json_text import data_to_text, json_fields
from kraftpy.records.metadata import (
    ConfigRecord,
    NoOpRecord,
    PartitionChangeRecord,
    PartitionRecord,
    Record,
    TopicRecord,
    type_name,
)

Array: TypeAlias = Any
Made: TypeAlias = tuple[Array, Any]
"""Indexes of records, and an Arrow array with the text of each."""

_EMPTY_SIZE: Final = FRAME_BYTES + 1
"""The size of a record without fields: its frame, and a count of 0 tagged fields."""

_SHORT_MAX: Final = 0x7F
"""The first byte of a compact string of one length byte; 0 is null."""

_INT: Final = Struct(">i")

_UUID_PADDED: Final = 18
"""Bytes of an id followed by zeros, so that the base64 of many in a row is the base64 of each."""

UUID_TEXT_CHARS: Final = 22
_URL_SAFE: Final = bytes.maketrans(b"+/", b"-_")


@dataclass(slots=True)
class Shown:
    """The types and fields of records.

    Attributes:
        types: an Arrow array of type names; ``CORRUPT`` where a record cannot be read.
        fields: an Arrow array of JSON texts; null there.
        problems: by index, the problem of each record that cannot be read.
    """

    types: Any
    fields: Any
    problems: dict[int, str]


def show(values: Values) -> Shown:
    """Return the types and fields of all records."""
    np, pa = extra("numpy"), extra("pyarrow")
    count = len(values.starts)
    reader = FieldReader(values)
    plain = is_plain(values)
    left = np.ones(count, bool)
    codes = np.zeros(count, np.int32)
    names: list[str] = []
    made: list[Made] = []
    for record_class, versions_max, make in _FORMS:
        chosen = np.flatnonzero(plain & (values.api_keys == record_class.API_KEY) & (values.versions <= versions_max))
        if len(chosen):
            indexes, texts = make(values, reader, chosen)
            codes[indexes] = len(names)
            names.append(type_name(record_class()))
            left[indexes] = False
            made.append((indexes, texts))
    rest = np.flatnonzero(left)
    problems: dict[int, str] = {}
    if len(rest):
        kinds, texts, problems = _singly(values, rest.tolist())
        places = {kind: len(names) + place for place, kind in enumerate(dict.fromkeys(kinds))}
        codes[rest] = [places[kind] for kind in kinds]
        names += places
        made.append((rest, pa.array(texts, pa.string())))
    return Shown(pa.array(names, pa.string()).take(pa.array(codes)), _in_order(made, count), problems)


def _in_order(made: Sequence[Made], count: int) -> Any:
    """Put the texts of several forms into the order of their records."""
    np, pa = extra("numpy"), extra("pyarrow")
    if len(made) == 1:
        return made[0][1]
    places = np.empty(count, np.int64)
    places[np.concatenate([indexes for indexes, _ in made])] = np.arange(count)
    return pa.concat_arrays([texts for _, texts in made]).take(pa.array(places))


def _singly(values: Values, indexes: Sequence[int]) -> tuple[list[str], list[str | None], dict[int, str]]:
    """Read records one by one: types, fields, and problems."""
    kinds: list[str] = []
    texts: list[str | None] = []
    problems: dict[int, str] = {}
    for index in indexes:
        start = int(values.starts[index])
        try:
            record = decode(bytes(values.data[start : start + int(values.sizes[index])]))
        except MalformedError as error:
            problems[index] = str(error)
            kinds.append(CORRUPT)
            texts.append(None)
        else:
            kinds.append(type_name(record))
            texts.append(data_to_text(record, int(values.versions[index])))
    return kinds, texts, problems


def _no_ops(values: Values, reader: FieldReader, chosen: Array) -> Made:
    pa = extra("pyarrow")
    good = (values.sizes[chosen] == _EMPTY_SIZE) & (reader.bytes[values.starts[chosen] + FRAME_BYTES] == 0)
    return chosen[good], pa.repeat("{}", int(good.sum()))


def _topics(values: Values, reader: FieldReader, chosen: Array) -> Made:
    """Return the JSON of TopicRecords: a name and an id."""
    name_at = values.starts[chosen] + FRAME_BYTES
    size, id_at = _short_strings(reader, name_at)
    tags_at = reader.held(id_at + UUID_BYTES)
    good = (size > 0) & (reader.bytes[tags_at] == 0) & (tags_at + 1 == _stops(values, chosen))
    chosen, (name_at, id_at) = chosen[good], _kept(good, name_at, id_at)
    good, (names,) = _plain_texts(values.data, (name_at + 1, id_at))
    ids = _uuid_texts(values.data, id_at[good])
    keys = _keys(TopicRecord)
    return chosen[good], _joined(f'{{{keys["name"]}"', names, f'",{keys["topic_id"]}"', ids, '"}')


def _configs(values: Values, reader: FieldReader, chosen: Array) -> Made:
    """Return the JSON of ConfigRecords: a number and three strings, none of them null."""
    pa = extra("pyarrow")
    kind_at = values.starts[chosen] + FRAME_BYTES
    resource_at = kind_at + 1
    resource, name_at = _short_strings(reader, resource_at)
    name, value_at = _short_strings(reader, name_at)
    value, tags_at = _short_strings(reader, value_at)
    good = (
        (resource > 0) & (name > 0) & (value > 0)
        & (reader.bytes[tags_at] == 0) & (tags_at + 1 == _stops(values, chosen))
    )  # fmt: skip
    chosen, columns = chosen[good], _kept(good, kind_at, resource_at, name_at, value_at, tags_at)
    kind_at, resource_at, name_at, value_at, tags_at = columns
    good, (resources, names, texts) = _plain_texts(
        values.data, (resource_at + 1, name_at), (name_at + 1, value_at), (value_at + 1, tags_at)
    )
    kinds = pa.array(reader.bytes[kind_at[good]].view("i1")).cast(pa.string())
    keys = _keys(ConfigRecord)
    return chosen[good], _joined(
        f"{{{keys['resource_type']}", kinds, f',{keys["resource_name"]}"', resources, f'",{keys["name"]}"', names,
        f'",{keys["value"]}"', texts, '"}',
    )  # fmt: skip


def _stated(values: Values, reader: FieldReader, chosen: Array) -> Made:
    """Return the JSON of PartitionRecords, as found by ``topic_records``."""
    found, _ = find_stated(values, reader, chosen)
    leaders, leader_epochs, partition_epochs = (_numbers(reader.int32s(found.fixed_at + at)) for at in (0, 4, 8))
    keys = _keys(PartitionRecord)
    texts = _joined(
        f"{{{keys['partition_id']}", _numbers(found.partitions), f',{keys["topic_id"]}"',
        _uuid_texts(values.data, found.at + 4), '"',
        _texts_of(values.data, found.replicas_at, found.fixed_at, _replicas_text), f",{keys['leader']}", leaders,
        f",{keys['leader_epoch']}", leader_epochs, f",{keys['partition_epoch']}", partition_epochs,
        _texts_of(values.data, found.directories_at, found.tags_at, _directories_text), "}",
    )  # fmt: skip
    return found.indexes, texts


def _changed(values: Values, reader: FieldReader, chosen: Array) -> Made:
    """Return the JSON of PartitionChangeRecords, as found by ``topic_records``."""
    pa, pc = extra("pyarrow"), extra("pyarrow.compute")
    found, _ = find_changed(values, reader, chosen)
    keys = _keys(PartitionChangeRecord)
    leaders = _joined(f",{keys['leader']}", _numbers(found.leaders))
    if not found.leads.all():
        leaders = pc.if_else(pa.array(found.leads), leaders, "")
    ids = _uuid_texts(values.data, found.at + 4)
    pieces = [f"{{{keys['partition_id']}", _numbers(found.partitions), f',{keys["topic_id"]}"', ids]
    if found.has_isr.any():
        pieces += ['"', _texts_of(values.data, found.isr_at, found.isr_end, _isr_text), leaders, "}"]
    else:
        pieces += ['"', leaders, "}"]
    return found.indexes, _joined(*pieces)


_FORMS: Final[tuple[tuple[type[Record], int, Callable[[Values, FieldReader, Array], Made]], ...]] = (
    (PartitionChangeRecord, PartitionChangeRecord.MAX_VERSION, _changed),
    (PartitionRecord, PartitionRecord.MAX_VERSION, _stated),
    (ConfigRecord, 0, _configs),
    (TopicRecord, 0, _topics),
    (NoOpRecord, 0, _no_ops),
)
"""The types with a columnar form, the highest version that has it, and the function for it."""


@cache
def _keys(record_class: type[Record]) -> dict[str, str]:
    """Return what precedes each field's value in JSON, by attribute: ``{"topic_id": '"topicId":'}``."""
    fields = json_fields(record_class, record_class.MAX_VERSION)
    return {field.attribute: f"{json.dumps(field.name)}:" for field in fields}


def _stops(values: Values, chosen: Array) -> Array:
    return values.starts[chosen] + values.sizes[chosen]


def _kept(good: Array, *columns: Array) -> tuple[Array, ...]:
    return columns if good.all() else tuple(column[good] for column in columns)


def _short_strings(reader: FieldReader, places: Array) -> tuple[Array, Array]:
    """Return the first byte of a compact string at each place, 0 where it is null or long, and where it ends."""
    first = reader.bytes[places].astype("i8")
    first[first > _SHORT_MAX] = 0
    return first, reader.held(places + extra("numpy").maximum(first, 1))


def _plain_texts(data: Data, *ranges: tuple[Array, Array]) -> tuple[Array, list[Any]]:
    """Return the rows in which no text needs an escape in JSON, and their texts, one Arrow array per range."""
    np, pa = extra("numpy"), extra("pyarrow")
    found = [(binaries(data, starts, stops, as_text=True), stops - starts) for starts, stops in ranges]
    good = np.ones(len(ranges[0][0]), bool)
    for texts, sizes in found:
        odd = np.flatnonzero(_needs_escape().take(np.frombuffer(_held_bytes(texts), np.uint8)))
        good[np.searchsorted(np.cumsum(sizes), odd, side="right")] = False
    kept = pa.array(good)
    return good, [texts if good.all() else texts.filter(kept) for texts, _ in found]


def _held_bytes(texts: Any) -> Any:
    """Return the bytes of all texts of an array that starts at its buffers' beginning."""
    held = texts.buffers()[2]
    return b"" if held is None else held


@cache
def _needs_escape() -> Array:
    """Return for each byte whether JSON has to escape it, or it is beyond ASCII and may be invalid text."""
    np = extra("numpy")
    plain = np.arange(256)
    return (plain < ord(" ")) | (plain > ord("~")) | (plain == ord('"')) | (plain == ord("\\"))


def _numbers(numbers: Array) -> Any:
    pa = extra("pyarrow")
    return pa.array(numbers).cast(pa.string())


def _joined(*pieces: Any) -> Any:
    return extra("pyarrow.compute").binary_join_element_wise(*pieces, "")


def _texts_of(data: Data, starts: Array, stops: Array, show_one: Callable[[bytes], str]) -> Any:
    """Convert ranges of bytes to text, each distinct one once."""
    pa = extra("pyarrow")
    encoded = binaries(data, starts, stops).dictionary_encode()
    return pa.array(map(show_one, encoded.dictionary.to_pylist()), pa.string()).take(encoded.indices)


def _uuid_texts(data: Data, places: Array) -> Any:
    """Convert ids to text; the distinct ones are converted together, since topics are many."""
    np, pa = extra("numpy"), extra("pyarrow")
    encoded = binaries(data, places, places + UUID_BYTES).dictionary_encode()
    count = len(encoded.dictionary)
    padded = np.zeros((count, _UUID_PADDED), np.uint8)
    padded[:, :UUID_BYTES] = np.frombuffer(_held_bytes(encoded.dictionary), np.uint8).reshape(count, UUID_BYTES)
    shown = b2a_base64(padded, newline=False).translate(_URL_SAFE)
    texts = np.ascontiguousarray(
        np.frombuffer(shown, np.uint8).reshape(count, _UUID_PADDED * 4 // 3)[:, :UUID_TEXT_CHARS]
    )
    edges = np.arange(count + 1, dtype=np.int32) * UUID_TEXT_CHARS
    return pa.StringArray.from_buffers(count, pa.py_buffer(edges), pa.py_buffer(texts)).take(encoded.indices)


def _list_at(held: bytes, at: int) -> tuple[str, int]:
    """Return a compact list of brokers of one length byte as JSON, and where it ends."""
    end = at + 1 + _INT.size * (held[at] - 1)
    return json.dumps([number for (number,) in _INT.iter_unpack(held[at + 1 : end])], separators=(",", ":")), end


def _replicas_text(held: bytes) -> str:
    at = 0
    shown = []
    keys = _keys(PartitionRecord)
    for attribute in ("replicas", "isr", "removing_replicas", "adding_replicas"):
        text, at = _list_at(held, at)
        shown.append(f",{keys[attribute]}{text}")
    return "".join(shown)


def _isr_text(held: bytes) -> str:
    return f",{_keys(PartitionChangeRecord)['isr']}{_list_at(held, 0)[0]}" if held else ""


def _directories_text(held: bytes) -> str:
    if not held:
        return ""
    ids = [uuid_to_text(held[at : at + UUID_BYTES]) for at in range(1, len(held), UUID_BYTES)]
    return f",{_keys(PartitionRecord)['directories']}{json.dumps(ids, separators=(',', ':'))}"
