"""Files for the nodes of a new cluster, from a list of hosts.

The quorum is static (``controller.quorum.voters``): it starts from empty directories, without a format step (KIP-1262).

Source: docs/deploy.md; KIP-36 (``broker.rack``); KIP-595 §Configurations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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

CERTIFICATES: Final = "certificates.sh"
SCRIPT: Final = """\
#!/bin/sh
# Makes an authority here, and a file with a key and a certificate for each node and for an operator.
# Copy the node's own file and ca.pem to the directory of keys on its machine; keep ca.key to yourself.
set -eu
umask 077
cd "$(dirname "$0")"
[ -e ca.key ] || openssl req -x509 -newkey rsa:3072 -nodes -days 3650 -subj /CN=kraftpy-ca -keyout ca.key -out ca.pem

certificate() {  # a name, and the names in its certificate, if any
  openssl req -newkey rsa:3072 -nodes -subj "/CN=$1" -keyout "$1.key" -out "$1.csr"
  echo "${2:+subjectAltName=$2}" > "$1.ext"
  openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days 365 -extfile "$1.ext" -out "$1.crt"
  cat "$1.key" "$1.crt" > "$1.pem"
  rm "$1.key" "$1.csr" "$1.ext" "$1.crt"
}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a cluster is to be.

    Attributes:
        controllers: the host of each.
        brokers: the host of each.
        racks: the rack of each broker, as many as brokers; empty for none.
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
        places = zip(self.controllers, _turns(self.controllers), strict=True)
        return ",".join(
            f"{node_id}@{_bracketed(host)}:{CONTROLLER_PORT + turn}"
            for node_id, (host, turn) in enumerate(places, 1)
        )  # fmt: skip


def generated(plan: Plan) -> dict[str, str]:
    """Return the text of each file by its name."""
    files = {f"controller-{node_id}.properties": text for node_id, text in _controllers(plan).items()}
    files |= {f"broker-{node_id}.properties": text for node_id, text in _brokers(plan).items()}
    if plan.keys is not None:
        files[CERTIFICATES] = _certificates(plan)
    return files


def _controllers(plan: Plan) -> Mapping[NodeId, str]:
    texts = {}
    for node_id, (host, turn) in enumerate(zip(plan.controllers, _turns(plan.controllers), strict=True), 1):
        name = _bracketed(host)
        texts[node_id] = _text(
            f"Controller {node_id} of {len(plan.controllers)}.",
            {
                "process.roles": "controller",
                "node.id": str(node_id),
                "controller.quorum.voters": plan.voters,
                "controller.listener.names": "CONTROLLER",
                "listeners": f"CONTROLLER://{name}:{CONTROLLER_PORT + turn}",
                "log.dirs": f"{plan.data}/controller-{node_id}",
                "grpc.listener": f"{name}:{GRPC_PORT + turn}",
                "metrics.listener": f"{name}:{CONTROLLER_METRICS_PORT + turn}",
            }
            | _tls(plan, f"controller-{node_id}", "CONTROLLER:SSL")
            | ({} if plan.keys is None else {"grpc.security.protocol": "SSL"}),
        )
    return texts


def _brokers(plan: Plan) -> Mapping[NodeId, str]:
    texts = {}
    for place, (host, turn) in enumerate(zip(plan.brokers, _turns(plan.brokers), strict=True)):
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
                "listeners": f"{protocol}://{name}:{OTHER_BROKERS_PORT + turn - 1 if turn else BROKER_PORT}",
                "inter.broker.listener.name": protocol,
                "log.dirs": f"{plan.data}/broker-{node_id}",
                "metrics.listener": f"{name}:{BROKER_METRICS_PORT + turn}",
            }
            | _tls(plan, f"broker-{node_id}", "CONTROLLER:SSL,SSL:SSL"),
        )
    return texts


def _turns(hosts: Sequence[str]) -> list[int]:
    """Return how many nodes of each host come before: each needs other ports."""
    seen: Counter[str] = Counter()
    turns = []
    for host in hosts:
        machine = "localhost" if is_loopback(host) else host.lower()
        turns.append(seen[machine])
        seen[machine] += 1
    return turns


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _tls(plan: Plan, name: str, protocols: str) -> dict[str, str]:
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


def _certificates(plan: Plan) -> str:
    """Write a script that makes an authority, and for each node a certificate that names it (docs/deploy.md)."""
    nodes = [("controller", node_id, host) for node_id, host in enumerate(plan.controllers, 1)]
    nodes += [("broker", node_id, host) for node_id, host in enumerate(plan.brokers, FIRST_BROKER_ID)]
    names = [
        f"certificate {kind}-{node_id} {_kind_of_name(host)}:{host},URI:kraft:///{kind}/{node_id}"
        for kind, node_id, host in nodes
    ]
    return "\n".join([SCRIPT, *names, "certificate operator", ""])


def _kind_of_name(host: str) -> str:
    is_address = ":" in host or host.replace(".", "").isdecimal()
    return "IP" if is_address else "DNS"
