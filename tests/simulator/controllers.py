"""A controller whose own decisions are heard: those that no request asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kraftpy.controller.config import ControllerConfig, UuidSource
from kraftpy.controller.controller import Controller
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.slices import Slices
from kraftpy.model.ids import NodeId
from kraftpy.node.build_info import compiled_modules

Hear = Callable[[Controller, int, ControllerResult], None]

IS_COMPILED: Final = "kraftpy.controller.controller" in compiled_modules()
"""Whether the controller is machine code, which Python cannot subclass: what it decides by itself is not heard then."""


def controller_of(config: ControllerConfig, *, node_id: NodeId, uuids: UuidSource, on_own_decision: Hear) -> Controller:
    """Make a controller; see :class:`HeardController`."""
    if IS_COMPILED:
        return Controller(config=config, node_id=node_id, uuids=uuids)
    return HeardController(config=config, node_id=node_id, uuids=uuids, on_own_decision=on_own_decision)


class HeardController(Controller):
    """The real one.

    Args:
        on_own_decision: hears of each decision of a tick, at which time it was begun, before it is appended.
    """

    def __init__(self, *, config: ControllerConfig, node_id: NodeId, uuids: UuidSource, on_own_decision: Hear) -> None:
        super().__init__(config=config, node_id=node_id, uuids=uuids)
        self._on_own_decision = on_own_decision

    def tick_in_slices(self, now_ms: int) -> Slices[ControllerResult | None]:
        result = yield from super().tick_in_slices(now_ms)
        if result is not None:
            self._on_own_decision(self, now_ms, result)
        return result
