"""Unexpected errors caused by requests: counted, logged at a limited rate, and no reason to stop.

A request can be wrong in ways that no check covers. Its handler catches the exception, records it here, and rejects
that request or closes that connection. Two kinds of errors are not caught: an
:class:`~kraftpy.model.invariant.InvariantViolation` (no ``except Exception`` catches it) and a
:class:`~kraftpy.model.errors.StorageError`; both stop the node.

Any client of the port can repeat such a request, so a kind of error is logged with its traceback once per
:data:`REPEAT_MS`, with the number of those that were only counted since.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping
from traceback import format_exception
from types import TracebackType
from typing import Final

from kraftpy.model.errors import StorageError
from kraftpy.model.log_rate_limiter import LogRateLimiter

LOG: Final = logging.getLogger("kraftpy.transport.requests")

REPEAT_MS: Final = 60_000
"""An error of one kind, caused by one kind of request, is logged once in this time."""

FRAMES_MAX: Final = 20
"""How many frames of a traceback are logged, the innermost ones: to write down the thousand of a RecursionError takes a
second, in which a leader is deposed."""

KINDS_MAX: Final = 1_000
"""How many kinds are remembered. There is one for each class of request and class of error, so it is never reached by
what we know; beyond it errors are counted as of the request ``other``."""

OTHER: Final = "other"


class RequestErrors:
    """Counts and logs them; one of a node, shared by everything that handles requests.

    Args:
        now_ms: the node's clock.
    """

    def __init__(self, now_ms: Callable[[], int] = lambda: 0) -> None:
        self._now_ms = now_ms
        self._counts: dict[str, int] = {}
        self._kinds: set[tuple[str, str]] = set()
        self._limiter = LogRateLimiter(keys_max=None, interval_ms=REPEAT_MS)

    @property
    def counts(self) -> Mapping[str, int]:
        """How many errors each kind of request has caused."""
        return self._counts

    def note(self, request: str, error: Exception) -> None:
        """Count an unexpected error, and log it if its kind was not logged lately.

        Args:
            request: the kind of request, such as the name of its class; never its content.
            error: what was raised.

        Raises:
            StorageError: the error is one: the disk is no request's fault, and the node has to stop.
        """
        if isinstance(error, StorageError):
            raise error
        kind = (request, type(error).__name__)
        if kind not in self._kinds and len(self._kinds) >= KINDS_MAX:
            kind = (OTHER, OTHER)
        self._kinds.add(kind)
        self._counts[kind[0]] = self._counts.get(kind[0], 0) + 1
        since = self._limiter.admit(*kind, self._now_ms())
        if since is None:
            return
        more = f" repeated={since}" if since else ""
        LOG.error(
            "unexpected_request_error request=%s error=%s%s: the request is rejected, and the node continues. This is "
            "a defect of kraftpy: please report it with these lines\n%s",
            *kind,
            more,
            "".join(format_exception(type(error), error, innermost(error), chain=False)),
        )


def innermost(error: BaseException) -> TracebackType | None:
    """Return the end of a traceback; its beginning is passed over here, since ``limit`` looks at every frame, too."""
    traceback = error.__traceback__
    frames: deque[TracebackType] = deque(maxlen=FRAMES_MAX)
    while traceback is not None:
        frames.append(traceback)
        traceback = traceback.tb_next
    return frames[0] if frames else None
