"""The SASL of a node: made from its configuration, its log and its published state."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from kraftpy.authenticator.bearer import BearerServer
from kraftpy.authenticator.credentials import LogCredentials
from kraftpy.authenticator.exchange import ExchangeConfig
from kraftpy.authenticator.login import BearerLogin, Login, PlainLogin, ScramLogin
from kraftpy.authenticator.mechanism import OAUTHBEARER, PLAIN, SCRAM_HASHES, ServerMechanism
from kraftpy.authenticator.plain import PlainServer
from kraftpy.authenticator.scram import ScramServer, ScramServerConfig
from kraftpy.config.node_config import NodeConfig
from kraftpy.config.sasl import SaslListenerConfig, SaslLogin
from kraftpy.image.scram import ScramImage
from kraftpy.node.oauth_keys import KeySet, keep_up_to_date, read_token
from kraftpy.node.startup import OpenedNode
from kraftpy.runtime.clock import Clock
from kraftpy.runtime.recovered_users import recovered_users
from kraftpy.runtime.state_machine import StateMachine
from kraftpy.transport.sasl import Authentication

NONCE_BYTES = 24
"""How many random bytes a nonce is made of, and the key for users that do not exist."""


def new_nonce() -> str:
    """Return a fresh nonce: printable, without a comma."""
    return secrets.token_urlsafe(NONCE_BYTES)


class NodeAuthentication:
    """What the listeners of a node authenticate their peers with.

    Args:
        config: the node's.
        opened: its directories.
        state_machine: its published state.
        clock: the node's.
        on_failure: called at each failed authentication.
    """

    def __init__(
        self,
        config: NodeConfig,
        opened: OpenedNode,
        state_machine: StateMachine,
        clock: Clock,
        on_failure: Callable[[], None],
    ) -> None:
        self._config = config
        self._clock = clock
        self._on_failure = on_failure
        self._key_sets = {
            name: KeySet(listener.oauth) for name, listener in config.sasl.listeners.items() if listener.oauth
        }
        self._state_machine = state_machine
        offers_scram = config.is_controller and bool(config.sasl.offered & SCRAM_HASHES.keys())
        self._before = recovered_users(opened.directory, opened.bootstrap) if offers_scram else ScramImage()
        token_key = config.values["delegation.token.secret.key"]
        self._scram = ScramServerConfig(
            lookup=LogCredentials(
                self._users,
                lambda: state_machine.image.delegation_tokens,
                token_key if isinstance(token_key, str) and token_key else None,
            ),
            nonce=new_nonce,
            decoy_key=secrets.token_bytes(NONCE_BYTES),
        )

    def _users(self) -> ScramImage:
        return self._state_machine.image.scram if self._state_machine.caught_up_once else self._before

    def of(self, listener_name: str) -> Authentication | None:
        """Return how a listener authenticates its peers; ``None`` where it does not by SASL."""
        listener = self._config.sasl.listeners.get(listener_name)
        if listener is None:
            return None
        begin = {name: self._mechanism(name, listener_name, listener) for name in listener.mechanisms}
        return Authentication(
            exchange=ExchangeConfig(begin, listener.session_max_ms),
            now_ms=self._clock.now_ms,
            receive_bytes_max=self._config.sasl.receive_bytes_max,
            failure_delay_ms=self._config.sasl.failure_delay_ms,
            on_failure=self._on_failure,
            has_users=lambda: self._state_machine.caught_up_once,
        )

    async def run(self) -> None:
        """Keep the keys of tokens up to date; runs until it is cancelled, or returns when there are none."""
        await keep_up_to_date(self._key_sets.values())

    def _mechanism(self, name: str, listener_name: str, listener: SaslListenerConfig) -> Callable[[], ServerMechanism]:
        if name == PLAIN:
            return lambda: PlainServer(listener.passwords)
        if name == OAUTHBEARER:
            validator = self._key_sets[listener_name].validator
            return lambda: BearerServer(validator)
        return lambda: ScramServer(name, self._scram)


def make_login(config: NodeConfig) -> Login | None:
    """Return the credentials for connections to the quorum; ``None`` where it does not ask by SASL."""
    return None if config.sasl.login is None else login_of(config.sasl.login)


def login_of(login: SaslLogin) -> Login:
    """Return the credentials that a configuration names."""
    if login.mechanism == PLAIN:
        return PlainLogin(login.user, login.password)
    token_file = login.token_file
    if token_file is not None:
        return BearerLogin(lambda: read_token(token_file))
    return ScramLogin(login.mechanism, login.user, login.password, new_nonce, by_token=login.by_token)
