"""What must always hold. One file each; a checker hears what happens and raises :class:`CheckFailed`.

Reading order: ``base``; then ``committed`` (the ledger of all that was ever committed, on which others lean),
``durable``, ``promises``, ``votes``, ``leaders``, ``epochs``, ``voters``, ``publishers``, ``hosts``, ``directories``,
``cluster_ids``, ``identity``, ``acknowledged``, ``logs``, ``replay``, ``corruption``, ``digests``,
``strangers``, ``floods``, ``partitions``, ``balancer``.
"""

from __future__ import annotations

from tests.simulator.checkers.base import BeyondKnowing, Checker, Checkers, CheckFailed, Refused

__all__ = ["BeyondKnowing", "CheckFailed", "Checker", "Checkers", "Refused"]
