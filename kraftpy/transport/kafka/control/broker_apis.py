"""Which APIs a broker needs of the listener that it registers at, as far as that is known; one log line if some lack.

A broker sends no request of an API that the listener's ApiVersions response lacks. It says nothing, and goes on without
(or repeats itself for ever). So the controller says it, once for each start of a broker.

Known are the requests of the Kafka that kraftpy's are compared with (``RELEASE``): each needs one version that both
know. What a newer Kafka needs besides is not in anything that it sends. That it is newer is: its registration names a
metadata.version which that Kafka does not have. The line then says as much, with the software of the connection's
ApiVersions request.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from kraftpy.model.features import METADATA_VERSION
from kraftpy.model.ids import NodeId, Uuid
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import API_VERSIONS
from kraftpy.transport.kafka.apis import ApiTable
from kraftpy.transport.kafka.control.envelope import FORWARDABLE

LOG: Final = logging.getLogger("kraftpy.transport.control")

RELEASE: Final = "4.3"
"""The Kafka whose requests are known here."""

RELEASE_LEVEL: Final = 30
"""The highest metadata.version of that release. Source: Kafka 4.3 ``MetadataVersion.LATEST_PRODUCTION``."""

KAFKA: Final = "apache-kafka-java/"
"""How the software of Kafka's brokers begins; the levels of others, such as kraftpy's own, mean something else."""

NEEDED: Final = FORWARDABLE | {
    message.API_KEY
    for message in (
        rpc.FetchRequest, rpc.FetchSnapshotRequest, rpc.ApiVersionsRequest, rpc.BrokerRegistrationRequest,
        rpc.BrokerHeartbeatRequest, rpc.AlterPartitionRequest, rpc.AssignReplicasToDirsRequest, rpc.EnvelopeRequest,
        rpc.AllocateProducerIdsRequest,
    )
}  # fmt: skip
"""What a broker sends to controllers, for itself and for its clients."""

BROKERS_MAX: Final = 10_000
"""Of how many brokers it is remembered that they were looked at."""


class BrokerApis:
    """Compares what brokers need with what one listener offers.

    Args:
        apis: what the listener offers.
    """

    def __init__(self, apis: ApiTable) -> None:
        self._apis = apis
        self._seen: OrderedDict[NodeId, Uuid] = OrderedDict()

    def registered(self, message: rpc.BrokerRegistrationRequest, software: str) -> None:
        """Log what a broker that registered will miss, once for each of its incarnations.

        Args:
            message: the registration.
            software: what the broker says of itself, empty when it does not.
        """
        if self._seen.get(message.broker_id) == message.incarnation_id:
            return
        self._seen[message.broker_id] = message.incarnation_id
        self._seen.move_to_end(message.broker_id)
        if len(self._seen) > BROKERS_MAX:
            self._seen.popitem(last=False)
        named = software or "(unknown)"
        missing = self.missing(NEEDED)
        if missing:
            LOG.warning(
                "broker_apis_missing broker_id=%d software=%s missing=%s: this listener does not offer them, and the "
                "broker goes on without",
                message.broker_id, named, ",".join(missing),
            )  # fmt: skip
        levels = [each.max_supported_version for each in message.features if each.name == METADATA_VERSION]
        level = max(levels, default=0)
        if level > RELEASE_LEVEL and software.startswith(KAFKA):
            LOG.warning(
                "broker_is_newer broker_id=%d software=%s metadata_version=%d: this listener offers the APIs of Kafka "
                "%s (metadata.version %d); what this broker needs besides is not known here",
                message.broker_id, named, level, RELEASE, RELEASE_LEVEL,
            )  # fmt: skip

    def missing(self, needed: Iterable[int]) -> list[str]:
        """Return the names of APIs that are not offered."""
        return [API_VERSIONS[key].name for key in sorted(needed) if key not in self._apis.rows]
