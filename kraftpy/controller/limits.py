"""What does not fit a record is refused at the door, with the size and the limit in the text.

Strings in records carry a length of at most 32,767 bytes of UTF-8; lists are kept to what a person would register.

Source: ``on-disk formats`` §3.1; controller reference §1.1.
"""

from __future__ import annotations

from typing import Final

from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.features import TRANSACTIONS_LEVEL
from kraftpy.records.codec import STRING_BYTES_MAX

OPERATION_RECORDS_MAX: Final = 200_000
"""How many records one request may produce where the metadata.version has transactions."""

BATCH_RECORDS_MAX: Final = 10_000
"""How many it may produce below that level: they have to fit one batch. Source: Kafka ``MAX_RECORDS_PER_USER_OP``."""

STRING_CHARACTERS_SAFE: Final = STRING_BYTES_MAX // 4
"""Up to this length no text needs to be measured: UTF-8 takes at most four bytes a character."""


TOPIC_NAME_SHOWN_MAX: Final = 249
"""How many characters of a topic name a message repeats: all of a name that a topic can have."""


def shown_topic(name: str) -> str:
    """Shorten a name for a message; what is longer names no topic, and each partition may get such a message."""
    return name if len(name) <= TOPIC_NAME_SHOWN_MAX else f"{name[:TOPIC_NAME_SHOWN_MAX]}..."


def check_string(code: ErrorCode, what: str, text: str | None) -> None:
    """Refuse a text that a record's string cannot hold.

    Raises:
        ApiError: with ``code``; the message names what it is, its size and the limit.
    """
    if text is None or (len(text) <= STRING_CHARACTERS_SAFE and text.isascii()):
        return
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise ApiError(code, f"{what} is not text that UTF-8 can encode: it holds a lone surrogate") from None
    if size > STRING_BYTES_MAX:
        raise ApiError(code, f"{what} has {size} bytes; a record holds at most {STRING_BYTES_MAX}")


def records_max(level: int) -> int:
    """Return how many records one request may produce at a metadata.version."""
    return OPERATION_RECORDS_MAX if level >= TRANSACTIONS_LEVEL else BATCH_RECORDS_MAX


def check_record_count(count: int, level: int) -> None:
    """Refuse a request that would produce too many records.

    Args:
        count: how many.
        level: the metadata.version in force.

    Raises:
        ApiError: POLICY_VIOLATION.
    """
    allowed = records_max(level)
    if count > allowed:
        raise ApiError(
            ErrorCode.POLICY_VIOLATION,
            "Unable to perform excessively large batch operation: "
            f"it takes {count} records and {allowed} are allowed. Split the request.",
        )
