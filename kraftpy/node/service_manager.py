"""What is reported to a service manager: that a node serves, what it waits for, that it is alive, that it stops.

The protocol is a datagram of assignments to the socket that the service manager names in the environment
(``NOTIFY_SOCKET``, ``WATCHDOG_USEC``). Without such a socket nothing is sent.

* ``READY=1`` once the listeners are open. Not when the node is ready in the sense of ``/readyz``: a controller is that
  only with a majority of the others, which may be started after it.
* ``STATUS=`` what it waits for, or that it serves, whenever that changes.
* ``WATCHDOG=1`` several times in the watchdog's time, from the event loop that does all the work. A blocked loop is
  noticed, a node that loads a long log or waits for a leader is not.
* ``STOPPING=1`` when it begins to leave in order.

Source: sd_notify(3), systemd.service(5).
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Mapping
from typing import Final

import structlog

_log = structlog.get_logger("kraftpy.node")

STATUS_INTERVAL_S: Final = 1.0
"""How often it is looked at whether the status changed."""

STATUS_CHARACTERS_MAX: Final = 500
"""How much of a reason a status has; the log has all of it."""

USEC_DIGITS_MAX: Final = 20
"""systemd's times are numbers of 64 bits."""

WATCHDOG_SHARE: Final = 3
"""How many signs of life are sent within the watchdog's time."""


class ServiceManager:
    """The service manager that started this process, if one did.

    Args:
        not_ready_because: what the node waits for; ``None`` when it serves.
        not_live_because: why the process should be replaced; ``None`` while it works.
        environment: where the socket is named; the process's by default.
    """

    def __init__(
        self,
        not_ready_because: Callable[[], str | None],
        not_live_because: Callable[[], str | None],
        environment: Mapping[str, str] | None = None,
    ) -> None:
        found = os.environ if environment is None else environment
        self._address = _address(found.get("NOTIFY_SOCKET", ""))
        self._watchdog_s = _watchdog_s(found)
        self._not_ready_because = not_ready_because
        self._not_live_because = not_live_because
        self._sent = ""
        self._is_known_ready = False
        self._is_stopping = False
        self._has_failed = False

    async def run(self) -> None:
        """Report that the listeners are open, the status and signs of life, until cancelled."""
        if not self._address:
            return
        interval_s = STATUS_INTERVAL_S
        if self._watchdog_s is not None:
            interval_s = min(interval_s, self._watchdog_s / WATCHDOG_SHARE)
        while True:
            self._report()
            await asyncio.sleep(interval_s)

    def stopping(self) -> None:
        """Report that the node leaves in order."""
        self._is_stopping = True
        if self._address:
            self._send("STOPPING=1", "STATUS=stopping")

    def _report(self) -> None:
        """Send what has changed; what was not taken is sent again."""
        is_watched = self._watchdog_s is not None and self._not_live_because() is None
        status = "" if self._is_stopping else self._status()
        taken = self._send(
            "" if self._is_known_ready else "READY=1",
            "WATCHDOG=1" if is_watched else "",
            f"STATUS={status}" if status and status != self._sent else "",
        )
        if taken:
            self._is_known_ready = True
            self._sent = status or self._sent

    def _status(self) -> str:
        reason = self._not_ready_because()
        if reason is None:
            return "serving"
        return f"not ready: {' '.join(reason.split())}"[:STATUS_CHARACTERS_MAX]

    def _send(self, *assignments: str) -> bool:
        """Send what is not empty, and return whether it was taken; if not, that is no reason to stop."""
        text = "\n".join(filter(None, assignments))
        if not text:
            return True
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
                sender.settimeout(0)
                sender.connect(self._address)
                sender.sendall(text.encode(errors="backslashreplace"))
        except OSError as error:
            if not self._has_failed:
                self._has_failed = True
                _log.warning("service_manager_not_notified", socket=self._address, reason=str(error))
            return False
        return True


def _address(path: str) -> str:
    """Return the address of a path, or of a name in the abstract namespace; empty for what is neither."""
    if path.startswith("@"):
        return "\0" + path[1:]
    return path if path.startswith("/") else ""


def _watchdog_s(environment: Mapping[str, str]) -> float | None:
    """Return the watchdog's time (s), if there is one, and it watches this process."""
    asked, watched = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", "")
    is_number = asked.isascii() and asked.isdigit() and len(asked) <= USEC_DIGITS_MAX
    if not is_number or int(asked) == 0 or watched not in {"", str(os.getpid())}:
        return None
    return int(asked) / 1_000_000
