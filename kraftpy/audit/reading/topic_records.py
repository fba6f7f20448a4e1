"""Records of topics by columns: only the fields that replay and rules need, of many records per step.

Each function states which form it reads; nearly all records have it. The other records are returned to the caller,
which reads them one by one. Positions are limited to the end of the data: a record with wrong lengths is read at a
harmless place and then fails the check that every form ends with, that it fills exactly the bytes of its value.

Source: ``on-disk formats`` §6. The layouts are those of ``proto/kafka/metadata``, and a test compares the two.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.batch_runs import Data
from kraftpy.records.codec import AUTHOR_MARK, SHORT

Array: TypeAlias = Any

FRAME_BYTES: Final = 3
"""Frame version, api key and version take one byte each in these forms."""

LIST_MAX: Final = 16
"""The longest list of brokers in these forms; longer ones are rare."""

PARTITION_MAX: Final = 2**20
"""The lowest partition number that is not read here."""

_Found = TypeVar("_Found")

UUID_BYTES: Final = 16
_PADDING: Final = 16
_DIRECTORIES_SINCE: Final = 1
LEADER_UNCHANGED: Final = -2


class Values(Protocol):
    """Values of records as columns; see ``record_chunks.RecordChunk`` and ``frames.Frames``."""

    data: Data
    starts: Array
    sizes: Array
    api_keys: Array
    versions: Array


def is_plain(values: Values) -> Array:
    """Return for each record whether its frame takes three bytes."""
    np = extra("numpy")
    data = np.frombuffer(values.data, np.uint8)
    starts = values.starts
    first, api_keys, versions = (data[place:].take(starts) for place in range(3))
    return (first == 1) & (api_keys == values.api_keys) & (versions == values.versions)


@dataclass(slots=True)
class StatedAt:
    """PartitionRecords, and where their fields are in the data.

    Attributes:
        indexes: their records' places among the values.
        at: the partition, then the topic id.
        replicas_at: four lists: replicas, in-sync, removing and adding replicas.
        isr_at: the second of them.
        fixed_at: leader, leader epoch, partition epoch.
        directories_at: the list of directories, empty in versions without it.
        tags_at: where that ends.
        replicas, isr, directories: the lengths of the lists.
    """

    indexes: Array
    partitions: Array
    at: Array
    replicas_at: Array
    isr_at: Array
    fixed_at: Array
    directories_at: Array
    tags_at: Array
    replicas: Array
    isr: Array
    directories: Array


@dataclass(slots=True)
class ChangedAt:
    """PartitionChangeRecords, and where their fields are in the data.

    Attributes:
        indexes: their records' places among the values.
        at: the partition, then the topic id.
        isr_at: the list of in-sync replicas, empty if it is absent.
        isr_end: where that ends.
        has_isr: whether it is present.
        isr: the length of the list.
        leads: whether a leader is present; ``leaders`` is valid only there.
    """

    indexes: Array
    partitions: Array
    at: Array
    isr_at: Array
    isr_end: Array
    has_isr: Array
    isr: Array
    leads: Array
    leaders: Array


@dataclass(slots=True)
class Lists:
    """The lists of one field, one after another: their lengths, and all elements."""

    sizes: Array
    elements: Array


@dataclass(slots=True)
class Stated:
    """Partitions as PartitionRecords define them; every column has an element for each of ``indexes``.

    Attributes:
        indexes: their records' places in the chunk.
        topic_ids: 16 bytes for each.
        directories: elements of 16 bytes.
    """

    indexes: Array
    partitions: Array
    topic_ids: Array
    replicas: Lists
    isr: Lists
    directories: Lists
    leaders: Array
    leader_epochs: Array
    partition_epochs: Array


@dataclass(slots=True)
class Changed:
    """Changes of partitions.

    Attributes:
        leads: whether a leader is present; ``leaders`` is valid only there.
        has_isr: whether an in-sync set is present; ``isr`` has lists for those only.
    """

    indexes: Array
    partitions: Array
    topic_ids: Array
    leads: Array
    leaders: Array
    has_isr: Array
    isr: Lists


class FieldReader:
    """Reads numbers at many places of a chunk's data in one step."""

    def __init__(self, chunk: Values) -> None:
        self._np = extra("numpy")
        self.bytes = self._np.frombuffer(chunk.data, self._np.uint8)
        size = len(chunk.data) - 3
        self._int32s = self._np.ndarray((size,), ">i4", chunk.data, 0, (1,))
        self._limit = len(chunk.data) - _PADDING

    def held(self, places: Array) -> Array:
        """Limit places to the end of the data."""
        return self._np.minimum(places, self._limit)

    def int32s(self, places: Array) -> Array:
        """Read a 32-bit integer at each place."""
        return self._int32s[places].astype(self._np.int32)

    def uuids(self, places: Array) -> Array:
        """Read 16 bytes at each place: an array of as many rows."""
        return self.bytes[places[:, None] + self._np.arange(UUID_BYTES)]

    def list_at(self, places: Array, width: int) -> tuple[Array, Array]:
        """Return the length of a compact list at each place, and where it ends; -1 where it is null or long."""
        count = self.bytes[places].astype(self._np.int64) - 1
        count[count > LIST_MAX] = -1
        return count, self.held(places + 1 + width * self._np.maximum(count, 0))

    def each(self, places: Array, sizes: Array, width: int) -> Array:
        """Return the place of every element of lists whose first elements are at ``places``."""
        np = self._np
        firsts = np.cumsum(sizes) - sizes
        return np.repeat(places - width * firsts, sizes) + width * np.arange(int(sizes.sum()))


