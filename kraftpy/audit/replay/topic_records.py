"""Records of topics read by vectors: only the fields that replay and rules need, of many records in each step.

Read are the forms that nearly all records have; which these are stands at each function. What is left is told, not
guessed: the caller reads those records one at a time. Positions are held back at the end of the data, so that a record
that lies about its lengths is looked at where no harm is done and then fails the test that every form ends with: it
fills exactly the bytes of its value.

Source: ``on-disk formats`` §6; the layouts are those of ``records.tables.metadata``, and a test compares the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from kraftpy.audit.extra import extra
from kraftpy.audit.reading.parts import Part

Array: TypeAlias = Any

FRAME_BYTES: Final = 3
"""Frame version, api key and version take one byte each in what is read here."""

LIST_MAX: Final = 16
"""The longest list of brokers that is read here; longer ones are rare."""

PARTITION_MAX: Final = 2**20
"""Partition numbers from here on are for the reader of single records."""

UUID_BYTES: Final = 16
_PADDING: Final = 16
_DIRECTORIES_SINCE: Final = 1
LEADER_UNCHANGED: Final = -2


@dataclass(slots=True)
class Lists:
    """Lists of one field, one after another: how long each is, and all their elements."""

    sizes: Array
    elements: Array


@dataclass(slots=True)
class Stated:
    """Partitions as PartitionRecords state them; every column has an element for each of ``indexes``.

    Attributes:
        indexes: their records' places in the part.
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
        leads: whether a leader is named; ``leaders`` counts only there.
        has_isr: whether an in-sync set is named; ``isr`` has lists for those only.
    """

    indexes: Array
    partitions: Array
    topic_ids: Array
    leads: Array
    leaders: Array
    has_isr: Array
    isr: Lists


class Reader:
    """Reads numbers of a part's data at many places in one step."""

    def __init__(self, part: Part) -> None:
        self._np = extra("numpy")
        self.bytes = self._np.frombuffer(part.data, self._np.uint8)
        size = len(part.data) - 3
        self._int32s = self._np.ndarray((size,), ">i4", part.data, 0, (1,))
        self._limit = len(part.data) - _PADDING

    def held(self, places: Array) -> Array:
        """Hold places back at the end of the data."""
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
        """Return the place of every element of lists whose first elements stand at ``places``."""
        np = self._np
        firsts = np.cumsum(sizes) - sizes
        return np.repeat(places - width * firsts, sizes) + width * np.arange(int(sizes.sum()))


def read_stated(part: Part, reader: Reader, chosen: Array) -> tuple[Stated, Array]:
    """Read PartitionRecords of versions 0 to 2 without tagged fields, and without replicas on their way.

    Returns:
        Them, and the indexes of the others.
    """
    np = extra("numpy")
    at = part.starts[chosen] + FRAME_BYTES
    replicas_at = reader.held(at + 20)
    replicas, isr_at = reader.list_at(replicas_at, 4)
    isr, removing_at = reader.list_at(isr_at, 4)
    removing, adding_at = reader.list_at(removing_at, 4)
    adding, fixed_at = reader.list_at(adding_at, 4)
    directories_at = reader.held(fixed_at + 12)
    directories, tags_at = reader.list_at(directories_at, UUID_BYTES)
    has_directories = part.versions[chosen] >= _DIRECTORIES_SINCE
    directories = np.where(has_directories, directories, 0)
    tags_at = np.where(has_directories, tags_at, directories_at)
    partitions = reader.int32s(at)
    good = (
        (np.minimum(np.minimum(replicas, isr), directories) >= 0)
        & (removing == 0) & (adding == 0)
        & ((directories == 0) | (directories == replicas))
        & (partitions >= 0) & (partitions < PARTITION_MAX)
        & (reader.bytes[tags_at] == 0) & (tags_at + 1 == part.starts[chosen] + part.sizes[chosen])
    )  # fmt: skip
    rest = chosen[~good]
    if len(rest):
        chosen, at, partitions, replicas_at, isr_at, fixed_at, directories_at, replicas, isr, directories = (
            column[good]
            for column in (
                chosen, at, partitions, replicas_at, isr_at, fixed_at, directories_at, replicas, isr, directories
            )
        )  # fmt: skip
    stated = Stated(
        chosen,
        partitions,
        reader.uuids(at + 4),
        Lists(replicas, reader.int32s(reader.each(replicas_at + 1, replicas, 4))),
        Lists(isr, reader.int32s(reader.each(isr_at + 1, isr, 4))),
        Lists(directories, reader.uuids(reader.each(directories_at + 1, directories, UUID_BYTES))),
        reader.int32s(fixed_at),
        reader.int32s(fixed_at + 4),
        reader.int32s(fixed_at + 8),
    )
    return stated, rest


def read_changed(part: Part, reader: Reader, chosen: Array) -> tuple[Changed, Array]:
    """Read PartitionChangeRecords of versions 0 to 2 that name an in-sync set (tag 0), a leader (tag 1), or neither.

    Returns:
        Them, and the indexes of the others.
    """
    np = extra("numpy")
    start = part.starts[chosen]
    at = start + FRAME_BYTES
    tags_at = reader.held(at + 20)
    tags = reader.bytes[tags_at]
    first_at = reader.held(tags_at + 1)
    has_isr = (tags >= 1) & (reader.bytes[first_at] == 0)
    isr, isr_end = reader.list_at(reader.held(first_at + 2), 4)
    isr = np.where(has_isr, isr, 0)
    isr_fits = ~has_isr | ((isr >= 0) & (reader.bytes[first_at + 1] == isr_end - first_at - 2))
    leader_at = np.where(has_isr, isr_end, first_at)
    names_leader = tags > has_isr
    leader_fits = ~names_leader | ((reader.bytes[leader_at] == 1) & (reader.bytes[leader_at + 1] == 4))
    end = np.where(names_leader, leader_at + 6, leader_at)
    partitions = reader.int32s(at)
    good = (
        isr_fits & leader_fits & (tags <= 2) & (tags <= has_isr.astype(np.int8) + names_leader)
        & (partitions >= 0) & (partitions < PARTITION_MAX)
        & (end == start + part.sizes[chosen])
    )  # fmt: skip
    rest = chosen[~good]
    if len(rest):
        chosen, at, partitions, first_at, leader_at, has_isr, isr, names_leader = (
            column[good] for column in (chosen, at, partitions, first_at, leader_at, has_isr, isr, names_leader)
        )
    leaders = reader.int32s(reader.held(leader_at + 2))
    isr = isr[has_isr]
    changed = Changed(
        chosen,
        partitions,
        reader.uuids(at + 4),
        names_leader & (leaders != LEADER_UNCHANGED),
        leaders,
        has_isr,
        Lists(isr, reader.int32s(reader.each(first_at[has_isr] + 3, isr, 4))),
    )
    return changed, rest
