"""AlterClientQuotas, AlterUserScramCredentials, AllocateProducerIds, and delegation tokens."""

from __future__ import annotations

import random
from typing import Final

from kraftpy.records.generated import rpc
from tests.interop.differential.asking import BROKERS, UNKNOWN_BROKER, Ask, State, kind

ENTITIES: Final[tuple[tuple[tuple[str, str | None], ...], ...]] = (
    (("user", "alice"),), (("user", None),), (("client-id", "one"),), (("client-id", None),),
    (("user", "alice"), ("client-id", "one")), (("client-id", None), ("user", "bob")), (("ip", "10.0.0.1"),),
    (("ip", None),), (("ip", "not an address"),), (("user", "a"), ("ip", "10.0.0.1")), (), (("group", "g"),),
    (("user", "a"), ("user", "b")), (("user", ""),), (("ip", "localhost"),), (("ip", "::1"),),
)  # fmt: skip
RATES: Final = (1000.0, 0.5, 0.0, -1.0, 1.5, float("nan"), float("inf"), 2.0**62, 1e30)
KEYS: Final = (
    "producer_byte_rate", "consumer_byte_rate", "request_percentage", "connection_creation_rate", "no_such_key", "",
)  # fmt: skip


@kind(6)
def alter_quotas(rng: random.Random, state: State) -> Ask:
    """Set and remove limits, of entities that there are and that there cannot be."""
    del state
    entry, part, op = (
        rpc.AlterClientQuotasRequestEntryData,
        rpc.AlterClientQuotasRequestEntityData,
        rpc.AlterClientQuotasRequestOpData,
    )
    entries = []
    for _ in range(rng.choice((1, 1, 2, 3))):
        entity = rng.choice(ENTITIES)
        parts = [part(*each) for each in entity]
        if len(dict(entity)) < len(entity):
            # Kafka answers to another entity then, which has to be compared with ours: this one is asked for alone.
            entries.clear()
        ops = [
            op(rng.choice(KEYS[:3]) if rng.random() < 0.7 else rng.choice(KEYS), value, remove=rng.random() < 0.3)
            for value in rng.choices(RATES, (8, 4, 1, 1, 4, 1, 1, 1, 1), k=rng.choice((1, 1, 2)))
        ]
        entries.append(entry(parts, ops))
        if len(dict(entity)) < len(entity):
            break
    message = rpc.AlterClientQuotasRequest(entries, validate_only=rng.random() < 0.1)
    return Ask(message, rng.choice((0, 1)))


@kind(4)
def alter_scram(rng: random.Random, state: State) -> Ask:
    """Set and delete SCRAM credentials; an empty password is an internal error of Kafka's, which resigns for it."""
    del state
    deletion = rpc.AlterUserScramCredentialsRequestScramCredentialDeletion
    upsertion = rpc.AlterUserScramCredentialsRequestScramCredentialUpsertion
    users = ("alice", "bob", "carol", "")
    deletions = [
        deletion(rng.choice(users), rng.choice((1, 2, 1, 2, 0, 3))) for _ in range(rng.choice((0, 0, 1, 1, 2)))
    ]
    upsertions = [
        upsertion(
            rng.choice(users), rng.choice((1, 2, 1, 2, 1, 2, 0, 3)),
            rng.choice((4096, 8192, 4095, 16_384, 16_385, 0, -1)), rng.randbytes(rng.choice((16, 8, 0))),
            rng.randbytes(rng.choice((32, 64))),
        )
        for _ in range(rng.choice((0, 1, 1, 2)))
    ]  # fmt: skip
    return Ask(rpc.AlterUserScramCredentialsRequest(deletions, upsertions), 0)


@kind(2)
def allocate(rng: random.Random, state: State) -> Ask:
    """Let a broker have producer ids."""
    broker_id = rng.choice((*BROKERS, UNKNOWN_BROKER))
    return Ask(rpc.AllocateProducerIdsRequest(broker_id, state.epoch(broker_id) - (rng.random() < 0.1)), 0)


@kind(1)
def tokens(rng: random.Random, state: State) -> Ask:
    """Ask for delegation tokens where there can be none: the connection has no authentication."""
    del state
    renewer = rpc.CreateDelegationTokenRequestCreatableRenewers
    match rng.randrange(3):
        case 0:
            owner = rng.choice((("User", "alice"), (None, None), ("", ""), ("Group", "g")))
            renewers = [renewer("User", "bob")] if rng.random() < 0.5 else []
            return Ask(rpc.CreateDelegationTokenRequest(*owner, renewers, rng.choice((-1, 1000))), 3)
        case 1:
            return Ask(rpc.RenewDelegationTokenRequest(b"no such token", 1000), 2)
    return Ask(rpc.ExpireDelegationTokenRequest(b"no such token", rng.choice((-1, 1000))), 2)
