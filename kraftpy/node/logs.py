"""Structured logs: one event per line with its facts, as text (``console``) or as JSON (``json``).

Packages above ``transport`` log through structlog. Libraries and ``transport`` log through the standard library: their
lines get the same form and a rate limit, because a client can cause one line per connection. A client also chooses a
part of some texts: control characters are escaped, so that no text looks like another line or controls a terminal.

Every line has the node's id, and, as soon as the node knows them, the id of the cluster and the leader epoch. The epoch
is that of the moment when the line is written; an event about another epoch has its own.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from typing import Final

import structlog
from structlog.typing import EventDict, Processor

from kraftpy.model.escaping import escaped
from kraftpy.model.log_rate_limiter import LogRateLimiter
from kraftpy.model.offsets import Epoch

LINES_MAX: Final = 20
"""Lines that one place in the code may log within ``REPEAT_MS``."""

LIMITED_ELSEWHERE: Final = frozenset({"kraftpy.transport.administrative_changes"})
"""Logs with a limit of their own."""


def uses_colors() -> bool:
    """Return whether lines are colored: on a terminal whose user did not ask for none (https://no-color.org)."""
    return sys.stderr.isatty() and not os.environ.get("NO_COLOR")


def configure_logging(*, level: str, form: str, node_id: int | None) -> None:
    """Set up the process's logs.

    Args:
        level: ``debug``, ``info``, ``warning`` or ``error``.
            It may change later (:func:`set_log_level`).
        form: ``console`` or ``json``.
        node_id: bound to every line; ``None`` while it is not known (:func:`name_node`).
    """
    renderer: Processor = (
        structlog.processors.JSONRenderer()
        if form == "json"
        else structlog.dev.ConsoleRenderer(colors=uses_colors(), pad_event_to=0, sort_keys=False)
    )
    common: list[Processor] = [
        _with_node,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    if form != "json":
        common.append(_escape_controls)
    structlog.configure(
        processors=[_drop_below_level, *common, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    if node_id is not None:
        name_node(node_id)
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(LineRateLimiter())
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[
                structlog.stdlib.add_logger_name,
                _with_facts,
                *common,
            ],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    logging.basicConfig(handlers=[handler])
    set_log_level(level)


def set_log_level(level: str) -> None:
    """Write lines from this level on: ``debug``, ``info``, ``warning`` or ``error``."""
    _LowestLevel.number = logging.getLevelNamesMapping()[level.upper()]
    logging.root.setLevel(_LowestLevel.number)


class _LowestLevel:
    """The level of the process's logs; loggers are made once, and ask it for each line."""

    number: int = logging.INFO


def _drop_below_level(_: object, method: str, event: EventDict) -> EventDict:
    # ``exception`` is no level of its own.
    if logging.getLevelNamesMapping().get(method.upper(), logging.ERROR) < _LowestLevel.number:
        raise structlog.DropEvent
    return event


class _OwnNode:
    """What every line of this process has about its node: one process runs one node.

    Not in context variables: a task has those of the moment when it was made, and a library's thread has none.
    """

    node_id: int | None = None
    quorum: Callable[[], tuple[str | None, Epoch]] | None = None


def name_node(node_id: int) -> None:
    """Add the node's id to every line from now on."""
    _OwnNode.node_id = node_id


def name_quorum(quorum: Callable[[], tuple[str | None, Epoch]]) -> None:
    """Add the cluster's id, once it is known, and the leader epoch to every line from now on.

    Args:
        quorum: returns both; it is called for each line, by any thread.
    """
    _OwnNode.quorum = quorum


def _with_facts(_: object, __: str, event: EventDict) -> EventDict:
    """Add the facts that a line of ``transport`` has besides its text (``extra={"facts": ...}``)."""
    return {**event, **getattr(event["_record"], "facts", {})}


def _with_node(_: object, __: str, event: EventDict) -> EventDict:
    """Add what every line has, before the facts of the event."""
    facts: EventDict = {}
    if _OwnNode.node_id is not None:
        facts["node"] = _OwnNode.node_id
    if _OwnNode.quorum is not None:
        cluster_id, epoch = _OwnNode.quorum()
        if cluster_id is not None:
            facts["cluster_id"] = cluster_id
        facts["epoch"] = epoch
    return {**facts, **event}


def _escape_controls(_: object, __: str, event: EventDict) -> EventDict:
    """Escape control characters in all texts but a traceback; JSON does that by itself."""
    return {
        name: escaped(value) if isinstance(value, str) and name != "exception" else value
        for name, value in event.items()
    }


class LineRateLimiter(logging.Filter):
    """Limits the lines of each place in the code; the first line of the next interval has the number of dropped ones.

    The text of a line may be chosen by a client, its place in the code not: so the keys are as many as the places. The
    time is that of the line.
    """

    def __init__(self) -> None:
        super().__init__()
        self._limiter = LogRateLimiter(burst=LINES_MAX, keys_max=None)

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line is to be written."""
        if record.name in LIMITED_ELSEWHERE:
            return True
        dropped = self._limiter.admit(record.pathname, record.lineno, round(record.created * 1_000))
        if dropped:
            record.msg = f"{record.msg} (and {dropped} more such lines were left out)"
        return dropped is not None
