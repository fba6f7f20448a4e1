"""Lists of several pages as one answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Final

from kraftpy.model.errors import ApiError, ErrorCode, MalformedError

LIST_BYTES_MAX: Final = 512 * 1024 * 1024
"""How many bytes the pages of one list may take."""

PAGE_COST_BYTES: Final = 1024
"""What a page counts for at least, so that a server that sends empty pages is not followed for ever."""


async def all_pages(request: Any, call: Callable[[Any], Awaitable[Any]], convert: Callable[[Any], Any]) -> Any:
    """Return all pages of a list as one value, as of the first page.

    Args:
        request: of the first page.
        call: sends a request and returns its page.
        convert: makes the value of all rows; it has a ``freshness``.

    Raises:
        ApiError: POLICY_VIOLATION for a list of more than LIST_BYTES_MAX.
        MalformedError: the server sent the token again that it was sent.
    """
    merged = page = await call(request)
    first = type(page.position)()
    first.CopyFrom(page.position)
    size = 0
    while page.next_page_token:
        if page.next_page_token == request.page_token:
            raise MalformedError("the server repeated a page token: the list would never end")
        request.page_token = page.next_page_token
        page = await call(request)
        size += page.ByteSize() + PAGE_COST_BYTES
        if size > LIST_BYTES_MAX:
            raise ApiError(
                ErrorCode.POLICY_VIOLATION,
                f"the list takes more than {LIST_BYTES_MAX} bytes: ask for a part of it, or read the state with "
                "get_image or watch",
            )
        merged.MergeFrom(page)
    last_offset = page.position.offset
    merged.position.CopyFrom(first)
    value = convert(merged)
    return replace(value, freshness=replace(value.freshness, last_offset=last_offset)) if size else value
