"""kraftpy: a replicated metadata log in the manner of Kafka's KRaft."""

from __future__ import annotations

__version__ = "0.1.0"
