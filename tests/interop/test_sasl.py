"""SASL between Kafka's nodes and tools and ours: each side is the server of the other."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from urllib.error import URLError

import pytest

from kraftpy.authenticator.jaas import OAUTH_MODULE, PLAIN_MODULE, SCRAM_MODULE
from tests.fakes.oauth import AuthorizationServer
from tests.interop.cluster import Member, Quorum, java
from tests.interop.jars import Jars
from tests.interop.processes import eventually

BROKER = 101
TOOL = "org.apache.kafka.tools.MetadataQuorumCommand"
PLAIN, BEARER = "PLAIN", "OAUTHBEARER"
SCRAM = ("SCRAM-SHA-256", "SCRAM-SHA-512")
PREFIX = "listener.name.controller"
NODE = 'username="node" password="node-pw"'
HANDLER = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler"
INVALID = "Authentication failed during authentication due to invalid credentials with SASL mechanism"


def scram_users() -> list[str]:
    """What ``storage format`` of either side is given, to prepare the users."""
    names = ("node", "alice")
    return [f"--add-scram={one}=[name={name},password={name}-pw]" for one in SCRAM for name in names]


def properties(*mechanisms: str) -> dict[str, str]:
    """What every node's file has: controllers know each other by PLAIN, and offer these mechanisms, too."""
    users = 'user_node="node-pw" user_alice="alice-pw"'
    scram = (one for one in mechanisms if one in SCRAM)
    return {
        "listener.security.protocol.map": "CONTROLLER:SASL_PLAINTEXT,PLAINTEXT:PLAINTEXT",
        "sasl.enabled.mechanisms": ",".join((PLAIN, *mechanisms)),
        "sasl.mechanism.controller.protocol": PLAIN,
        f"{PREFIX}.plain.sasl.jaas.config": f"{PLAIN_MODULE} required {NODE} {users};",
        **{f"{PREFIX}.{one.lower()}.sasl.jaas.config": f"{SCRAM_MODULE} required {NODE};" for one in scram},
    }


class Tool:
    """Kafka's tool for the quorum, which authenticates itself to one controller."""

    def __init__(self, jars: Jars, root: Path, address: str) -> None:
        self.jars, self.root, self.address = jars, root, address

    def by_password(self, mechanism: str, password: str = "alice-pw") -> str:
        module = PLAIN_MODULE if mechanism == PLAIN else SCRAM_MODULE
        line = f'{module} required username="alice" password="{password}";'
        return self._run({"sasl.mechanism": mechanism, "sasl.jaas.config": line})

    def by_token(self, token: str) -> str:
        file = self.root / "token"
        file.write_text(token, encoding="utf-8")
        more = {
            "sasl.mechanism": BEARER,
            "sasl.jaas.config": f"{OAUTH_MODULE} required;",
            "sasl.login.callback.handler.class": HANDLER,
            "sasl.oauthbearer.token.endpoint.url": f"file://{file}",
        }
        return self._run(more, f"-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=file://{file}")

    def _run(self, client: Mapping[str, str], *options: str) -> str:
        file = self.root / "client.properties"
        lines = ("security.protocol=SASL_PLAINTEXT", *(f"{key}={value}" for key, value in client.items()))
        file.write_text("\n".join(lines), encoding="utf-8")
        args = ("--bootstrap-controller", self.address, "--command-config", str(file), "describe", "--status")
        done = java(self.jars, TOOL, *args, options=options)
        return done.stdout + done.stderr


@pytest.mark.timeout(300)
def test_a_stock_broker_and_stock_tools_authenticate_themselves_to_ours(jars: Jars, root: Path) -> None:
    """The broker by SCRAM, with a user that formatting prepared; the tool by each mechanism, with good and bad."""
    server, forger = AuthorizationServer(), AuthorizationServer()
    keys = root / "keys.json"
    keys.write_bytes(server.key_set())
    with Quorum(jars, root, ours=[1], brokers=[BROKER], extra=properties(*SCRAM)) as quorum:
        ours, broker = quorum.members[1], quorum.members[BROKER]
        ours.properties |= {
            "sasl.enabled.mechanisms": ",".join((PLAIN, *SCRAM, BEARER)),
            "sasl.oauthbearer.jwks.endpoint.url": keys.as_uri(),
            "sasl.oauthbearer.expected.audience": "kafka",
        }
        broker.properties["sasl.mechanism.controller.protocol"] = SCRAM[1]
        for member in (ours, broker):
            member.write_config()
        ours.format(extra=scram_users())
        broker.format()
        ours.start()
        quorum.wait_for_leader()
        broker.start()
        eventually("the broker serves", lambda: "Kafka Server started" in broker.log_text(), quorum.running)

        tool = Tool(jars, root, quorum.addresses[1])
        for mechanism in (PLAIN, *SCRAM):
            assert "LeaderEpoch" in tool.by_password(mechanism)
        assert "Authentication failed: Invalid username or password" in tool.by_password(PLAIN, "wrong")
        assert f"{INVALID} {SCRAM[0]}" in tool.by_password(SCRAM[0], "wrong")
        now_s = time.time()
        assert "LeaderEpoch" in tool.by_token(server.token(now_s, scope="s"))
        assert '{"status":"invalid_token"}' in tool.by_token(forger.token(now_s, scope="s"))
        assert "-pw" not in ours.log_text()


@pytest.mark.timeout(300)
def may_vote(member: Member) -> bool:
    try:
        return member.metric("kraft_voter_eligible") == 1
    except URLError:
        # It has not opened its listeners yet.
        return False


def test_kafkas_controllers_and_one_of_ours_authenticate_each_other(jars: Jars, root: Path) -> None:
    """Kafka's lead; the leader is killed, so that votes are asked for and given in all directions."""
    with Quorum(jars, root, kafka=[2, 3], ours=[1], extra=properties()) as quorum:
        quorum.format_and_start()
        leader = quorum.wait_for_leader()
        ours = quorum.members[1]
        # Before it has caught up once, its vote does not count, and the other one of Kafka's has no majority.
        eventually("ours may vote", lambda: may_vote(ours), quorum.running)
        leader.kill()
        quorum.wait_for_leader(other_than=leader.node_id)
        assert ours.metric("kraft_authentication_failures_total") == 0
        assert "login_failed" not in ours.log_text()