def find_stated(values: Values, reader: FieldReader, chosen: Array) -> tuple[StatedAt, Array]:
    """Find PartitionRecords of versions 0 to 2 without adding or removing replicas.

    They have no tagged field, or that of an author alone.

    Returns:
        Them, and the indexes of the others.
    """
    np = extra("numpy")
    at = values.starts[chosen] + FRAME_BYTES
    replicas_at = reader.held(at + 20)
    replicas, isr_at = reader.list_at(replicas_at, 4)
    isr, removing_at = reader.list_at(isr_at, 4)
    removing, adding_at = reader.list_at(removing_at, 4)
    adding, fixed_at = reader.list_at(adding_at, 4)
    directories_at = reader.held(fixed_at + 12)
    directories, tags_at = reader.list_at(directories_at, UUID_BYTES)
    has_directories = values.versions[chosen] >= _DIRECTORIES_SINCE
    directories = np.where(has_directories, directories, 0)
    tags_at = np.where(has_directories, tags_at, directories_at)
    partitions = reader.int32s(at)
    good = (
        (np.minimum(np.minimum(replicas, isr), directories) >= 0)
        & (removing == 0) & (adding == 0)
        & ((directories == 0) | (directories == replicas))
        & (partitions >= 0) & (partitions < PARTITION_MAX)
        & _ends_with_author_at_most(reader, tags_at, values.starts[chosen] + values.sizes[chosen])
    )  # fmt: skip
    columns = (
        chosen, partitions, at, replicas_at, isr_at, fixed_at, directories_at, tags_at, replicas, isr, directories
    )  # fmt: skip
    return _parted(StatedAt, columns, good)


def read_stated(values: Values, reader: FieldReader, chosen: Array) -> tuple[Stated, Array]:
    """Read the PartitionRecords that :func:`find_stated` finds.

    Returns:
        Them, and the indexes of the others.
    """
    found, rest = find_stated(values, reader, chosen)
    stated = Stated(
        found.indexes,
        found.partitions,
        reader.uuids(found.at + 4),
        Lists(found.replicas, reader.int32s(reader.each(found.replicas_at + 1, found.replicas, 4))),
        Lists(found.isr, reader.int32s(reader.each(found.isr_at + 1, found.isr, 4))),
        Lists(found.directories, reader.uuids(reader.each(found.directories_at + 1, found.directories, UUID_BYTES))),
        reader.int32s(found.fixed_at),
        reader.int32s(found.fixed_at + 4),
        reader.int32s(found.fixed_at + 8),
    )
    return stated, rest


