"""Pages of each list: all of it once and in order, behind the last key whatever changes, and no other token."""

from __future__ import annotations

import base64
from contextlib import suppress
from dataclasses import replace
from itertools import count, pairwise

import pytest

from kraftpy.client import AsyncClient
from kraftpy.client import pages as client_pages
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY
from kraftpy.image.provenance import Provenance
from kraftpy.image.publishing import LogDeltaManifest, Publication
from kraftpy.model.errors import ApiError, ErrorCode, MalformedError
from kraftpy.pb.v1 import cluster_pb2 as pb
from kraftpy.records import metadata as r
from kraftpy.transport.grpc import orders, pages
from kraftpy.transport.grpc.listed_reads import LISTED, list_page
from kraftpy.transport.grpc.orders import Orders
from kraftpy.transport.grpc.reads import describe_cluster
from kraftpy.transport.node_api import MetadataView
from tests.unit.image.support import broker
from tests.unit.transport.conftest import turns_counted
from tests.unit.transport.fake_backend import FakeBackend, serving

MIB = 1 << 20


def config(number, value="9"):
    return r.ConfigRecord((2, 32)[number % 2], f"name-{number:05}", "retention.ms", value)


def quota(number, *, remove=False):
    entity = [r.ClientQuotaRecordEntityData("user", None if number == 0 else f"user-{number:05}")]
    return r.ClientQuotaRecord(entity=entity, key="producer_byte_rate", value=1.0, remove=remove)


def scram(number):
    return r.UserScramCredentialRecord(
        name=f"user-{number // 2:05}", mechanism=1 + number % 2, salt=b"s", stored_key=b"k", server_key=b"k",
        iterations=4096,
    )  # fmt: skip


def acl(number):
    return r.AccessControlEntryRecord(number.to_bytes(16, "big"), 2, f"t-{number:05}", 3, "User:alice", "*", 3, 3)


def host(number):
    return r.BrokerHostRecord(host=f"host-{number:05}", broker_id=number)


def token(number):
    return r.DelegationTokenRecord(
        owner=f"User:{number % 3}", requester="User:r", renewers=[], issue_timestamp=1, max_timestamp=3,
        expiration_timestamp=2, token_id=f"token-{number:05}",
    )  # fmt: skip


def names(row):
    """The name by which a row of a list differs from others."""
    for field in ("resource", "user", "resource_name", "host", "token_id"):
        if hasattr(row, field):
            name = getattr(row, field)
            return name if isinstance(name, str) else (name.type, name.name)
    return tuple((part.type, part.name if part.HasField("name") else None) for part in row.entity)


LISTS = {
    "describe_configs": (config, pb.DescribeConfigsRequest, "resources"),
    "describe_client_quotas": (quota, pb.DescribeClientQuotasRequest, "entities"),
    "describe_user_scram_credentials": (scram, pb.DescribeUserScramCredentialsRequest, "users"),
    "describe_acls": (acl, pb.DescribeAclsRequest, "entries"),
    "describe_broker_hosts": (host, pb.DescribeBrokerHostsRequest, "hosts"),
    "describe_delegation_tokens": (token, pb.DescribeDelegationTokensRequest, "tokens"),
}


class State:
    """A state that records change, with the orders that follow it."""

    def __init__(self, *records):
        self.orders = Orders()
        self.offset = 0
        self.image = EMPTY
        self.change(r.FeatureLevelRecord("metadata.version", 42), *records)

    def change(self, *records, publishes=True):
        delta = MetadataDelta(self.image)
        delta.replay_all(records)
        self.offset += len(records)
        provenance = Provenance(self.offset, 1, 0, batch_aligned=True)
        publication = Publication(delta, delta.apply(provenance), LogDeltaManifest(provenance, 1, 1))
        if publishes:
            self.orders.on_metadata_update(publication.delta, publication.image, publication.manifest)
        self.image = publication.image

    async def view(self):
        return MetadataView(self.offset, 1, 0, self.image, acls_enabled=True)

    async def page(self, name, request, bytes_max=16 * MIB):
        return await list_page(name, request, self.view, self.orders, bytes_max)

    async def pages(self, name, page_size, meanwhile=lambda _: None, **fields):
        """Ask for all pages; after each one, let something happen."""
        request = LISTS[name][1](page_size=page_size, **fields)
        found = [await self.page(name, request)]
        while found[-1].next_page_token:
            meanwhile(len(found) - 1)
            request.page_token = found[-1].next_page_token
            found.append(await self.page(name, request))
        return found


