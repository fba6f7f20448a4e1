"""Certificates that are renewed while a node runs: when files change, or on SIGHUP, new connections show the new ones.

Connections that are open go on with what they were made with. Files that cannot be used, a key that does not belong to
its certificate or a file that is half written, leave what is in use; an error says so, and the next change is tried
again.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable
from typing import Final

import structlog

from kraftpy.config.tls import TlsConfig
from kraftpy.model.errors import ConfigError

_log = structlog.get_logger("kraftpy.tls")

POLL_S: Final = 10.0
"""How often the files are looked at; a SIGHUP makes it now."""

Signature = tuple[tuple[int, int, int] | None, ...]
"""Of each file: when it was written, its size, which one it is; ``None`` for one that is not there."""


class Certificates:
    """Reloads everything that was made of some PEM files when they change.

    Args:
        tls: whose files they are.
        poll_s: how often to look at them.
    """

    def __init__(self, tls: Iterable[TlsConfig], *, poll_s: float = POLL_S) -> None:
        locations = (location for one in tls for location in (one.keystore_location, one.truststore_location))
        self._files = tuple(dict.fromkeys(location for location in locations if location is not None))
        self._poll_s = poll_s
        self._asked = asyncio.Event()
        self._reloads: list[Callable[[], None]] = []
        self._followers: list[Callable[[], None]] = []
        self._seen = self._signature()

    def keep(self, reload: Callable[[], None]) -> None:
        """Add a callback that reloads the files; on an error it raises ConfigError and keeps the old value."""
        self._reloads.append(reload)

    def follow(self, reloaded: Callable[[], None]) -> None:
        """Add a callback for after a reload in which nothing kept its old value."""
        self._followers.append(reloaded)

    def ask(self) -> None:
        """Reload soon, whether the files changed or not."""
        self._asked.set()

    async def run(self) -> None:
        """Reload at each change; runs until it is cancelled."""
        while True:
            is_asked = await self._pause()
            signature = self._signature()
            if is_asked or signature != self._seen:
                self._seen = signature
                self.reload()

    async def _pause(self) -> bool:
        """Wait until the files are to be checked; return whether that was requested."""
        try:
            async with asyncio.timeout(self._poll_s):
                await self._asked.wait()
        except TimeoutError:
            return False
        self._asked.clear()
        return True

    def reload(self) -> None:
        """Reload everything from the files; what cannot be reloaded keeps its old value."""
        if not self._files:
            _log.info("certificates_not_used")
            return
        complaints = []
        for reload in self._reloads:
            try:
                reload()
            except ConfigError as error:
                complaints.append(str(error))
        if complaints:
            _log.error(
                "certificates_not_reloaded",
                way_out="correct the files; until then those in use stay",
                reasons="; ".join(dict.fromkeys(complaints)),
            )
        else:
            _log.info("certificates_reloaded", files=", ".join(self._files))
            for reloaded in self._followers:
                reloaded()

    def _signature(self) -> Signature:
        return tuple(map(_signature_of, self._files))


def _signature_of(path: str) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)  # noqa: PTH116 - follows links, as those who read the file do
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
