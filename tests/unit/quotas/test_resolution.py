"""Which quota applies: Kafka's order, and whose usage is counted."""

from __future__ import annotations

import pytest

from kraftpy.image.client_quotas import ClientQuotasDelta, ClientQuotasImage
from kraftpy.quotas.resolution import (
    MUTATION_RATE,
    NAME_CHARACTERS_MAX,
    REQUEST_PERCENTAGE,
    QuotaClient,
    UsageKey,
    resolve,
    user_of,
)
from kraftpy.records.metadata import ClientQuotaRecord, ClientQuotaRecordEntityData

ORDER: list[tuple[dict[str, str | None], tuple[str | None, str | None]]] = [
    ({"user": "alice", "client-id": "app"}, ("alice", "app")),
    ({"user": "alice", "client-id": None}, ("alice", "app")),
    ({"user": "alice"}, ("alice", None)),
    ({"user": None, "client-id": "app"}, ("alice", "app")),
    ({"user": None, "client-id": None}, ("alice", "app")),
    ({"user": None}, ("alice", None)),
    ({"client-id": "app"}, (None, "app")),
    ({"client-id": None}, (None, "app")),
]
"""From the most specific one to the least, each with whose usage it counts."""
ALICE = QuotaClient("alice", "app")


def quotas(*rows, key=MUTATION_RATE) -> ClientQuotasImage:
    delta = ClientQuotasDelta(ClientQuotasImage())
    for entity, limit in rows:
        pairs = [ClientQuotaRecordEntityData(kind, name) for kind, name in entity.items()]
        delta.replay_client_quota(ClientQuotaRecord(pairs, key, limit, remove=False))
    return delta.apply()


@pytest.mark.parametrize("first", range(len(ORDER)))
def test_the_most_specific_one_applies(first):
    """Of all those from a place in the order on, the first."""
    image = quotas(*((entity, float(place + 1)) for place, (entity, _) in enumerate(ORDER) if place >= first))
    found = resolve(image, MUTATION_RATE, ALICE)
    assert found == (first + 1, UsageKey(*ORDER[first][1]))


def test_others_have_none():
    others = ({"user": "bob", "client-id": "app"}, {"user": "bob"}, {"client-id": "other"}, {"ip": "1.2.3.4"})
    image = quotas(*((entity, 1.0) for entity in others))
    assert resolve(image, MUTATION_RATE, ALICE) is None
    assert resolve(ClientQuotasImage(), MUTATION_RATE, ALICE) is None


def test_a_quota_of_another_kind_does_not_shade_a_less_specific_one():
    """A user with a byte rate is under the default of mutation rates still."""
    delta = ClientQuotasDelta(quotas(({"user": "alice"}, 7.0), key=REQUEST_PERCENTAGE))
    delta.replay_client_quota(
        ClientQuotaRecord([ClientQuotaRecordEntityData("user", None)], MUTATION_RATE, 3.0, remove=False)
    )
    assert resolve(delta.apply(), MUTATION_RATE, ALICE) == (3.0, UsageKey("alice", None))


def test_no_client_id_is_one_of_its_own():
    """In Kafka a client could escape quotas by leaving its client id out."""
    image = quotas(({"user": "alice", "client-id": None}, 2.0))
    assert resolve(image, MUTATION_RATE, QuotaClient("alice")) == (2.0, UsageKey("alice", ""))


@pytest.mark.parametrize("limit", [float("nan"), float("inf")])
def test_what_is_no_number_is_no_limit(limit):
    """No request sets it, but the log of a cluster may have it."""
    assert resolve(quotas(({"user": "alice"}, limit)), MUTATION_RATE, ALICE) is None


def test_a_long_name_is_found_and_remembered_by_its_digest():
    long = "n" * 32_000
    found = resolve(quotas(({"user": long, "client-id": long}, 2.0)), MUTATION_RATE, QuotaClient(long, long))
    assert found is not None
    assert found.limit == 2
    assert all(len(str(name)) <= NAME_CHARACTERS_MAX for name in found.key)
    other = resolve(quotas(({"client-id": None}, 2.0)), MUTATION_RATE, QuotaClient("u", long[1:]))
    assert other is not None
    assert other.key.client_id != found.key.client_id


@pytest.mark.parametrize(
    ("principal", "user"),
    [("User:alice", "alice"), ("User:CN=a:b,O=x", "CN=a:b,O=x"), ("Service:alice", "alice"), ("User:", "User:")],
)
def test_a_quota_names_users_without_the_type(principal, user):
    assert user_of(principal) == user
