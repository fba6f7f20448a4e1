"""Key sets in files and behind URLs, and a node's own token."""

from __future__ import annotations

import asyncio

import pytest

from kraftpy.authenticator.bearer import TOKEN_CHARS_MAX
from kraftpy.authenticator.mechanism import AuthenticationError
from kraftpy.config.sasl import OauthConfig
from kraftpy.model.errors import ConfigError
from kraftpy.node import oauth_keys
from kraftpy.node.oauth_keys import KeySet, keep_up_to_date, read_token
from tests.fakes.oauth import AuthorizationServer

NOW_MS = 1_800_000_000_000
OLD, NEW = AuthorizationServer(key_id="old"), AuthorizationServer(key_id="new")


def config(url: str) -> OauthConfig:
    return OauthConfig(
        keys_url=url,
        audiences=(),
        issuer=None,
        user_claim="sub",
        clock_skew_ms=0,
        refresh_ms=3_600_000,
        retry_ms=(1, 2),
    )


async def until_valid(keys: KeySet, server: AuthorizationServer) -> str:
    """Ask with a token of a server until its key is there."""
    async with asyncio.timeout(20):
        while True:
            try:
                return keys.validator(server.token(NOW_MS / 1_000), NOW_MS).user
            except AuthenticationError:
                await asyncio.sleep(0.01)


async def test_a_token_with_a_new_key_lets_the_file_be_read_again(tmp_path, monkeypatch) -> None:
    """Long before it is due; a file that cannot be read meanwhile takes no key away."""
    monkeypatch.setattr(oauth_keys, "UNKNOWN_KEY_INTERVAL_S", 0.0)
    file = tmp_path / "keys.json"
    file.write_bytes(OLD.key_set())
    keys = KeySet(config(file.as_uri()))
    running = asyncio.ensure_future(keep_up_to_date([keys]))
    assert await until_valid(keys, OLD) == "alice"
    file.write_bytes(b"{")
    with pytest.raises(AuthenticationError):
        keys.validator(NEW.token(NOW_MS / 1_000), NOW_MS)
    assert await until_valid(keys, OLD) == "alice"
    file.write_bytes(NEW.key_set())
    assert await until_valid(keys, NEW) == "alice"
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


@pytest.mark.parametrize("content", [None, b"", b"{}", b'{"keys": []}'])
async def test_a_file_without_keys_prevents_the_start(tmp_path, content) -> None:
    file = tmp_path / "keys.json"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ConfigError, match=r"sasl\.oauthbearer\.jwks\.endpoint\.url=file:.*the key set cannot be used"):
        KeySet(config(file.as_uri()))


async def test_keys_behind_a_url_may_come_later(monkeypatch) -> None:
    """Nothing listens at first: tokens are rejected, and it is tried again."""
    keys = KeySet(config("https://127.0.0.1:1/keys"))
    with pytest.raises(AuthenticationError):
        keys.validator(OLD.token(NOW_MS / 1_000), NOW_MS)
    running = asyncio.ensure_future(keep_up_to_date([keys]))
    monkeypatch.setattr(keys, "_read", OLD.key_set)
    assert await until_valid(keys, OLD) == "alice"
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


def test_a_nodes_token_is_read_from_its_file(tmp_path) -> None:
    file = tmp_path / "token"
    file.write_text(" abc.def.ghi\n")
    assert read_token(str(file)) == "abc.def.ghi"
    for content in (b"", b" \n", b"\xff", b"a" * (TOKEN_CHARS_MAX + 1)):
        file.write_bytes(content)
        with pytest.raises(AuthenticationError):
            read_token(str(file))
    with pytest.raises(AuthenticationError):
        read_token(str(tmp_path / "none"))
