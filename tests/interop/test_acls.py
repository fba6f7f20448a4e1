"""The same requests about access control entries to Kafka's controller and to ours: codes, texts and entries."""

from __future__ import annotations

import random
from pathlib import Path

from kraftpy.config.authorization import AUTHORIZER, STANDARD, SUPER_USERS
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from tests.interop.cluster import Quorum
from tests.interop.jars import Jars
from tests.interop.test_topics import Wire

SEED = 1
REQUESTS = 400
VERSION = 3
SECURED = {AUTHORIZER: STANDARD, SUPER_USERS: "User:ANONYMOUS"}
NAMES = ("a", "ab", "abc", "b", "*", "kafka-cluster", "")
PRINCIPALS = ("User:alice", "User:bob", "User:*", "Group:g", "alice")
HOSTS = ("*", "10.0.0.1")
ANY = 1


def creation(rng: random.Random) -> rpc.CreateAclsRequest:
    """Kafka closes the connection for a number that it does not know, and answers -1 for every entry beside an ANY."""
    row = rpc.CreateAclsRequestAclCreation
    return rpc.CreateAclsRequest(
        [
            row(
                rng.choice((2, 2, 3, 4, 5, 6, 7)), rng.choice(NAMES), rng.choice((3, 3, 4)),
                rng.choice(PRINCIPALS), rng.choice(HOSTS), rng.choice(range(2, 16)), rng.choice((2, 3, 3)),
            )
            for _ in range(rng.randint(1, 4))
        ]
    )  # fmt: skip


def one_filter(rng: random.Random) -> tuple[int, str | None, int, str | None, str | None, int, int]:
    return (
        rng.choice((ANY, 2, 3, 4)), rng.choice((None, *NAMES[:-1])), rng.choice((ANY, 2, 3, 4)),
        rng.choice((None, None, *PRINCIPALS)), rng.choice((None, None, *HOSTS)), rng.choice((ANY, ANY, *range(2, 16))),
        rng.choice((ANY, ANY, 2, 3)),
    )  # fmt: skip


def sequence() -> list[Message]:
    rng = random.Random(SEED)
    asked: list[Message] = []
    for _ in range(REQUESTS):
        what = rng.random()
        if what < 0.6:
            asked.append(creation(rng))
        elif what < 0.75:
            filters = [one_filter(rng) for _ in range(rng.randint(1, 3))]
            asked.append(rpc.DeleteAclsRequest([rpc.DeleteAclsRequestDeleteAclsFilter(*one) for one in filters]))
        else:
            asked.append(rpc.DescribeAclsRequest(*one_filter(rng)))
    return asked


def reported(answer: object) -> object:
    """What an answer says, in an order of its own: Kafka's is that of a hash table."""
    if isinstance(answer, rpc.CreateAclsResponse):
        return [(row.error_code, row.error_message) for row in answer.results]
    if isinstance(answer, rpc.DeleteAclsResponse):
        return [
            (
                row.error_code,
                row.error_message,
                sorted(
                    (one.resource_type, one.resource_name, one.pattern_type, one.principal, one.host, one.operation,
                     one.permission_type, one.error_code)
                    for one in row.matching_acls
                ),
            )
            for row in answer.filter_results
        ]  # fmt: skip
    assert isinstance(answer, rpc.DescribeAclsResponse)
    entries = sorted(
        (each.resource_type, each.resource_name, each.pattern_type, one.principal, one.host, one.operation,
         one.permission_type)
        for each in answer.resources
        for one in each.acls
    )  # fmt: skip
    return answer.error_code, answer.error_message, entries


def test_kafkas_controller_and_ours_answer_alike(jars: Jars, root: Path) -> None:
    """A code, a text, or an entry that is created, matched or listed by one of them only."""
    answers: dict[bool, list[object]] = {}
    for ours in (False, True):
        with Quorum(jars, root / str(ours), **{"ours" if ours else "kafka": (1,)}, extra=SECURED) as quorum:
            quorum.format_and_start()
            quorum.wait_for_leader()
            with Wire(quorum.addresses[1]) as wire:
                answers[ours] = [reported(wire.ask(each, VERSION)) for each in sequence()]
    differing = [
        f"{asked}\n  Kafka: {theirs}\n  ours:  {own}"
        for asked, theirs, own in zip(sequence(), answers[False], answers[True], strict=True)
        if theirs != own
    ]
    assert not differing, f"{len(differing)} differ\n" + "\n".join(each[:1_500] for each in differing[:8])
