"""Ids: node ids and Kafka's 16-byte uuids.

A uuid is kept as its 16 bytes, because that is what every file and every message holds, and it is shown as Kafka shows
it: base64url without padding, 22 characters (``on-disk formats: primitive encodings``). No randomness is drawn here:
the caller passes random bytes for a new id to :func:`uuid_from_random`.

Source: Kafka ``org.apache.kafka.common.Uuid``.
"""

from __future__ import annotations

import binascii
from collections.abc import Callable
from typing import TypeAlias

NodeId: TypeAlias = int
"""A broker or controller id: a non-negative int32. -1 on the wire means "none"; inside kraftpy none is ``None``."""

Uuid: TypeAlias = bytes
"""Exactly 16 bytes, most significant half first."""

NO_NODE: NodeId = -1
NODE_ID_MAX: NodeId = 2**31 - 1
"""How the wire and the files write "no node"."""

UUID_BYTES = 16
UUID_TEXT_CHARACTERS = 22
UUID_TEXT_SHOWN_MAX = 64
"""How many characters are repeated of a text that is no uuid."""

RESERVED_UUIDS = 100
"""Uuids whose most significant half is 0 and whose least significant half is below this are never given out."""

ZERO_UUID: Uuid = bytes(UUID_BYTES)
METADATA_TOPIC_ID: Uuid = (1).to_bytes(UUID_BYTES, "big")
METADATA_TOPIC = "__cluster_metadata"
METADATA_PARTITION = 0

DIRECTORY_MIGRATING: Uuid = ZERO_UUID
DIRECTORY_UNASSIGNED: Uuid = (1).to_bytes(UUID_BYTES, "big")
DIRECTORY_LOST: Uuid = (2).to_bytes(UUID_BYTES, "big")


def uuid_to_text(uuid: Uuid) -> str:
    """Show a uuid as Kafka's text files do: 22 characters of base64url, no padding."""
    return binascii.b2a_base64(uuid, newline=False).decode("ascii").rstrip("=").replace("+", "-").replace("/", "_")


def uuid_from_text(text: str) -> Uuid:
    """Read a uuid from its 22-character text form.

    Raises:
        ValueError: when ``text`` is not 22 characters of base64url that encode 16 bytes.
    """
    if len(text) != UUID_TEXT_CHARACTERS:
        shown = text if len(text) <= UUID_TEXT_SHOWN_MAX else f"{text[:UUID_TEXT_SHOWN_MAX]}..."
        raise ValueError(f"{shown!r} is not a uuid: it has {len(text)} characters, expected {UUID_TEXT_CHARACTERS}")
    standard = text.replace("-", "+").replace("_", "/") + "=="
    try:
        uuid = binascii.a2b_base64(standard, strict_mode=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"{text!r} is not a uuid: it is not base64url") from error
    if len(uuid) != UUID_BYTES:
        raise ValueError(f"{text!r} is not a uuid: it encodes {len(uuid)} bytes, expected {UUID_BYTES}")
    return uuid


def is_reserved_uuid(uuid: Uuid) -> bool:
    """Return whether Kafka keeps this uuid for a special meaning (zero, unassigned, lost ...)."""
    return int.from_bytes(uuid, "big") < RESERVED_UUIDS


def uuid_from_random(draw: Callable[[int], bytes]) -> Uuid:
    """Make a fresh version-4 uuid that is not reserved and whose text does not start with ``-``.

    Args:
        draw: returns that many random bytes (``os.urandom`` in production, a seeded source in the simulator).
    """
    while True:
        raw = bytearray(draw(UUID_BYTES))
        raw[6] = (raw[6] & 0x0F) | 0x40
        raw[8] = (raw[8] & 0x3F) | 0x80
        uuid = bytes(raw)
        if not is_reserved_uuid(uuid) and not uuid_to_text(uuid).startswith("-"):
            return uuid
