"""What a controller is told at birth, and the port it draws ids from.

Source: Kafka ``QuorumController.Builder``; controller reference §20.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from kraftpy.controller.requests import SupportedFeature
from kraftpy.model.features import DEFAULT_LEVEL, KRAFT_VERSION, LATEST_LEVEL, METADATA_VERSION, MINIMUM_LEVEL
from kraftpy.model.ids import NodeId, Uuid

UNCOMMITTED_RESULTS_MAX: Final = 100_000
"""How many results may wait for their commit; a decision that would add one more is refused as busy."""

DEFAULT_FEATURES: Final = (
    SupportedFeature(METADATA_VERSION, MINIMUM_LEVEL, LATEST_LEVEL),
    SupportedFeature(KRAFT_VERSION, 0, 1),
    SupportedFeature("group.version", 0, 1),
    SupportedFeature("transaction.version", 0, 2),
)
"""Features whose levels this controller understands, or whose levels change nothing that it decides.

``eligible.leader.replicas.version`` is left out on purpose: this controller does not extend the ELR.
"""


class UuidSource(Protocol):
    """Where fresh uuids come from; seeded in the simulator."""

    def next(self) -> Uuid:
        """Draw a uuid that is not reserved."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerConfig:
    """Timers, switches and what the software understands.

    Attributes:
        session_timeout_ms: a broker that was silent for this long is fenced (``broker.session.timeout.ms``).
        max_idle_interval_ms: a NoOpRecord is written when nothing else was for this long
            (``metadata.max.idle.interval.ms``); 0 writes none.
        bootstrap_level: the metadata.version of a new cluster for which nobody prepared bootstrap records.
        features: the levels that this controller supports.
    """

    session_timeout_ms: int = 9_000
    max_idle_interval_ms: int = 0
    bootstrap_level: int = DEFAULT_LEVEL
    features: tuple[SupportedFeature, ...] = DEFAULT_FEATURES


@dataclass(frozen=True, slots=True)
class QuorumFacts:
    """What the quorum knows that the metadata log does not say.

    Attributes:
        voter_ids: who votes now.
        kraft_version: its finalized level, which stands in a control record.
    """

    voter_ids: frozenset[NodeId] = frozenset()
    kraft_version: int = 0
