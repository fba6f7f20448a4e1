"""What a controller refuses while its disk has little space: what makes the state larger, and nothing else."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from kraftpy.controller.account_requests import (
    AlterClientQuotas,
    AlterUserScramCredentials,
    QuotaAlteration,
    ScramUpsertion,
    ScramUser,
)
from kraftpy.controller.controller import DECIDERS
from kraftpy.controller.growth import GROWS, grows
from kraftpy.controller.partition_requests import AlterPartitionReassignments, Reassignment
from kraftpy.controller.requests import AlterOp, ConfigAlteration, IncrementalAlterConfigs
from tests.unit.controller.worlds import set_configs

TOPIC = (2, "t")
USER = ScramUser("alice", 1)
ALICE = (("user", "alice"),)


def altered(*ops):
    return IncrementalAlterConfigs(((TOPIC, tuple(ConfigAlteration(f"k{op}", op, None) for op in ops)),))


def upserted(*users):
    return tuple(ScramUpsertion(user=one, iterations=4_096, salt=b"s", salted_password=b"p") for one in users)


def moved(*replicas):
    return AlterPartitionReassignments(topics=(("t", tuple(Reassignment(n, one) for n, one in enumerate(replicas))),))


def quotas(*values):
    return AlterClientQuotas(entries=(QuotaAlteration(ALICE, tuple((f"k{n}", one) for n, one in enumerate(values))),))


def test_every_type_of_request_has_a_row():
    """A new one is a decision, too."""
    assert set(GROWS) == set(DECIDERS)


@pytest.mark.parametrize("kind", GROWS, ids=lambda kind: kind.__name__)
def test_what_brokers_need_and_what_removes_is_let_through(kind):
    """By the name of the request, where its content does not matter."""
    small = ("Register", "Unregister", "Delete", "Elect", "List", "Allocate", "Expire", "BrokerHeartbeat", "Assign")
    by_content = {IncrementalAlterConfigs, AlterClientQuotas, AlterUserScramCredentials, AlterPartitionReassignments}
    if kind not in by_content:
        is_small = kind.__name__.startswith(small) or kind.__name__ == "AlterPartition"
        assert GROWS[kind](SimpleNamespace()) is not is_small


@pytest.mark.parametrize(
    ("removes", "adds"),
    [
        (altered(AlterOp.DELETE), altered(AlterOp.DELETE, AlterOp.SET)),
        (altered(), altered(AlterOp.APPEND)),
        (altered(AlterOp.DELETE, AlterOp.DELETE), altered(AlterOp.SUBTRACT)),
        (quotas(None), quotas(None, 1.0)),
        (
            AlterUserScramCredentials(deletions=(USER,)),
            AlterUserScramCredentials(deletions=(USER,), upsertions=upserted(USER)),
        ),
        (moved(None, None), moved(None, (1, 2))),
    ],
)
def test_a_request_that_only_removes_is_let_through(removes, adds):
    assert (grows(removes), grows(adds)) == (False, True)


def test_what_is_only_validated_writes_nothing():
    assert grows(set_configs(4, "", ("k", "v")))
    assert not grows(set_configs(4, "", ("k", "v"), validate_only=True))
