"""The consistency levels of a read; ``ReadOptions`` of common.proto defines each."""

from __future__ import annotations

import enum


class Consistency(enum.Enum):
    """How fresh the state has to be that a read is answered from."""

    COMMITTED = "committed"
    LINEARIZABLE = "linearizable"
