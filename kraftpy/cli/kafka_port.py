"""Where a command that speaks Kafka's protocol asks, when it was given ports of gRPC.

A command asks at the addresses that it was given. Only when that fails are they looked at: a port of gRPC is asked for
the listeners of the controllers, and the command goes on there. It has sent nothing before that changes anything.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from kraftpy.cli.errors import CommandError, UnreachableError
from kraftpy.cli.options import LISTENER_NAME
from kraftpy.config.endpoints import parse_named_address
from kraftpy.config.listeners import SECURITY_PROTOCOLS, is_encrypted
from kraftpy.model.errors import ApiError, KraftError
from kraftpy.model.escaping import shortened
from kraftpy.model.registrations import PUBLIC_API_LISTENER
from kraftpy.model.voters import Endpoint
from kraftpy.quorum_tools.access import QuorumAccess
from kraftpy.quorum_tools.port_kinds import IF_ALL_REFUSED, PortKind
from kraftpy.quorum_tools.port_probe import look_at
from kraftpy.quorum_tools.public_api import REASON_CHARACTERS_MAX

if TYPE_CHECKING:
    from kraftpy.client.values import ClusterInfo

Answer = TypeVar("Answer")

_ENCRYPTED = frozenset(number for name, number in SECURITY_PROTOCOLS.items() if is_encrypted(name))


def at_controllers(
    controllers: tuple[Endpoint, ...],
    ask: Callable[[tuple[Endpoint, ...]], Coroutine[Any, Any, Answer]],
    *,
    failure: type[KraftError],
    access: QuorumAccess,
    timeout_s: float,
) -> Answer:
    """Ask at these addresses, or, where no controller is found and one is a port of gRPC, at those that it names.

    Args:
        controllers: what was given.
        ask: asks some controllers.
        failure: what that raises, before it changes anything, when there are none.
        access: how connections of Kafka's protocol are protected.
        timeout_s: how long the port of gRPC may take.

    Raises:
        KraftError: as ``failure`` says; no port of gRPC named any.
        UnreachableError: no process listens at any of the addresses.
        CommandError: a port of gRPC named none that could be used.
    """
    try:
        return asyncio.run(ask(controllers))
    except failure as error:
        addresses = addresses_of(controllers)
        found = dict(zip(addresses, asyncio.run(look_at(addresses, access.look_tls or access.tls)), strict=True))
        if all(port.kind is PortKind.REFUSED for port in found.values()):
            raise UnreachableError(f"{error}{IF_ALL_REFUSED}") from error
        has_tls = access.tls is not None
        ports = [each for each, port in found.items() if port.kind is PortKind.GRPC and port.is_tls == has_tls]
        if not ports:
            raise
        listeners = _listeners_behind(tuple(ports), access, timeout_s)
    return asyncio.run(ask(listeners))


def addresses_of(endpoints: Iterable[Endpoint]) -> list[str]:
    """Return where endpoints are, as host:port each."""
    return [_address(one.host, one.port) for one in endpoints]


def _listeners_behind(ports: tuple[str, ...], access: QuorumAccess, timeout_s: float) -> tuple[Endpoint, ...]:
    from kraftpy.cli.connection import connect

    try:
        with connect(ports, timeout_s, moves=False) as cluster:
            info = cluster.describe_cluster()
        return listeners_in(info, named_by=", ".join(ports), has_tls=access.tls is not None)
    except ApiError as error:
        raise CommandError(
            f"{', '.join(ports)} is a port of gRPC, and does not name the controllers: {error.message} "
            f"({error.code.name}); give an address of their listeners"
        ) from error


def listeners_in(info: ClusterInfo, *, named_by: str, has_tls: bool) -> tuple[Endpoint, ...]:
    """Return one listener of Kafka's protocol of each controller.

    Args:
        info: what a port of gRPC answered.
        named_by: the address of that port, for the error.
        has_tls: whether the caller speaks TLS.

    Raises:
        CommandError: none of them is one that the caller could use.
    """
    found: list[Endpoint] = []
    others: list[str] = []
    for controller in info.controllers:
        for listener in controller.listeners:
            if listener.name == PUBLIC_API_LISTENER:
                continue
            if (listener.security_protocol in _ENCRYPTED) != has_tls:
                others.append(_address(listener.host, listener.port))
                continue
            found.append(_checked(named_by, listener.host, listener.port))
            break
    if found:
        return tuple(found)
    other = "in plaintext: give a port with TLS" if has_tls else "with TLS: give its authority (--tls-ca)"
    shown = shortened(", ".join(others), REASON_CHARACTERS_MAX)
    where = f"are at {shown}, {other}" if others else "are not registered yet; try again"
    raise CommandError(f"{named_by} says that the listeners of the controllers {where}")


def _checked(named_by: str, host: str, port: int) -> Endpoint:
    try:
        return Endpoint(LISTENER_NAME, *parse_named_address(_address(host, port)))
    except ValueError as error:
        reason = shortened(str(error), REASON_CHARACTERS_MAX)
        raise CommandError(f"{named_by} names a listener that is none: {reason}") from error


def _address(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
