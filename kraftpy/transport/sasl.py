"""What both protocols' listeners have in common where their peers authenticate themselves by SASL.

Source: Kafka ``SaslServerAuthenticator``; KIP-43, KIP-306, KIP-368.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from kraftpy.authenticator.exchange import ExchangeConfig
from kraftpy.authenticator.mechanism import Authenticated
from kraftpy.model.identity import Principal

AUTHENTICATION_MAX_MS: Final = 10_000
"""An authentication that takes longer ends its connection, or its call."""

RECEIVE_BYTES_MAX: Final = 524_288
"""Kafka's default of ``sasl.server.max.receive.size``."""

FAILURE_DELAY_MS: Final = 100
"""Kafka's default of ``connection.failed.authentication.delay.ms``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Authentication:
    """How a listener authenticates its peers.

    Attributes:
        exchange: the mechanisms, and how long sessions last.
        now_ms: the node's clock.
        receive_bytes_max: the longest frame, or message, of a peer that is not authenticated.
        failure_delay_ms: how long a failure waits for its answer.
        on_failure: called at each failed authentication.
        has_users: whether this node knows the log's users, so that one it does not find does not exist.
    """

    exchange: ExchangeConfig
    now_ms: Callable[[], int]
    receive_bytes_max: int = RECEIVE_BYTES_MAX
    failure_delay_ms: int = FAILURE_DELAY_MS
    on_failure: Callable[[], None] = lambda: None
    has_users: Callable[[], bool] = lambda: True


def sasl_principal(certified: Principal, verdict: Authenticated) -> Principal:
    """Return a principal with the name that a mechanism authenticated, and the nodes that a certificate names."""
    return replace(
        certified,
        subject=verdict.principal if not certified.nodes else f"{verdict.principal} ({certified.subject})",
        name=verdict.principal,
        by_sasl=True,
        by_token=verdict.by_token,
    )
