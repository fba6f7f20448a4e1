"""Mutation quotas: the same requests to Kafka's controller and to ours, and the same of them rejected.

Rates are so low that no token comes while a test runs, so what is allowed depends on the order of requests alone.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from kraftpy.model.errors import ErrorCode
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_response, encode_request
from tests.interop.cluster import CLUSTER_ID, Quorum
from tests.interop.jars import Jars
from tests.interop.processes import eventually
from tests.interop.test_topics import Wire, creating, deleting, growing, join, topic

SEED = 599
STEPS = 60
SECONDS = {"controller.quota.window.num": "1000", "controller.quota.window.size.seconds": "50"}
"""Seconds of tokens, such that of a burst of 10 partitions the next comes in more than an hour."""
EXTRA = {"broker.session.timeout.ms": "600000", **SECONDS}
BURST_S = 1_000 * 50
DEFAULT = None
ALICE, BOB, ANONYMOUS = "alice", "bob: & co", "ANONYMOUS"
QUOTAS: tuple[tuple[dict[str, str | None], int], ...] = (
    ({"user": ALICE, "client-id": "one"}, 4),
    ({"user": ALICE, "client-id": DEFAULT}, 6),
    ({"user": ALICE}, 3),
    ({"user": BOB}, 9),
    ({"user": DEFAULT, "client-id": "two"}, 5),
    ({"user": DEFAULT}, 12),
    ({"client-id": "one"}, 1),
    ({"client-id": DEFAULT}, 2),
)
"""The burst of each entity, in partitions."""
LEVELS = {
    "all": QUOTAS,
    "users": (({"user": ALICE}, 5), ({"user": DEFAULT}, 8)),
    "clients": (({"client-id": "one"}, 4), ({"client-id": DEFAULT}, 7)),
    "pairs": (({"user": DEFAULT, "client-id": DEFAULT}, 6), ({"user": ALICE, "client-id": "two"}, 3)),
}
VERSIONS = {
    rpc.CreateTopicsRequest: (5, 6, 7),
    rpc.DeleteTopicsRequest: (4, 5, 5),
    rpc.CreatePartitionsRequest: (2, 3, 3),
}
"""Permissive, strict, strict."""


def principal(name: str) -> bytes:
    """A principal as a broker forwards it."""
    return bytes(2) + rpc.CODECS[rpc.DefaultPrincipalData, 0][1](rpc.DefaultPrincipalData("User", name), b"")


def forwarded(wire: Wire, message: Message, version: int, user: str, client_id: str) -> Any:
    """Let a broker forward the request of a client."""
    inner = encode_request(client_id, 9, message, version)
    answer = wire.ask(rpc.EnvelopeRequest(inner, principal(user), bytes([127, 0, 0, 1])), 0)
    assert answer.error_code == 0, answer
    return decode_response(message.API_KEY, version, answer.response_data)[1]


def limiting(entities: tuple[tuple[dict[str, str | None], int], ...]) -> rpc.AlterClientQuotasRequest:
    entry, part, op = (
        rpc.AlterClientQuotasRequestEntryData,
        rpc.AlterClientQuotasRequestEntityData,
        rpc.AlterClientQuotasRequestOpData,
    )
    return rpc.AlterClientQuotasRequest(
        entries=[
            entry(
                [part(kind, name) for kind, name in entity.items()],
                [op("controller_mutation_rate", burst / BURST_S, remove=False)],
            )
            for entity, burst in entities
        ]
    )


def script() -> list[tuple[Message, int, str, str]]:
    """Requests with their versions and clients, from a seed."""
    rng = random.Random(SEED)
    made: list[tuple[Message, int, str, str]] = []
    names = [f"topic-{number}" for number in range(12)]
    for _ in range(STEPS):
        count, kind = rng.randrange(1, 4), rng.randrange(5)
        if kind == 0:
            message: Message = deleting(rng.choice(names))
            # Before version 6 topics are named in another field.
            message = rpc.DeleteTopicsRequest(topic_names=[message.topics[0].name], timeout_ms=9_000)
        elif kind == 1:
            message = growing(rng.choice(names), rng.randrange(1, 9), validate_only=rng.random() < 0.2)
        else:
            chosen = rng.sample(names, rng.randrange(1, 4))
            message = creating(*(topic(name, count, 1) for name in chosen), validate_only=rng.random() < 0.2)
        version = rng.choice(VERSIONS[type(message)])
        made.append((message, version, rng.choice([ALICE, BOB, "carol"]), rng.choice(["one", "two", "three"])))
    return made


def codes(answer: Any) -> tuple[bool, list[tuple[str, int, str | None]]]:
    """Whether the client is to wait, and what became of each topic."""
    rows = next(getattr(answer, name) for name in ("topics", "responses", "results") if hasattr(answer, name))
    named = ((each.name or "", each.error_code, getattr(each, "error_message", None)) for each in rows)
    return answer.throttle_time_ms > 0, sorted(named, key=repr)


def in_force(wire: Wire, entities: tuple[tuple[dict[str, str | None], int], ...]) -> None:
    """Set quotas, and wait until they are published: the answer of Kafka's controller does not wait for that."""
    probe: tuple[dict[str, str | None], int] = (dict.fromkeys(entities[0][0], "probe"), 1)
    answer = wire.ask(limiting((*entities, probe)), 1)
    assert all(each.error_code == 0 for each in answer.entries), answer

    def is_rejected() -> bool:
        asked = creating(topic("probe", 1, 1), validate_only=True)
        return bool(forwarded(wire, asked, 7, "probe", "probe").throttle_time_ms > 0)

    eventually("the quotas are in force", is_rejected)


def run(jars: Jars, root: Path, *, ours: bool, level: str) -> list[tuple[bool, list[tuple[str, int, str | None]]]]:
    with Quorum(jars, root, **{"ours" if ours else "kafka": (1,)}, extra=EXTRA) as quorum:
        quorum.format_and_start()
        quorum.wait_for_leader()
        with Wire(quorum.addresses[1]) as wire:
            for broker_id in (11, 12, 13):
                join(wire, CLUSTER_ID, broker_id, None)
            in_force(wire, LEVELS[level])
            return [codes(forwarded(wire, *each)) for each in script()]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("level", LEVELS)
def test_the_same_requests_are_rejected(jars: Jars, root: Path, level: str) -> None:
    """A client is throttled by one controller and not by the other, or with another code."""
    theirs = run(jars, root / "kafka", ours=False, level=level)
    own = run(jars, root / "ours", ours=True, level=level)
    differing = [
        f"{number}: {asked}\n  Kafka: {their}\n  ours:  {our}"
        for number, (asked, their, our) in enumerate(zip(script(), theirs, own, strict=True))
        if their != our
    ]
    assert not differing, f"seed {SEED}: {len(differing)} differ\n" + "\n".join(differing)
    rejected = [code for _, rows in own for _, code, _ in rows if code == ErrorCode.THROTTLING_QUOTA_EXCEEDED]
    assert rejected, "the sequence exhausts no quota"
