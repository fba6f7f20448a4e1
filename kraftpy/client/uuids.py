"""Uuids as values of the client: ids of topics, log directories and processes.

They are bytes to the rest of the project (``kraftpy.model.ids``), and stay so: a :class:`Uuid` goes wherever 16 bytes
are taken, and is equal to them. What it adds is the text: it is printed as Kafka's tools print it, and is made of what
they print.
"""

from __future__ import annotations

import os
from typing import Self

from kraftpy.model.errors import MalformedError
from kraftpy.model.ids import UUID_BYTES, uuid_from_random, uuid_from_text, uuid_to_text


class Uuid(bytes):
    """A uuid: 16 bytes that are printed as Kafka prints them, 22 characters of base64url without padding.

    It is immutable, and has the value of its bytes: it is equal to the same 16 bytes and has their hash, and the order
    is theirs. ``uuid.UUID(bytes=topic_id)`` of the standard library takes it.

    Args:
        value: the text, such as ``"AAAAAAAAAAAAAAAAAAAAAQ"``, or the 16 bytes.

    Raises:
        ValueError: the text is not 22 characters of base64url, or there are not 16 bytes.
        TypeError: it is neither text nor bytes.
    """

    __slots__ = ()

    def __new__(cls, value: str | bytes) -> Self:
        """Read a text, or take 16 bytes."""
        if isinstance(value, str):
            value = uuid_from_text(value)
        elif not isinstance(value, bytes):
            raise TypeError(f"{value!r} is not a uuid: expected its text or its {UUID_BYTES} bytes")
        if len(value) != UUID_BYTES:
            raise ValueError(f"{value[: UUID_BYTES + 1]!r} is not a uuid: it has {len(value)} bytes, not {UUID_BYTES}")
        return super().__new__(cls, value)

    @classmethod
    def random(cls) -> Self:
        """Return a new random one, which is none that Kafka reserves and does not begin with a dash."""
        return cls(uuid_from_random(os.urandom))

    def __str__(self) -> str:
        """Return the text."""
        return uuid_to_text(self)

    def __repr__(self) -> str:
        """Return an expression that makes it of the text."""
        return f"{type(self).__name__}({uuid_to_text(self)!r})"

    def __format__(self, spec: str) -> str:
        """Format the text."""
        return format(uuid_to_text(self), spec)


def received(value: bytes, what: str) -> Uuid:
    """Take a uuid from an answer.

    Raises:
        MalformedError: it is none; the message has ``what``, the name of the field.
    """
    try:
        return Uuid(value)
    except ValueError as error:
        raise MalformedError(f"a node answered with a {what} that is none: {error}") from None


def maybe_received(value: bytes, what: str) -> Uuid | None:
    """Take a uuid from an answer that has no bytes where there is none; see :func:`received`."""
    return received(value, what) if value else None
