"""``kraftpy delegation-tokens``: create, renew, expire and list delegation tokens, with the names of Kafka's tool.

Source: Kafka ``DelegationTokenCommand``; KIP-48, KIP-373.
"""

from __future__ import annotations

import base64
import binascii
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from kraftpy.cli.cluster_port import Read
from kraftpy.cli.dry_run import dry_run_option
from kraftpy.cli.examples import examples
from kraftpy.cli.options import WholeNumber, connection_options, output_option, read_options
from kraftpy.cli.output import Output, show
from kraftpy.cli.suggestions import CommandGroup
from kraftpy.cli.times_text import local_text
from kraftpy.model.consistency import Consistency
from kraftpy.model.iso_time import time_fields

if TYPE_CHECKING:
    from kraftpy.client.values import DelegationTokenInfo

PERIOD_MS_MAX: Final = 2**63 - 1

HMAC_TEXT_CHARACTERS_MAX: Final = 1_024
"""How long the text of an HMAC may be; the 64 bytes of a token's HMAC take 88."""


class Hmac(click.ParamType[bytes]):
    """An HMAC in base64, as `create` prints it; ``-`` reads it from standard input, where no other user sees it."""

    name = "HMAC"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> bytes:
        """Read an HMAC."""
        if isinstance(value, bytes):
            return value
        if ctx is not None and ctx.resilient_parsing:  # For completion: the input is the person's terminal.
            return b""
        text = sys.stdin.read(HMAC_TEXT_CHARACTERS_MAX).strip() if value == "-" else str(value)
        try:
            hmac = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            hmac = b""
        if not hmac or len(text) > HMAC_TEXT_CHARACTERS_MAX:
            self.fail("this is no HMAC: expected base64, as `delegation-tokens create` prints it", param, ctx)
        return hmac


