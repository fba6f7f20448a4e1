"""What a span says of the messages of a call: numbers, and nothing that a client chose."""

from __future__ import annotations

from typing import Any

from google.protobuf.message import Message

from kraftpy.tracing.spans import EPOCH, ITEMS, OFFSET, Span


def api_name(field: str) -> str:
    """Return the name of an API, of that of its field in a session's request."""
    return "".join(part.capitalize() for part in field.split("_"))


def note_request(span: Span, request: Any) -> None:
    """Say how many items a request names."""
    if span.is_recorded and isinstance(request, Message):
        span.set(ITEMS, items_in(request))


def note_answer(span: Span, answer: Any) -> None:
    """Say at which offset and epoch a call was answered; not for an answer that another node made."""
    if span.is_recorded and isinstance(answer, Message) and "position" in answer.DESCRIPTOR.fields_by_name:
        position: Any = answer.position  # type: ignore[attr-defined] # it has that field
        span.set(OFFSET, position.offset)
        span.set(EPOCH, position.epoch)


def items_in(request: Message) -> int:
    """Return how many messages, names or the like a request has in its lists."""
    return sum(len(getattr(request, field.name)) for field in request.DESCRIPTOR.fields if field.is_repeated)
