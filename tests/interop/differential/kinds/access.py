"""CreateAcls, DeleteAcls and DescribeAcls."""

from __future__ import annotations

import random
from typing import Final

from kraftpy.records.generated import rpc
from tests.interop.differential.asking import Ask, State, kind

NAMES: Final = ("a", "ab", "abc", "b", "*", "kafka-cluster", "")
PRINCIPALS: Final = ("User:alice", "User:bob", "User:*", "Group:g", "alice")
HOSTS: Final = ("*", "10.0.0.1")
ANY: Final = 1


@kind(5)
def create(rng: random.Random, state: State) -> Ask:
    """Create entries, some that no resource can have."""
    del state
    row = rpc.CreateAclsRequestAclCreation
    rows = [
        row(
            rng.choice((2, 2, 3, 4, 5, 6, 7)), rng.choice(NAMES), rng.choice((3, 3, 4)),
            rng.choice(PRINCIPALS), rng.choice(HOSTS), rng.choice(range(2, 16)), rng.choice((2, 3, 3)),
        )
        for _ in range(rng.randint(1, 4))
    ]  # fmt: skip
    return Ask(rpc.CreateAclsRequest(rows), 3)


def _filter(rng: random.Random) -> tuple[int, str | None, int, str | None, str | None, int, int]:
    return (
        rng.choice((ANY, 2, 3, 4)), rng.choice((None, *NAMES[:-1])), rng.choice((ANY, 2, 3, 4)),
        rng.choice((None, None, *PRINCIPALS)), rng.choice((None, None, *HOSTS)), rng.choice((ANY, ANY, *range(2, 16))),
        rng.choice((ANY, ANY, 2, 3)),
    )  # fmt: skip


@kind(2)
def delete(rng: random.Random, state: State) -> Ask:
    """Delete what filters match."""
    del state
    filters = [rpc.DeleteAclsRequestDeleteAclsFilter(*_filter(rng)) for _ in range(rng.randint(1, 3))]
    return Ask(rpc.DeleteAclsRequest(filters), 3)


@kind(2)
def describe(rng: random.Random, state: State) -> Ask:
    """Describe what a filter matches."""
    del state
    return Ask(rpc.DescribeAclsRequest(*_filter(rng)), 3, is_read=True)
