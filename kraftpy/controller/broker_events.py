"""What a decision does to a broker, and why: for the log of the active controller.

A decision logs nothing: it may be refused by the log, or never be committed. It names the event, and the runtime writes
the line when the records are committed. The reason is known here alone: a record says that a broker is fenced, not why.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Final, NamedTuple

from kraftpy.image.registrations import BrokerRegistration


class BrokerEventKind(enum.Enum):
    """What happens to a broker; the value is the name of its log line."""

    REGISTERED = "broker_incarnation_registered"
    AMENDED = "broker_registration_amended"
    REMOVED = "broker_registration_removed"
    FENCED = "broker_fenced"
    UNFENCED = "broker_unfenced"
    SHUTTING_DOWN = "broker_shutdown_begun"
    LOG_DIRS = "broker_log_dirs_changed"


SESSION_TIMED_OUT: Final = "session timed out"
"""Why a broker is fenced: no heartbeat came for the time of a session."""

ASKED_FOR: Final = "asked for"
"""Why a broker is fenced: its heartbeat asks for it."""

CONTROLLED_SHUTDOWN: Final = "controlled shutdown"
"""Why a broker is fenced: it leaves, and may."""


class BrokerEvent(NamedTuple):
    """One event of one broker.

    Attributes:
        broker: its registration, with the event for one that is registered or amended, else before it.
        facts: what else the line has; ids of log directories are bytes.
    """

    kind: BrokerEventKind
    broker: BrokerRegistration
    facts: Mapping[str, object]
