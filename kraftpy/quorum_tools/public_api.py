"""Where a quorum's controllers serve gRPC, asked at a listener of Kafka's protocol.

A controller answers DescribeCluster with the registered addresses of the public API. The caller needs the permission
for DescribeCluster. What it asked of the connection holds for the addresses, too: none in plaintext is taken by a
caller that asked for TLS, and none with TLS by one that did not.

Source: KIP-919 (DescribeCluster at controllers).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from kraftpy.client.errors import target
from kraftpy.config.endpoints import parse_named_address
from kraftpy.config.listeners import SECURITY_PROTOCOLS, is_encrypted
from kraftpy.model.errors import ErrorCode, KraftError
from kraftpy.model.escaping import shortened
from kraftpy.model.voters import Endpoint
from kraftpy.quorum_tools.access import ProbeError, QuorumAccess, RefusedError, UselessRetryError
from kraftpy.quorum_tools.probe import described_controllers
from kraftpy.records.generated import rpc

PUBLIC_API_ENDPOINTS_MAX: Final = 100
"""How many addresses are taken from an answer: more controllers than a cluster has."""

REASON_CHARACTERS_MAX: Final = 300
"""How much of a controller's reason, or of the addresses that it names, is shown."""

ASK_AGAIN_S: Final = 0.2


class NoPublicApiError(KraftError):
    """No controller that was asked named an address of gRPC; the text has a sentence for each."""


async def find_public_api(controllers: Sequence[Endpoint], *, access: QuorumAccess, timeout_s: float) -> list[str]:
    """Return where the controllers of the cluster serve gRPC, as host:port, from the first one that answers.

    All are asked at once, so that one that is silent takes no time from another. They are asked again while they start:
    until the state is loaded, and the first controller is registered.

    Raises:
        NoPublicApiError: none of them named any within the time, or it is useless to ask again.
    """
    search = _Search(controllers, access, asyncio.get_running_loop().time() + timeout_s)
    asking = [asyncio.ensure_future(search.ask(controller)) for controller in search.controllers]
    try:
        for answer in asyncio.as_completed(asking):
            if found := await answer:
                return found
    finally:
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
    raise NoPublicApiError("; ".join(f"{one.host}:{one.port} {search.failures[one]}" for one in search.controllers))


class _Search:
    """Asks controllers, each until it answers, or asking is useless, or the time is over."""

    def __init__(self, controllers: Sequence[Endpoint], access: QuorumAccess, ends: float) -> None:
        self.controllers = tuple(dict.fromkeys(controllers))
        self.failures: dict[Endpoint, ProbeError] = {}
        self._access = access
        self._ends = ends

    async def ask(self, controller: Endpoint) -> list[str]:
        """Return the addresses that a controller names; none when it failed."""
        loop = asyncio.get_running_loop()
        while True:
            left = max(self._ends - loop.time(), ASK_AGAIN_S)
            try:
                answer = await described_controllers(controller, access=self._access, timeout_s=left)
                return addresses_in(answer, has_tls=self._access.tls is not None)
            except ProbeError as error:
                self.failures[controller] = error
            if loop.time() + ASK_AGAIN_S >= self._ends or not self._may_answer(controller):
                return []
            await asyncio.sleep(ASK_AGAIN_S)
            if not self._may_answer(controller):
                return []

    def _may_answer(self, controller: Endpoint) -> bool:
        """Return whether a controller that failed may answer later.

        One that refuses connections may start, as long as another one is hoped for.
        """
        failure = self.failures[controller]
        if isinstance(failure, UselessRetryError) and not isinstance(failure, RefusedError):
            return False
        useless = [isinstance(each, UselessRetryError) for each in self.failures.values()]
        return not all(useless) or len(useless) < len(self.controllers)


def addresses_in(answer: rpc.DescribeClusterResponse, *, has_tls: bool) -> list[str]:
    """Return the addresses of gRPC in an answer of DescribeCluster.

    Args:
        answer: what a controller answered.
        has_tls: whether the caller speaks TLS.

    Raises:
        UselessRetryError: there are none that the caller could use; the sentence comes after the controller's address.
        ProbeError: there may be some in a moment.
    """
    reason = shortened(answer.error_message or f"error code {answer.error_code}", REASON_CHARACTERS_MAX)
    if answer.error_code == ErrorCode.OFFSET_NOT_AVAILABLE:
        raise ProbeError(f"has not loaded its state yet: {reason}")
    if answer.error_code == ErrorCode.CLUSTER_AUTHORIZATION_FAILED:
        raise UselessRetryError(
            f"is {_LISTENER}, and names the address of gRPC to a user with ALTER on the cluster only; {_WAY_OUT}"
        )
    if answer.error_code:
        raise UselessRetryError(f"is {_LISTENER}, and refuses DescribeCluster: {reason}; {_WAY_OUT}")
    if not answer.brokers and not answer.public_api_endpoints:
        raise ProbeError(f"is {_LISTENER}, and no controller of its cluster is registered yet")
    if not answer.public_api_endpoints:
        raise UselessRetryError(
            f"is {_LISTENER}, and no controller of its cluster serves gRPC, which this command needs: set "
            "grpc.listener (Kafka's own controllers have none)"
        )
    if len(answer.public_api_endpoints) > PUBLIC_API_ENDPOINTS_MAX:
        count = len(answer.public_api_endpoints)
        raise UselessRetryError(
            f"names {count} addresses of gRPC; at most {PUBLIC_API_ENDPOINTS_MAX} are taken; {_WAY_OUT}"
        )
    found = [(_address(one), one.security_protocol) for one in answer.public_api_endpoints]
    fitting = [address for address, protocol in found if (protocol in _ENCRYPTED) == has_tls]
    if not fitting:
        shown = shortened(", ".join(address for address, _ in found), REASON_CHARACTERS_MAX)
        other = "in plaintext: give a port with TLS" if has_tls else "with TLS: give its authority (--tls-ca)"
        raise UselessRetryError(f"says that gRPC is at {shown}, {other}")
    return fitting


_LISTENER: Final = "a controller's listener of Kafka's protocol"

_WAY_OUT: Final = "give an address of grpc.listener"

_ENCRYPTED: Final = frozenset(number for name, number in SECURITY_PROTOCOLS.items() if is_encrypted(name))


def _address(endpoint: rpc.DescribeClusterResponsePublicApiEndpoint) -> str:
    """Write an address as gRPC takes it; a name of another form would be one of its schemes.

    Raises:
        UselessRetryError: it is no address.
    """
    text = target(endpoint.host, endpoint.port) or ""
    try:
        parse_named_address(text)
    except ValueError as error:
        reason = shortened(str(error), REASON_CHARACTERS_MAX)
        raise UselessRetryError(f"names an address of gRPC that is none: {reason}; {_WAY_OUT}") from error
    return text