def rows(name, found):
    return [names(row) for page in found for row in getattr(page, LISTS[name][2])]


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("page_size", [1, 3, 7, 1_000])
async def test_pages_hold_everything_once_and_in_order(name, page_size):
    """Of any size: as much as one large page."""
    state = State(*map(LISTS[name][0], range(20)))
    (whole,) = await state.pages(name, 0)
    found = await state.pages(name, page_size)
    listed = rows(name, found)
    if name == "describe_configs":
        # A resource and its keys are items of a page, and the first item always fits.
        listed = list(dict.fromkeys(listed))
        assert sum(len(row.entries) for page in found for row in page.resources) == 20
    assert listed == rows(name, [whole])
    assert len(listed) in {10, 20}
    if page_size <= 7 and name != "describe_configs":
        assert [len(getattr(page, LISTS[name][2])) for page in found[:-1]] == [page_size] * (len(found) - 1)


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("publishes", [True, False])
async def test_changes_between_pages_move_nothing(name, publishes):
    """What is there all the time is listed once; each page names the state that it is of."""
    make = LISTS[name][0]
    state = State(*map(make, range(20, 60)))
    (before,) = await state.pages(name, 0)

    def meanwhile(number):
        state.change(make(number), make(100 + number), publishes=publishes)

    found = await state.pages(name, 3, meanwhile)
    listed = rows(name, found)
    assert len(found) > 5
    assert set(rows(name, [before])) <= set(listed)
    if name != "describe_configs":
        assert all(first != second for first, second in pairwise(listed))
        assert len(listed) == len(set(listed))
    offsets = [page.position.offset for page in found]
    assert offsets == sorted(offsets)
    assert offsets[0] < offsets[-1] == state.offset


async def test_a_key_that_is_removed_between_pages_moves_nothing():
    """Not even the one that the page before ended with."""
    state = State(*map(quota, range(10)))
    found = await state.pages(
        "describe_client_quotas", 2, lambda number: state.change(quota(2 * number + 1, remove=True))
    )
    assert [name for ((_, name),) in rows("describe_client_quotas", found)] == [
        None, *(f"user-{number:05}" for number in range(1, 10)),
    ]  # fmt: skip


@pytest.mark.parametrize("name", LISTS)
async def test_a_page_costs_what_is_on_it(name, monkeypatch):
    """The keys are sorted once; a page after a change compares some hundred keys, however many there are."""
    make, request, _ = LISTS[name]
    state = State(*map(make, range(20_000)))
    await state.page(name, request())
    compared = 0
    looked = orders.KeyOrder.above

    def counted(self, rank=None):
        nonlocal compared
        for key in looked(self, rank):
            compared += 1
            yield key

    monkeypatch.setattr(orders.KeyOrder, "above", counted)
    monkeypatch.setattr(orders, "_keys", lambda _: pytest.fail("the keys were put in order again"))
    page = await state.page(name, request(page_size=10))
    state.change(*map(make, range(30_000, 30_010)))
    await state.page(name, request(page_size=10, page_token=page.next_page_token))
    assert 0 < compared < 100


