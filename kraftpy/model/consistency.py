"""What a read may be relied on for; the meaning of each stands in ``ReadOptions`` of common.proto."""

from __future__ import annotations

import enum


class Consistency(enum.Enum):
    """How fresh the state has to be that a read is answered from."""

    COMMITTED = "committed"
    LINEARIZABLE = "linearizable"
