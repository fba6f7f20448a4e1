"""Structured logs: one event per line with its facts, for people (``console``) or for machines (``json``)."""

from __future__ import annotations

import logging
import sys

import structlog


def configure_logging(*, level: str, form: str, node_id: int) -> None:
    """Set up the process's logs.

    Args:
        level: ``debug``, ``info``, ``warning`` or ``error``.
        form: ``console`` or ``json``.
        node_id: bound to every line.
    """
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if form == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), pad_event_to=0, sort_keys=False)
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    structlog.contextvars.bind_contextvars(node=node_id)
    logging.basicConfig(
        level=level.upper(), stream=sys.stderr, format="%(asctime)s [%(levelname)s] %(name)s: %(message)s"
    )
