"""The small text files beside a log as rows: the node's identity, and its elections.

A file that cannot be read is one row with a problem and empty key and value.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from kraftpy.audit.reading.discovery import META_PROPERTIES, PROPERTIES, SMALL_BYTES_MAX, KraftFile
from kraftpy.audit.reading.filesystem import base_name, read_small
from kraftpy.model.errors import MalformedError
from kraftpy.model.ids import METADATA_TOPIC_ID, uuid_to_text
from kraftpy.records.checkpoints import LEADER_EPOCH_FILE, parse_leader_epochs, parse_partition_metadata
from kraftpy.records.crc import crc32c
from kraftpy.records.properties import parse_properties
from kraftpy.records.quorum_state import parse_quorum_state

_CHECKSUM: Final = b"#crc32c="
_CHECKSUM_DIGITS: Final = 8


def property_rows(files: Iterable[KraftFile]) -> list[tuple[Any, ...]]:
    """Return the rows of the properties table, in the order of ``PROPERTY_COLUMNS``."""
    return [row for file in files if file.kind == PROPERTIES for row in _rows(file)]


def _rows(file: KraftFile) -> Iterator[tuple[Any, ...]]:
    name = base_name(file.path)
    place = (file.cluster, file.node, file.path, name)
    try:
        data = read_small(file.address, SMALL_BYTES_MAX + 1)
        if len(data) > SMALL_BYTES_MAX:
            raise MalformedError(f"{name} has more than {SMALL_BYTES_MAX} bytes")
        _check(name, data)
        pairs = list(_pairs(name, data.decode("utf-8")))
        if not pairs and name != LEADER_EPOCH_FILE:
            raise MalformedError(f"{name} is empty of keys: it has {len(data)} bytes, and no key")
    except OSError as error:
        yield (*place, "", "", f"{name} cannot be read: {error.strerror or error}")
    except (MalformedError, UnicodeDecodeError) as error:
        yield (*place, "", "", str(error))
    else:
        for key, value in pairs:
            yield (*place, key, value, None)


def _check(name: str, data: bytes) -> None:
    """Check a file for what a crash or a disk leaves of it, before its content is used.

    Java and kraftpy end the last line of ``meta.properties`` with a line end; kraftpy writes a checksum into two files.

    Raises:
        MalformedError: when bytes are missing, or are not those that were written.
    """
    if b"\0" in data:
        raise MalformedError(f"{name} holds NUL bytes: it was never written whole, or it is corrupt")
    if name == META_PROPERTIES:
        if data and not data.endswith((b"\n", b"\r")):
            raise MalformedError(f"{name} ends within a line, after {len(data)} bytes: its end is missing")
        first, _, rest = data.partition(b"\n")
        is_comment = first.startswith(b"#") and len(first) == len(_CHECKSUM) + _CHECKSUM_DIGITS
        if is_comment or _CHECKSUM[1:] in data:
            _check_sum(name, first.removeprefix(_CHECKSUM), rest)
    elif name == "quorum-state":
        line, _, rest = data.partition(b"\n")
        if rest:
            _check_sum(name, rest.removeprefix(_CHECKSUM[1:]).removesuffix(b"\n"), line)


def _check_sum(name: str, stated: bytes, content: bytes) -> None:
    found = f"{crc32c(content):08x}".encode("ascii")
    if stated != found:
        raise MalformedError(
            f"{name} states the checksum {stated[:20].decode('ascii', 'backslashreplace')!r}, and what it holds has "
            f"{found.decode()}: it is corrupt, or was changed by hand"
        )


def _pairs(name: str, text: str) -> Iterator[tuple[str, str]]:
    if name == META_PROPERTIES:
        yield from sorted(parse_properties(text).items())
    elif name == LEADER_EPOCH_FILE:
        for epoch, start in parse_leader_epochs(text):
            yield str(epoch), str(start)
    elif name == "quorum-state":
        parse_quorum_state(text)
        yield from _quorum_state_pairs(text.split("\n", 1)[0])
    else:
        topic_id = parse_partition_metadata(text)
        if topic_id != METADATA_TOPIC_ID:
            raise MalformedError(f"{name} has topic id {uuid_to_text(topic_id)}: this is another topic's directory")
        yield "topic_id", uuid_to_text(topic_id)


def _quorum_state_pairs(line: str) -> Iterator[tuple[str, str]]:
    """Yield the fields of the file's one line, which is a JSON object."""
    try:
        for key, value in json.loads(line).items():
            yield _text(key), _text(value) if isinstance(value, str) else json.dumps(value)
    except RecursionError as error:
        raise MalformedError("quorum-state is nested too deeply") from error


def _text(value: str) -> str:
    """Escape invalid text: JSON can contain single surrogates, a column cannot."""
    return value.encode("utf-8", "backslashreplace").decode("utf-8")