def find_changed(values: Values, reader: FieldReader, chosen: Array) -> tuple[ChangedAt, Array]:
    """Find PartitionChangeRecords of versions 0 to 2 with an in-sync set (tag 0), a leader (tag 1), both or neither.

    An author may follow.

    Returns:
        Them, and the indexes of the others.
    """
    np = extra("numpy")
    start = values.starts[chosen]
    at = start + FRAME_BYTES
    # Ends are summed without that limit, so that a record cannot seem to end where the data does.
    first_at = at + 21
    tags = reader.bytes[reader.held(first_at - 1)]
    first = reader.held(first_at)
    has_isr = (tags >= 1) & (reader.bytes[first] == 0)
    isr, _ = reader.list_at(reader.held(first_at + 2), 4)
    isr = np.where(has_isr, isr, 0)
    isr_fits = ~has_isr | ((isr >= 0) & (reader.bytes[first + 1] == 1 + 4 * isr))
    isr_end = first_at + np.where(has_isr, 3 + 4 * isr, 0)
    leader_at = reader.held(isr_end)
    names_leader = (tags > has_isr) & (reader.bytes[leader_at] == 1)
    leader_fits = ~names_leader | (reader.bytes[leader_at + 1] == 4)
    partitions = reader.int32s(at)
    ends_at, end = isr_end + 6 * names_leader, start + values.sizes[chosen]
    others = tags - has_isr.astype(np.int8) - names_leader
    good = (
        isr_fits & leader_fits & (partitions >= 0) & (partitions < PARTITION_MAX)
        & (((others == 0) & (ends_at == end)) | ((others == 1) & _is_author(reader, ends_at, end)))
    )  # fmt: skip
    leaders = reader.int32s(reader.held(leader_at + 2))
    isr_at = np.where(has_isr, first_at + 2, isr_end)
    leads = names_leader & (leaders != LEADER_UNCHANGED)
    return _parted(ChangedAt, (chosen, partitions, at, isr_at, isr_end, has_isr, isr, leads, leaders), good)


def read_changed(values: Values, reader: FieldReader, chosen: Array) -> tuple[Changed, Array]:
    """Read the PartitionChangeRecords that :func:`find_changed` finds.

    Returns:
        Them, and the indexes of the others.
    """
    found, rest = find_changed(values, reader, chosen)
    isr = found.isr[found.has_isr]
    changed = Changed(
        found.indexes,
        found.partitions,
        reader.uuids(found.at + 4),
        found.leads,
        found.leaders,
        found.has_isr,
        Lists(isr, reader.int32s(reader.each(found.isr_at[found.has_isr] + 1, isr, 4))),
    )
    return changed, rest


def _ends_with_author_at_most(reader: FieldReader, at: Array, ends: Array) -> Array:
    """Return where tagged sections end the records that have no field, or that of an author (``records.authors``)."""
    count = reader.bytes[at]
    is_empty = (count == 0) & (at + 1 == ends)
    if is_empty.all():
        return is_empty
    return is_empty | ((count == 1) & _is_author(reader, at + 1, ends))


def _is_author(reader: FieldReader, at: Array, ends: Array) -> Array:
    """Return where the field of an author is the last one of the records."""
    np = extra("numpy")
    found = np.ones(len(at), bool)
    for place, byte in enumerate(AUTHOR_MARK):
        found &= reader.bytes[reader.held(at + place)] == byte
    size_at = at + len(AUTHOR_MARK)
    size = reader.bytes[reader.held(size_at)].astype(np.int64)
    more = reader.bytes[reader.held(size_at + 1)].astype(np.int64)
    is_long = size >= SHORT
    size = np.where(is_long, size - SHORT + SHORT * more, size)
    return found & (size_at + 1 + is_long + size == ends)


def _parted(make: Callable[..., _Found], columns: tuple[Array, ...], good: Array) -> tuple[_Found, Array]:
    """Split rows by ``good``: an object of the good ones, and the first column (the indexes) of the others."""
    rest = columns[0][~good]
    return make(*((column[good] for column in columns) if len(rest) else columns)), rest
