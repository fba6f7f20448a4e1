"""Structured logs: one event per line with its facts, for people (``console``) or for machines (``json``).

The rooms that know structlog log through it. Libraries, and the wires, log through the standard library: their lines
take the same form, and are rationed, because whoever reaches a port can have one written for each connection.
"""

from __future__ import annotations

import logging
import sys
from typing import Final

import structlog
from structlog.typing import EventDict, Processor

REPEAT_S: Final = 10.0
"""For how long a place in the code that logged ``LINES_MAX`` lines is silent, at most."""

LINES_MAX: Final = 20
"""How many lines one place in the code may log within ``REPEAT_S``."""


def configure_logging(*, level: str, form: str, node_id: int) -> None:
    """Set up the process's logs.

    Args:
        level: ``debug``, ``info``, ``warning`` or ``error``.
        form: ``console`` or ``json``.
        node_id: bound to every line.
    """
    renderer: Processor = (
        structlog.processors.JSONRenderer()
        if form == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), pad_event_to=0, sort_keys=False)
    )
    common: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*common, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    structlog.contextvars.bind_contextvars(node=node_id)
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(LineRateLimiter())
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *common, _with_node(node_id)],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    logging.basicConfig(level=level.upper(), handlers=[handler])


def _with_node(node_id: int) -> Processor:
    """Bind the node: a library's line may come from a thread that knows nothing of it."""

    def bind(_: object, __: str, event: EventDict) -> EventDict:
        event.setdefault("node", node_id)
        return event

    return bind


class LineRateLimiter(logging.Filter):
    """Lets a place in the code log so many lines in a time; the first line after it says how many were left out.

    What a line says may be the choice of a stranger, where it comes from is not: so there are never more places to
    remember than the code has. Time is taken from the lines themselves; a clock that goes back begins a new ration.
    """

    def __init__(self) -> None:
        super().__init__()
        self._rations: dict[tuple[str, int], _Ration] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether a line is to be written."""
        place = record.pathname, record.lineno
        ration = self._rations.get(place)
        if ration is None or not 0 <= record.created - ration.began_s < REPEAT_S:
            left_out = 0 if ration is None else ration.left_out
            ration = self._rations[place] = _Ration(record.created)
            if left_out:
                record.msg = f"{record.msg} (and {left_out} more such lines were left out)"
        if ration.lines == LINES_MAX:
            ration.left_out += 1
            return False
        ration.lines += 1
        return True


class _Ration:
    """What a place has logged since the time it began."""

    __slots__ = ("began_s", "left_out", "lines")

    def __init__(self, began_s: float) -> None:
        self.began_s = began_s
        self.lines = 0
        self.left_out = 0
