"""Simulated nodes do not log: what happens is in the record of the world."""

from __future__ import annotations

import logging

import structlog


def quiet_logs() -> None:
    """Let structured logs below CRITICAL go nowhere."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
