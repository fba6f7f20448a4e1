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
        self._status = ""
        self._has_failed = False

    async def run(self) -> None:
        """Report that the listeners are open, and then the status and signs of life, until cancelled."""
        if not self._address:
            return
        self._send("READY=1", self._changed_status())
        interval_s = STATUS_INTERVAL_S
        if self._watchdog_s is not None:
            interval_s = min(interval_s, self._watchdog_s / WATCHDOG_SHARE)
        while True:
            is_watched = self._watchdog_s is not None and self._not_live_because() is None
            self._send("WATCHDOG=1" if is_watched else "", self._changed_status())
            await asyncio.sleep(interval_s)

    def stopping(self) -> None:
        """Report that the node leaves in order."""
        if self._address:
            self._send("STOPPING=1", "STATUS=stopping")

    def _changed_status(self) -> str:
        reason = self._not_ready_because()
        status = "serving" if reason is None else f"not ready: {' '.join(reason.split())}"[:STATUS_CHARACTERS_MAX]
        if status == self._status:
            return ""
        self._status = status
        return f"STATUS={status}"

    def _send(self, *assignments: str) -> None:
        """Send what is not empty; a service manager that takes nothing is no reason to stop."""
        text = "\n".join(filter(None, assignments))
        if not text:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
                sender.settimeout(0)
                sender.connect(self._address)
                sender.sendall(text.encode())
        except OSError as error:
            if not self._has_failed:
                self._has_failed = True
                _log.warning("service_manager_not_notified", socket=self._address, reason=str(error))


def _address(path: str) -> str:
    """Return the address of a path, or of a name in the abstract namespace; empty for what is neither."""
    if path.startswith("@"):
        return "\0" + path[1:]
    return path if path.startswith("/") else ""


def _watchdog_s(environment: Mapping[str, str]) -> float | None:
    """Return the watchdog's time (s), if there is one, and it watches this process."""
    asked, watched = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", "")
    if not asked.isascii() or not asked.isdigit() or int(asked) == 0 or watched not in {"", str(os.getpid())}:
        return None
    return int(asked) / 1_000_000
