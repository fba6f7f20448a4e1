"""What is at the addresses of a command that uses gRPC, when no answer comes from there.

A client of gRPC repeats what fails until its deadline, which is right for a node that starts and useless for a person
who took the port of another listener. So a command that waits looks at the addresses itself. A controller's listener of
Kafka's protocol is asked where gRPC is, and the command goes on there. A port of another kind is named, and so is a
name that does not resolve. A node that is suspended may answer later, so the command waits for it. One that refuses
connections is waited for by a command that was given a time to wait, because scripts start nodes and ask them at once.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Sequence

from kraftpy.cli.errors import UnreachableError
from kraftpy.config.endpoints import parse_named_address
from kraftpy.model.voters import Endpoint
from kraftpy.quorum_tools.access import QuorumAccess
from kraftpy.quorum_tools.port_kinds import HOPEFUL, IF_ALL_REFUSED, FoundPort, PortKind, sentence
from kraftpy.quorum_tools.port_probe import look_at
from kraftpy.quorum_tools.public_api import NoPublicApiError, find_public_api


class WrongEndpoints:
    """What is wrong with the addresses that a command was given.

    Args:
        addresses: host:port each.
        tls: what a look shows and believes; ``None`` for plaintext.
        access: makes what a listener of Kafka's protocol is asked with, as protected as the command's own connections;
            ``None`` where no other address does.
        named_by: where the addresses are from, if they were not given.
    """

    def __init__(
        self,
        addresses: Sequence[str],
        tls: ssl.SSLContext | None,
        access: Callable[[], QuorumAccess] | None,
        *,
        named_by: str = "",
    ) -> None:
        self._addresses = tuple(addresses)
        self._tls = tls
        self._access = access
        self._named_by = named_by

    def at(self, addresses: Sequence[str]) -> WrongEndpoints:
        """Return the same for the addresses that a controller named."""
        return WrongEndpoints(addresses, self._tls, None, named_by=", ".join(self._addresses))

    async def moved(self, timeout_s: float, *, may_start: bool) -> list[str]:
        """Return the addresses of gRPC that a controller named; none when those that were given may be some.

        Args:
            timeout_s: how long a controller that starts may take.
            may_start: whether an address that refuses connections may become one.

        Raises:
            UnreachableError: none of the addresses is one of gRPC, or will become one.
        """
        found = await self._look()
        wrong = self._sentences(found, HOPEFUL | {PortKind.REFUSED} if may_start else HOPEFUL)
        listeners = [address for address, port in found.items() if self._is_listener(port)]
        count = len(wrong) + len(listeners)
        if listeners and self._access is not None:
            endpoints = [Endpoint("", *parse_named_address(address)) for address in listeners]
            try:
                return await find_public_api(endpoints, access=self._access(), timeout_s=timeout_s)
            except NoPublicApiError as error:
                wrong.append(str(error))
        if count < len(found):
            return []
        all_refused = all(port.kind is PortKind.REFUSED for port in found.values())
        raise UnreachableError("; ".join(wrong) + (IF_ALL_REFUSED if all_refused else ""))

    async def reasons(self) -> list[str]:
        """Say of each address why no answer came from there, where a look shows it."""
        return self._sentences(await self._look(), frozenset({PortKind.GRPC, PortKind.CONTROLLER}))

    async def _look(self) -> dict[str, FoundPort]:
        return dict(zip(self._addresses, await look_at(self._addresses, self._tls), strict=True))

    def _is_listener(self, port: FoundPort) -> bool:
        is_usable = self._access is not None and port.is_tls == (self._tls is not None)
        return port.kind is PortKind.CONTROLLER and is_usable

    def _is_hopeful(self, port: FoundPort, kinds: frozenset[PortKind]) -> bool:
        if port.kind is PortKind.CONTROLLER:
            return self._is_listener(port)
        return port.kind in kinds and (port.kind is not PortKind.GRPC or port.is_tls == (self._tls is not None))

    def _sentences(self, found: dict[str, FoundPort], hopeful: frozenset[PortKind]) -> list[str]:
        return [
            f"{address} {self._sentence(port)}{f' ({self._named_by} named it)' if self._named_by else ''}"
            for address, port in found.items()
            if not self._is_hopeful(port, hopeful)
        ]

    def _sentence(self, port: FoundPort) -> str:
        if port.kind is PortKind.CONTROLLER and port.is_tls == (self._tls is not None):
            return f"is {port.kind.value}; give an address of gRPC (grpc.listener)"
        return sentence(port, uses_tls=self._tls is not None)
