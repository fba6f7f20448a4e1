"""What must always hold. One file each; a checker hears what happens and raises :class:`CheckFailed`.

Reading order: ``base``; then ``committed`` (the ledger of all that was ever committed, on which others lean),
``durable``, ``votes``, ``epochs``, ``publishers``, ``cluster_ids``, ``acknowledged``, ``replay``, ``digests``.
"""

from __future__ import annotations

from tests.simulator.checkers.base import Checker, Checkers, CheckFailed

__all__ = ["CheckFailed", "Checker", "Checkers"]
