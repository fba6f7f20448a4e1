"""A properties file that states its own checksum, in comments that other readers of properties skip.

The first line is ``#crc32c=1f2e3d4c``: the checksum of the rest. A flipped bit may turn an id into another that looks
valid. The last line is a comment, too, and states that the first one is required: a disk may write the beginning of
another file in its place. A file without both (Kafka's, or one that an operator wrote) is accepted.
"""

from __future__ import annotations

from typing import Final

from kraftpy.model.errors import MalformedError
from kraftpy.records.crc import crc32c

CHECKSUM_PREFIX: Final = b"#crc32c="
LAST_LINE: Final = CHECKSUM_PREFIX + b"first line\n"


def with_checksum(text: str) -> bytes:
    """Return what the file holds: the checksum, the text (ASCII), and the line that requires the checksum."""
    content = text.encode("ascii") + LAST_LINE
    return CHECKSUM_PREFIX + _checksum(content) + b"\n" + content


def check_checksum(content: bytes) -> None:
    """Check a file's content against the checksum that it states, if it states one.

    Raises:
        MalformedError: it was changed, or never written whole.
    """
    if b"\0" in content:
        raise MalformedError("it holds NUL bytes: it was never written whole, or it is corrupt")
    first, _, rest = content.partition(b"\n")
    stated = first.removeprefix(CHECKSUM_PREFIX)
    # The corrupt line may be this one: then it still is a comment of the same length, or contains the key.
    is_comment = first.startswith(b"#") and len(first) == len(CHECKSUM_PREFIX) + len(_checksum(rest))
    if (is_comment or CHECKSUM_PREFIX[1:] in content) and stated != _checksum(rest):
        raise MalformedError(
            "it is corrupt, or was changed by hand: its first line states the checksum "
            f"{stated[:50].decode(errors='backslashreplace')!r} of the rest, which is {_checksum(rest).decode()!r}. "
            f"If it was changed on purpose, remove the lines with {CHECKSUM_PREFIX.decode()}"
        )


def _checksum(content: bytes) -> bytes:
    return f"{crc32c(content):08x}".encode("ascii")
