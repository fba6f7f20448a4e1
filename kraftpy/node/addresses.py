"""The addresses that a node listens on: check that they can be bound, and explain why not.

Every listener of a node is opened inside :func:`cannot_listen`, so that the error for an unusable address has the same
form from every server: the key, the value, the reason, the way out.
"""

from __future__ import annotations

import asyncio
import errno
import socket

from kraftpy.model.errors import ConfigError

ANY_HOST = "0.0.0.0"  # noqa: S104 - what an empty host means

_WAYS_OUT = {
    errno.EADDRNOTAVAIL: "Configure a name or an address of this machine.",
    errno.EACCES: "Configure a port above 1023, or let this user listen there.",
}
PORT_WAY_OUT = "Stop the process that has the port, or configure another one."


def cannot_listen(key: str, value: str, error: OSError) -> ConfigError:
    """Return the error of a listener that could not be opened.

    Args:
        key: the property that names the address.
        value: what it says.
        error: what the system says.
    """
    is_unknown = isinstance(error, socket.gaierror)
    way_out = _WAYS_OUT[errno.EADDRNOTAVAIL] if is_unknown else _WAYS_OUT.get(error.errno or 0, PORT_WAY_OUT)
    return ConfigError(f"{key}={value}: cannot listen there: {error.strerror or error}. {way_out}")


async def check_can_listen(host: str, port: int) -> None:
    """Bind the address and release it: for a server that logs a failure in its own format, without the reason.

    A name may resolve to several addresses; one that can be bound is enough.

    Raises:
        OSError: why none can be bound; ``socket.gaierror`` for a name that does not resolve.
    """
    found = await asyncio.get_running_loop().getaddrinfo(
        host or ANY_HOST, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    refusals = [refusal for family, _, _, _, address in found if (refusal := _refusal(family, address)) is not None]
    if len(refusals) == len(found):
        # A port in use explains more than a family of addresses that this machine lacks.
        raise next((one for one in refusals if one.errno == errno.EADDRINUSE), refusals[0])


def _refusal(family: int, address: tuple[object, ...]) -> OSError | None:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            probe.bind(address)
    except OSError as error:
        return error
    return None
