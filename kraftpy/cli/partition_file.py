"""Files that name partitions, as Kafka's tools read them: ``{"partitions": [{"topic": "t", "partition": 0}]}``.

And files that name topics: ``{"topics": [{"topic": "t"}]}``.

Source: Kafka ``LeaderElectionCommand``, ``ReassignPartitionsCommand``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from kraftpy.cli.errors import CommandError

FILE_BYTES_MAX: Final = 16 * 1024 * 1024
"""How large such a file may be; a request over gRPC is not larger."""

NUMBER_MAX: Final = 2**31 - 1


def read_partitions(path: str, *, has_replicas: bool) -> dict[tuple[str, int], list[int]]:
    """Read a file; return the replicas by topic and partition, none where the file is not to have them.

    Raises:
        CommandError: it cannot be read, the file has another form, or names a partition twice.
    """
    rows = _rows(path, "partitions")
    found: dict[tuple[str, int], list[int]] = {}
    for place, row in enumerate(rows):
        where = f"partitions[{place}] of {path}"
        key = _partition(row, where)
        if key in found:
            raise CommandError(f"{where} names {key[0]}-{key[1]} again")
        found[key] = _replicas(row, where) if has_replicas else []
    return found


def read_topics(path: str) -> list[str]:
    """Read a file; return the names of topics, each once.

    Raises:
        CommandError: it cannot be read, or has another form.
    """
    names = []
    for place, row in enumerate(_rows(path, "topics")):
        if not isinstance(row, dict) or not isinstance(row.get("topic"), str):
            raise CommandError(f"topics[{place}] of {path} has no topic")
        names.append(row["topic"])
    return list(dict.fromkeys(names))


def _rows(path: str, name: str) -> list[Any]:
    """Return the list of a file that has this name."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(FILE_BYTES_MAX + 1)
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}") from error
    if len(data) > FILE_BYTES_MAX:
        raise CommandError(f"{path} has more than {FILE_BYTES_MAX} bytes")
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{path} is not JSON: {error}") from error
    rows = document.get(name) if isinstance(document, dict) else None
    if not isinstance(rows, list) or not rows:
        raise CommandError(f'{path} has no list of {name}; expected such as {{"{name}": [...]}}')
    return rows


def _partition(row: Any, where: str) -> tuple[str, int]:
    if not isinstance(row, dict) or not isinstance(row.get("topic"), str) or not _is_number(row.get("partition")):
        raise CommandError(f"{where} has no topic and partition")
    return row["topic"], row["partition"]


def _replicas(row: dict[str, Any], where: str) -> list[int]:
    replicas = row.get("replicas")
    if not isinstance(replicas, list) or not replicas or not all(map(_is_number, replicas)):
        raise CommandError(f"{where} has no list of broker ids as replicas")
    return replicas


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= NUMBER_MAX
