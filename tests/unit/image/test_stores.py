"""The slices that are plain stores: configs, quotas, producer ids, ACLs, SCRAM credentials, tokens."""

from __future__ import annotations

import pytest

from kraftpy.image import ReplayError
from kraftpy.image.configs import NAMES_INTERNED_MAX, ConfigResource
from kraftpy.records.metadata import (
    AccessControlEntryRecord,
    ClientQuotaRecord,
    ClientQuotaRecordEntityData,
    ConfigRecord,
    DelegationTokenRecord,
    ProducerIdsRecord,
    RemoveAccessControlEntryRecord,
    RemoveDelegationTokenRecord,
    RemoveUserScramCredentialRecord,
    UserScramCredentialRecord,
)
from tests.unit.image.support import delta_of, replay, uuid

SECRET = "hunter2"


def test_config_values_are_set_replaced_and_deleted() -> None:
    """A value is set and replaced by later records; null deletes its key, also one that is not there."""
    image = replay(
        ConfigRecord(2, "t", "a", "1"),
        ConfigRecord(2, "t", "b", "2"),
        ConfigRecord(2, "t", "a", "3"),
        ConfigRecord(2, "t", "c", None),
        ConfigRecord(4, "", "x", "0"),
        ConfigRecord(4, "1", "x", "1"),
    )
    assert dict(image.configs.topic("t")) == {"a": "3", "b": "2"}
    assert (image.configs.broker(None)["x"], image.configs.broker(1)["x"]) == ("0", "1")
    assert not image.configs.broker(2)
    after = replay(ConfigRecord(2, "t", "a", None), base=image)
    assert dict(after.configs.topic("t")) == {"b": "2"}
    assert dict(image.configs.topic("t")) == {"a": "3", "b": "2"}


def test_a_resource_without_values_is_not_listed() -> None:
    """Deleting the last value removes the resource, over a base image and within one delta."""
    base = replay(ConfigRecord(2, "t", "a", "1"))
    assert not replay(ConfigRecord(2, "t", "a", None), base=base).configs.by_type
    assert not replay(ConfigRecord(2, "t", "a", "1"), ConfigRecord(2, "t", "a", None)).configs.by_type
    assert replay(ConfigRecord(2, "t", "z", None), base=base).configs == base.configs


def test_the_configs_delta_names_touched_resources() -> None:
    """Changed resources are told in the order in which the log touched them."""
    delta = delta_of(ConfigRecord(4, "1", "a", "1"), ConfigRecord(2, "t", "a", "1"), ConfigRecord(4, "1", "b", "1"))
    assert delta.configs is not None
    assert delta.configs.changed == ((4, "1"), (2, "t"))
    assert all(isinstance(resource, ConfigResource) for resource in delta.configs.changed)


def test_a_configs_delta_goes_on_after_being_applied() -> None:
    """Applying does not end a delta, and what was applied does not change any more."""
    delta = delta_of(ConfigRecord(2, "t", "a", "1"), ConfigRecord(2, "t", "b", "1"))
    assert delta.configs is not None
    first = delta.configs.apply()
    delta.replay(ConfigRecord(2, "t", "c", "1"))
    assert (len(first.topic("t")), len(delta.configs.apply().topic("t"))) == (2, 3)


def test_names_of_keys_are_shared() -> None:
    """Equal key names of different resources are one string, up to a limit on how many are remembered."""
    name = "retention.ms"
    records = [ConfigRecord(2, f"t{i}", name.encode().decode(), "1") for i in range(2)]
    values = replay(*records).configs
    assert next(iter(values.topic("t0"))) is next(iter(values.topic("t1")))
    many = [ConfigRecord(2, "t", f"key-{i}", "1") for i in range(NAMES_INTERNED_MAX + 10)]
    delta = delta_of(*many)
    assert delta.configs is not None
    assert len(delta.configs._names) == NAMES_INTERNED_MAX
    assert len(delta.configs.apply().topic("t")) == NAMES_INTERNED_MAX + 10


def quota(key: str, value: float, *pairs: tuple[str, str | None], remove: bool = False) -> ClientQuotaRecord:
    return ClientQuotaRecord([ClientQuotaRecordEntityData(*pair) for pair in pairs], key, value, remove)


def test_quotas_belong_to_an_entity_in_any_order() -> None:
    """An entity is the set of its pairs, the order of a record does not matter, and a null name is its own entity."""
    image = replay(
        quota("a", 1.0, ("user", "u"), ("client-id", "c")),
        quota("b", 2.0, ("client-id", "c"), ("user", "u")),
        quota("a", 3.0, ("user", None)),
        quota("a", 4.0, ("user", "")),
    )
    assert dict(image.client_quotas.of((("client-id", "c"), ("user", "u")))) == {"a": 1.0, "b": 2.0}
    assert image.client_quotas.of((("user", None),))["a"] == 3.0
    assert image.client_quotas.of((("user", ""),))["a"] == 4.0
    assert not image.client_quotas.of((("ip", None),))


