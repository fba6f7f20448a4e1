"""The mixed workload as a file for a load tool, so that a peer gets the writes that :mod:`bench.mixed` draws.

The file has a line for each index, in order: a key and its values, with tabs between them, in UTF-8. A peer has no
resources that have keys: the kind, the name and the key are one key there, and the value is the same text. The tool
makes the n-th write under the index ``n % NAMES``, and takes the next value of each when it has been through all
indexes, so that each write changes the current value.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from bench.mixed import OneWrite
from bench.work import NAMES, Work
from bench.writes import fresh_values

FILE_NAME: Final = "writes.tsv"
VALUES_EACH: Final = 2
SEPARATORS: Final = frozenset("\t\n\r")
REQUEST_BYTES_MAX: Final = 0xFFFFF
"""ZooKeeper's default of ``jute.maxbuffer``, in bytes; etcd's limit of a request is higher."""
OPERATION_BYTES: Final = 64
"""What a write takes in a request besides its key and its value, at most."""

KeyOf = Callable[[OneWrite], str]
"""Returns the key that a peer has for a key of a resource."""


def key_of(one: OneWrite) -> str:
    """Return kind, resource and key as one key, such as ``group/a.0-x/share.session.timeout.ms``."""
    return f"{one.kind.name.lower().replace('_', '-')}/{one.name}/{one.key}"


def write_file(path: Path, work: Work, peer_key: KeyOf = key_of) -> None:
    """Write the file, with values that no other file of this process has.

    Raises:
        ValueError: a text holds what separates texts in the file, two writes have one key, or a request would be longer
            than a peer takes.
    """
    values = fresh_values(work, VALUES_EACH)
    rows = [(peer_key(values[0](index)), *(each(index).value for each in values)) for index in range(NAMES)]
    if len({key for key, *_ in rows}) < NAMES:
        raise ValueError(f"the {NAMES} writes have the same key twice: a write would not change the current value")
    for row in rows:
        if any(SEPARATORS.intersection(text) for text in row):
            raise ValueError(f"{row!r}: a tab or the end of a line separates texts in {path.name}")
    for request in (rows[first : first + work.batch] for first in range(0, NAMES, work.batch)):
        size = sum(len(key.encode()) + max(len(one.encode()) for one in ones) for key, *ones in request)
        if size + OPERATION_BYTES * len(request) > REQUEST_BYTES_MAX:
            raise ValueError(
                f"a request of {len(request)} writes has {size} bytes; a server takes {REQUEST_BYTES_MAX} "
                "(REQUEST_BYTES_MAX in bench/peers/writes_file.py): make smaller batches"
            )
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
