"""Files for the nodes of a new cluster, from a list of hosts.

The quorum is static (``controller.quorum.voters``): it starts from empty directories, without a format step (KIP-1262).

Source: docs/deploy.md; KIP-36 (``broker.rack``); KIP-595 §Configurations.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

from kraftpy.config.endpoints import is_loopback
from kraftpy.model.ids import NodeId

CONTROLLER_PORT: Final = 9093
BROKER_PORT: Final = 9092
OTHER_BROKERS_PORT: Final = 9493
"""The port of a host's second broker, since the first controller has the port after Kafka's."""

GRPC_PORT: Final = 9193
CONTROLLER_METRICS_PORT: Final = 9293
BROKER_METRICS_PORT: Final = 9393
"""The ports of the first node of a host; those of the next one are one higher."""

FIRST_BROKER_ID: Final = 101
HOSTS_MAX: Final = 99
"""Controllers, and brokers: more ports of one host would meet those of another kind."""

HOST: Final = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*")
HOST_CHARACTERS_MAX: Final = 253

CERTIFICATES: Final = "certificates.sh"
SCRIPT: Final = """\
#!/bin/sh
# Makes an authority here, and a file with a key and a certificate for each node and for an operator.
# Copy the node's own file and ca.pem to the directory of keys on its machine; keep ca.key to yourself.
set -eu
umask 077
cd "$(dirname "$0")"
[ -e ca.pem ] || openssl req -x509 -newkey rsa:3072 -nodes -days 3650 -subj /CN=kraftpy-ca -keyout ca.key -out ca.pem

certificate() {  # a name, and the names in its certificate, if any
  openssl req -newkey rsa:3072 -nodes -subj "/CN=$1" -keyout "$1.key" -out "$1.csr"
  echo "${2:+subjectAltName=$2}" > "$1.ext"
  openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days 365 -extfile "$1.ext" -out "$1.crt"
  cat "$1.key" "$1.crt" > "$1.pem"
  rm "$1.key" "$1.csr" "$1.ext" "$1.crt"
}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterPlan:
    """What a cluster is to be.

    Attributes:
        controllers: the host of each.
        brokers: the host of each.
        racks: the rack of each broker, as many as brokers; empty for none. Racks and directories have no backslash and
            no line break, which mean something in a properties file.
        data: below it each node has a directory.
        keys: where each machine has its PEM files; ``None`` without TLS.
    """

    controllers: Sequence[str]
    brokers: Sequence[str]
    racks: Sequence[str]
    data: str
    keys: str | None

    @property
    def voters(self) -> str:
        """The value of ``controller.quorum.voters``."""
        places = zip(self.controllers, _nodes_before(self.controllers), strict=True)
        return ",".join(
            f"{node_id}@{_bracketed(host)}:{CONTROLLER_PORT + before}"
            for node_id, (host, before) in enumerate(places, 1)
        )  # fmt: skip


def checked_host(text: str) -> str:
    """Return a host in the one spelling that files get.

    Raises:
        ValueError: it is neither an address without a zone nor a name of letters, digits, hyphens and dots.
    """
    text = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    if _is_address(text) and "%" not in text:
        return str(ip_address(text))
    name = text.lower().removesuffix(".")
    if not HOST.fullmatch(name) or len(name) > HOST_CHARACTERS_MAX or name.rpartition(".")[2].isdecimal():
        raise ValueError(
            f"{text!r:.200} is neither an address nor a name of letters, digits, hyphens and dots, without a port"
        )
    return name


def generated(plan: ClusterPlan) -> dict[str, str]:
    """Return the text of each file by its name."""
    files = {f"controller-{node_id}.properties": text for node_id, text in _controllers(plan).items()}
    files |= {f"broker-{node_id}.properties": text for node_id, text in _brokers(plan).items()}
    if plan.keys is not None:
        files[CERTIFICATES] = _certificates(plan)
    return files


