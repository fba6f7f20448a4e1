"""``controller_mutation_rate``: strict and permissive, and what is remembered of clients."""

from __future__ import annotations

import tracemalloc

import pytest

from kraftpy.image.client_quotas import ClientQuotasImage
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.quotas.mutations import MutationQuotas, Mutator
from kraftpy.quotas.resolution import NAME_CHARACTERS_MAX, QuotaClient
from kraftpy.quotas.usage import ENTITIES_MAX, IDLE_MS_MAX
from tests.unit.quotas.test_resolution import quotas

START = 1_700_000_000_000
ALICE = QuotaClient("alice", "app")
ONE_A_SECOND = quotas(({"user": "alice"}, 1.0))
"""A burst of 11 partitions."""


def charge(used: MutationQuotas, *counts: int, image=ONE_A_SECOND, client=ALICE, strict=True, now_ms=START):
    """Charge one request with topics of these sizes; return which were rejected, and how long its client waits (ms)."""
    request = used.charge(image, Mutator(client, strict), now_ms)
    rejected = []
    for count in counts:
        try:
            request.take(count)
        except ApiError as error:
            rejected += [count] if error.code is ErrorCode.THROTTLING_QUOTA_EXCEEDED else []
    return rejected, max(0, request.until_ms - now_ms)


def test_what_brings_a_client_into_debt_is_allowed_and_the_rest_is_not():
    used = MutationQuotas()
    assert charge(used, 10, 6, 1, 2) == ([1, 2], 5_000)
    assert charge(used, 1, now_ms=START + 4_999) == ([1], 1)
    assert charge(used, 1, now_ms=START + 5_000) == ([], 0)


def test_no_tokens_left_is_no_debt_yet():
    used = MutationQuotas()
    assert charge(used, 11) == ([], 0)
    assert charge(used, 1) == ([], 0)
    assert charge(used, 1) == ([1], 1_000)


def test_what_is_rejected_costs_nothing():
    used = MutationQuotas()
    charge(used, 12)
    for _ in range(100):
        assert charge(used, 1_000) == ([1_000], 1_000)


def test_an_old_client_has_to_wait_and_is_never_rejected():
    used = MutationQuotas()
    assert charge(used, 12, strict=False) == ([], 1_000)
    assert charge(used, 5, strict=False) == ([], 6_000)
    assert charge(used, 1) == ([1], 6_000)


def test_without_a_quota_nothing_is_remembered():
    used = MutationQuotas()
    assert charge(used, 10**6, client=QuotaClient("bob")) == ([], 0)
    assert charge(used, 10**6, image=ClientQuotasImage()) == ([], 0)
    request = used.charge(ONE_A_SECOND, None, START)
    request.take(10**6)
    assert request.until_ms == 0
    assert len(used.buckets) == 0


def test_client_ids_of_a_user_share_its_quota():
    used = MutationQuotas()
    charge(used, 12)
    assert charge(used, 1, client=QuotaClient("alice", "other")) == ([1], 1_000)


def test_a_default_gives_each_client_id_a_quota_of_its_own():
    used, image = MutationQuotas(), quotas(({"client-id": None}, 1.0))
    charge(used, 12, image=image)
    assert charge(used, 1, image=image, client=QuotaClient("bob", "app")) == ([1], 1_000)
    assert charge(used, 1, image=image, client=QuotaClient("alice", "other")) == ([], 0)


def test_an_idle_client_is_forgotten_after_an_hour():
    """With its debt, as in Kafka: here an hour is not enough to pay it. A rejected attempt is no usage."""
    used, image = MutationQuotas(), quotas(({"user": "alice"}, 0.001))
    charge(used, 1_000, image=image)
    assert charge(used, 1, image=image, now_ms=START + IDLE_MS_MAX)[0] == [1]
    assert charge(used, 1, image=image, now_ms=START + IDLE_MS_MAX + 1)[0] == []


@pytest.mark.parametrize("length", [NAME_CHARACTERS_MAX, 32_000])
def test_endless_client_ids_take_the_place_of_each_other(length):
    """Memory stays below 3 KiB for each that is remembered; who used something longest ago is forgotten."""
    most = 500
    used, image = MutationQuotas(entities_max=most), quotas(({"user": None, "client-id": None}, 1.0))
    tracemalloc.start()
    for number in range(6 * most):
        charge(used, 12, image=image, client=QuotaClient("m" * length, f"{number:0{length}}"))
    assert tracemalloc.get_traced_memory()[0] < most * 3 * 1024
    tracemalloc.stop()
    assert len(used.buckets) == most
    assert charge(used, 1, image=image, client=QuotaClient("m" * length, f"{5 * most:0{length}}"))[0] == [1]
    assert charge(used, 1, image=image, client=QuotaClient("m" * length, f"{5 * most - 1:0{length}}"))[0] == []


def test_a_controller_remembers_no_more_than_the_limit():
    assert MutationQuotas().buckets.entities_max == ENTITIES_MAX
