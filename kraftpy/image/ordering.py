"""Sorted iteration that lets others run.

One call of ``sorted`` over a million names takes about a second, and nothing else of the process runs meanwhile, not
even when the call is made in another thread: longer than an election. Sorted in pieces and merged, the same names cost
more in all and never more than some 20 ms at a time.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

PIECE: Final = 16384
"""How many names are sorted in one call."""


def in_order(names: Iterable[str]) -> Iterator[str]:
    """Iterate over names, ascending."""
    source = iter(names)
    pieces = []
    while piece := sorted(islice(source, PIECE)):
        pieces.append(piece)
    return iter(pieces[0]) if len(pieces) == 1 else heapq.merge(*pieces)
