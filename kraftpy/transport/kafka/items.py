"""How much a decoded request may name, so that nothing is made of it that takes many times its bytes.

Three bytes of a request can be an item of a list, and what is worked out and answered for each takes hundreds. Kafka's
own limit is on bytes alone. Here a request that names more than any honest one ends its connection before it is looked
at; what decoding it took is freed at once.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Final

ITEMS_MAX: Final = 16_384
"""How many items the lists of a request may hold, with the lists in them; one append takes 10,000 records.

An api may have a limit of its own (``apis.Api.items_max``).
"""

COUNTED_BYTES_MIN: Final = 16 * 1024
"""Shorter requests are not counted: an item takes a byte at least."""


def names_too_much(message: object, items_max: int = ITEMS_MAX) -> bool:
    """Return whether the lists of a decoded request hold more than ``items_max`` items; counting ends there."""
    return _left(message, items_max) < 0


def count_items(message: object, items_max: int) -> int:
    """Return how many items the lists of a decoded request hold; counting ends soon after ``items_max``."""
    return items_max - _left(message, items_max)


def _left(value: object, left: int) -> int:
    for name in _lists(type(value)):
        items = getattr(value, name)
        if not items:
            continue
        left -= len(items)
        # The elements of a list are of one class, and most have no lists.
        if left >= 0 and _lists(type(items[0])):
            for item in items:
                left = _left(item, left)
                if left < 0:
                    break
        if left < 0:
            break
    return left


def _lists(kind: type[object]) -> tuple[str, ...]:
    """Return which attributes of a class of messages or of their structs are lists; of other classes, none."""
    names = _LISTS.get(kind)
    if names is None:
        named = fields(kind) if is_dataclass(kind) else ()
        names = _LISTS[kind] = tuple([one.name for one in named if str(one.type).startswith("list[")])
    return names


_LISTS: Final[dict[type[object], tuple[str, ...]]] = {}
"""What was asked for before; there are no more classes than messages have structs."""
