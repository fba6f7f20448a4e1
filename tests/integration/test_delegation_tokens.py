"""Delegation tokens on a TLS quorum: by the command line, through the loss of a leader."""

from __future__ import annotations

import asyncio
import json
from collections import Counter

import pytest

from kraftpy.cli.exit_codes import ExitCode
from tests.fakes.processes import PATIENT, eventually, kraftpy
from tests.fakes.secure_cluster import SecureCluster, running_secure
from tests.unit.cli.json_outputs import faults

pytestmark = pytest.mark.landing

SETTINGS = {"delegation.token.secret.key": "a key", "delegation.token.expiry.check.interval.ms": "200"}

VERBS = ("create", "expire", "list", "renew")
PORTS = ("grpc_endpoint", "kafka_endpoint")
asked: Counter[str] = Counter()
"""How often each command was run."""


async def command(secure: SecureCluster, name: str | None, *words: str, code: ExitCode = ExitCode.OK):
    """Run a command about tokens with a client's certificate; return its JSON, or what it says of an error.

    Each is given the ports of gRPC, and those of Kafka's protocol, in turns.
    """
    port = PORTS[asked[words[0]] % len(PORTS)]
    asked[words[0]] += 1
    nodes = [getattr(secure.cluster.node(node_id), port) for node_id in secure.cluster.running_controllers]
    tls = ["--tls-ca", secure.authority.certificate]
    tls += [] if name is None else ["--tls-cert", secure.authority.issue(name).both]
    done = await asyncio.to_thread(
        kraftpy, "-o", "json", "delegation-tokens", words[0], "-C", ",".join(nodes), *tls, *words[1:]
    )
    assert done.returncode == code, done
    if code is not ExitCode.OK:
        return done.stderr
    data = json.loads(done.stdout)
    assert faults(f"delegation-tokens {words[0]}", data) == []
    return data


async def test_a_token_lives_as_long_as_it_is_asked_to(tmp_path) -> None:
    """Created, renewed by its renewer under the next leader, refused to others, expired and removed."""
    async with running_secure(tmp_path, extra=SETTINGS | PATIENT) as secure:
        cluster = secure.cluster
        leader = await cluster.leader()
        token = await command(secure, "alice", "create", "--renewer-principal", "User:CN=scheduler")
        other = await command(secure, "alice", "create")
        assert (token["owner"], token["requester"]) == ("User:CN=alice", "User:CN=alice")
        assert token["expirationTimestamp"] - token["issueTimestamp"] == 86_400_000
        await cluster.kill(leader)
        await cluster.leader()
        hmac = ("--hmac", token["hmac"])
        renewed = await command(secure, "scheduler", "renew", *hmac, "--renew-time-period", "3600000")
        assert token["issueTimestamp"] < renewed["expirationTimestamp"] < token["expirationTimestamp"]
        refused = await command(secure, "mallory", "renew", *hmac, code=ExitCode.FAILURE)
        assert "User:CN=mallory is neither the owner of the delegation token" in refused
        assert token["hmac"] not in refused
        (listed,) = [
            one
            for one in await command(secure, "alice", "list", "--consistency", "linearizable")
            if one["tokenId"] != other["tokenId"]
        ]
        assert (listed["tokenId"], "hmac" in listed) == (token["tokenId"], False)
        assert listed["expirationTimestamp"] == renewed["expirationTimestamp"]
        for one in (token, other):
            await command(secure, "alice", "expire", "--hmac", one["hmac"], "--expiry-time-period", "0")

        async def remaining() -> list[object]:
            return await command(secure, "alice", "list", "--consistency", "linearizable")

        await eventually(remaining, lambda found: found == [], "the expired token is removed")
        gone = await command(secure, "alice", "renew", *hmac, code=ExitCode.FAILURE)
        assert "There is no delegation token with this HMAC." in gone
        assert {verb: count >= len(PORTS) for verb, count in asked.items()} == dict.fromkeys(VERBS, True)
