"""Requests of brokers about themselves: register, heartbeat, unregister."""

from __future__ import annotations

import random
from typing import Final

from kraftpy.model.ids import Uuid
from kraftpy.records.generated import rpc
from tests.interop.cluster import CLUSTER_ID
from tests.interop.differential.asking import BROKERS, UNKNOWN_BROKER, Ask, State, kind

RACKS: Final = {11: "a", 12: "a", 13: "b", 14: "b", 15: None}
CAUGHT_UP: Final = 2**40
FEATURES: Final = {
    "metadata.version": (7, 30),
    "kraft.version": (0, 1),
    "transaction.version": (0, 2),
    "group.version": (0, 1),
    "share.version": (0, 1),
    "streams.version": (0, 1),
    "eligible.leader.replicas.version": (0, 1),
}


def directories_of(broker_id: int) -> list[Uuid]:
    """Return the log directories of a broker."""
    return [(broker_id * 1_000 + number).to_bytes(16, "big") for number in range(2)]


def registration(broker_id: int, incarnation: int = 0) -> rpc.BrokerRegistrationRequest:
    """Register a broker as it is."""
    return rpc.BrokerRegistrationRequest(
        broker_id=broker_id,
        cluster_id=CLUSTER_ID,
        incarnation_id=(broker_id * 100 + incarnation).to_bytes(16, "big"),
        listeners=[rpc.BrokerRegistrationRequestListener("PLAINTEXT", "localhost", 9_000 + broker_id, 0)],
        features=[rpc.BrokerRegistrationRequestFeature(name, *levels) for name, levels in FEATURES.items()],
        rack=RACKS.get(broker_id),
        log_dirs=directories_of(broker_id),
    )


@kind(6)
def register(rng: random.Random, state: State) -> Ask | None:
    """Register a broker that is not there."""
    absent = [each for each in BROKERS if each not in state.brokers]
    return Ask(registration(rng.choice(absent)), 4) if absent else None


def beating(
    state: State, broker_id: int, *, fence: bool = False, shut_down: bool = False
) -> rpc.BrokerHeartbeatRequest:
    return rpc.BrokerHeartbeatRequest(
        broker_id=broker_id,
        broker_epoch=state.epoch(broker_id),
        current_metadata_offset=CAUGHT_UP,
        want_fence=fence,
        want_shut_down=shut_down,
    )


@kind(6)
def unfence(rng: random.Random, state: State) -> Ask | None:
    """Unfence a broker."""
    fenced = [each for each, one in state.brokers.items() if one.fenced]
    return Ask(beating(state, rng.choice(sorted(fenced))), 2) if fenced else None


@kind(2)
def fence(rng: random.Random, state: State) -> Ask | None:
    """Fence a broker, but not the last."""
    active = sorted(each for each, one in state.brokers.items() if not one.fenced)
    return Ask(beating(state, rng.choice(active), fence=True), 2) if len(active) > 1 else None


@kind(2)
def beat(rng: random.Random, state: State) -> Ask:
    """Send any heartbeat: of a broker that is not there, of an earlier registration, from behind, to shut down."""
    message = beating(
        state, rng.choice((*BROKERS, UNKNOWN_BROKER)), fence=rng.random() < 0.2, shut_down=rng.random() < 0.2
    )
    if rng.random() < 0.2:
        message.broker_epoch -= 1
    if rng.random() < 0.2:
        message.current_metadata_offset = rng.choice((-1, 0))
    return Ask(message, rng.choice((0, 1, 2)))


@kind(1)
def unregister(rng: random.Random, state: State) -> Ask:
    """Remove a broker, or one that is not there."""
    return Ask(rpc.UnregisterBrokerRequest(rng.choice((*BROKERS, UNKNOWN_BROKER))), 0)
