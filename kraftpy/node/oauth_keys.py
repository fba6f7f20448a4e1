"""The key sets that tokens are checked with: read at the start and then in the background.

A set in a file must be readable at the start. One behind a URL may come later; until then every token is rejected.
Where a set cannot be read, the one before stays, and it is tried again after a pause that grows. A token with an
unknown key asks for the set to be read at once, at most every :data:`UNKNOWN_KEY_INTERVAL_S`.

Source: Kafka ``RefreshingHttpsJwks``, ``JwksFileVerificationKeyResolver``; KIP-768.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterable
from pathlib import Path
from urllib.request import urlopen

import structlog

from kraftpy.authenticator.bearer import TOKEN_CHARS_MAX
from kraftpy.authenticator.mechanism import NoCredentialsError
from kraftpy.config.sasl import KEYS_URL, OauthConfig, path_of
from kraftpy.model.errors import ConfigError
from kraftpy.node.daemon_threads import in_daemon_thread
from kraftpy.transport.oauth_tokens import KEY_SET_BYTES_MAX, JwtValidator, TokenRules, check_library, parse_keys

_log = structlog.get_logger("kraftpy.oauth")

READ_TIMEOUT_S = 10.0
"""How long one piece of a key set may take to come over the network."""

UNKNOWN_KEY_INTERVAL_S = 10.0
"""Two reads because of unknown keys are at least this far apart: anyone may send such a token."""


class KeySet:
    """One key set, and the validator that uses it.

    Raises:
        ConfigError: the library is not there, or the set is in a file that cannot be used.
    """

    def __init__(self, config: OauthConfig) -> None:
        check_library()
        self._config = config
        self._asked = asyncio.Event()
        rules = TokenRules(
            audiences=config.audiences,
            issuer=config.issuer,
            user_claim=config.user_claim,
            clock_skew_ms=config.clock_skew_ms,
        )
        self.validator = JwtValidator(rules, self._asked.set)
        if path_of(config.keys_url) is not None:
            try:
                self.validator.keys = parse_keys(self._read())
            except (OSError, ValueError) as error:
                raise ConfigError(f"{KEYS_URL}={config.keys_url}: the key set cannot be used: {error}") from error

    async def run(self) -> None:
        """Keep the keys up to date; runs until it is cancelled."""
        pause_ms, most_ms = self._config.retry_ms
        while True:
            try:
                self.validator.keys = await in_daemon_thread(lambda: parse_keys(self._read()), "key set")
            except (OSError, ValueError) as error:
                _log.warning("key_set_not_read", url=self._config.keys_url, reason=str(error), retry_ms=pause_ms)
                await asyncio.sleep(pause_ms / 1_000)
                pause_ms = min(2 * pause_ms, most_ms)
                continue
            pause_ms = self._config.retry_ms[0]
            await self._wait()

    async def _wait(self) -> None:
        """Wait until the set is to be read again."""
        refresh_s = self._config.refresh_ms / 1_000
        shortest_s = min(refresh_s, UNKNOWN_KEY_INTERVAL_S)
        await asyncio.sleep(shortest_s)
        try:
            async with asyncio.timeout(refresh_s - shortest_s):
                await self._asked.wait()
        except TimeoutError:
            pass
        self._asked.clear()

    def _read(self) -> bytes:
        """Read the text of the set, which blocks.

        Raises:
            OSError: it cannot be read, or was redirected to something else than https.
        """
        path = path_of(self._config.keys_url)
        if path is not None:
            with Path(path).open("rb") as file:
                return file.read(KEY_SET_BYTES_MAX + 1)
        context = ssl.create_default_context()
        with urlopen(self._config.keys_url, timeout=READ_TIMEOUT_S, context=context) as answer:  # noqa: S310 - https, see config
            if not str(answer.geturl()).startswith("https://"):
                raise OSError(f"it was redirected to {answer.geturl()[:200]}, which is not https")
            text: bytes = answer.read(KEY_SET_BYTES_MAX + 1)
            return text


async def keep_up_to_date(key_sets: Iterable[KeySet]) -> None:
    """Keep several key sets up to date; runs until it is cancelled, or returns when there are none."""
    async with asyncio.TaskGroup() as tasks:
        for one in key_sets:
            tasks.create_task(one.run(), name="key set")


def read_token(path: str) -> str:
    """Read this node's own token from its file.

    Raises:
        NoCredentialsError: there is none.
    """
    try:
        with Path(path).open("rb") as file:
            text = file.read(TOKEN_CHARS_MAX + 2).decode("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise NoCredentialsError(f"the token in {path} cannot be read: {type(error).__name__}") from error
    if not text or len(text) > TOKEN_CHARS_MAX:
        raise NoCredentialsError(f"{path} holds no token of 1 to {TOKEN_CHARS_MAX} characters")
    return text
