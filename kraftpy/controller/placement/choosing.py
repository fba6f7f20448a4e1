"""The placers by name."""

from __future__ import annotations

from typing import Final

from kraftpy.controller.placement.kip36 import Kip36Placer
from kraftpy.controller.placement.spec import Placer
from kraftpy.controller.placement.striped import StripedPlacer
from kraftpy.model.errors import ApiError, ErrorCode

_ALL: Final[tuple[Placer, ...]] = (StripedPlacer(), Kip36Placer())
PLACERS: Final = {placer.name: placer for placer in _ALL}


def placer_named(name: str) -> Placer:
    """Return a placer.

    Raises:
        ApiError: INVALID_REQUEST for a name that no placer has.
    """
    placer = PLACERS.get(name)
    if placer is None:
        raise ApiError(
            ErrorCode.INVALID_REQUEST, f"There is no replica placer {name[:40]!r}; there are {', '.join(PLACERS)}."
        )
    return placer
