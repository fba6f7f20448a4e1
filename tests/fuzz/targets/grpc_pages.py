"""Pages of the public API's lists: the bytes of a request with its page token, through the server's own decoder.

A request is refused, or answered with a page that ends behind the place where it begins, so that lists come to an end.
The first byte chooses the list. With the highest bit of it set, the digest of the token is put right, as a client that
makes up a token would, so that what is behind it is reached.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
from typing import Any

from google.protobuf import message_factory

from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY
from kraftpy.image.provenance import Provenance
from kraftpy.model.errors import ApiError
from kraftpy.pb.v1 import cluster_pb2
from kraftpy.records import metadata as r
from kraftpy.transport.grpc import pages
from kraftpy.transport.grpc.elements import decoder
from kraftpy.transport.grpc.listed_reads import LISTED, list_page
from kraftpy.transport.grpc.orders import Orders
from kraftpy.transport.grpc.reads import describe_cluster
from kraftpy.transport.node_api import MetadataView
from tests.fuzz.target import Target
from tests.fuzz.targets.parts import UUID

ANSWER_BYTES_MAX = 1 << 20
FORGED = 0x80
METHODS = {
    "".join(f"_{one.lower()}" if one.isupper() else one for one in method.name).lstrip("_"): method
    for method in cluster_pb2.DESCRIPTOR.services_by_name["ClusterService"].methods
}
NAMES = ("describe_cluster", *LISTED)
CLASSES = {name: message_factory.GetMessageClass(METHODS[name].input_type) for name in NAMES}
DECODERS = {name: decoder(METHODS[name].input_type, CLASSES[name].FromString) for name in NAMES}


def _view() -> MetadataView:
    delta = MetadataDelta(EMPTY)
    delta.replay(r.FeatureLevelRecord("metadata.version", 42))
    for number in range(4):
        name = f"name-{number}"
        delta.replay(r.RegisterControllerRecord(controller_id=number, incarnation_id=UUID))
        delta.replay(r.ConfigRecord((2, 32)[number % 2], name, "retention.ms", "9"))
        entity = [r.ClientQuotaRecordEntityData("user", name if number else None)]
        delta.replay(r.ClientQuotaRecord(entity=entity, key="producer_byte_rate", value=1.0, remove=False))
        delta.replay(r.UserScramCredentialRecord(name, 1, b"s", b"k", b"k", 4096))
        delta.replay(r.AccessControlEntryRecord(bytes([number]) * 16, 2, name, 3, "User:alice", "*", 3, 3))
        delta.replay(r.BrokerHostRecord(name, number))
        delta.replay(r.DelegationTokenRecord(f"User:{number % 2}", "User:r", [], 1, 3, 2, name))
    return MetadataView(40, 1, 0, delta.apply(Provenance(40, 1, 0, batch_aligned=True)), acls_enabled=True)


VIEW = _view()
RUNNER = asyncio.Runner()


def _forge(request: Any) -> None:
    """Put the digest of a token right, if it has one."""
    try:
        data = base64.urlsafe_b64decode(request.page_token.encode())
    except binascii.Error:
        return
    body = data[8:]
    request.page_token = base64.urlsafe_b64encode(pages._digest(request, body) + body).decode()


async def _take_view() -> MetadataView:
    return VIEW


async def _page(name: str, request: Any, orders: Orders) -> Any:
    if name == "describe_cluster":
        return describe_cluster(request, VIEW, None, ANSWER_BYTES_MAX)
    return await list_page(name, request, _take_view, orders, ANSWER_BYTES_MAX)


async def _list(name: str, request: Any) -> None:
    orders = Orders()
    for _ in range(60):
        page = await _page(name, request, orders)
        assert page.ByteSize() <= ANSWER_BYTES_MAX
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token
    raise AssertionError("a list of some twenty items has 60 pages")


def run(data: bytes) -> None:
    """Answer a request with all pages, from the one on that it asks for."""
    first = data[0] if data else 0
    name = NAMES[(first & ~FORGED) % len(NAMES)]
    request = DECODERS[name](data[1:])
    if isinstance(request, ApiError):
        raise request
    if first & FORGED:
        _forge(request)
    RUNNER.run(_list(name, request))


def samples():
    keys = {
        "describe_cluster": ("1", "0"),
        "describe_configs": ("2", "name-0", "retention.ms"),
        "describe_client_quotas": ("user", "=name-1"),
        "describe_user_scram_credentials": ("name-1",),
        "describe_acls": ("2", "name-0", "3", "User:alice", "*", "3", "3", "00" * 16),
        "describe_broker_hosts": ("name-0",),
        "describe_delegation_tokens": ("name-0",),
    }
    for number, name in enumerate(NAMES):
        request = CLASSES[name](page_size=1)
        yield f"first_{name}", bytes([number]) + request.SerializeToString()
        request.page_token = pages._write(request, keys[name])
        yield f"next_{name}", bytes([number | FORGED]) + request.SerializeToString()


TARGET = Target(name="grpc_pages", run=run, refusals=(ApiError,), samples=samples, memory_base=8 * 1024 * 1024)
