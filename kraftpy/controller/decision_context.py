"""What one decision may look at: the speculative image and the soft state, at one moment."""

from __future__ import annotations

from dataclasses import dataclass

from kraftpy.controller.acl_index import AclIndex
from kraftpy.controller.broker_id_reservations import BrokerIdReservations
from kraftpy.controller.config import ControllerConfig, QuorumFacts, UuidSource
from kraftpy.controller.delegation_token_index import DelegationTokenIndex
from kraftpy.controller.heartbeats import HeartbeatTracker
from kraftpy.controller.policies import NO_POLICIES, Policies
from kraftpy.controller.replica_index import ReplicaIndex
from kraftpy.image.client_quotas import ClientQuotasImage
from kraftpy.image.image import MetadataImage
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Offset
from kraftpy.quotas.mutations import MutationCharge, MutationQuotas, Mutator


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionContext:
    """The state that a decision is made from.

    Attributes:
        now_ms: milliseconds since 1970, by a clock that never goes back.
        image: with every record appended so far, committed or not.
        next_offset: the earliest offset of the next record; no record has it yet.
        cluster_id: from the log, or from this node's file below the level of KIP-1262; ``None`` while unknown.
        uuids: where the ids of new topics come from, and the seeds of placements.
        replicas: finds the partitions of a broker in ``image``.
        acls: finds the ids of an access control entry in ``image``.
        tokens: finds the delegation token of an HMAC in ``image``.
        reservations: broker ids that were given to processes which have not registered yet.
        policies: the operator's, asked after the controller's own checks.
        published_quotas: the quotas of the newest published image, which are those in force.
        mutations: what clients used of them.
    """

    now_ms: int
    image: MetadataImage
    next_offset: Offset
    cluster_id: str | None
    node_id: NodeId
    config: ControllerConfig
    quorum: QuorumFacts
    heartbeats: HeartbeatTracker
    uuids: UuidSource
    replicas: ReplicaIndex
    acls: AclIndex
    tokens: DelegationTokenIndex
    reservations: BrokerIdReservations
    policies: Policies = NO_POLICIES
    published_quotas: ClientQuotasImage
    mutations: MutationQuotas

    def charge(self, mutator: Mutator | None) -> MutationCharge:
        """Begin to charge a request for the partitions that it changes."""
        return self.mutations.charge(self.published_quotas, mutator, self.now_ms)
