"""The identity of a connection's peer, from its certificate, and from SASL.

A certificate names nodes in URIs among its subject alternative names::

    kraft://<cluster id>/controller/<node id>
    kraft://<cluster id>/broker/<node id>

The cluster id may be left out (``kraft:///controller/2``): then the certificate is valid in every cluster that accepts
its authority. A node with both roles has both URIs, and one certificate may name several nodes. A certificate without
any URI of this scheme belongs to a client or an operator, not to a node. One with a malformed URI names no node: it was
meant for a node, which has fewer rights than an operator.

What a node may say of itself depends on these names alone. Access control entries use the distinguished name of the
certificate, as Kafka does: ``User:CN=alice,O=example``. Where a listener authenticates by SASL, they use the name from
there (``User:alice``).
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from kraftpy.model.decimal_text import number_from_text
from kraftpy.model.ids import NodeId

NODE_ID_MAX: Final = 2**31 - 1
SCHEME: Final = "kraft://"
_SCHEME_NAME: Final = "kraft:"
ANONYMOUS_NAME: Final = "User:ANONYMOUS"
"""The principal of every caller without a certificate, as access control entries name it. Source: Kafka
``KafkaPrincipal.ANONYMOUS``."""
PRINCIPAL_BYTES_MAX: Final = 4_096
"""How many bytes the name of a principal may have where a client or a broker chooses it."""
SUBJECT_CHARS_MAX: Final = 200
"""How many characters of a subject are shown in messages."""
NAMES_SHOWN: Final = 10
"""How many of the nodes that a certificate names are listed in messages."""

_NODE_URI: Final = re.compile(r"kraft://(?P<cluster>[A-Za-z0-9_-]*)/(?P<role>controller|broker)/(?P<id>[0-9]+)")


class NodeRole(enum.Enum):
    """What a certificate lets a node be."""

    CONTROLLER = "controller"
    BROKER = "broker"


@dataclass(frozen=True, slots=True)
class NodeName:
    """One node that a certificate names.

    Attributes:
        cluster_id: the only cluster in which it holds; ``None`` for any.
    """

    role: NodeRole
    node_id: NodeId
    cluster_id: str | None = None


@dataclass(frozen=True, slots=True)
class Principal:
    """The peer of a connection.

    Attributes:
        subject: for messages.
        nodes: which nodes it may speak for; none for clients and operators.
        is_meant_for_node: its certificate has a URI of ours, whether that names a node or is misspelt.
        name: as access control entries name it: ``User:`` and the distinguished name of the certificate (RFC 2253), or
            the name that SASL authenticated.
        by_sasl: whether SASL authenticated it.
        by_token: whether it did so with a delegation token.
    """

    subject: str
    nodes: tuple[NodeName, ...] = ()
    is_meant_for_node: bool = False
    name: str = ANONYMOUS_NAME
    by_sasl: bool = False
    by_token: bool = False


ANONYMOUS: Final = Principal("a stranger without a certificate")


def parse_node_uri(uri: str) -> NodeName | None:
    """Read one URI; ``None`` when it does not name a node."""
    match = _NODE_URI.fullmatch(uri)
    if match is None:
        return None
    node_id = number_from_text(match["id"], NODE_ID_MAX)
    return None if node_id is None else NodeName(NodeRole(match["role"]), node_id, match["cluster"] or None)


def principal_of(subject: str, uris: Iterable[str], distinguished_name: str = "") -> Principal:
    """Make a principal of a certificate's subject and of the URIs among its alternative names.

    Args:
        subject: for messages.
        uris: the URIs among the alternative names.
        distinguished_name: the subject in the form of RFC 2253.
    """
    found = tuple(uris)
    names = [parse_node_uri(uri) for uri in found]
    shown = "".join(letter if letter.isprintable() else "?" for letter in subject[:SUBJECT_CHARS_MAX])
    is_meant_for_node = any(uri.lower().startswith(_SCHEME_NAME) for uri in found)
    nodes = tuple(name for name in names if name is not None)
    return Principal(shown or "(no subject)", nodes, is_meant_for_node, f"User:{distinguished_name}")


def why_not(
    principal: Principal, node_id: NodeId | None, roles: Iterable[NodeRole], cluster_id: str | None
) -> str | None:
    """Say why a principal may not speak for a node; ``None`` when it may.

    Args:
        principal: who it is.
        node_id: the node it speaks for; ``None`` for any node of the cluster.
        roles: as what, one of them.
        cluster_id: this node's cluster; ``None`` while that is not known, when names of any cluster hold.
    """
    wanted = tuple(roles)
    named = [one for one in principal.nodes if one.role in wanted]
    here = [one for one in named if cluster_id is None or one.cluster_id in {None, cluster_id}]
    if any(node_id is None or one.node_id == node_id for one in here):
        return None
    role = " or ".join(one.value for one in wanted)
    claim = f"{role} {node_id}" if node_id is not None else f"a {role}"
    if not principal.nodes:
        return f"{principal.subject} is not {claim}: it shows no certificate that names a node ({SCHEME}...)"
    names = ", ".join(
        f"{one.role.value} {one.node_id} of cluster {one.cluster_id or '(any)'}"
        for one in principal.nodes[:NAMES_SHOWN]
    )
    return f"{principal.subject} is not {claim} of cluster {cluster_id or '(unknown)'}: its certificate names {names}"
