"""What protects the ports of an attacked cluster: nothing, mutual TLS, or that and an authorizer.

With TLS each node has a certificate that names it, honest clients have the administrator's, and the attackers of
:mod:`tests.robustness.insiders` theirs.
"""

from __future__ import annotations

import enum
import random
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from kraftpy.config.authorization import AUTHORIZER, STANDARD, SUPER_USERS
from kraftpy.local_cluster.cluster import LocalNode
from tests.fakes.certificates import Authority
from tests.fakes.processes import configure
from tests.fakes.secure_cluster import issue_for, secure_properties
from tests.robustness import insiders
from tests.robustness.proxy import SOCKETS

NODES_MAX = 9
ATTACKING_BROKER = "attacking-broker"
TOKEN_KEY = "the-key-of-the-tokens"


class Protection(enum.StrEnum):
    """What protects the ports."""

    NONE = "none"
    TLS = "tls"
    AUTHORIZER = "authorizer"


def drawn(seed: int) -> Protection:
    """Draw it for a campaign."""
    return random.Random(f"protection {seed}").choice(list(Protection))


def why_no_tls() -> str:
    """Say why this machine cannot have a campaign on TLS; nothing when it can."""
    if shutil.which("openssl") is None:
        return "openssl makes the certificates"
    return "" if SOCKETS.exists() else "only Linux says whose a connection is that cannot be read"


@dataclass
class Secured:
    """The certificates of a cluster.

    Attributes:
        properties: what every node has in its file.
        is_authorized: whether an authorizer decides.
        attackers: PEM files, by what an attacker is.
    """

    authority: Authority
    properties: dict[str, str]
    is_authorized: bool
    attackers: dict[str, str] = field(default_factory=dict)

    def admin_credentials(self) -> grpc.ChannelCredentials:
        """Issue the administrator's certificate."""
        files = self.authority.issue(insiders.ADMIN)
        trusted = self.authority.certificate.read_bytes()
        return grpc.ssl_channel_credentials(trusted, files.key.read_bytes(), files.certificate.read_bytes())

    def configure(self, node: LocalNode) -> None:
        """Give a node the certificate that names it."""
        issued = issue_for(self.authority, node.kind.value, node.node_id)
        configure(node, ssl__keystore__location=str(issued.both))


def secured(folder: Path, protection: Protection) -> Secured | None:
    """Make an authority, and issue what the attackers show; ``None`` for a cluster without protection."""
    if protection is Protection.NONE:
        return None
    authority, other = Authority(folder), Authority(folder / "other")
    properties = secure_properties(authority) | {"delegation.token.secret.key": TOKEN_KEY}
    if protection is Protection.AUTHORIZER:
        names = [f"{role}-{number}" for role in ("controller", "broker") for number in range(1, NODES_MAX)]
        users = ";".join(f"User:CN={name}" for name in (*names, insiders.ADMIN))
        properties |= {AUTHORIZER: STANDARD, SUPER_USERS: users}
    made = Secured(authority, properties, protection is Protection.AUTHORIZER)
    broker, controller = f"kraft:///broker/{insiders.BROKER_ID}", "kraft:///controller/1"
    issued = {
        insiders.OPERATOR: authority.issue(insiders.OPERATOR),
        insiders.BROKER: authority.issue(ATTACKING_BROKER, broker),
        insiders.EXPIRED: authority.issue(insiders.EXPIRED, controller, days=-1),
        insiders.FOREIGN: other.issue(insiders.FOREIGN, controller),
    }
    made.attackers = {role: str(files.both) for role, files in issued.items()}
    made.attackers[insiders.TRUST] = str(authority.certificate)
    return made
