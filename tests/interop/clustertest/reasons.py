"""Why tests of Kafka's fail with our controllers, where that is known: the cause, and whether it is a fault of ours."""

from __future__ import annotations

from typing import Final

REASONS: Final[dict[str, str]] = {}
"""Class and method to the cause."""
