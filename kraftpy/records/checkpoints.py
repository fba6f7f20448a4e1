"""The other small text files beside the log: ``leader-epoch-checkpoint`` and ``partition.metadata``.

Source: ``on-disk formats`` §8.3 and §8.4.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from itertools import pairwise

from kraftpy.model.errors import MalformedError
from kraftpy.model.ids import METADATA_TOPIC_ID, Uuid, uuid_from_text, uuid_to_text
from kraftpy.model.offsets import Epoch, Offset

LEADER_EPOCH_FILE = "leader-epoch-checkpoint"
PARTITION_METADATA_FILE = "partition.metadata"
METADATA_TOPIC = "__cluster_metadata"
_PARTITION_DIRECTORY = re.compile(r"(.+)-([0-9]+)", re.ASCII)
_LINE_END = re.compile(r"\r\n|\n|\r")
"""What ends a line for Java; Python knows more line ends, and a flipped bit makes one of them."""

_VERSION = "0"
_NUMBER_MAX = 2**63 - 1


def render_leader_epochs(entries: Iterable[tuple[Epoch, Offset]]) -> str:
    """Write (epoch, first offset written under it) pairs, ascending."""
    listed = list(entries)
    return "".join(f"{line}\n" for line in (_VERSION, len(listed), *(f"{epoch} {start}" for epoch, start in listed)))


def parse_leader_epochs(text: str) -> list[tuple[Epoch, Offset]]:
    """Read (epoch, first offset written under it) pairs; an empty file has none, as Kafka has it.

    Raises:
        MalformedError: when the version is not 0, the count does not fit, or the entries do not ascend.
    """
    lines = _LINE_END.split(text)
    if lines[-1] == "":
        lines.pop()
    if not lines:
        return []
    if lines[0] != _VERSION:
        raise MalformedError(f"{LEADER_EPOCH_FILE} starts with {lines[:1]}, expected version {_VERSION}")
    entries = [_entry(line, number) for number, line in enumerate(lines[2:], 3)]
    if len(lines) < 2 or lines[1] != str(len(entries)):
        raise MalformedError(f"{LEADER_EPOCH_FILE} announces {lines[1:2]} entries and has {len(entries)}")
    for (epoch, start), (next_epoch, next_start) in pairwise(entries):
        if next_epoch <= epoch or next_start < start:
            raise MalformedError(f"{LEADER_EPOCH_FILE}: epoch {next_epoch} at {next_start} follows {epoch} at {start}")
    return entries


def _entry(line: str, number: int) -> tuple[Epoch, Offset]:
    parts = line.split(" ")
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() and len(part) < 20 for part in parts):
        raise MalformedError(f"{LEADER_EPOCH_FILE} line {number} is {line!r:.80}, expected an epoch and an offset")
    epoch, start = int(parts[0]), int(parts[1])
    if epoch >= 2**31 or start > _NUMBER_MAX:
        raise MalformedError(f"{LEADER_EPOCH_FILE} line {number} is {line!r}: the number is too large")
    return epoch, start


def render_partition_metadata(topic_id: Uuid = METADATA_TOPIC_ID) -> str:
    """Write ``partition.metadata``; it ends without a newline."""
    return f"version: 0\ntopic_id: {uuid_to_text(topic_id)}"


def parse_partition_metadata(text: str) -> Uuid:
    """Read the topic id from ``partition.metadata``.

    Raises:
        MalformedError: when it is not two lines of version 0 and a uuid.
    """
    lines = [line.strip(" \t") for line in _LINE_END.split(text.rstrip("\r\n"))]
    if len(lines) != 2 or lines[0] != "version: 0" or not lines[1].startswith("topic_id: "):
        raise MalformedError(f"{PARTITION_METADATA_FILE} is {text!r:.120}, expected version: 0 and a topic_id")
    try:
        return uuid_from_text(lines[1].removeprefix("topic_id: "))
    except ValueError as error:
        raise MalformedError(f"{PARTITION_METADATA_FILE}: topic_id {error}") from error


def foreign_topic(directory_name: str, partition_metadata: str | None) -> str | None:
    """Say whose log a directory holds, ``None`` unless it is known to be another topic's.

    Args:
        directory_name: the last part of its path; Kafka names a partition's directory ``<topic>-<partition>``.
        partition_metadata: the text of ``partition.metadata`` in it, ``None`` where there is none.
    """
    topic_id = METADATA_TOPIC_ID
    with suppress(MalformedError):
        topic_id = METADATA_TOPIC_ID if partition_metadata is None else parse_partition_metadata(partition_metadata)
    named = _PARTITION_DIRECTORY.fullmatch(directory_name)
    if topic_id != METADATA_TOPIC_ID:
        name = f"topic {named[1]}, partition {named[2]}" if named else "another topic"
        return f"{name} ({PARTITION_METADATA_FILE} has topic id {uuid_to_text(topic_id)})"
    if named and named[1].startswith("__") and named[1] != METADATA_TOPIC:
        # Names of any other kind may be a person's own: controller-1.
        return f"topic {named[1]}, partition {named[2]}"
    return None
