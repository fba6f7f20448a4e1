"""Resolve names to addresses, so that a hanging resolver delays only the names that were requested.

The system's resolver blocks, for half a minute when a DNS server is down. So each look-up has a thread of its own, in a
bounded number: not those of the event loop's executor, in which snapshots and digests are made, and none that the end
of the process waits for. Concurrent look-ups of one name are shared. One that takes longer than
:data:`KNOWN_RESOLVE_MAX_MS`, or fails, returns the previous addresses of the name; a name that never resolved has a
longer limit (:data:`RESOLVE_MAX_MS`).
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import ip_address
from typing import Final, TypeAlias

LOOKUPS_MAX: Final = 16
"""How many names may be looked up at the same time; one more fails at once."""

RESOLVE_MAX_MS: Final = 2_000
"""How long a name is waited for that was never resolved."""

KNOWN_RESOLVE_MAX_MS: Final = 200
"""How long a name is waited for that was resolved before: much less than a candidate waits for votes, or a request for
its answer, since the connection is still to be made then."""

NAMES_MAX: Final = 256
"""Of how many names is remembered what they meant."""

Lookup: TypeAlias = Callable[[str], list[str]]


def lookup(name: str) -> list[str]:
    """Ask the system's resolver; blocks.

    Raises:
        OSError: the name does not resolve.
        UnicodeError: it can be no name.
    """
    found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


class Resolver:
    """Resolves names for one event loop."""

    def __init__(self, lookup: Lookup | None = None) -> None:
        self._lookup = lookup
        self._running: dict[str, asyncio.Future[list[str]]] = {}
        self._known: OrderedDict[str, list[str]] = OrderedDict()
        self.refused = 0

    @property
    def running(self) -> int:
        """How many names are being looked up."""
        return len(self._running)

    async def resolve(self, name: str) -> list[str]:
        """Return the addresses of a name, in the resolver's order; those of an address are itself.

        Raises:
            OSError: it does not resolve, not in time, or too many others are being looked up.
            ValueError: it can be no name.
        """
        if _is_address(name):
            return [name]
        known = self._known.get(name)
        wait_ms = RESOLVE_MAX_MS if known is None else KNOWN_RESOLVE_MAX_MS
        try:
            async with asyncio.timeout(wait_ms / 1_000):
                found = await asyncio.shield(self._begin(name))
        except (OSError, UnicodeError) as error:
            if known is not None:
                return known
            if isinstance(error, TimeoutError):
                raise OSError(f"{name!r} was not resolved in {RESOLVE_MAX_MS} ms") from error
            raise
        self._known[name] = found
        self._known.move_to_end(name)
        if len(self._known) > NAMES_MAX:
            self._known.popitem(last=False)
        return found

    def _begin(self, name: str) -> asyncio.Future[list[str]]:
        running = self._running.get(name)
        if running is not None:
            return running
        if len(self._running) >= LOOKUPS_MAX:
            self.refused += 1
            raise OSError(f"{name!r} is not looked up: {LOOKUPS_MAX} other names are, and do not resolve")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[list[str]] = loop.create_future()
        self._running[name] = future
        ask = self._lookup or lookup

        def ended(found: list[str] | None, error: Exception | None) -> None:
            del self._running[name]
            if error is None:
                future.set_result(found or [])
            else:
                future.set_exception(error)
                # The caller may be gone.
                future.exception()

        def work() -> None:
            found, failed = None, None
            try:
                found = ask(name)
            except Exception as error:  # noqa: BLE001 - passed to the waiter
                failed = error
            if not loop.is_closed():
                loop.call_soon_threadsafe(ended, found, failed)

        threading.Thread(target=work, name=f"resolve {name[:40]}", daemon=True).start()
        return future


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
