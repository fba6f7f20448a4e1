"""Whether this node's certificate names this node: where peers compare names, one that does not is refused by all.

Source: ``model.identity``.
"""

from __future__ import annotations

import structlog

from kraftpy.config.node_config import NodeConfig
from kraftpy.model.identity import SCHEME, NodeRole, why_not
from kraftpy.transport.kafka.identity import principal_in
from kraftpy.transport.tls import TlsFiles, shown_certificate

_log = structlog.get_logger("kraftpy.tls")


def log_own_name(config: NodeConfig, cluster_id: str | None) -> None:
    """Log an error when the certificate that this node shows the quorum does not name it in each of its roles.

    Args:
        config: the node's.
        cluster_id: as far as it is known.

    Raises:
        ConfigError: when a file cannot be used; it names the file.
    """
    tls = config.quorum_tls
    is_compared = config.controller_listener_name in config.identity.peers or config.identity.servers
    if not is_compared or tls.keystore_location is None:
        return
    certificate = shown_certificate(TlsFiles(certificate=tls.keystore_location, key_password=tls.key_password))
    if certificate is None:
        return
    principal = principal_in(certificate)
    held = {NodeRole.CONTROLLER: config.is_controller, NodeRole.BROKER: config.is_broker}
    for role in (role for role, is_held in held.items() if is_held):
        reason = why_not(principal, config.node_id, (role,), cluster_id)
        if reason is not None:
            _log.error(
                "certificate_without_node_name",
                way_out="put the wanted URI among the subject alternative names of the certificate, or set "
                "controller.quorum.peer.identity=none on every node; until then other nodes reject this one",
                file=tls.keystore_location,
                reason=reason,
                wanted=f"{SCHEME}/{role.value}/{config.node_id}",
            )
