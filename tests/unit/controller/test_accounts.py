"""Client quotas, SCRAM credentials and producer ids: every check, and what is written."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from kraftpy.controller.account_requests import (
    AllocateProducerIds,
    AlterClientQuotas,
    AlterUserScramCredentials,
    QuotaAlteration,
    ScramUpsertion,
)
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.scram import CREDENTIAL_BYTES_MAX
from kraftpy.image.scram import ScramUser
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.records.metadata import (
    ClientQuotaRecord,
    ClientQuotaRecordEntityData,
    ProducerIdsRecord,
    RemoveUserScramCredentialRecord,
)
from tests.unit.controller.worlds import World

ALICE = (("user", "alice"),)


def alter(world, *entries):
    """Alter quotas; return the records, and (error, message) of each entity."""
    records, response = world.do(AlterClientQuotas(entries=tuple(QuotaAlteration(*entry) for entry in entries)))
    return records, [(one.error, one.message) for one in response.results]


def quota(key, value, entity=ALICE, *, remove=False):
    return ClientQuotaRecord([ClientQuotaRecordEntityData(*pair) for pair in entity], key, value, remove=remove)


def test_quotas_are_set_and_removed():
    """One record for each key that changes; a value that is in force, or a key that is not, writes nothing."""
    world = World(level=30)
    both = (("producer_byte_rate", 1024.0), ("request_percentage", 12.5))
    assert alter(world, (ALICE, both))[0] == [quota(*one) for one in both]
    assert alter(world, (ALICE, both)) == ([], [(ErrorCode.NONE, "")])
    changed = (("producer_byte_rate", None), ("request_percentage", 13.0), ("consumer_byte_rate", None))
    records, _ = alter(world, (ALICE, changed))
    assert records == [quota("producer_byte_rate", 0.0, remove=True), quota("request_percentage", 13.0)]
    assert dict(world.controller.image.client_quotas.of(ALICE)) == {"request_percentage": 13.0}


def test_the_types_of_an_entity_may_come_in_any_order():
    """They are one entity, and so they are one when both orders are in a request."""
    world = World(level=30)
    pair = (("user", "alice"), ("client-id", None))
    alter(world, (pair, (("producer_byte_rate", 5.0),)))
    ((entity, _),) = world.controller.image.client_quotas.entities.items()
    assert entity == (("client-id", None), ("user", "alice"))
    _, results = alter(world, (pair, ()), (tuple(reversed(pair)), ()), (ALICE, (("producer_byte_rate", 1.0),)))
    assert [error for error, _ in results] == [ErrorCode.INVALID_REQUEST, ErrorCode.NONE]
    assert results[0][1].startswith("Ignoring duplicate entity ClientQuotaEntity(entries={")


@pytest.mark.parametrize(
    ("entity", "values", "text"),
    [
        ((), (), "Invalid empty client quota entity"),
        ((("group", "g"),), (), "Unhandled client quota entity type: group"),
        ((("user", "a"), ("user", "b")), (), "names the type user more than once"),
        ((("user", ""),), (), "Empty user not supported"),
        ((("user", "\ud800"),), (), "lone surrogate"),
        ((("ip", "1.2.3.4"), ("user", "a")), (), "IP entity should not be combined"),
        ((("ip", "localhost"),), (), "localhost is not a valid IP address."),
        (ALICE, (("connection_creation_rate", 1.0),), "Invalid configuration key connection_creation_rate"),
        ((("ip", None),), (("producer_byte_rate", 1.0),), "Invalid configuration key producer_byte_rate"),
        (ALICE, (("producer_byte_rate", 0.0),), "Quota producer_byte_rate must be greater than 0"),
        (ALICE, (("producer_byte_rate", float("nan")),), "must be greater than 0"),
        (ALICE, (("request_percentage", float("inf")),), "too large for a DOUBLE"),
        (ALICE, (("producer_byte_rate", 2.0**63 + 2**11),), "too large for a LONG"),
        ((("ip", "::1"),), (("connection_creation_rate", 2.0**31),), "too large for an INT"),
        (ALICE, (("producer_byte_rate", 1.5),), "producer_byte_rate cannot be a fractional value."),
        (ALICE, (("producer_byte_rate", 1.999_999_99),), "producer_byte_rate cannot be a fractional value."),
        (
            ALICE,
            (("producer_byte_rate", 1.0), ("producer_byte_rate", 2.0)),
            "Duplicate quota key producer_byte_rate not updating quota for this entity",
        ),
        (ALICE, (("request_percentage", 1.0), ("x", 2.0)), "Invalid configuration key x"),
    ],
)
def test_what_a_quota_rejects(entity, values, text):
    """One entity is refused whole, and the others are not."""
    world = World(level=30)
    good = ((("client-id", "c"),), (("consumer_byte_rate", 7.0),))
    records, results = alter(world, (entity, values), good)
    assert results[0][0] is ErrorCode.INVALID_REQUEST
    assert text in results[0][1]
    assert (results[1], records) == ((ErrorCode.NONE, ""), [quota("consumer_byte_rate", 7.0, good[0])])


def test_the_ends_of_a_quota_s_values():
    """The largest values that are taken, and a whole number that a client's arithmetic missed by a little."""
    world = World(level=30)
    ip = (("ip", "10.0.0.1"),)
    _, results = alter(
        world,
        (ip, (("connection_creation_rate", 2.0**31 - 1),)),
        (ALICE, (("producer_byte_rate", 1.0000001), ("controller_mutation_rate", 0.001))),
        ((("user", None),), (("consumer_byte_rate", float(2**63 - 1)),)),
    )
    assert results == [(ErrorCode.NONE, "")] * 3


