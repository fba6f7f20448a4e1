"""Pages of a list: how much fits one, and the token that the next one begins with.

The convention is AIP-158. A page token holds the key of the last item that was looked at, never a number of items: the
next page begins behind that key, whatever was added or removed meanwhile. It holds a digest of the request besides, so
that a token of another request, or one that was cut, is refused. It is no secret and no permission: each page is
authorized as the first one is, and a client that makes up a token begins where it says.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, Final, TypeVar

from kraftpy.model.errors import ApiError, ErrorCode

PAGE_ITEMS_MAX: Final = 1_000
"""How many items a page holds at most, and by default: a page is made without a pause, in 15 ms at most."""

PAGE_BYTES_MAX: Final = 1024 * 1024
"""How many bytes the items of a page take at most, or the one item if that takes more."""

PAGE_LOOKS_MAX: Final = 5_000
"""How many items are compared with a filter for one page; a page may be empty and not the last one."""

PAGE_TOKEN_CHARACTERS_MAX: Final = 512 * 1024
"""How long a page token may be: the longest key that Kafka's records can hold takes less."""

PARTS_MAX: Final = 1_000
"""How many texts a key in a token may have; an entity that has quotas has six, if a request set them."""

_DIGEST_BYTES: Final = 8
_SIZE_BYTES: Final = 4

ItemT = TypeVar("ItemT")
RowT = TypeVar("RowT")


class Page:
    """What still fits a page.

    Args:
        request: has page_size and page_token.
        parts: how many texts the key of an item has; ``None`` for an even number of them, which differs.
        answer_bytes_max: how large an answer may be.

    Attributes:
        after: the key behind which the page begins; ``None`` for the beginning of the list.

    Raises:
        ApiError: INVALID_REQUEST for a token that is not one of this request.
    """

    def __init__(self, request: Any, parts: int | None, answer_bytes_max: int) -> None:
        self._request = request
        self._answer_bytes_max = answer_bytes_max
        self._items = min(request.page_size or PAGE_ITEMS_MAX, PAGE_ITEMS_MAX)
        self._looks = PAGE_LOOKS_MAX
        # As much again is left for the token and for what frames the items.
        self._bytes = min(PAGE_BYTES_MAX, answer_bytes_max // 2)
        self._is_empty = True
        self.after = _read(request, parts) if request.page_token else None

    def fits(self, size: int) -> bool:
        """Return whether an item of this size in bytes fits; the first one does, so that pages come to an end."""
        return self._is_empty or (self._items > 0 and size <= self._bytes)

    @property
    def may_look(self) -> bool:
        """Whether a further item may be looked at."""
        return self._looks > 0 and (self._is_empty or self._items > 0)

    def take(self, size: int) -> None:
        """Count an item."""
        self._is_empty = False
        self._items -= 1
        self._bytes -= size

    def look(self) -> None:
        """Count an item that was looked at."""
        self._looks -= 1

    def end(self, response: Any, last: Sequence[str] | None) -> None:
        """Say where the next page begins, ``None`` for nowhere, and check the answer.

        Raises:
            ApiError: POLICY_VIOLATION, when a single item takes more than an answer may.
        """
        if last is not None:
            response.next_page_token = _write(self._request, last)
        size = response.ByteSize()
        if size > self._answer_bytes_max:
            raise too_large(str(size), self._answer_bytes_max)


def fill(
    page: Page,
    response: Any,
    found: Iterator[tuple[ItemT, RowT | None]],
    take: Callable[[Any], object],
    key: Callable[[ItemT], Sequence[str]],
) -> None:
    """Put what is found into a page, until it is full.

    Args:
        page: what fits.
        response: the page's message, which gets the token.
        found: items in the order of their keys, with their row; ``None`` for one that does not match.
        take: appends a row to the response.
        key: returns the key of an item.
    """
    last: ItemT | None = None
    for item, row in found:
        size = 0 if row is None else row.ByteSize()  # type: ignore[attr-defined] # rows are messages
        if not page.may_look or (row is not None and not page.fits(size)):
            page.end(response, None if last is None else key(last))
            return
        page.look()
        last = item
        if row is not None:
            take(row)
            page.take(size)
    page.end(response, None)


def number(text: str, digits_max: int = 10) -> int:
    """Read a part of a key that is a number.

    Raises:
        ApiError: INVALID_REQUEST.
    """
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdecimal() or len(digits) > digits_max:
        raise refused_token("it has no number where one belongs")
    return int(text)


def too_large(size: str, bytes_max: int) -> ApiError:
    """Refuse an answer for its size in bytes."""
    return ApiError(
        ErrorCode.POLICY_VIOLATION,
        f"the answer takes {size} bytes, an answer may take {bytes_max}: raise grpc.max.message.bytes, or read the "
        "whole state with GetImage or Watch",
    )


def refused_token(why: str) -> ApiError:
    """Refuse a page token."""
    return ApiError(
        ErrorCode.INVALID_REQUEST,
        f"page_token: {why}; pass next_page_token of an answer unchanged and leave the other fields of the request as "
        "they were, or begin again without a page_token",
    )


def _digest(request: Any, body: bytes) -> bytes:
    asked = type(request)()
    asked.CopyFrom(request)
    for field in ("read", "page_size", "page_token"):
        asked.ClearField(field)
    digest = blake2b(request.DESCRIPTOR.full_name.encode(), digest_size=_DIGEST_BYTES)
    digest.update(asked.SerializeToString(deterministic=True))
    digest.update(body)
    return digest.digest()


def _write(request: Any, key: Sequence[str]) -> str:
    """Make a token of a key."""
    texts = [text.encode() for text in key]
    body = b"".join(len(text).to_bytes(_SIZE_BYTES, "big") + text for text in texts)
    return base64.urlsafe_b64encode(_digest(request, body) + body).decode("ascii")


def _read(request: Any, parts: int | None) -> tuple[str, ...]:
    """Return the key of a token; its text is any text.

    Raises:
        ApiError: INVALID_REQUEST.
    """
    token = request.page_token
    if len(token) > PAGE_TOKEN_CHARACTERS_MAX:
        raise refused_token(f"it has {len(token)} characters, at most {PAGE_TOKEN_CHARACTERS_MAX} are allowed")
    try:
        data = base64.b64decode(token.encode("ascii"), altchars=b"-_", validate=True)
    except (UnicodeEncodeError, binascii.Error):
        raise refused_token("it is not one that this API makes") from None
    body = data[_DIGEST_BYTES:]
    if data[:_DIGEST_BYTES] != _digest(request, body):
        raise refused_token("it does not belong to this request")
    key: list[str] = []
    at = 0
    while at < len(body) and len(key) <= PARTS_MAX:
        end = at + _SIZE_BYTES + int.from_bytes(body[at : at + _SIZE_BYTES], "big")
        text = body[at + _SIZE_BYTES : end]
        if end > len(body):
            raise refused_token("it is cut")
        try:
            key.append(text.decode())
        except UnicodeDecodeError:
            raise refused_token("a text in it is not UTF-8") from None
        at = end
    if len(key) > PARTS_MAX or (len(key) % 2 if parts is None else len(key) != parts):
        raise refused_token("its key is not that of an item of this list")
    return tuple(key)