async def test_the_loop_turns_while_keys_are_put_in_order():
    """A hundred thousand keys: after every slice; once there, an order is used at once."""
    state = State(*map(host, range(100_000)))
    async with turns_counted() as counted:
        await state.page("describe_broker_hosts", pb.DescribeBrokerHostsRequest())
    assert counted.turns >= 2 * (100_000 // orders.SORTED_AT_ONCE)
    async with turns_counted() as counted:
        await state.page("describe_broker_hosts", pb.DescribeBrokerHostsRequest())
    assert counted.turns == 0


async def test_an_order_that_is_not_read_is_dropped():
    """What is noted for it is bounded by a quarter of its keys; it is made again when it is asked for."""
    state = State(*map(host, range(8_000)))
    await state.page("describe_broker_hosts", pb.DescribeBrokerHostsRequest())
    for first in range(8_000, 12_000, 500):
        state.change(*map(host, range(first, first + 500)))
        assert sum(len(kept.noted) for kept in state.orders._kept.values()) <= 2_000
    assert not state.orders._kept
    found = await state.pages("describe_broker_hosts", 2_000)
    assert len(rows("describe_broker_hosts", found)) == 12_000


async def test_a_filter_that_matches_little_costs_a_bounded_page(monkeypatch):
    """A page may be empty and not the last one."""
    monkeypatch.setattr(pages, "PAGE_LOOKS_MAX", 10)
    state = State(*map(token, range(40)))
    found = await state.pages("describe_delegation_tokens", 0, owners=["User:nobody"])
    assert [len(page.tokens) for page in found] == [0] * 4
    found = await state.pages("describe_delegation_tokens", 0, owners=["User:1"])
    assert [len(page.tokens) for page in found] == [3, 4, 3, 3]


async def test_a_page_is_bounded_in_bytes():
    """A page ends before the item that is too much; a resource goes on in the next page."""
    values = [r.ConfigRecord(32, "group", f"key-{number:03}", "v" * 30_000) for number in range(100)]
    state = State(*values, *(r.ConfigRecord(32, f"other-{number}", "k", "v" * 30_000) for number in range(10)))
    found = await state.pages("describe_configs", 0)
    assert len(found) == 4
    assert all(page.ByteSize() <= pages.PAGE_BYTES_MAX for page in found)
    keys = [(row.resource.name, each.name) for page in found for row in page.resources for each in row.entries]
    assert keys == sorted({*keys})
    assert len(keys) == 110
    small = await state.page("describe_configs", pb.DescribeConfigsRequest(), 100_000)
    assert 0 < small.ByteSize() <= 100_000


async def test_named_resources_come_in_pages_too():
    """Ascending and once, those without configs as well."""
    state = State(*map(config, range(10)))
    request = pb.DescribeConfigsRequest()
    for number in (8, 4, 6, 4, 98):
        request.resources.add(type=2, name=f"name-{number:05}")
    found = await state.pages("describe_configs", 2, resources=request.resources)
    assert [name for _, name in rows("describe_configs", found)] == [f"name-{number:05}" for number in (4, 6, 8, 98)]


async def test_members_come_in_pages():
    """Brokers, then controllers; fenced brokers are looked at and not listed."""
    state = State(*(broker(number) for number in range(1, 8)))
    controllers = [r.RegisterControllerRecord(controller_id=number, incarnation_id=bytes(16), zk_migration_ready=False,
                                              end_points=[], features=[]) for number in (3, 1)]  # fmt: skip
    state.change(*controllers, r.UnfenceBrokerRecord(id=1, epoch=10), r.UnfenceBrokerRecord(id=7, epoch=10))
    view = await state.view()
    for fenced, expected in ((True, list(range(1, 8))), (False, [1, 7])):
        request = pb.DescribeClusterRequest(include_fenced_brokers=fenced, page_size=2)
        found = [describe_cluster(request, view, None, MIB)]
        while found[-1].next_page_token:
            request.page_token = found[-1].next_page_token
            found.append(describe_cluster(request, view, None, MIB))
        assert [row.id for page in found for row in page.brokers] == expected
        assert [row.id for page in found for row in page.controllers] == [1, 3]
        assert all(len(page.brokers) + len(page.controllers) <= 2 for page in found)


def forged(request, *texts):
    """A token of texts of a client's own, with the digest that belongs to it."""
    return pages._write(request, texts)


async def test_a_token_of_another_request_is_refused():
    """Of another list, of another filter, changed, cut, or no token at all; another size and consistency may be."""
    state = State(*map(token, range(10)), *map(host, range(10)))
    first = pb.DescribeDelegationTokensRequest(page_size=2)
    good = (await state.page("describe_delegation_tokens", first)).next_page_token
    assert good
    raw = bytearray(base64.urlsafe_b64decode(good))
    raw[-1] ^= 1
    others = [
        ("describe_broker_hosts", pb.DescribeBrokerHostsRequest(page_token=good)),
        *(
            ("describe_delegation_tokens", pb.DescribeDelegationTokensRequest(page_token=text, owners=owners))
            for text, owners in (
                (good, ["User:1"]),
                (base64.urlsafe_b64encode(bytes(raw)).decode(), []),
                (good[:-4], []),
                (good + "AAAA", []),
                ("x", []),
                ("é", []),
                ("A" * (pages.PAGE_TOKEN_CHARACTERS_MAX + 1), []),
            )
        ),
    ]
    for name, request in others:
        with pytest.raises(ApiError, match="begin again without a page_token") as refused:
            await state.page(name, request)
        assert refused.value.code is ErrorCode.INVALID_REQUEST
    again = pb.DescribeDelegationTokensRequest(page_token=good, page_size=5)
    again.read.min_offset = 1
    assert len((await state.page("describe_delegation_tokens", again)).tokens) == 5


@pytest.mark.parametrize("name", LISTS)
async def test_a_forged_key_is_refused_or_a_place(name):
    """Whatever a key holds, its digest right: a list from some place on, or a refusal."""
    make, request, _ = LISTS[name]
    state = State(*map(make, range(20)))
    for parts in range(12):
        for text in ("", "0", "-9", "9" * 3, "9" * 5_000, "٣", "name", "\0", "ff", "=", "user"):
            asked = request()
            asked.page_token = forged(asked, *[text] * parts)
            page = None
            with suppress(ApiError):
                page = await state.page(name, asked)
            assert page is None or not page.next_page_token


def test_the_longest_key_fits_a_token():
    """Texts of records take 32,767 bytes at most: three of an entry, six of an entity."""
    request = pb.DescribeClientQuotasRequest()
    request.page_token = forged(request, *["x" * 32_767] * 6)
    assert pages.Page(request, None, MIB).after == ("x" * 32_767,) * 6


async def test_the_client_collects_all_pages(monkeypatch):
    """One value with everything, the state of the first page, and the offset of the last."""
    monkeypatch.setattr(pages, "PAGE_ITEMS_MAX", 3)
    of_each = (make(number) for make, _, _ in LISTS.values() for number in range(10))
    state = State(*of_each, *(broker(number) for number in range(1, 8)))
    backend = FakeBackend()
    backend.image = state.image
    views = count(90)
    view = backend.view
    backend.view = lambda: replace(view(), offset=next(views))
    async with serving(backend) as server, AsyncClient([f"127.0.0.1:{server.port}"], timeout_s=10) as client:
        hosts = await client.describe_broker_hosts()
        assert [one.host for one in hosts.hosts] == [f"host-{number:05}" for number in range(10)]
        assert (hosts.freshness.offset, hosts.freshness.last_offset) == (90, 93)
        assert len((await client.describe_configs()).resources) == 10
        assert len((await client.describe_client_quotas()).entities) == 10
        assert len((await client.describe_acls()).entries) == 10
        assert len((await client.describe_delegation_tokens()).tokens) == 10
        assert len((await client.describe_user_scram_credentials()).users) == 5
        assert len((await client.describe_cluster(include_fenced=True)).brokers) == 7
        assert (await client.describe_broker_hosts(["host-00001"])).freshness.last_offset is None
        monkeypatch.setattr(client_pages, "LIST_BYTES_MAX", 2_000)
        with pytest.raises(ApiError, match="more than 2000 bytes"):
            await client.describe_broker_hosts()


async def test_the_client_does_not_follow_a_token_twice():
    """A server that repeats a token would be asked for ever."""

    async def call(_):
        return pb.DescribeBrokerHostsResponse(next_page_token="again")

    with pytest.raises(MalformedError, match="repeated a page token"):
        await client_pages.all_pages(pb.DescribeBrokerHostsRequest(), call, None)
    assert set(LISTED) == set(LISTS)