def _controllers(plan: ClusterPlan) -> Mapping[NodeId, str]:
    texts = {}
    for node_id, (host, before) in enumerate(zip(plan.controllers, _nodes_before(plan.controllers), strict=True), 1):
        name = _bracketed(host)
        texts[node_id] = _text(
            f"Controller {node_id} of {len(plan.controllers)}.",
            {
                "process.roles": "controller",
                "node.id": str(node_id),
                "controller.quorum.voters": plan.voters,
                "controller.listener.names": "CONTROLLER",
                "listeners": f"CONTROLLER://{name}:{CONTROLLER_PORT + before}",
                "log.dirs": f"{plan.data}/controller-{node_id}",
                "grpc.listener": f"{name}:{GRPC_PORT + before}",
                "metrics.listener": f"{name}:{CONTROLLER_METRICS_PORT + before}",
            }
            | _tls(plan, f"controller-{node_id}", "CONTROLLER:SSL")
            | ({} if plan.keys is None else {"grpc.security.protocol": "SSL"}),
        )
    return texts


def _brokers(plan: ClusterPlan) -> Mapping[NodeId, str]:
    texts = {}
    for place, (host, before) in enumerate(zip(plan.brokers, _nodes_before(plan.brokers), strict=True)):
        node_id, name = FIRST_BROKER_ID + place, _bracketed(host)
        protocol = "PLAINTEXT" if plan.keys is None else "SSL"
        texts[node_id] = _text(
            f"Broker {node_id}.",
            {
                "process.roles": "broker",
                "node.id": str(node_id),
                **({"broker.rack": plan.racks[place]} if plan.racks else {}),
                "controller.quorum.voters": plan.voters,
                "controller.listener.names": "CONTROLLER",
                "listeners": f"{protocol}://{name}:{OTHER_BROKERS_PORT + before - 1 if before else BROKER_PORT}",
                "inter.broker.listener.name": protocol,
                "log.dirs": f"{plan.data}/broker-{node_id}",
                "metrics.listener": f"{name}:{BROKER_METRICS_PORT + before}",
            }
            | _tls(plan, f"broker-{node_id}", "CONTROLLER:SSL,SSL:SSL"),
        )
    return texts


def _nodes_before(hosts: Sequence[str]) -> list[int]:
    """Return for each node how many of the same host come before it: each needs other ports."""
    seen: Counter[str] = Counter()
    counts = []
    for host in hosts:
        machine = "localhost" if is_loopback(host) else host
        counts.append(seen[machine])
        seen[machine] += 1
    return counts


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _tls(plan: ClusterPlan, name: str, protocols: str) -> dict[str, str]:
    if plan.keys is None:
        return {}
    return {
        "listener.security.protocol.map": protocols,
        "ssl.keystore.location": f"{plan.keys}/{name}.pem",
        "ssl.truststore.location": f"{plan.keys}/ca.pem",
        "ssl.client.auth": "required",
    }


def _text(title: str, values: Mapping[str, str]) -> str:
    lines = [f"# {title} Each key is described in docs/configuration.md.", ""]
    return "\n".join([*lines, *(f"{key}={value}" for key, value in values.items()), ""])


def _certificates(plan: ClusterPlan) -> str:
    """Write a script that makes an authority, and for each node a certificate that names it (docs/deploy.md)."""
    nodes = [("controller", node_id, host) for node_id, host in enumerate(plan.controllers, 1)]
    nodes += [("broker", node_id, host) for node_id, host in enumerate(plan.brokers, FIRST_BROKER_ID)]
    # Hosts are checked (HOST), so that nothing in them means anything to a shell.
    names = [
        f"certificate {kind}-{node_id} {'IP' if _is_address(host) else 'DNS'}:{host},URI:kraft:///{kind}/{node_id}"
        for kind, node_id, host in nodes
    ]
    return "\n".join([SCRIPT, *names, "certificate operator", ""])