def test_an_entity_without_limits_is_dropped() -> None:
    """Removing the last limit drops the entity; removing what is not there changes nothing."""
    base = replay(quota("a", 1.0, ("user", "u")), quota("b", 1.0, ("user", "u")))
    gone = delta_of(
        quota("a", 0.0, ("user", "u"), remove=True),
        quota("b", 0.0, ("user", "u"), remove=True),
        quota("c", 0.0, ("user", "u"), remove=True),
        base=base,
    ).client_quotas
    assert gone is not None
    assert gone.changes == {(("user", "u"),): None}
    assert not gone.apply().entities


@pytest.mark.parametrize("pairs", [(), (("user", "a"), ("user", "b"))])
def test_a_senseless_entity_does_not_replay(pairs: tuple[tuple[str, str | None], ...]) -> None:
    """An entity without pairs, or with two names for one type, is fatal."""
    with pytest.raises(ReplayError, match="empty or names a type twice"):
        replay(quota("a", 1.0, *pairs))


def test_producer_ids_only_grow() -> None:
    """The next producer id moves up; the same or a lower one would give ids out twice and is fatal."""
    base = replay(ProducerIdsRecord(1, 1, 1000))
    assert replay(ProducerIdsRecord(1, 1, 2000), base=base).producer_ids.next_producer_id == 2000
    for number in (1000, 999):
        with pytest.raises(ReplayError, match=f"goes from 1000 to {number}, it must grow"):
            replay(ProducerIdsRecord(1, 1, number), base=base)


def test_acls_are_added_and_removed_by_id() -> None:
    """An ACL is kept under its id; a taken id, or one that is not there, is fatal."""
    record = AccessControlEntryRecord(uuid(1), 2, "topic", 3, "User:a", "*", 3, 3)
    base = replay(record)
    assert list(base.acls.records(42, print)) == [record]
    with pytest.raises(ReplayError, match=r"an entry with the id .* exists"):
        replay(record, base=base)
    delta = delta_of(RemoveAccessControlEntryRecord(uuid(1)), base=base)
    assert delta.acls is not None
    assert delta.acls.changes == {uuid(1): None}
    with pytest.raises(ReplayError, match="there is no entry with the id"):
        delta.replay(RemoveAccessControlEntryRecord(uuid(1)))


def test_credentials_belong_to_a_user_under_a_mechanism() -> None:
    """A user's credentials of two mechanisms are two; removing one that is not there is fatal."""
    base = replay(
        UserScramCredentialRecord("ann", 1, b"s", b"k", b"v", 4096),
        UserScramCredentialRecord("ann", 2, b"s2", b"k2", b"v2", 8192),
    )
    delta = delta_of(RemoveUserScramCredentialRecord("ann", 1), base=base)
    assert delta.scram is not None
    assert delta.scram.changes == {(1, "ann"): None}
    assert list(delta.scram.apply().credentials) == [(2, "ann")]
    with pytest.raises(ReplayError, match="user 'ann' has no credential under mechanism 1"):
        delta.replay(RemoveUserScramCredentialRecord("ann", 1))


def test_tokens_are_renewed_and_removed() -> None:
    """A token's record replaces the one before; removing one that is gone is no error."""
    first = DelegationTokenRecord("User:a", "User:b", ["User:c"], 1, 9, 5, "id-1")
    renewed = DelegationTokenRecord("User:a", "User:b", ["User:c"], 1, 9, 8, "id-1")
    base = replay(first, renewed)
    assert list(base.delegation_tokens.records(42, print)) == [renewed]
    delta = delta_of(RemoveDelegationTokenRecord("id-1"), RemoveDelegationTokenRecord("id-2"), base=base)
    assert delta.delegation_tokens is not None
    assert delta.delegation_tokens.changes == {"id-1": None}


def test_no_text_shows_a_secret() -> None:
    """Credentials, who holds a token and configured values appear in no repr and no error."""
    secret = SECRET.encode()
    image = replay(
        UserScramCredentialRecord("ann", 1, secret, secret, secret, 4096),
        DelegationTokenRecord(f"User:{SECRET}", "User:b", [], 1, 9, 5, "id-1"),
        ConfigRecord(4, "", "ssl.key", SECRET),
    )
    texts = [repr(one) for one in (image, image.scram, image.delegation_tokens, image.configs)]
    texts.append(str(ReplayError(ConfigRecord(4, "", "ssl.key", SECRET), "x").at(3)))
    assert [text for text in texts if SECRET in text] == []
    assert "iterations=4096" in texts[1]
    assert texts[-1] == "cannot replay ConfigRecord at offset 3: x"