class PrincipalParam(click.ParamType[str]):
    """A principal: its type and its name."""

    name = "PRINCIPAL"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Read a principal."""
        text = str(value)
        if not all(text.partition(":")[::2]):
            self.fail(f"{text!r:.200} has no type or no name; expected such as User:alice", param, ctx)
        return text


hmac_option = click.option(
    "--hmac", required=True, type=Hmac(), help="HMAC of the token, in base64; - reads it from standard input."
)


@click.group("delegation-tokens", cls=CommandGroup)
def delegation_tokens() -> None:
    """Create, renew, expire and list delegation tokens.

    Only a client with a certificate (--tls-cert) may create, renew or expire tokens.
    """


@examples(
    "kraftpy delegation-tokens create -C localhost:9193 --command-config admin.properties --owner-principal User:al",
)
@delegation_tokens.command("create")
@click.option("--owner-principal", "owner", type=PrincipalParam(), help="Owner of the token (you).")
@click.option(
    "--renewer-principal", "renewers", multiple=True, type=PrincipalParam(), help="Who may renew it, too; repeatable."
)
@click.option(
    "--max-life-time-period",
    "max_lifetime_ms",
    type=WholeNumber(min=1, max=PERIOD_MS_MAX),
    metavar="MS",
    help="Milliseconds for which it can be renewed (delegation.token.max.lifetime.ms).",
)
@dry_run_option()
@connection_options
@output_option
def create_command(
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    owner: str | None,
    renewers: tuple[str, ...],
    max_lifetime_ms: int | None,
    dry_run: bool,
) -> None:
    """Create a token, and print its HMAC, which cannot be shown again.

    A client authenticates with the token id and the HMAC as the user name and the password of SCRAM.
    """
    from kraftpy.cli.connection import connect

    with connect(bootstrap, timeout) as cluster:
        created = cluster.create_delegation_token(
            owner=owner, renewers=renewers, max_lifetime_ms=max_lifetime_ms, validate_only=dry_run
        )
    hmac = base64.b64encode(created.hmac).decode()
    if dry_run:
        lines = [f"A token can be created for {created.token.owner}."]
    else:
        lines = [*as_lines([created.token]), f"HMAC: {hmac}"]
    show(output, as_json(created.token) | {"hmac": hmac or None, "dryRun": dry_run}, lines)


@examples(
    "kraftpy delegation-tokens renew -C localhost:9193 --command-config admin.properties --hmac - < token.hmac",
)
@delegation_tokens.command("renew")
@hmac_option
@click.option(
    "--renew-time-period",
    "period_ms",
    type=WholeNumber(min=1, max=PERIOD_MS_MAX),
    metavar="MS",
    help="Milliseconds for which it is valid from now on (delegation.token.expiry.time.ms).",
)
@dry_run_option()
@connection_options
@output_option
def renew_command(
    bootstrap: tuple[str, ...], timeout: float, output: Output, *, hmac: bytes, period_ms: int | None, dry_run: bool
) -> None:
    """Let a token expire later, and never after its maximum."""
    from kraftpy.cli.connection import connect

    with connect(bootstrap, timeout) as cluster:
        expires_ms = cluster.renew_delegation_token(hmac, period_ms, validate_only=dry_run)
    verb = "would expire" if dry_run else "expires"
    data = {**time_fields("expiration", expires_ms), "dryRun": dry_run}
    show(output, data, [f"The token {verb} at {local_text(expires_ms)}."])


@examples(
    "kraftpy delegation-tokens expire -C localhost:9193 --command-config admin.properties --hmac - < token.hmac",
)
@delegation_tokens.command("expire")
@hmac_option
@click.option(
    "--expiry-time-period",
    "period_ms",
    type=WholeNumber(min=0, max=PERIOD_MS_MAX),
    metavar="MS",
    help="Milliseconds for which it is valid from now on. Without it the token is deleted.",
)
@dry_run_option()
@connection_options
@output_option
def expire_command(
    bootstrap: tuple[str, ...], timeout: float, output: Output, *, hmac: bytes, period_ms: int | None, dry_run: bool
) -> None:
    """Let a token expire earlier or later, or delete it."""
    from kraftpy.cli.connection import connect

    with connect(bootstrap, timeout) as cluster:
        expires_ms = cluster.expire_delegation_token(hmac, period_ms, validate_only=dry_run)
    if period_ms is None:
        line = "The token can be deleted." if dry_run else "Deleted the token."
    else:
        line = f"The token {'would expire' if dry_run else 'expires'} at {local_text(expires_ms)}."
    show(output, {**time_fields("expiration", expires_ms), "dryRun": dry_run}, [line])


@examples(
    "kraftpy delegation-tokens list -C localhost:9193 --command-config admin.properties --owner-principal User:alice",
)
@delegation_tokens.command("list")
@click.option(
    "--owner-principal", "owners", multiple=True, type=PrincipalParam(), help="Only tokens of this owner; repeatable."
)
@read_options
@connection_options
@output_option
def list_command(
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    owners: tuple[str, ...],
    consistency: Consistency,
    min_offset: int | None,
) -> None:
    """List tokens, without their HMACs."""
    from kraftpy.cli.connection import connect

    with connect(bootstrap, timeout) as cluster:
        found = cluster.describe_delegation_tokens(owners, Read(consistency, min_offset))
    show(output, [as_json(token) for token in found], as_lines(found))


def as_json(token: DelegationTokenInfo) -> dict[str, Any]:
    """Return a token as an object."""
    return {
        "tokenId": token.token_id or None,
        "owner": token.owner,
        "requester": token.requester,
        "renewers": list(token.renewers),
        **time_fields("issue", token.issue_timestamp_ms),
        **time_fields("expiration", token.expiration_timestamp_ms),
        **time_fields("max", token.max_timestamp_ms),
    }


def as_lines(tokens: Sequence[DelegationTokenInfo]) -> list[str]:
    """Return a row per token, tab-separated as in Kafka's tools."""
    return [
        f"TokenId: {token.token_id}\tOwner: {token.owner}\tRequester: {token.requester}\t"
        f"Renewers: {','.join(token.renewers)}\tIssued: {local_text(token.issue_timestamp_ms)}\t"
        f"Expires: {local_text(token.expiration_timestamp_ms)}\tMax: {local_text(token.max_timestamp_ms)}"
        for token in tokens
    ]
