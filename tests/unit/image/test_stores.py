"""The slices that are plain stores: configs, quotas, producer ids, ACLs, SCRAM credentials, tokens."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from immutables import Map

from kraftpy.image import ReplayError
from kraftpy.image.configs import NAMES_INTERNED_MAX, ConfigResource, ConfigsDelta, OneValue
from kraftpy.model.invariant import InvariantViolation
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
    """Changed resources are listed in the order in which the log touched them."""
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


@pytest.mark.parametrize("absorbs", [False, True])
@pytest.mark.parametrize("number", range(4))
def test_values_are_equal_whatever_way_they_came(number: int, absorbs: bool) -> None:
    """Equal values compare equal, set at once or left over from more, in one delta or several, absorbed or not."""
    wanted = [ConfigRecord(2, "t", f"key-{i}", "1") for i in range(number)]
    straight = replay(*wanted).configs
    more = [ConfigRecord(2, "t", f"key-{i}", "0") for i in range(5)]
    gone = [ConfigRecord(2, "t", f"key-{i}", None) for i in range(number, 5)]
    assert replay(*wanted, *gone, base=replay(*more)).configs == straight
    delta = delta_of(base=replay(ConfigRecord(2, "t", "key-4", "9"), ConfigRecord(4, "", "x", "1")))
    for record in (ConfigRecord(4, "", "x", None), *more, *gone, *wanted):
        delta.replay(record)
        if absorbs:
            delta.absorb()
    assert delta.configs is not None
    assert delta.configs.apply() == straight
    assert dict(straight.topic("t")) == {f"key-{i}": "1" for i in range(number)}
    assert len(straight) == len(list(straight.resources())) == min(number, 1)
    assert type(straight.topic("t")) is (OneValue if number == 1 else Map)


@settings(deadline=None)
@given(
    st.lists(
        st.builds(
            ConfigRecord,
            st.sampled_from((2, 4)),
            st.sampled_from("tuv"),
            st.sampled_from("abc"),
            st.none() | st.sampled_from(("", "1", "2")),
        ),
        max_size=24,
    ),
    st.randoms(use_true_random=False),
)
def test_an_image_states_the_same_whichever_way_it_came(records: list[ConfigRecord], draw: random.Random) -> None:
    """Replayed at once, one by one, absorbed or not, or from the records of a snapshot in any order."""
    wanted: dict[tuple[int, str], dict[str, str]] = {}
    for record in records:
        values = wanted.setdefault((record.resource_type, record.resource_name), {})
        if record.value is None:
            values.pop(record.name, None)
        else:
            values[record.name] = record.value
    wanted = {resource: values for resource, values in wanted.items() if values}
    straight = replay(*records).configs
    assert {resource: dict(straight.of(*resource)) for resource in straight.resources()} == wanted

    absorbing, one_by_one = delta_of(), replay()
    for record in records:
        absorbing.replay(record)
        if draw.random() < 0.3:
            absorbing.absorb()
        one_by_one = replay(record, base=one_by_one)
    assert absorbing.configs is None or absorbing.configs.apply() == straight
    assert one_by_one.configs == straight

    stated = [*straight.records(40, lambda _: None)]
    assert stated == sorted(stated, key=lambda one: (one.resource_type, one.resource_name, one.name))
    draw.shuffle(stated)
    other = replay(*stated).configs
    assert (other == straight, hash(other)) == (True, hash(straight))
    if stated:
        one = stated[0]
        changed = replay(ConfigRecord(one.resource_type, one.resource_name, one.name, "3"), base=replay(*stated))
        assert changed.configs != straight


def test_one_value_is_a_mapping() -> None:
    """It reads like a map of one entry, and equals one value of the same key only."""
    value = OneValue("a", "1")
    assert (dict(value), list(value.items()), len(value), value.get("b")) == ({"a": "1"}, [("a", "1")], 1, None)
    assert ("a" in value, "b" in value, bool(value)) == (True, False, True)
    assert (value == OneValue("a", "1"), hash(value)) == (True, hash(OneValue("a", "1")))
    assert all(value != other for other in (OneValue("a", "2"), OneValue("b", "1"), Map({"a": "2"}), "a"))
    assert "hunter2" not in repr(OneValue("ssl.key.password", "hunter2"))


def test_a_configs_delta_is_read_while_it_replays() -> None:
    """What a resource is set to so far can be read at any moment, and reading ends nothing."""
    base = replay(ConfigRecord(2, "t", "a", "1"), ConfigRecord(2, "u", "a", "1"))
    delta = delta_of(ConfigRecord(2, "t", "b", "2"), base=base).configs
    assert delta is not None
    assert dict(delta.of(2, "t")) == {"a": "1", "b": "2"}
    assert (dict(delta.of(2, "u")), dict(delta.of(2, "v")), dict(delta.of(4, "1"))) == ({"a": "1"}, {}, {})
    delta.replay_config(ConfigRecord(2, "t", "a", None))
    assert dict(delta.of(2, "t")) == {"b": "2"}
    delta.absorb()
    delta.replay_config(ConfigRecord(2, "t", "c", "3"))
    assert dict(delta.of(2, "t")) == dict(delta.apply().of(2, "t")) == {"b": "2", "c": "3"}
    delta.replay_config(ConfigRecord(2, "t", "d", "4"))
    assert len(delta.apply().of(2, "t")) == 3, "it goes on after being applied"


def test_what_absorbed_changes_were_is_reported_as_a_difference() -> None:
    """A delta that absorbed its changes, and one made of two images, name the resources that differ and no others."""
    base = replay(*(ConfigRecord(2, name, "a", "1") for name in ("same", "gone", "other")))
    delta = delta_of(
        ConfigRecord(2, "same", "a", "2"),
        ConfigRecord(2, "gone", "a", None),
        ConfigRecord(2, "other", "a", "2"),
        base=base,
    ).configs
    assert delta is not None
    delta.absorb()
    for record in (ConfigRecord(2, "same", "a", "1"), ConfigRecord(4, "1", "a", "1")):
        delta.replay_config(record)
    named = {(2, "gone"), (2, "other"), (4, "1")}
    assert set(delta.changed) == named
    difference = ConfigsDelta.between(base.configs, delta.apply())
    assert set(difference.changed) == named
    assert (difference.of(2, "other")["a"], len(difference.of(2, "gone"))) == ("2", 0)
    with pytest.raises(InvariantViolation):
        difference.replay_config(ConfigRecord(2, "same", "a", "1"))


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
