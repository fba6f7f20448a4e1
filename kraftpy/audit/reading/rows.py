"""The tuples that cross from reading to replay, plain so that Arrow and pickle carry them cheaply."""

from __future__ import annotations

from typing import Final, NamedTuple

LOG: Final = "log"
SNAPSHOT: Final = "snapshot"
BOOTSTRAP: Final = "bootstrap"


class Entry(NamedTuple):
    """One readable record on its way into replay.

    Attributes:
        file: its path, as evidence.
        kind: ``log`` or ``snapshot``; within one replay, snapshot entries come first.
        offset: of the record; in a snapshot, its place in the file.
        epoch: of the batch.
        timestamp_ms: of the batch.
        control: whether ``api_key`` is a control type and ``raw`` a control record's value.
        api_key: the record's type number.
        version: from the frame; 0 for a control record.
        raw: the record's value, including its frame (``kraftpy.records.metadata.decode_record`` reads it; a control
            record's value has no frame).
    """

    file: str
    kind: str
    offset: int
    epoch: int
    timestamp_ms: int
    control: bool
    api_key: int
    version: int
    raw: bytes


class ControlEntry(NamedTuple):
    """A record that decides how others are replayed: a control record, or one of :data:`CONTROL_KEYS`."""

    cluster: str
    node: str
    entry: Entry


TOPIC_KEY: Final = 2
REMOVE_TOPIC_KEY: Final = 9
CONTROL_KEYS: Final = frozenset({TOPIC_KEY, REMOVE_TOPIC_KEY, 12, 23, 24, 25, 28})
"""Topic, RemoveTopic, FeatureLevel, BeginTransaction, EndTransaction, AbortTransaction, ClearElr."""


class FileSummary(NamedTuple):
    """Counts and bounds of one log or snapshot file, from the first pass.

    Attributes:
        first_offset: base offset of its first readable batch, -1 if there is none.
        end_offset: the offset after its last readable batch before the first problem; ``first_offset`` if there is
            none.
        end_epoch: the epoch of that last batch, -1 if there is none.
        max_timestamp_ms: the largest timestamp up to there, -1 if there is none.
        problems: how many batch rows of the file have a problem.
        reached: the offset after the last readable batch, even after corruption; -1 if there is none.
        epochs: (epoch, base offset) of each readable batch whose epoch differs from that of the preceding one.
        stopped: the first problem in words; empty if there is none.
        is_torn: whether the only problem is a torn write at the end.
        batch_bytes: bytes of the file that are valid batches.
        free_bytes: zeros at its end.
        corrupt_bytes: bytes that are not a batch, or belong to a batch that breaks a rule.
    """

    cluster: str
    node: str
    file: str
    kind: str
    first_offset: int
    end_offset: int
    end_epoch: int
    max_timestamp_ms: int
    problems: int
    reached: int = -1
    epochs: tuple[tuple[int, int], ...] = ()
    stopped: str = ""
    is_torn: bool = False
    batch_bytes: int = 0
    free_bytes: int = 0
    corrupt_bytes: int = 0