SALTED = bytes(range(32))


def upsertion(name="alice", mechanism=1, **changes):
    fields = {"iterations": 4096, "salt": b"salt", "salted_password": SALTED, **changes}
    return ScramUpsertion(user=ScramUser(mechanism, name), **fields)


def scram(world, *upsertions, deletions=()):
    request = AlterUserScramCredentials(upsertions=upsertions, deletions=tuple(ScramUser(1, one) for one in deletions))
    records, response = world.do(request)
    return records, {one.name: one.error for one in response.results}


@pytest.mark.parametrize(("mechanism", "name"), [(1, "sha256"), (2, "sha512")])
def test_a_credential_keeps_what_a_server_needs(mechanism, name):
    """The keys of RFC 5802, and neither the password nor its salted form."""
    world = World(level=30)
    ((record,), results) = scram(world, upsertion(mechanism=mechanism))
    client_key = hmac.new(SALTED, b"Client Key", name).digest()
    assert record.stored_key == hashlib.new(name, client_key).digest()
    assert record.server_key == hmac.new(SALTED, b"Server Key", name).digest()
    assert (record.salt, record.iterations, results) == (b"salt", 4096, {"alice": ErrorCode.NONE})
    assert SALTED not in world.values[-1]
    assert str(SALTED) not in repr(upsertion())


def test_credentials_are_deleted_before_others_are_set():
    """In one batch, each user once."""
    world = World(level=30)
    scram(world, upsertion("bob"))
    records, results = scram(world, upsertion("alice"), deletions=["bob", "carol"])
    assert [type(record).__name__ for record in records] == [
        "RemoveUserScramCredentialRecord",
        "UserScramCredentialRecord",
    ]
    assert records[0] == RemoveUserScramCredentialRecord(name="bob", mechanism=1)
    assert results == {"bob": ErrorCode.NONE, "carol": ErrorCode.RESOURCE_NOT_FOUND, "alice": ErrorCode.NONE}


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (upsertion(""), ErrorCode.UNACCEPTABLE_CREDENTIAL),
        (upsertion("x" * 32_768), ErrorCode.UNACCEPTABLE_CREDENTIAL),
        (upsertion(mechanism=3), ErrorCode.UNSUPPORTED_SASL_MECHANISM),
        (upsertion(iterations=4095), ErrorCode.UNACCEPTABLE_CREDENTIAL),
        (upsertion(iterations=16_385), ErrorCode.UNACCEPTABLE_CREDENTIAL),
        (upsertion(salt=b""), ErrorCode.UNACCEPTABLE_CREDENTIAL),
        (upsertion(salted_password=bytes(CREDENTIAL_BYTES_MAX + 1)), ErrorCode.UNACCEPTABLE_CREDENTIAL),
    ],
)
def test_what_a_credential_rejects(given, error):
    """One user is refused, and the others are not."""
    records, results = scram(World(level=30), given, upsertion("bob"))
    assert results == {given.user.name: error, "bob": ErrorCode.NONE}
    assert [record.name for record in records] == ["bob"]


def test_a_user_that_is_named_twice_changes_nothing():
    """By a deletion and a new credential, or by two mechanisms."""
    world = World(level=30)
    assert scram(world, upsertion(), upsertion(mechanism=2)) == ([], {"alice": ErrorCode.DUPLICATE_RESOURCE})
    # The first error of a user is the one that is answered: there is nothing to delete yet.
    assert scram(world, upsertion(), deletions=["alice"]) == ([], {"alice": ErrorCode.RESOURCE_NOT_FOUND})
    scram(world, upsertion())
    assert scram(world, upsertion(), deletions=["alice"]) == ([], {"alice": ErrorCode.DUPLICATE_RESOURCE})


def test_an_old_metadata_version_has_no_credentials():
    """It is refused in Kafka's words, which its own tests compare."""
    request = AlterUserScramCredentials(upsertions=(upsertion(),), deletions=())
    _, response = World(level=10).do(request)
    (result,) = response.results
    assert result.error is ErrorCode.UNSUPPORTED_VERSION
    assert result.message == "The current metadata.version does not support SCRAM"


def test_blocks_of_producer_ids_follow_each_other():
    """From 0 on, a thousand each, to whichever broker asks; a stale broker gets none."""
    world = World(level=30)
    epochs = {broker_id: world.register(broker_id) for broker_id in (1, 2)}
    for start, broker_id in enumerate((1, 2, 1)):
        records, response = world.do(AllocateProducerIds(broker_id=broker_id, broker_epoch=epochs[broker_id]))
        assert (response.start, response.length) == (1_000 * start, 1_000)
        assert records == [ProducerIdsRecord(broker_id, epochs[broker_id], 1_000 * (start + 1))]
    with pytest.raises(ApiError) as refused:
        world.do(AllocateProducerIds(broker_id=1, broker_epoch=-1))
    assert refused.value.code is ErrorCode.STALE_BROKER_EPOCH


def test_producer_ids_end():
    """No block goes beyond the largest id; the next one is refused."""
    world = World(level=30)
    epoch = world.register(1)
    most = 2**63 - 1
    world.append(ControllerResult((ProducerIdsRecord(1, epoch, most - 1_000),), None))
    assert world.do(AllocateProducerIds(broker_id=1, broker_epoch=epoch))[1].start == most - 1_000
    with pytest.raises(ApiError, match="All producer ids are given out") as refused:
        world.do(AllocateProducerIds(broker_id=1, broker_epoch=epoch))
    assert refused.value.code is ErrorCode.UNKNOWN_SERVER_ERROR
